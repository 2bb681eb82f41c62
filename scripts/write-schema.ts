// npm run schema: writes src/store/engine/schema.ts from a new database with all migrations applied, and records the
// hashes of new migrations and the versions of views. A recorded hash stays: a landed migration is never edited.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServer } from '../bench/sandbox.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { fileHashes } from '../src/store/engine/migration-files.ts'
import { root, schemaFile, schemaText, versionsFile, versionsText } from './schema/files.ts'

writeFileSync(versionsFile, versionsText())

const server = await openServer()
const database = openDatabase(server.address)
try {
  writeFileSync(join(root, schemaFile), await schemaText(database.pool))
  console.log(`Wrote ${schemaFile}.`)
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', schemaFile],
    { cwd: root },
  )
  const recorded = join(root, 'migrations/hashes.json')
  const hashes = { ...Object.fromEntries(await fileHashes()), ...JSON.parse(readFileSync(recorded, 'utf8')) }
  writeFileSync(recorded, `${JSON.stringify(hashes, Object.keys(hashes).sort(), 2)}\n`)
} finally {
  await database.close()
  await server.close()
}
