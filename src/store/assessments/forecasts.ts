// The forecast ledger: what the models said about each home, and what happened later.
import { type MarketId, minMarketPriceUsd } from '../../domain/facts.ts'
import { type Db, execute, firstValue, type Known, knownRows, rowsOf, sql } from '../engine/database.ts'
import type { ForecastTable, PropertyTable, SaleTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { doubtfulDemolitions } from '../permits/doubtful-demolitions.ts'
import { onMarket } from '../properties/listing-status.ts'
import { isEvidence } from './market-facts.ts'

/**
 * Keeps what the stored assessments of these homes say: of a home on the market when its listing is first seen, and of every home
 * once a month if its value differs by 1% from the last one kept. A home that was not listed has a value only. A home with a sale
 * after `today` gets none: an operator chose a day in the past, and that sale is already known.
 */
export const writeForecasts = async (tx: Db, market: MarketId, ids: readonly string[], today: string) => {
  if (ids.length === 0) return
  await execute(tx)`
    insert into forecast (market, property_id, model, made_on, listing_id, value_usd, low_usd, high_usd, probability, model_version)
    select a.market, a.property_id, m.model, ${today}::date, l.listing_id, m.value_usd, m.low_usd, m.high_usd, m.probability, a.model_version
    from assessment a
    left join listing l on l.market = a.market and l.property_id = a.property_id and l.current and ${onMarket('l.status')}
    cross join lateral (values
      ('value', a.value_usd, a.value_low_usd, a.value_high_usd, null::double precision),
      ('bidding-war', null, null, null, a.bidding_war / 100),
      ('teardown', null, null, null, a.teardown_score / 100)) m (model, value_usd, low_usd, high_usd, probability)
    left join lateral (
      select f.made_on, f.listing_id from forecast f
      where f.market = a.market and f.property_id = a.property_id and f.model = m.model
      order by f.made_on desc limit 1) last on true
    left join lateral (
      select f.value_usd from forecast f
      where f.market = a.market and f.property_id = a.property_id and f.model = 'value'
      order by f.made_on desc limit 1) kept on true
    where a.market = ${market} and a.property_id = any(${ids}::text[])
      and (m.value_usd is not null or m.probability is not null and l.listing_id is not null)
      and (last.made_on is null or l.listing_id is not null and l.listing_id is distinct from last.listing_id
        or last.made_on < ${`${today.slice(0, 7)}-01`}::date and abs(a.value_usd / kept.value_usd - 1) >= 0.01)
      and not exists (
        select 1 from sale s where s.market = a.market and s.property_id = a.property_id and s.sold_on > ${today}::date)
    on conflict (market, property_id, model, made_on) do nothing`
}

export const firstForecast = (db: Db, market: MarketId) =>
  firstValue<string>(groupOf(db, market))`
    select min(made_on) as since from forecast where market = ${market}`

type Outcome = Pick<PropertyTable, 'city'> & Pick<ForecastTable, 'model'> & { month: string }

/** A forecast and the sale it is scored against. */
export type SoldForecast = Known<
  Outcome &
    Pick<ForecastTable, 'valueUsd' | 'lowUsd' | 'highUsd' | 'probability'> &
    Pick<SaleTable, 'priceUsd' | 'listPriceUsd'>
>

/** Each sale with the last forecast before it, if no other sale is between them and no other record told the price by then. */
const firstSales = (market: MarketId, models: readonly ForecastTable['model'][]) => sql`
  select distinct on (f.property_id, f.model, f.made_on) f.*, p.city, p.city_slug, s.sold_on, s.price_usd, s.list_price_usd
  from sale s
  join property p on p.market = s.market and p.id = s.property_id
  cross join unnest(${models}::text[]) as m (model)
  join lateral (
    select f.* from forecast f
    where f.market = s.market and f.property_id = s.property_id and f.model = m.model and f.made_on < s.sold_on
    order by f.made_on desc limit 1) f on true
  where s.market = ${market} and s.sold_on > (select min(made_on) from forecast where market = ${market})
    and s.removed_at is null and s.match_confidence <> 'low' and s.price_usd >= ${minMarketPriceUsd}
    and ${isEvidence(market, sql.ref('s.source_id'))}
    and not exists (
      select 1 from sale k where k.market = s.market and k.property_id = s.property_id and k.sold_on <= f.made_on
        and k.price_usd = s.price_usd)
    and not exists (
      select 1 from listing k where k.market = s.market and k.property_id = s.property_id and k.sold_on <= f.made_on
        and k.sold_price_usd = s.price_usd)
  order by f.property_id, f.model, f.made_on, s.sold_on, s.source_id, s.sale_id`

/** Values, and bidding wars of listings that were not withdrawn, by the month of the sale. */
export const soldForecasts = (db: Db, market: MarketId) =>
  knownRows<SoldForecast>(groupOf(db, market))`
    select f.model, f.city, to_char(f.sold_on, 'YYYY-MM') as month, f.value_usd, f.low_usd, f.high_usd, f.probability, f.price_usd,
      coalesce(f.list_price_usd, l.price_usd) as list_price_usd
    from (${firstSales(market, ['value', 'bidding-war'])}) f
    left join listing l on l.market = f.market and l.property_id = f.property_id and l.listing_id = f.listing_id
    where f.model = 'value' or l.status is distinct from 'withdrawn'`

/** Listings with a forecast that were withdrawn, by the month of that change. */
export const withdrawnForecasts = (db: Db, market: MarketId) =>
  rowsOf<Outcome>(groupOf(db, market))`
    select 'bidding-war' as model, p.city, to_char(max(c.changed_on), 'YYYY-MM') as month
    from forecast f
    join property p on p.market = f.market and p.id = f.property_id
    join listing l on l.market = f.market and l.property_id = f.property_id and l.listing_id = f.listing_id and l.status = 'withdrawn'
    join listing_change c on c.market = l.market and c.source_id = l.source_id and c.listing_id = l.listing_id and c.status = 'withdrawn'
    where f.market = ${market} and f.model = 'bidding-war'
    group by p.city, f.property_id, f.listing_id`

/** Teardown forecasts by the month their horizon after a sale ended, where permits cover it: elsewhere a demolition is unknown. */
export const endedTeardowns = (db: Db, market: MarketId, today: string, months: number) =>
  rowsOf<Outcome & { probability: number; demolished: boolean }>(groupOf(db, market))`
    select f.model, f.city, to_char(f.ends_on, 'YYYY-MM') as month, f.probability, exists (
      select 1 from permit m where m.market = f.market and m.property_id = f.property_id
        and m.permit_class = 'whole_house_demolition' and m.issued_on >= f.sold_on and m.issued_on <= f.ends_on
        and m.status not in ('expired', 'cancelled') and m.removed_at is null
        and (m.city_slug, m.permit_id) not in (${doubtfulDemolitions(market)})) as demolished
    from (select s.*, (s.sold_on + make_interval(months => ${months}::int))::date as ends_on
      from (${firstSales(market, ['teardown'])}) s) f
    join (select city_slug, min(issued_on) as first_on, max(issued_on) as last_on from permit
      where market = ${market} and removed_at is null group by city_slug) c
      on c.city_slug = f.city_slug and c.first_on <= f.sold_on and c.last_on >= f.ends_on
    where f.ends_on <= ${today}::date`
