import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { distributeGroup } from '../../store/engine/distribute.ts'
import { addShard, InvalidMove, listShards, moveMarket } from '../../store/engine/shards.ts'
import { tableSizes } from '../../store/engine/table-sizes.ts'
import { openStore, type Store } from '../open-store.ts'
import { OperatorError } from '../operator-error.ts'
import { textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { printing, wholeNumber } from './arguments.ts'

export const shardsCommand = (): Command => {
  const command = new Command('shards').description(
    'Manage shard groups, the schemas that hold the data of the markets.',
  )
  printing(command.command('list').description('List the groups with their markets and sizes.'), async () => {
    const groups = await inStore(({ db }) => listShards(db))
    const text = textTable(groups, [
      { title: 'Group', value: ({ name }) => name },
      { title: 'MB', value: ({ bytes }) => (bytes / 1e6).toFixed(1), number: true },
      { title: 'Markets', value: ({ markets }) => markets.join(', ') || 'no markets' },
    ])
    return { json: groups, text }
  })
  printing(
    command
      .command('growth')
      .description('Bytes per row of each table, and what they come to for a number of parcels now and after a year.')
      .option(
        '--parcels <n>',
        'number of parcels',
        wholeNumber('It must be a whole number of parcels, for example 2000000.'),
        2_000_000,
      ),
    async ({ parcels }: { parcels: number }) => {
      const sizes = await inStore(({ db }) => tableSizes(db, new Date()))
      const scale = parcels / (sizes.find(({ table }) => table === 'property')?.rows || 1)
      const grown = ({ rows, bytes, rowsMore }: (typeof sizes)[number]) =>
        rowsMore === undefined ? '' : gigabytes((bytes / rows) * rowsMore * scale)
      const table = textTable(sizes, [
        { title: 'Table', value: ({ table }) => table },
        { title: 'Rows', value: ({ rows }) => rows, number: true },
        { title: 'Bytes per row', value: ({ rows, bytes }) => Math.round(bytes / rows), number: true },
        { title: 'GB', value: ({ bytes }) => gigabytes(bytes * scale), number: true },
        { title: 'GB more a year', value: grown, number: true },
      ])
      const about = `\nGB for ${parcels.toLocaleString('en-US')} parcels, with as many records per parcel as are stored here.`
      return { json: sizes, text: [table, about] }
    },
  )
  printing(
    command.command('add').description('Create an empty group.').argument('<group>', 'name of the group, g00 to g99'),
    async (group: string) => {
      await inStore((store) => addShard(store, group))
      const text = `Created shard group ${group}. Move a market to it: lotline shards move <market> ${group}`
      return { json: { success: true, group }, text }
    },
  )
  printing(
    command
      .command('move')
      .description(
        'Move a market to another group. The service may be running: reads continue, loads of the market wait.',
      )
      .argument('<market>', 'id of the market')
      .argument('<group>', 'group to move it to'),
    async (market: string, group: string) => {
      const onStep = (step: string) => void process.stderr.write(`${step}…\n`)
      const moved = await inStore((store) => moveMarket(store, market, group, { onStep }))
      const text = `Moved ${market} from ${moved.from} to ${group}: ${moved.rows.toLocaleString('en')} rows.`
      return { json: { market, to: group, ...moved }, text }
    },
  )
  printing(
    command
      .command('distribute')
      .description('Put the tables of a group on a node of a Citus cluster. Loads of its markets wait.')
      .argument('<group>', 'name of the group'),
    async (group: string) => {
      await inStore((store) => distributeGroup(store, group))
      return { json: { success: true, group }, text: `Distributed shard group ${group}.` }
    },
  )
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
