// src/store/engine/schema.ts, written from a migrated database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { defaultGroup } from '../../src/store/engine/database.ts'
import { readSchema } from './read-schema.ts'
import { rowTypes } from './row-types.ts'

export const root = join(import.meta.dirname, '../..')

export const schemaFile = 'src/store/engine/schema.ts'

export const schemaText = async (client: Pick<pg.Pool, 'query'>): Promise<string> => {
  const tables = await readSchema(client, defaultGroup)
  const columnTypes = await readFile(join(root, 'src/store/engine/column-types.ts'), 'utf8')
  const typed = new Set([...columnTypes.matchAll(/^ {2}'?(\w+(?:\.\w+)?)'?:/gm)].map(([, column]) => column!))
  return rowTypes(tables, typed)
}
