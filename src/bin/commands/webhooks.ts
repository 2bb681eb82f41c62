import { Command, InvalidArgumentError } from 'commander'
import type { Services } from '../../operations/context.ts'
import { prune } from '../../store/engine/prune.ts'
import { replayRange } from '../../store/webhooks/delivery-log.ts'
import { allEndpoints } from '../../store/webhooks/webhooks.ts'
import { expected } from '../expected.ts'
import { using } from './using.ts'

export interface CommandDeps {
  openServices(): Promise<Services & { close(): Promise<void> }>
}

export const webhooksCommand = ({ openServices }: CommandDeps): Command => {
  return new Command('webhooks')
    .description('See webhook endpoints, send events again, prune what is kept too long.')
    .addCommand(
      new Command('list')
        .description('Every endpoint of every key.')
        .option('--json', 'print JSON')
        .action(async ({ json }: { json?: boolean }) => {
          const endpoints = await using(openServices, ({ db }) => allEndpoints(db))
          if (json) return print(JSON.stringify(endpoints))
          if (endpoints.length === 0) return print('No webhook endpoints.')
          for (const { id, url, events, email, waiting, disabledAt, disabledReason, failingSince } of endpoints)
            print(
              [
                id,
                disabledAt
                  ? `disabled (${disabledReason})`
                  : failingSince
                    ? `failing since ${failingSince.toISOString()}`
                    : 'enabled',
                `${waiting} waiting`,
                events.join(','),
                url,
                email,
              ].join('  '),
            )
        }),
    )
    .addCommand(
      new Command('replay')
        .description(
          'Queue the events of a time range again for the endpoints that subscribe to them and did not get them.',
        )
        .requiredOption('--since <time>', 'from then on, ISO 8601: 2026-11-01 or 2026-11-01T08:00:00Z', instant)
        .option('--until <time>', 'before then; now unless told', instant)
        .option('--endpoint <id>', 'to this endpoint only')
        .option('--all', 'also what was delivered already')
        .option('--json', 'print JSON')
        .action(async (options: { since: Date; until?: Date; endpoint?: string; all?: boolean; json?: boolean }) => {
          const now = new Date()
          const { since, until = now, endpoint: endpointId, all } = options
          if (since >= until) throw expected('--since must be before --until.')
          const queued = await using(openServices, async ({ db, queue }) => {
            const known = endpointId === undefined ? [] : (await allEndpoints(db)).filter(({ id }) => id === endpointId)
            if (endpointId !== undefined && known.length === 0)
              throw expected(`No endpoint ${endpointId}. See: lotline webhooks list`)
            if (known[0]?.disabledAt) throw expected(`Endpoint ${endpointId} is disabled (${known[0].disabledReason}).`)
            return replayRange(db, queue, { since, until, endpointId, all }, now)
          })
          print(options.json ? JSON.stringify({ success: true, queued }) : `Queued ${queued} deliveries.`)
        }),
    )
    .addCommand(
      new Command('prune')
        .description('Delete events after 30 days, deliveries and sent mail after 90. A worker does this daily.')
        .option('--json', 'print JSON')
        .action(async ({ json }: { json?: boolean }) => {
          const pruned = await using(openServices, ({ db }) => prune(db, new Date()))
          print(
            json
              ? JSON.stringify({ success: true, pruned })
              : Object.entries(pruned)
                  .map(([what, count]) => `${what}: ${count}`)
                  .join('\n'),
          )
        }),
    )
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

function instant(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !/^\d{4}-\d{2}-\d{2}/.test(text))
    throw new InvalidArgumentError('a time in ISO 8601')
  return at
}
