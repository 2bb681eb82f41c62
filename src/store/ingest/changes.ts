// The history of listings and permits: a run writes what it changes in its own transaction. These are parts of the statements that
// merge rows and mark removed ones: `done` is the part that updates or inserts rows of the table `t`.
import type { Dataset } from '../../domain/facts.ts'
import { sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import type { Merge } from './merge.ts'

type Columns = Partial<Record<Dataset, readonly string[]>>

/** The values that a change is about, before it. */
const old: Columns = { listings: ['price_usd', 'status'], permits: ['status'] }

/** What a change needs of the row after it. */
const present: Columns = {
  listings: ['listing_id', 'price_usd', 'status', 'pending_on', 'sold_on'],
  permits: ['permit_id', 'status', 'applied_on', 'issued_on', 'finaled_on'],
}

/** Of the row `t` before it is updated. */
export const oldValues = (holds: Dataset) =>
  sql.raw((old[holds] ?? []).map((name) => `, t.${name} as old_${name}`).join(''))

/** Returned by an update; `from` has the old values. */
export const updatedValues = (holds: Dataset, from: string) =>
  sql`${insertedValues(holds)} ${sql.raw((old[holds] ?? []).map((name) => `, ${from}.old_${name}`).join(''))}`

/** Returned by an insert. */
export const insertedValues = (holds: Dataset) => sql.raw((present[holds] ?? []).map((name) => `, t.${name}`).join(''))

export const keepUpdates = (holds: Dataset, merge: Merge) => {
  if (holds === 'listings')
    return keepListings(
      merge,
      sql`old_price_usd, old_status from done where (price_usd, status) is distinct from (old_price_usd, old_status)`,
      sql`status is distinct from old_status`,
    )
  if (holds === 'permits') return keepPermits(merge, sql`old_status from done where status <> old_status`)
  return sql``
}

/** New permits, and new listings on the market. The first load of a source changes nothing. */
export const keepInserts = (holds: Dataset, merge: Merge) => {
  if (merge.firstLoad) return sql``
  if (holds === 'listings') return keepListings(merge, sql`null, null from done where ${onMarket('status')}`)
  return holds === 'permits' ? keepPermits(merge, sql`null from done`) : sql``
}

/** `hasNewStatus`: whether the day that the feed gives for the status is that of the change. */
const keepListings = (merge: Merge, previous: ReturnType<typeof sql>, hasNewStatus = sql`true`) => sql`, kept as (
  insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, price_usd, status,
    previous_price_usd, previous_status)
  select market, source_id, listing_id, ${merge.now}::timestamptz,
    coalesce(case when ${hasNewStatus} then case status when 'pending' then pending_on when 'sold' then sold_on end end,
      ${dayOf(merge)}), property_id, price_usd, status, ${previous}
  on conflict (market, source_id, listing_id, changed_at) do update
    set price_usd = excluded.price_usd, status = excluded.status, announced_at = null)`

const keepPermits = (merge: Merge, previous: ReturnType<typeof sql>) => sql`, kept as (
  insert into permit_change (market, city_slug, permit_id, changed_at, changed_on, property_id, status, previous_status)
  select market, city_slug, permit_id, ${merge.now}::timestamptz,
    coalesce(case status when 'applied' then applied_on when 'issued' then issued_on when 'finaled' then finaled_on end,
      ${dayOf(merge)}), property_id, status, ${previous}
  on conflict (market, city_slug, permit_id, changed_at) do update
    set status = excluded.status, previous_status = coalesce(permit_change.previous_status, excluded.previous_status))`

const dayOf = ({ today }: Merge) => sql`(${today}::timestamptz at time zone 'utc')::date`
