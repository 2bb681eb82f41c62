import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { distributeGroup, rebalance } from '../../store/engine/distribute.ts'
import { addShard, listShards, moveMarket } from '../../store/engine/shards.ts'
import { openStore, type Store } from '../open-store.ts'
import { textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { subcommands } from './arguments.ts'

export const shardsCommand = (): Command => {
  const command = new Command('shards').description(
    'Manage shard groups, the schemas that hold the data of the markets.',
  )
  const add = subcommands(command)
  add('list', 'List the groups with their markets and sizes.', async () => {
    const groups = await inStore(({ db }) => listShards(db))
    const text = textTable(groups, [
      { title: 'Group', value: ({ name }) => name },
      { title: 'MB', value: ({ bytes }) => (bytes / 1e6).toFixed(1), number: true },
      { title: 'Markets', value: ({ markets }) => markets.join(', ') || 'no markets' },
    ])
    return { json: groups, text }
  })
  add('add', 'Create an empty group.', create, (sub) => sub.argument('<group>', 'name of the group, g00 to g99'))
  add(
    'move',
    'Move a market to another group. The service may be running: reads continue, loads of the market wait.',
    move,
    (sub) => sub.argument('<market>', 'id of the market').argument('<group>', 'group to move it to'),
  )
  add(
    'distribute',
    'Put the tables of a group on a node of a Citus cluster. Loads of its markets wait.',
    distribute,
    (sub) => sub.argument('<group>', 'name of the group'),
  )
  add(
    'rebalance',
    'Even out the nodes of a Citus cluster by moving groups. Reads continue, loads of a group wait.',
    evenOut,
    (sub) => sub.option('--dry-run', 'print the moves and make none'),
  )
  return command
}

const create = async (group: string) => {
  await inStore((store) => addShard(store, group))
  const text = `Created shard group ${group}. Move a market to it: lotline shards move <market> ${group}`
  return { json: { success: true, group }, text }
}

const move = async (market: string, group: string) => {
  const onStep = (step: string) => void process.stderr.write(`${step}…\n`)
  const moved = await inStore((store) => moveMarket(store, market, group, { onStep }))
  const text = `Moved ${market} from ${moved.from} to ${group}: ${moved.rows.toLocaleString('en')} rows.`
  return { json: { market, to: group, ...moved }, text }
}

const distribute = async (group: string) => {
  await inStore((store) => distributeGroup(store, group))
  return { json: { success: true, group }, text: `Distributed shard group ${group}.` }
}

const evenOut = async ({ dryRun }: { dryRun?: boolean }) => {
  const moves = await inStore((store) => rebalance(store, dryRun))
  const lines = moves.map(({ group, from, to }) => `${group}: ${from} to ${to}`)
  return { json: moves, text: lines.length > 0 ? lines : 'The nodes are even: nothing to move.' }
}

const inStore = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
  withOpened(() => openStore(readConfig(), { poolSize: 3, statementTimeoutMs: 0 }), work)
