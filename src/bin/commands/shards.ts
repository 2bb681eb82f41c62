import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { distributeGroup } from '../../store/engine/distribute.ts'
import { addShard, InvalidMove, listShards, moveMarket } from '../../store/engine/shards.ts'
import { tableSizes } from '../../store/engine/table-sizes.ts'
import { openStore, type Store } from '../open-store.ts'
import { OperatorError } from '../operator-error.ts'
import { textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { print, wholeNumber } from './arguments.ts'

export const shardsCommand = (): Command => {
  const command = new Command('shards').description(
    'Manage shard groups, the schemas that hold the data of the markets.',
  )
  command
    .command('list')
    .description('List the groups with their markets and sizes.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const groups = await inStore(({ db }) => listShards(db))
      if (json) return print(JSON.stringify(groups))
      print(
        textTable(
          [
            { title: 'Group', value: ({ name }) => name },
            { title: 'MB', value: ({ bytes }) => (bytes / 1e6).toFixed(1), number: true },
            { title: 'Markets', value: ({ markets }) => markets.join(', ') || 'no markets' },
          ],
          groups,
        ),
      )
    })
  command
    .command('growth')
    .description('Bytes per row of each table, and what they come to for a number of parcels now and after a year.')
    .option(
      '--parcels <n>',
      'number of parcels',
      wholeNumber('It must be a whole number of parcels, for example 2000000.'),
      2_000_000,
    )
    .option('--json', 'print JSON')
    .action(async ({ parcels, json }: { parcels: number; json?: boolean }) => {
      const sizes = await inStore(({ db }) => tableSizes(db, new Date()))
      if (json) return print(JSON.stringify(sizes))
      const scale = parcels / (sizes.find(({ table }) => table === 'property')?.rows || 1)
      print(
        textTable(
          [
            { title: 'Table', value: ({ table }) => table },
            { title: 'Rows', value: ({ rows }) => rows, number: true },
            { title: 'Bytes per row', value: ({ rows, bytes }) => Math.round(bytes / rows), number: true },
            { title: 'GB', value: ({ bytes }) => gigabytes(bytes * scale), number: true },
            {
              title: 'GB more a year',
              value: ({ rows, bytes, rowsMore }) =>
                rowsMore === undefined ? '' : gigabytes((bytes / rows) * rowsMore * scale),
              number: true,
            },
          ],
          sizes,
        ),
      )
      print(`\nGB for ${parcels.toLocaleString('en-US')} parcels, with as many records per parcel as are stored here.`)
    })
  command
    .command('add')
    .description('Create an empty group.')
    .argument('<group>', 'name of the group, g00 to g99')
    .option('--json', 'print JSON')
    .action(async (group: string, { json }: { json?: boolean }) => {
      await inStore((store) => addShard(store, group))
      if (json) return print(JSON.stringify({ success: true, group }))
      print(`Created shard group ${group}. Move a market to it: lotline shards move <market> ${group}`)
    })
  command
    .command('move')
    .description(
      'Move a market to another group. The service may be running: reads continue, loads of the market wait.',
    )
    .argument('<market>', 'id of the market')
    .argument('<group>', 'group to move it to')
    .option('--json', 'print JSON')
    .action(async (market: string, group: string, { json }: { json?: boolean }) => {
      const moved = await inStore((store) =>
        moveMarket(store, market, group, { onStep: (step) => void process.stderr.write(`${step}…\n`) }),
      )
      print(
        json
          ? JSON.stringify({ market, to: group, ...moved })
          : `Moved ${market} from ${moved.from} to ${group}: ${moved.rows.toLocaleString('en')} rows.`,
      )
    })
  command
    .command('distribute')
    .description('Put the tables of a group on a node of a Citus cluster. Loads of its markets wait.')
    .argument('<group>', 'name of the group')
    .option('--json', 'print JSON')
    .action(async (group: string, { json }: { json?: boolean }) => {
      await inStore((store) => distributeGroup(store, group))
      print(json ? JSON.stringify({ success: true, group }) : `Distributed shard group ${group}.`)
    })
  return command
}

const inStore = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
  withOpened(
    () => openStore(readConfig(), { poolSize: 3, statementTimeoutMs: 0 }),
    (store) =>
      work(store).catch((error: unknown) => {
        throw error instanceof InvalidMove ? new OperatorError(error.message) : error
      }),
  )

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2)
