import type { MarketId } from '../../contract/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { SubscriberTable } from '../engine/schema.ts'
import { newId } from './keys.ts'

/** Adds a subscriber, or restores one who unsubscribed. `added` is false if already subscribed. */
export const addSubscriber = async (
  db: Db,
  { email, market, origin }: { email: string; market: MarketId; origin?: string },
): Promise<{ id: string; added: boolean }> => {
  const { rows } = await sql<Pick<SubscriberTable, 'id'>>`
    insert into subscriber as s (id, email, market, origin) values (${newId('sub')}, ${email}, ${market}, ${origin ?? null})
    on conflict (lower(email), market) do update set unsubscribed_at = null where s.unsubscribed_at is not null
    returning id`.execute(db)
  if (rows[0]) return { id: rows[0].id, added: true }
  const known = await sql<Pick<SubscriberTable, 'id'>>`
    select id from subscriber where lower(email) = lower(${email}) and market = ${market}`.execute(db)
  return { id: known.rows[0]!.id, added: false }
}

export const unsubscribe = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update subscriber set unsubscribed_at = coalesce(unsubscribed_at, ${now}) where id = ${id}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
