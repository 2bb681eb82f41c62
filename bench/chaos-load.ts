// Load under chaos. What the service acknowledges is remembered and looked for at the end.
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase, sql } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { hashOf, insertKey } from '../src/store/keys/keys.ts'
import { recordEvents } from '../src/store/webhooks/events.ts'

export interface Acknowledged {
  keys: string[]
  /** Mailboxes whose key mail must arrive. */
  mailboxes: string[]
  subscribers: string[]
  endpoints: string[]
  events: string[]
  /** Answers by status; 0 is a connection without an answer. */
  statuses: Map<number, number>
}

export interface LoadOptions {
  url: string
  socketDir: string
  receiverPort: number
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
  signal,
}: LoadOptions): Promise<{ ended: Promise<Acknowledged> }> => {
  const done: Acknowledged = {
    keys: [],
    mailboxes: [],
    subscribers: [],
    endpoints: [],
    events: [],
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
  const register = async (path: string, event: string): Promise<void> => {
    const { status, body } = await post(
      '/v1/webhooks/register',
      { url: `http://127.0.0.1:${receiverPort}${path}`, events: [event] },
      { 'x-api-key': pro.key },
    )
    if (status !== 200) throw new Error(`registering ${path} returned ${status}`)
    done.endpoints.push((body as { id: string }).id)
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

export interface Losses {
  keys: number
  subscribers: number
  endpoints: number
  deliveries: number
  mails: number
}

/** What was acknowledged and is not there. Waits for deliveries and mails, whose retries are made due at once. */
export const lossesOf = async (
  socketDir: string,
  done: Acknowledged,
  arrived: ReadonlyMap<string, number>,
  recipients: ReadonlySet<string>,
  drainMs: number,
): Promise<Losses> => {
  const { db, close } = openDatabase({ socketDir, poolSize: 2 })
  const missing = async (query: ReturnType<typeof sql<{ n: number }>>) => (await query.execute(db)).rows[0]!.n
  const undelivered = () => done.events.filter((id) => !arrived.has(`/events ${id}`)).length
  const unmailed = () => [...done.mailboxes, ...done.subscribers].filter((email) => !recipients.has(email)).length
  const until = performance.now() + drainMs
  while (undelivered() + unmailed() > 0 && performance.now() < until) {
    await sql`update delivery set next_attempt_at = now() where state = 'waiting' and next_attempt_at > now()`.execute(
      db,
    )
    await sql`update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()
      and name in ('mail', 'webhook-delivery')`.execute(db)
    await wait(2_000)
  }
  const losses = {
    keys: await missing(sql<{ n: number }>`
      select count(*) as n from unnest(${done.keys.map(hashOf)}::bytea[]) as given (hash)
      where not exists (select from api_key k where k.hash = given.hash)`),
    subscribers: await missing(sql<{ n: number }>`
      select count(*) as n from unnest(${done.subscribers}::text[]) as given (email)
      where not exists (select from subscriber s where s.email = given.email)`),
    endpoints: await missing(sql<{ n: number }>`
      select count(*) as n from unnest(${done.endpoints}::text[]) as given (id)
      where not exists (select from webhook_endpoint e where e.id = given.id)`),
    deliveries: undelivered(),
    mails: unmailed(),
  }
  await close()
  return losses
}
