// The outbox: events are written in the transaction that changes the data they speak of.
import { randomBytes } from 'node:crypto'
import { type Db, sql } from './database.ts'

export interface AnnouncedPermit {
  market: string
  permitId: string
  citySlug: string
  type: string
  address?: string
  estimatedValue: number
  status: string
  description?: string
  teardownScore?: number
}

/** One permit.created each. Call it once per permit: the caller knows which are new. */
export const recordPermitEvents = async (tx: Db, permits: readonly AnnouncedPermit[], now: Date): Promise<string[]> => {
  const events = permits.map(({ market, citySlug: _, ...data }) => ({
    id: eventId(),
    type: 'permit.created',
    market,
    body: JSON.stringify({ event: 'permit.created', market, data, timestamp: now.toISOString() }),
  }))
  await recordEvents(tx, events)
  return events.map(({ id }) => id)
}

export interface NewEvent {
  id: string
  type: string
  market: string
  /** The exact bytes that are signed and sent. */
  body: string
}

export const recordEvents = async (tx: Db, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  await sql`
    insert into event (id, type, market, body)
    select * from unnest(${events.map((each) => each.id)}::text[], ${events.map((each) => each.type)}::text[],
      ${events.map((each) => each.market)}::text[], ${events.map((each) => each.body)}::text[])`.execute(tx)
}

export const eventId = (): string => {
  let id = 'evt_'
  while (id.length < 28) for (const byte of randomBytes(32)) if (byte < 248 && id.length < 28) id += base62[byte % 62]
  return id
}
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
