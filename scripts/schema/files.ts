// src/store/engine/schema.ts, written from a migrated database, and views/versions.json.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type pg from 'pg'
import { defaultGroup } from '../../src/store/engine/database.ts'
import { hashOf } from '../../src/store/engine/migration-files.ts'
import { viewsDir } from '../../src/store/engine/view-files.ts'
import { readSchema } from './read-schema.ts'
import { interfaceName, rowTypes } from './row-types.ts'

export const root = join(import.meta.dirname, '../..')

export const schemaFile = 'src/store/engine/schema.ts'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Only the tables whose row type the code imports. */
export const schemaText = async (client: Pick<pg.Pool, 'query'>): Promise<string> => {
  const columnTypes = textOf('src/store/engine/column-types.ts')
  const typed = new Set([...columnTypes.matchAll(/^ {2}'?(\w+(?:\.\w+)?)'?:/gm)].map(([, column]) => column!))
  const code = globSync('{src,test}/**/*.ts', { cwd: root }).filter((path) => path !== schemaFile)
  const named = new Set(code.flatMap((path) => textOf(path).match(/\b[A-Z]\w+Table\b/g) ?? []))
  const tables = await readSchema(client, defaultGroup)
  return rowTypes(
    tables.filter(({ name }) => named.has(interfaceName(name))),
    typed,
  )
}

export const versionsFile = join(viewsDir, 'versions.json')

/** The version and hash of each view: a changed view has the next version. */
export const versionsText = (): string => {
  const recorded: Record<string, { version: number; sha256: string }> = JSON.parse(readFileSync(versionsFile, 'utf8'))
  const files = readdirSync(viewsDir).filter((file) => file.endsWith('.sql'))
  const versions = files.sort().map((file) => {
    const name = basename(file, '.sql')
    const sha256 = hashOf(readFileSync(join(viewsDir, file), 'utf8'))
    const { version = 0, sha256: before } = recorded[name] ?? {}
    return [name, { version: sha256 === before ? version : version + 1, sha256 }]
  })
  return `${JSON.stringify(Object.fromEntries(versions), null, 2)}\n`
}
