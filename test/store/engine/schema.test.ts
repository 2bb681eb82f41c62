import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, schemaFile, schemaText, versionsFile, versionsText } from '../../../scripts/schema/files.ts'
import { readSchema } from '../../../scripts/schema/read-schema.ts'
import { useDatabase } from '../../setup/database.ts'

const database = useDatabase()

test('row types match the migrated database (npm run schema writes them)', async () => {
  const written = await readFile(join(root, schemaFile), 'utf8')
  expect(written, `${schemaFile} is out of date: run npm run schema`).toBe(
    formatted(schemaFile, await schemaText(database().pool)),
  )
})

test('every view has its version (npm run schema writes it)', async () => {
  expect(await readFile(versionsFile, 'utf8'), 'views/versions.json is out of date: run npm run schema').toBe(
    versionsText(),
  )
})

test('every table has a comment, and every key in a group begins with the market', async () => {
  for (const { schema, name, comment, primaryKey, foreignKeys } of await readSchema(database().pool, 'g00')) {
    expect(comment, name).toBeTruthy()
    if (schema === 'public') continue
    expect(primaryKey[0], name).toBe('market')
    for (const { table, columns } of foreignKeys) if (table !== 'source') expect(columns[0], name).toBe('market')
  }
})

const formatted = (path: string, text: string): string =>
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', `--stdin-file-path=${path}`],
    {
      cwd: root,
      input: text,
      encoding: 'utf8',
    },
  )
