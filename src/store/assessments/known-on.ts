// What was known at the end of a day. Everything that is fitted or computed as of a day reads sales, permits and listings through
// these conditions, so that nothing has seen a later record.
import { sql } from '../engine/database.ts'

/** The days of the records to read, both included. */
export interface Period {
  from: string
  until: string
}

export const within = (column: string, { from, until }: Period) =>
  sql`${sql.ref(column)} between ${from}::date and ${until}::date`

/** A date column, null if it lies after the day. */
export const notAfter = (column: string, day: string) =>
  sql`case when ${sql.ref(column)} <= ${day}::date then ${sql.ref(column)} end`

/** The status of the permit `alias`: one that was finaled after the day was still open. */
export const permitStatusOn = (alias: string, day: string) =>
  sql`case when ${sql.ref(`${alias}.finaled_on`)} > ${day}::date and ${sql.ref(`${alias}.status`)} = 'finaled' then 'issued'
    else ${sql.ref(`${alias}.status`)} end`

/** The listing of the home `p` on a past day, as `l`: the latest by then, with its price and status of that day and no later dates. */
export const listingOn = (day: string) => sql`
  left join lateral (
    select x.*, coalesce(c.previous_price_usd, x.price_usd) as known_price,
      coalesce(c.previous_status, case when x.sold_on > ${day}::date or x.pending_on > ${day}::date
        then case when x.pending_on <= ${day}::date then 'pending' else 'active' end else x.status end) as known_status
    from listing x left join lateral (
      select h.previous_price_usd, h.previous_status from listing_change h
      where h.market = x.market and h.source_id = x.source_id and h.listing_id = x.listing_id
        and h.changed_on > ${day}::date and h.previous_status is not null
      order by h.changed_at limit 1) c on true
    where x.market = p.market and x.property_id = p.id
      and coalesce(x.listed_on, x.pending_on, x.sold_on, x.collected_at::date) <= ${day}::date
    order by coalesce(x.listed_on, x.pending_on, x.sold_on) desc nulls last, x.listing_id desc, x.source_id limit 1) l on true`
