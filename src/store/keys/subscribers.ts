import type { MarketId } from '../../domain/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { SubscriberTable } from '../engine/schema.ts'
import { newId } from './keys.ts'

/**
 * Adds a subscriber who still has to confirm, or restores one who unsubscribed and then has to confirm again. `confirmed` is true
 * if the mailbox receives the newsletter already.
 */
export const addSubscriber = async (
  db: Db,
  { email, market, origin }: { email: string; market: MarketId; origin?: string },
): Promise<{ id: string; confirmed: boolean }> => {
  const { rows } = await sql<Pick<SubscriberTable, 'id'> & { confirmed: boolean }>`
    insert into subscriber as s (id, email, market, origin) values (${newId('sub')}, ${email}, ${market}, ${origin ?? null})
    on conflict (lower(email), market) do update set unsubscribed_at = null,
      confirmed_at = case when s.unsubscribed_at is null then s.confirmed_at end
    returning id, confirmed_at is not null as confirmed`.execute(db)
  return rows[0]!
}

/** Confirmed or not. False if there is no such subscription, or it was ended. */
export const isSubscribed = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from subscriber where id = ${id} and unsubscribed_at is null`.execute(db)
  return rows.length > 0
}

/** False if there is no such subscription, or it was ended. */
export const confirmSubscriber = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update subscriber set confirmed_at = coalesce(confirmed_at, ${now})
    where id = ${id} and unsubscribed_at is null`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export const unsubscribe = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update subscriber set unsubscribed_at = coalesce(unsubscribed_at, ${now}) where id = ${id}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
