import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import { readConfig } from '../../config.ts'
import { backUp, type Manifest } from '../../store/backup/backup.ts'
import { restore } from '../../store/backup/restore.ts'
import { ApiAlreadyRunning, claimApi } from '../../store/engine/api-lock.ts'
import { recordBackup } from '../../store/engine/database-status.ts'
import { notDistributed } from '../../store/engine/distribute.ts'
import { isStandby } from '../../store/engine/health.ts'
import { openServices } from '../open-services.ts'
import { stepLine, terminalLine } from '../progress.ts'
import { withOpened } from '../with-opened.ts'
import { printing, wholeNumber } from './arguments.ts'

export const backupCommand = (): Command =>
  printing(
    new Command('backup')
      .description('Write the whole database to one file. The service may be running.')
      .argument(
        '<file>',
        'backup file to write, which appears when it is complete, or a folder for a file named by the time',
      )
      .option('--force', 'overwrite an existing file')
      .option(
        '--keep <n>',
        'with a folder: keep the last n files named by the time and delete older ones',
        wholeNumber('It must be a whole number from 1, for example 7.'),
      )
      .option('--group <group>', 'only the data of one shard group; keys and webhooks are only in a full backup'),
    async (name: string, { force, group, keep }: { force?: boolean; group?: string; keep?: number }) => {
      const now = new Date()
      const folder = (await stat(resolve(name)).catch(() => undefined))?.isDirectory() ? resolve(name) : undefined
      if (keep !== undefined && (folder === undefined || group !== undefined))
        throw new OperatorError(
          '--keep needs an existing folder and cannot be combined with --group, for example: lotline backup /backups --keep 7',
        )
      const file = folder === undefined ? resolve(name) : join(folder, nameAt(now, group))
      if (!force && existsSync(file))
        throw new OperatorError(`${file} exists already. Name another file, or add --force.`)
      const progress = stepLine(process.stderr)
      const { manifest, size } = await withOpened(open, async ({ store, sealer }) => {
        const manifest = await backUp(store, file, { sealer, now, group, onProgress: progress.show })
        const { size } = await stat(file)
        // A standby, which may be backed up too, accepts no record of it.
        if (group === undefined && !(await isStandby(store.db)))
          await recordBackup(store.db, { madeAt: now, file, bytes: size, rows: rowsOfBackup(manifest) })
        return { manifest, size }
      }).finally(progress.clear)
      // Only now that another one is complete.
      if (folder !== undefined && keep !== undefined) await deleteOlder(folder, keep)
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
        }).finally(() => claim.release())
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

/** Names sort by time. Backups of one group have other names, so that they do not count as complete ones. */
const nameAt = (now: Date, group: string | undefined): string =>
  `lotline-${group === undefined ? '' : `${group}-`}${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`

/** Other files in the folder stay, except those that a killed backup left incomplete. */
const deleteOlder = async (folder: string, keep: number): Promise<void> => {
  const made = (await readdir(folder)).filter((name) => /^lotline-[\dT-]{17}Z\.backup(\.partial)?$/.test(name)).sort()
  const first = made.filter((name) => name.endsWith('.backup')).at(-keep) ?? ''
  for (const name of made) if (name < first) await rm(join(folder, name), { force: true })
}

const rowsOfBackup = ({ tables }: Manifest): number => Object.values(tables).reduce((sum, table) => sum + table.rows, 0)

const summary = (manifest: Manifest): string => {
  const { tables, mails } = manifest
  return `${rowsOfBackup(manifest).toLocaleString('en')} rows in ${Object.keys(tables).length} tables${mails > 0 ? ` and ${mails} queued mails` : ''}`
}
