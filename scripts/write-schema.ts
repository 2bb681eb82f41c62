// npm run schema: writes src/store/engine/schema.ts and docs/schema.md from a new database with all migrations applied, and records
// the hashes of new migrations. A recorded hash stays: a landed migration is never edited.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServer } from '../bench/sandbox.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { fileHashes } from '../src/store/engine/migration-files.ts'
import { root, schemaFiles } from './schema/files.ts'

const server = await openServer()
const database = openDatabase(server.address)
try {
  for (const [path, text] of Object.entries(await schemaFiles(database.pool))) {
    writeFileSync(join(root, path), text)
    console.log(`Wrote ${path}.`)
  }
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', 'src/store/engine/schema.ts'],
    { cwd: root },
  )
  const recorded = join(root, 'migrations/hashes.json')
  const hashes = { ...Object.fromEntries(await fileHashes()), ...JSON.parse(readFileSync(recorded, 'utf8')) }
  writeFileSync(recorded, `${JSON.stringify(hashes, Object.keys(hashes).sort(), 2)}\n`)
} finally {
  await database.close()
  await server.close()
}
