// The databases that earlier releases wrote, from the backups in test/releases.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealerOf } from '../../src/secrets/seal.ts'
import { restore } from '../../src/store/backup/restore.ts'
import type { Database, DatabaseOptions } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openQueue } from '../../src/store/engine/queue.ts'

const root = join(import.meta.dirname, '../..')

/** The backups were written with this secret key. */
export const releaseSecretKey = Buffer.alloc(32, 7)

/** The tables of version 2, empty: its migrations, and their names without hashes. */
export const versionTwoTables = async (database: Database): Promise<void> => {
  const { migrations } = JSON.parse(await readFile(join(root, 'migrations/releases/2.0.0.json'), 'utf8'))
  await migrate(database, [
    ...migrations.shared.map((name: string) => `shared/${name}`),
    ...migrations.group.map((name: string) => `g00/${name}`),
  ])
  await database.pool.query('alter table public.migration drop column hash')
}

export const restoreRelease = async (database: Database, address: DatabaseOptions, version: string): Promise<void> => {
  const queue = await openQueue(address)
  await restore({ ...database, queue }, join(root, `test/releases/${version}.backup`), {
    sealer: sealerOf(releaseSecretKey),
  })
  await queue.close()
}
