// Content of a week's newsletter and the subscribers who have not received it.
import type { MarketId } from '../../domain/facts.ts'
import { anyRow, type Db, execute, type Known, knownRows, onlyRow, rowsOf } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, MarketHeatTable, PermitTable, PropertyTable } from '../engine/schema.ts'
import { forSale } from '../properties/listing-status.ts'
import { newId } from './keys.ts'

export interface Week {
  /** "2026-W46". */
  name: string
  /** Monday and Sunday, both inclusive. */
  from: string
  to: string
}

export type NewSignal = Known<
  Pick<PropertyTable, 'id' | 'address' | 'city'> &
    Pick<AssessmentTable, 'rankScore' | 'teardownScore' | 'flippabilityScore'> & {
      price: ListingTable['priceUsd']
      /** Returns of a new house after all costs, percent. */
      returnPct: number | null
      returnAtExpectedPct: number | null
    }
>

/** Listings that came on the market in the week and can be bought, best first. */
export const newSignals = (db: Db, market: MarketId, { from, to }: Week, most: number) =>
  knownRows<NewSignal>(db)`
    select p.id, p.address, p.city, l.price_usd as price, a.rank_score, a.teardown_score, a.flippability_score,
      (a.proforma ->> 'returnPct')::float8 as return_pct, (a.proforma ->> 'returnAtExpectedPct')::float8 as return_at_expected_pct
    from listing l
    join property p on p.market = l.market and p.id = l.property_id
    join assessment a on a.market = l.market and a.property_id = l.property_id
    where l.market = ${market} and l.current and ${forSale('l.status')}
      and l.listed_on between ${from} and ${to} and a.rank_score is not null
    order by a.rank_score desc, l.property_id limit ${most}`

export type BigPermit = Known<Pick<PermitTable, 'permitId' | 'city' | 'citySlug' | 'address' | 'description'>> & {
  valuation: number
  issuedOn: string
}

/** The week's permits of the highest valuation. */
export const bigPermits = (
  db: Db,
  market: MarketId,
  { from, to }: Week,
  { leastUsd, most }: { leastUsd: number; most: number },
) =>
  knownRows<BigPermit>(db)`
    select permit_id, p.city, city_slug, p.address, p.description, s.valuation_usd as valuation, s.issued_on
    from permit_search s join permit p using (market, city_slug, permit_id)
    where market = ${market} and s.issued_on between ${from} and ${to} and s.valuation_usd >= ${leastUsd}
    order by s.valuation_usd desc, permit_id limit ${most}`

export type HeatPoint = Pick<MarketHeatTable, 'asOf'> & { heatIndex: number }

/** The heat index of the whole market up to the end of the week, oldest first, for the property type with the most sales. */
export const heatSeries = (db: Db, market: MarketId, { to }: Week, points: number) =>
  rowsOf<HeatPoint>(db)`
    with type as (
      select property_type from market_heat where market = ${market} and city_slug = '' and as_of <= ${to}
      order by as_of desc, sales desc limit 1
    )
    select as_of, heat_index from (
      select as_of, heat_index from market_heat
      where market = ${market} and city_slug = '' and as_of <= ${to} and heat_index is not null
        and property_type = (select property_type from type)
      order by as_of desc limit ${points}) latest
    order by as_of`

/** Confirmed subscribers without this week's issue, claimed in the transaction of `tx`, so that no other process gets them. */
export const claimSubscribers = (tx: Db, market: MarketId, week: string, most: number, now: Date) =>
  rowsOf<{ id: string; email: string }>(tx)`
    with claimed as (
      insert into newsletter_issue (subscriber_id, week, queued_at)
      select s.id, ${week}, ${now} from subscriber s
      where s.market = ${market} and s.confirmed_at is not null and s.unsubscribed_at is null
        and not exists (select 1 from newsletter_issue i where i.subscriber_id = s.id and i.week = ${week})
      order by s.id limit ${most}
      on conflict do nothing returning subscriber_id
    )
    select s.id, s.email from subscriber s join claimed on claimed.subscriber_id = s.id order by s.id`

/** Deletes every trace of a subscriber, including waiting mails, which are then not sent. Returns the number of subscriptions. */
export const eraseSubscriber = async (tx: Db, email: string): Promise<number> => {
  await execute(tx)`delete from mail where lower(recipient) = lower(${email}) and kind in ('confirm', 'newsletter')`
  return execute(tx)`delete from subscriber where lower(email) = lower(${email})`
}

/** Adds a subscriber, or restores one who unsubscribed; both have to confirm. `confirmed`: the mailbox gets the newsletter already. */
export const addSubscriber = (
  db: Db,
  { email, market, origin }: { email: string; market: MarketId; origin?: string },
) =>
  onlyRow<{ id: string; confirmed: boolean }>(db)`
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
