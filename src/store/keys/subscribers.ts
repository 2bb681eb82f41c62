import type { MarketId } from '../../domain/facts.ts'
import { anyRow, type Db, onlyRow } from '../engine/database.ts'
import type { SubscriberTable } from '../engine/schema.ts'
import { newId } from './keys.ts'

/** Adds a subscriber, or restores one who unsubscribed; both have to confirm. `confirmed`: the mailbox gets the newsletter already. */
export const addSubscriber = (
  db: Db,
  { email, market, origin }: { email: string; market: MarketId; origin?: string },
): Promise<{ id: string; confirmed: boolean }> =>
  onlyRow<Pick<SubscriberTable, 'id'> & { confirmed: boolean }>(db)`
    insert into subscriber as s (id, email, market, origin) values (${newId('sub')}, ${email}, ${market}, ${origin ?? null})
    on conflict (lower(email), market) do update set unsubscribed_at = null,
      confirmed_at = case when s.unsubscribed_at is null then s.confirmed_at end
    returning id, confirmed_at is not null as confirmed`

/** Confirmed or not. False if there is no such subscription, or it was ended. */
export const isSubscribed = (db: Db, id: string) =>
  anyRow(db)`select 1 from subscriber where id = ${id} and unsubscribed_at is null`

/** False if there is no such subscription, or it was ended. */
export const confirmSubscriber = (db: Db, id: string, now: Date) =>
  anyRow(db)`
    update subscriber set confirmed_at = coalesce(confirmed_at, ${now})
    where id = ${id} and unsubscribed_at is null returning id`

export const unsubscribe = (db: Db, id: string, now: Date) =>
  anyRow(db)`
    update subscriber set unsubscribed_at = coalesce(unsubscribed_at, ${now}) where id = ${id} returning id`
