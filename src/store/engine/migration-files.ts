// The migration files of this program and their hashes.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const migrationsDir = join(import.meta.dirname, '../../../migrations')

/** Migrations of the schema `public` are recorded under this name, those of a group under the group's. */
export const shared = 'shared'

export type MigrationFolder = 'shared' | 'group'

export const folderOf = (scope: string): MigrationFolder => (scope === shared ? 'shared' : 'group')

export const migrationNames = async (folder: MigrationFolder): Promise<string[]> =>
  (await readdir(join(migrationsDir, folder))).filter((name) => name.endsWith('.sql')).sort()

/** The same for a checkout with Windows line endings. */
export const hashOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

/** The hash of every file, by "shared/0001_markets.sql" or "group/0001_properties.sql". */
export const fileHashes = async (): Promise<Map<string, string>> => {
  const hashes = new Map<string, string>()
  for (const folder of ['group', 'shared'] as const)
    for (const name of await migrationNames(folder))
      hashes.set(`${folder}/${name}`, hashOf(await readFile(join(migrationsDir, folder, name), 'utf8')))
  return hashes
}
