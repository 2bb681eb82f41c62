import { Command, InvalidArgumentError } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import type { Services } from '../../operations/context.ts'
import { prune } from '../../store/engine/prune.ts'
import { replayRange } from '../../store/webhooks/delivery-log.ts'
import { allEndpoints } from '../../store/webhooks/webhooks.ts'
import { type Color, type Column, textTable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { subcommands } from './arguments.ts'

interface CommandDeps {
  openServices(): Promise<Services & { close(): Promise<void> }>
}

export const webhooksCommand = ({ openServices }: CommandDeps): Command => {
  const list = async () => {
    const endpoints = await withOpened(openServices, ({ db }) => allEndpoints(db))
    const text = endpoints.length === 0 ? 'No webhook endpoints.' : textTable(endpoints, endpointColumns)
    return { json: endpoints, text }
  }
  const replay = async (options: { since: Date; until?: Date; endpoint?: string; all?: boolean }) => {
    const now = new Date()
    const { since, until = now, endpoint: endpointId, all } = options
    if (since >= until) throw new OperatorError('--since must be before --until.')
    const queued = await withOpened(openServices, async ({ db, queue }) => {
      const known = endpointId === undefined ? [] : (await allEndpoints(db)).filter(({ id }) => id === endpointId)
      if (endpointId !== undefined && known.length === 0)
        throw new OperatorError(`There is no endpoint ${endpointId}. List the endpoints with: lotline webhooks list`)
      if (known[0]?.disabledAt)
        throw new OperatorError(`Endpoint ${endpointId} is disabled (${known[0].disabledReason}).`)
      return replayRange(db, queue, { since, until, endpointId, all }, now)
    })
    return { json: { success: true, queued }, text: `Queued ${queued} deliveries.` }
  }
  const deleteOld = async () => {
    const pruned = await withOpened(openServices, ({ db }) => prune(db, new Date()))
    return { json: { success: true, pruned }, text: Object.entries(pruned).map((each) => each.join(': ')) }
  }
  const command = new Command('webhooks').description(
    'List webhook endpoints, resend events, and delete old events and deliveries.',
  )
  const add = subcommands(command)
  add('list', 'List the endpoints of all keys.', list)
  add(
    'replay',
    'Queue the events of a time range again for subscribed endpoints that did not receive them.',
    replay,
    (sub) =>
      sub
        .requiredOption('--since <time>', 'start of the range in ISO 8601: 2026-11-01 or 2026-11-01T08:00:00Z', instant)
        .option('--until <time>', 'end of the range; defaults to now', instant)
        .option('--endpoint <id>', 'only to this endpoint')
        .option('--all', 'also events that were delivered already'),
  )
  add(
    'prune',
    'Delete all data past its retention period, for example events and deliveries after 90 days. A worker does this daily.',
    deleteOld,
  )
  return command
}

type Endpoint = Awaited<ReturnType<typeof allEndpoints>>[number]

const endpointColumns: readonly Column<Endpoint>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'State', value: (endpoint) => stateOf(endpoint).text, color: (endpoint) => stateOf(endpoint).color },
  { title: 'Queued', value: ({ waiting }) => waiting, number: true },
  { title: 'Events', value: ({ events }) => events.join(',') },
  { title: 'URL', value: ({ url }) => url },
  { title: 'Owner', value: ({ email }) => email },
]

function stateOf({ disabledAt, disabledReason, failingSince }: Endpoint): { text: string; color: Color } {
  if (disabledAt) return { text: `disabled (${disabledReason})`, color: 'red' }
  return failingSince
    ? { text: `failing since ${failingSince.toISOString()}`, color: 'yellow' }
    : { text: 'enabled', color: 'green' }
}

const instant = (text: string): Date => {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !/^\d{4}-\d{2}-\d{2}/.test(text))
    throw new InvalidArgumentError('It must be a time in ISO 8601, for example 2026-11-01T08:00:00Z.')
  return at
}
