// Stores the history that the sample generator writes: changes, forecasts and values of the past, as daily runs would have kept them.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, execute, sql } from '../engine/database.ts'
import type { Sql } from '../search/compile.ts'

const records = (rows: readonly object[], columns: Sql) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${columns})`

/** Noon of the day, and not after now. */
const atNoon = (now: Date) => sql`least((r."on"::date + time '12:00') at time zone 'utc', ${now}::timestamptz)`

/** Announced: their events are written with the past days. */
export const writeListingHistory = (tx: Db, market: MarketId, rows: readonly object[], now: Date) =>
  execute(tx)`
    insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, price_usd, status,
      previous_price_usd, previous_status, announced_at)
    select l.market, l.source_id, l.listing_id, ${atNoon(now)}, r."on"::date, l.property_id, r."priceUsd", r.status,
      r."previousPriceUsd", r."previousStatus", ${now}
    from ${records(
      rows,
      sql`"listingId" text, "on" text, status text, "priceUsd" double precision, "previousStatus" text, "previousPriceUsd" double precision`,
    )}
    join listing l on l.market = ${market} and l.listing_id = r."listingId"
    on conflict (market, source_id, listing_id, changed_at) do nothing`

/** All permits are read at once: by their key each row would search every city. */
export const writePermitHistory = (tx: Db, market: MarketId, rows: readonly object[], now: Date) =>
  execute(tx)`
    with p as materialized (select market, city, city_slug, permit_id, property_id from permit where market = ${market})
    insert into permit_change (market, city_slug, permit_id, changed_at, changed_on, property_id, status, previous_status)
    select p.market, p.city_slug, p.permit_id, ${atNoon(now)}, r."on"::date, p.property_id, r.status, r."previousStatus"
    from ${records(rows, sql`city text, "permitId" text, "on" text, status text, "previousStatus" text`)}
    join p on p.city = r.city and p.permit_id = r."permitId"
    on conflict (market, city_slug, permit_id, changed_at) do nothing`

export const writeForecastHistory = (tx: Db, market: MarketId, rows: readonly object[]) =>
  execute(tx)`
    insert into forecast (market, property_id, model, made_on, listing_id, value_usd, low_usd, high_usd, probability, model_version)
    select p.market, p.id, r.model, r."madeOn"::date, r."listingId", r."valueUsd", r."lowUsd", r."highUsd", r.probability,
      'sample-history'
    from ${records(
      rows,
      sql`apn text, model text, "madeOn" text, "listingId" text, "valueUsd" double precision, "lowUsd" double precision,
        "highUsd" double precision, probability double precision`,
    )}
    join property p on p.market = ${market} and p.apn = r.apn
    on conflict (market, property_id, model, made_on) do nothing`

/**
 * Values of the homes that are or were listed: the present value at the price level of each past day, give or take 2%, kept where
 * it differs by 1% from the one before. The last one has the present return, which later runs compare theirs with.
 */
export const writeValueHistory = (tx: Db, market: MarketId, levels: readonly object[], now: Date) =>
  execute(tx)`
    insert into value_change (market, property_id, changed_at, changed_on, value_usd, value_low_usd, value_high_usd, return_pct,
      previous_value_usd, previous_return_pct, moved)
    select ${market}, r.property_id, ${atNoon(now)}, r."on"::date, r.value, r.value * r.low, r.value * r.high, r.return_pct, r.before,
      null, jsonb_build_array(jsonb_build_object('input', 'model'),
        jsonb_build_object('input', 'valueEstimate', 'from', round(r.before), 'to', round(r.value)))
    from (
      select v.*, lag(value) over (partition by property_id order by "on") as before from (
        select a.property_id, r."on", a.value_low_usd / a.value_usd as low, a.value_high_usd / a.value_usd as high,
          a.value_usd * r.level * (1 + case when r.last then 0 else 0.02 * sin(hashtext(a.property_id || r."on")) end) as value,
          case when r.last then (a.proforma->>'returnPct')::double precision end as return_pct, r.last
        from assessment a cross join ${records(levels, sql`"on" text, level double precision, last boolean`)}
        where a.market = ${market} and a.value_usd is not null and exists (
          select 1 from listing l where l.market = a.market and l.property_id = a.property_id)) v) r
    where r.before is not null and (r.last or abs(r.value / r.before - 1) >= 0.01)
    on conflict (market, property_id, changed_at) do nothing`
