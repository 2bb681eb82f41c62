import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { backUp, type Manifest } from '../../store/backup/backup.ts'
import { UnusableBackup } from '../../store/backup/backup-file.ts'
import { restore } from '../../store/backup/restore.ts'
import { ApiAlreadyRunning, claimApi } from '../../store/engine/api-lock.ts'
import { notDistributed } from '../../store/engine/distribute.ts'
import { openServices } from '../open-services.ts'
import { OperatorError } from '../operator-error.ts'
import { stepLine, terminalLine } from '../progress.ts'
import { withOpened } from '../with-opened.ts'
import { printing } from './arguments.ts'

export const backupCommand = (): Command =>
  printing(
    new Command('backup')
      .description('Write the whole database to one file. The service may be running.')
      .argument('<file>', 'backup file to write; it appears only when it is complete')
      .option('--force', 'overwrite an existing file')
      .option('--group <group>', 'only the data of one shard group; keys and webhooks are only in a full backup'),
    async (name: string, { force, group }: { force?: boolean; group?: string }) => {
      const file = resolve(name)
      if (!force && existsSync(file))
        throw new OperatorError(`${file} exists already. Name another file, or add --force.`)
      const progress = stepLine(process.stderr)
      const manifest = await withOpened(open, ({ store, sealer }) =>
        backUp(store, file, { sealer, now: new Date(), group, onProgress: progress.show }).catch(asOperatorError),
      ).finally(progress.clear)
      const { size } = await stat(file)
      const text = [
        `Wrote ${file}: ${summary(manifest)}, ${(size / 1e6).toFixed(1)} MB.`,
        'The backup does not contain SECRET_KEY. Back it up separately: without it, webhook secrets and queued mails cannot be decrypted.',
      ]
      return { json: manifest, text }
    },
    { about: manifestOption },
  )

const manifestOption = 'print the manifest as JSON'

export const restoreCommand = (): Command =>
  printing(
    new Command('restore')
      .description(
        'Restore a backup into an empty database, or one shard group into an empty group, completely or not at all.',
      )
      .argument('<file>', 'file written by `lotline backup`'),
    async (name: string) => {
      const progress = terminalLine(process.stderr)
      const onTable = (table: string) => progress.show(`Restoring ${table}`)
      const { manifest, local } = await withOpened(open, async (services) => {
        // A running service would load its sample into the same tables.
        const claim = await claimApi(services.store.address, false).catch((error: unknown) => {
          throw error instanceof ApiAlreadyRunning
            ? new OperatorError('Lotline is serving this database. Stop it first, then restore.')
            : error
        })
        const manifest = await restore({ ...services.store, queue: services.queue }, resolve(name), {
          ...services,
          onTable,
        })
          .catch(asOperatorError)
          .finally(() => claim.release())
        return { manifest, local: await notDistributed(services.store.db) }
      }).finally(progress.clear)
      if (local.length > 0)
        process.stderr.write(
          `Not distributed: ${local.join(', ')}. Their tables are on the coordinator. For each: lotline shards distribute <group>\n`,
        )
      return { json: manifest, text: `Restored ${summary(manifest)}, as of ${manifest.createdAt}.` }
    },
    { about: manifestOption },
  )

const open = () => openServices(readConfig(), { poolSize: 2 })

const summary = ({ tables, mails }: Manifest): string => {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  return `${rows.toLocaleString('en')} rows in ${Object.keys(tables).length} tables${mails > 0 ? ` and ${mails} queued mails` : ''}`
}

const asOperatorError = (error: unknown): never => {
  throw error instanceof UnusableBackup ? new OperatorError(error.message) : error
}
