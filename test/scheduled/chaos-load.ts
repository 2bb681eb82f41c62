// Load under chaos. What the service acknowledges is remembered and looked for at the end.
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { hashOf, insertKey } from '../../src/store/keys/keys.ts'
import { recordEvents } from '../../src/store/webhooks/events.ts'

export interface Acknowledged {
  keys: string[]
  /** Mailboxes whose key mail must arrive. */
  mailboxes: string[]
  subscribers: string[]
  endpoints: string[]
  watches: string[]
  events: string[]
  /** Permits that a watch matches, each with the mailbox of its watch. */
  matches: { permitId: string; email: string }[]
  /** Answers by status; 0 is a connection without an answer. */
  statuses: Map<number, number>
}

export interface LoadOptions {
  url: string
  socketDir: string
  receiverPort: number
  /** Loads one permit. Resolves with true when the command reports it as loaded. */
  ingest(permit: { permitId: string; valuation: number }): Promise<boolean>
  signal: AbortSignal
}

/** Far more than a healthy answer takes, so that a service that hangs shows as 0. */
const answerMs = 10_000

export const ask = async (url: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch {
    return { status: 0, body: undefined }
  }
}

/** Resolves when the endpoint that receives all events is registered. */
export const startLoad = async ({
  url,
  socketDir,
  receiverPort,
  ingest,
  signal,
}: LoadOptions): Promise<{ ended: Promise<Acknowledged> }> => {
  const done: Acknowledged = {
    keys: [],
    mailboxes: [],
    subscribers: [],
    endpoints: [],
    watches: [],
    events: [],
    matches: [],
    statuses: new Map(),
  }
  const count = (status: number) => done.statuses.set(status, (done.statuses.get(status) ?? 0) + 1)
  let visitor = 0
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    visitor++
    // Each visitor has an address of its own; daily limits are per address.
    const from = `100.${64 + ((visitor >> 16) & 63)}.${(visitor >> 8) & 255}.${visitor & 255}`
    const answer = await ask(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      body: JSON.stringify(body),
    })
    count(answer.status)
    return answer
  }
  const database = openDatabase({ socketDir, poolSize: 3, statementTimeoutMs: 5_000, connectionTimeoutMs: 5_000 })
  const queue = await openQueue({ socketDir, onError: () => {} })
  const pro = await insertKey(database.db, { plan: 'pro', email: 'chaos@example.com' })
  const register = async (path: string, event: string, key = pro.key): Promise<string> => {
    const { status, body } = await post(
      '/v1/webhooks/register',
      { url: `http://127.0.0.1:${receiverPort}${path}`, events: [event] },
      { 'x-api-key': key },
    )
    if (status !== 200) throw new Error(`registering ${path} returned ${status}`)
    const { id } = body as { id: string }
    done.endpoints.push(id)
    return id
  }
  await register('/events', 'permit.created')

  const loop = async (pauseMs: number, work: (round: number) => Promise<void>) => {
    for (let round = 0; !signal.aborted; round++) {
      await work(round).catch(() => {})
      await wait(pauseMs)
    }
  }
  const readers = Array.from({ length: 4 }, () =>
    loop(100, async (round) => {
      const { key } = await insertKey(database.db, { plan: 'pro', email: 'reader@example.com' })
      for (let i = 0; i < 20 && !signal.aborted; i++) {
        count(
          (await ask(`${url}/api/v1/permits?q=adu&limit=5&offset=${round + i}`, { headers: { 'x-api-key': key } }))
            .status,
        )
        await wait(50)
      }
    }),
  )
  const events = loop(200, async (round) => {
    const event = { type: 'permit.created', market: 'sf-peninsula', data: { permitId: `C${round}` } } as const
    done.events.push(...(await recordEvents(database.db, queue, [event], new Date())))
  })
  // Each watch has its own mailbox, because a mailbox gets at most one mail in 15 minutes.
  const watches = loop(1_000, async (round) => {
    const email = `watch${round}@chaos.example`
    const { key } = await insertKey(database.db, { plan: 'pro', email, confirmedAt: new Date() })
    const endpoint = await register('/watch', 'watch.matched', key)
    const valuation = 10_000 + round
    const watch = {
      name: `Watch ${round}`,
      kind: 'permits',
      criteria: { market: 'nantucket', minValuation: valuation, maxValuation: valuation },
      cadence: 'instant',
      channels: { email: true, webhooks: [endpoint] },
    }
    const { status, body } = await post('/v1/watches', watch, { 'x-api-key': key })
    if (status !== 200) return
    done.watches.push((body as { data: { id: string } }).data.id)
    const permit = { permitId: `W${round}`, valuation }
    while (!signal.aborted)
      if (await ingest(permit)) {
        done.matches.push({ permitId: permit.permitId, email })
        return
      }
  })
  const loops = Promise.all([
    loop(150, async (round) => {
      const email = `key${round}@chaos.example`
      const { status, body } = await post('/v1/keys', { email })
      if (status !== 200) return
      done.keys.push((body as { key: string }).key)
      done.mailboxes.push(email)
    }),
    loop(300, async (round) => {
      const email = `reader${round}@chaos.example`
      if ((await post('/v1/subscribe', { email, market: 'nantucket' })).status === 200) done.subscribers.push(email)
    }),
    loop(5_000, async (round) => {
      if (done.endpoints.length < 8) await register(`/${round}`, 'property.score_updated')
    }),
    events,
    watches,
    ...readers,
  ])
  const end = async () => {
    await loops
    await queue.close().catch(() => {})
    await database.close()
    return done
  }
  return { ended: end() }
}

/** A Pro key, made as soon as the worker has created the tables. */
export const firstKey = async (socketDir: string): Promise<string> => {
  const { db, close } = openDatabase({ socketDir, poolSize: 1 })
  for (;;)
    try {
      const { key } = await insertKey(db, { plan: 'pro', email: 'probe@example.com' })
      await close()
      return key
    } catch {
      await wait(200)
    }
}

export interface Arrivals {
  /** Deliveries by endpoint path and webhook-id. */
  arrived: ReadonlyMap<string, number>
  /** The webhook-ids that announced each permit to a watch. */
  announced: ReadonlyMap<string, ReadonlySet<string>>
  /** Mails by recipient and Message-ID. */
  accepted: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export interface LedgerRow {
  what: string
  acknowledged: number
  /** Acknowledged and not there. */
  lost: number
  /** Made twice, each with its own id. */
  duplicated: number
  /** Sent again with the same id: allowed where a process died between the receiver's answer and its record. */
  repeated: number
}

/** Waits for deliveries and mails, whose retries are made due at once. */
export const ledgerOf = async (
  socketDir: string,
  done: Acknowledged,
  { arrived, announced, accepted }: Arrivals,
  drainMs: number,
): Promise<LedgerRow[]> => {
  const { db, close } = openDatabase({ socketDir, poolSize: 2 })
  const missing = async (query: ReturnType<typeof sql<{ n: number }>>) => (await query.execute(db)).rows[0]!.n
  const mailboxes = [...done.mailboxes, ...done.subscribers, ...done.matches.map(({ email }) => email)]
  const undelivered = () => done.events.filter((id) => !arrived.has(`/events ${id}`)).length
  const unannounced = () => done.matches.filter(({ permitId }) => !announced.has(permitId)).length
  const unmailed = () => mailboxes.filter((email) => !accepted.has(email)).length
  const until = performance.now() + drainMs
  while (undelivered() + unannounced() + unmailed() > 0 && performance.now() < until) {
    await sql`update delivery set next_attempt_at = now() where state = 'waiting' and next_attempt_at > now()`.execute(
      db,
    )
    await sql`update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()
      and name in ('mail', 'webhook-delivery')`.execute(db)
    await wait(2_000)
  }
  const stored = (what: string, acknowledged: number, lost: number): LedgerRow => ({
    what,
    acknowledged,
    lost,
    duplicated: 0,
    repeated: 0,
  })
  const ids = (table: 'webhook_endpoint' | 'watch', given: readonly string[]) =>
    missing(sql<{ n: number }>`
      select count(*) as n from unnest(${given as string[]}::text[]) as given (id)
      where not exists (select from ${sql.table(table)} t where t.id = given.id)`)
  const more = (counts: readonly number[]) => counts.reduce((sum, times) => sum + times - 1, 0)
  const ledger = [
    stored(
      'keys',
      done.keys.length,
      await missing(sql<{ n: number }>`
        select count(*) as n from unnest(${done.keys.map(hashOf)}::bytea[]) as given (hash)
        where not exists (select from api_key k where k.hash = given.hash)`),
    ),
    stored(
      'subscriptions',
      done.subscribers.length,
      await missing(sql<{ n: number }>`
        select count(*) as n from unnest(${done.subscribers}::text[]) as given (email)
        where not exists (select from subscriber s where s.email = given.email)`),
    ),
    stored('endpoints', done.endpoints.length, await ids('webhook_endpoint', done.endpoints)),
    stored('watches', done.watches.length, await ids('watch', done.watches)),
    { ...stored('events', done.events.length, undelivered()), repeated: more([...arrived.values()]) },
    {
      ...stored('matches of watches', done.matches.length, unannounced()),
      duplicated: more([...announced.values()].map(({ size }) => size)),
    },
    {
      ...stored('mails', mailboxes.length, unmailed()),
      duplicated: more([...accepted.values()].map(({ size }) => size)),
      repeated: more([...accepted.values()].flatMap((own) => [...own.values()])),
    },
  ]
  await close()
  return ledger
}
