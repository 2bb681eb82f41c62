import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { backUp, type Manifest } from '../../store/backup/backup.ts'
import { UnfitBackup } from '../../store/backup/backup-file.ts'
import { restore } from '../../store/backup/restore.ts'
import { AnotherProcess, claimApi } from '../../store/engine/api-lock.ts'
import { expected } from '../expected.ts'
import { openServices } from '../open-services.ts'
import { using } from './using.ts'

export const backupCommand = (): Command =>
  new Command('backup')
    .description('Write everything the database holds to one file, while the service runs.')
    .argument('<file>', 'where to; it appears only once it is whole')
    .option('--force', 'write over a file that is there')
    .option('--json', 'print its manifest as JSON')
    .action(async (name: string, { json, force }: { json?: boolean; force?: boolean }) => {
      const file = resolve(name)
      if (!force && existsSync(file)) throw expected(`${file} is there already. Name another file, or add --force.`)
      const manifest = await using(open, ({ store, sealer }) =>
        backUp(store, file, { sealer, now: new Date() }).catch(asExpected),
      )
      if (json) return print(JSON.stringify(manifest))
      const { size } = await stat(file)
      print(`Wrote ${file}: ${summary(manifest)}, ${(size / 1e6).toFixed(1)} MB.`)
      print('SECRET_KEY is not in it. Keep that apart: without it, webhook secrets and waiting mails cannot be opened.')
    })

export const restoreCommand = (): Command =>
  new Command('restore')
    .description('Put a backup into an empty database: all of it, or nothing.')
    .argument('<file>', 'what `lotline backup` wrote')
    .option('--json', 'print its manifest as JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const manifest = await using(open, async (services) => {
        // A service that is running would load its sample into the same tables.
        const claim = await claimApi(services.store.address, false).catch((error: unknown) => {
          throw error instanceof AnotherProcess
            ? expected('Lotline is serving this database. Stop it first, then restore.')
            : error
        })
        return restore({ ...services.store, queue: services.queue }, resolve(name), services)
          .catch(asExpected)
          .finally(() => claim.release())
      })
      print(json ? JSON.stringify(manifest) : `Restored ${summary(manifest)}, as of ${manifest.createdAt}.`)
    })

const open = () => openServices(readConfig(), { poolSize: 2 })

const summary = ({ tables, mails }: Manifest): string => {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  return `${rows.toLocaleString('en')} rows of ${Object.keys(tables).length} tables${mails > 0 ? ` and ${mails} waiting mails` : ''}`
}

const asExpected = (error: unknown): never => {
  throw error instanceof UnfitBackup ? expected(error.message) : error
}

const print = (text: string) => void process.stdout.write(`${text}\n`)
