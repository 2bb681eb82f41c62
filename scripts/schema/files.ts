// The files written from a migrated database, each with its text.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { defaultGroup } from '../../src/store/engine/database.ts'
import { schemaPage } from './page.ts'
import { readSchema } from './read-schema.ts'
import { rowTypes } from './row-types.ts'

export const root = join(import.meta.dirname, '../..')

export const schemaFiles = async (client: Pick<pg.Pool, 'query'>): Promise<Record<string, string>> => {
  const tables = await readSchema(client, defaultGroup)
  const columnTypes = await readFile(join(root, 'src/store/engine/column-types.ts'), 'utf8')
  const typed = new Set([...columnTypes.matchAll(/^ {2}'(\w+\.\w+)':/gm)].map(([, column]) => column!))
  return { 'src/store/engine/schema.ts': rowTypes(tables, typed), 'docs/schema.md': schemaPage(tables) }
}
