// Figures of markets, cities and ZIP codes over time: the records they are computed from, and the stored rows.
import { type Dataset, type MarketId, minMarketPriceUsd } from '../../domain/facts.ts'
import type { SeriesFigures, SeriesInterval } from '../../domain/findings/market-series.ts'
import { type Db, execute, firstValue, type Known, knownRows, rowsOf, sql } from '../engine/database.ts'
import type {
  ListingTable,
  MarketSeriesTable,
  PermitTable,
  PropertyTable,
  SaleTable,
  SourceTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { doubtfulDemolitions } from '../permits/doubtful-demolitions.ts'
import { notAfter, type Period, within } from './known-on.ts'
import { isEvidence } from './market-facts.ts'

type Zip = Pick<PropertyTable, 'zip'>

/** The sales of a calendar year until a day, without token prices and removed sales. */
export const salesOfYear = (db: Db, market: MarketId, year: number, until: string) =>
  knownRows<
    Known<Pick<SaleTable, 'citySlug' | 'soldOn' | 'priceUsd' | 'listPriceUsd' | 'daysOnMarket' | 'livingSqft'> & Zip>
  >(groupOf(db, market))`
    select s.city_slug, p.zip, s.sold_on, s.price_usd, s.list_price_usd, s.days_on_market,
      coalesce(s.living_sqft, p.living_sqft) as living_sqft
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and ${within('s.sold_on', yearUntil(year, until))}
      and s.removed_at is null and s.price_usd >= ${minMarketPriceUsd} and ${isEvidence(market, sql.ref('s.source_id'))}
    order by s.sold_on, s.source_id, s.sale_id`

const yearUntil = (year: number, until: string): Period => ({
  from: `${year}-01-01`,
  until: until < `${year}-12-31` ? until : `${year}-12-31`,
})

type SeriesListingRow = Known<
  Pick<ListingTable, 'citySlug' | 'status' | 'priceUsd' | 'originalPriceUsd' | 'listedOn' | 'pendingOn' | 'soldOn'> &
    Zip
>

/** The listings that were on the market in a calendar year until a day. */
export const listingsOfYear = (db: Db, market: MarketId, year: number, until: string) =>
  knownRows<SeriesListingRow>(groupOf(db, market))`
    select l.city_slug, p.zip, case when l.sold_on > ${until}::date then 'active' else l.status end as status, l.price_usd,
      l.original_price_usd, l.listed_on, ${notAfter('l.pending_on', until)} as pending_on, ${notAfter('l.sold_on', until)} as sold_on
    from listing l join property p on p.market = l.market and p.id = l.property_id
    where l.market = ${market} and l.listed_on <= ${yearUntil(year, until).until}::date and coalesce(l.sold_on, 'infinity') >= ${`${year}-01-01`}
      and l.removed_at is null and ${isEvidence(market, sql.ref('l.source_id'))}
    order by l.source_id, l.listing_id`

/** A feed with sold listings reaches back to the first of them; one with open listings only, to its first load. */
export const listingsSince = (db: Db, market: MarketId) =>
  firstValue<string>(groupOf(db, market))`
    select least(min(sold_on), min(collected_at)::date) as since from listing l
    where market = ${market} and ${isEvidence(market, sql.ref('l.source_id'))}`

type PermitCount = Known<Pick<PermitTable, 'citySlug'> & Zip> & {
  permitClass: 'new_house' | 'whole_house_demolition' | 'adu'
  month: string
  count: number
}

export const permitCounts = (db: Db, market: MarketId, period: Period) =>
  knownRows<PermitCount>(groupOf(db, market))`
    select m.city_slug, p.zip, m.permit_class, to_char(m.issued_on, 'YYYY-MM') as month, count(*) as count
    from permit m left join property p on p.market = m.market and p.id = m.property_id
    where m.market = ${market} and m.permit_class in ('new_house', 'whole_house_demolition', 'adu') and ${within('m.issued_on', period)}
      and m.removed_at is null and ${isEvidence(market, sql.ref('m.source_id'))}
      and (m.city_slug, m.permit_id) not in (${doubtfulDemolitions(market, period.until)})
    group by 1, 2, 3, 4 order by 4, 1, 2, 3`

/** The month of the first permit of each city. */
export const firstPermits = async (db: Db, market: MarketId): Promise<Map<string, string>> => {
  const rows = await rowsOf<{ citySlug: string; month: string }>(groupOf(db, market))`
    select city_slug, to_char(min(issued_on), 'YYYY-MM') as month from permit m
    where market = ${market} and issued_on is not null and removed_at is null and ${isEvidence(market, sql.ref('m.source_id'))}
    group by city_slug`
  return new Map(rows.map(({ citySlug, month }) => [citySlug, month]))
}

type StoredPeriod = Omit<MarketSeriesTable, 'market' | 'length' | 'updatedAt' | 'figures'> & {
  interval: SeriesInterval
  figures: SeriesFigures
}

/** Replaces the rows of a calendar year; rows that did not change are not written. */
export const saveSeries = async (db: Db, market: MarketId, year: number, rows: readonly StoredPeriod[], now: Date) => {
  const newRows = sql`jsonb_to_recordset(${JSON.stringify(
    rows.map(({ citySlug, interval, ...row }) => ({ ...row, city_slug: citySlug, length: interval })),
  )}::jsonb) as r (city_slug text, zip text, length text, period date, n integer, partial boolean, suppressed boolean, figures jsonb)`
  const group = groupOf(db, market)
  await execute(group)`delete from market_series
    where market = ${market} and period >= ${`${year}-01-01`} and period < ${`${year + 1}-01-01`}
      and (city_slug, zip, length, period) not in (select r.city_slug, r.zip, r.length, r.period from ${newRows})`
  await execute(group)`
    insert into market_series as s (market, city_slug, zip, length, period, n, partial, suppressed, figures, updated_at)
    select ${market}, r.city_slug, r.zip, r.length, r.period, r.n, r.partial, r.suppressed, r.figures, ${now} from ${newRows}
    on conflict (market, city_slug, zip, length, period) do update
      set n = excluded.n, partial = excluded.partial, suppressed = excluded.suppressed, figures = excluded.figures,
        updated_at = excluded.updated_at
      where (s.n, s.partial, s.suppressed, s.figures) is distinct from
        (excluded.n, excluded.partial, excluded.suppressed, excluded.figures)`
}

/** Removes the years before the first one that is computed, and after the last. */
export const trimSeries = (db: Db, market: MarketId, first: number, last: number) =>
  execute(groupOf(db, market))`delete from market_series where market = ${market}
    and (period < ${`${first}-01-01`} or period >= ${`${last + 1}-01-01`})`

export interface SeriesPlace {
  market: MarketId
  citySlug?: string | undefined
  zip?: string | undefined
}

type PeriodRow = Pick<MarketSeriesTable, 'period' | 'n' | 'partial' | 'suppressed' | 'figures' | 'updatedAt'>

/** Newest first; with `since` only periods that begin then or later. */
export const seriesRows = (
  db: Db,
  { market, citySlug = '', zip = '' }: SeriesPlace,
  interval: SeriesInterval,
  since?: string,
) =>
  rowsOf<PeriodRow>(groupOf(db, market))`
    select period, n, partial, suppressed, figures, updated_at from market_series
    where market = ${market} and city_slug = ${citySlug} and zip = ${zip} and length = ${interval}
      ${since === undefined ? sql`` : sql`and period >= ${since}::date`}
    order by period desc`

export type SeriesSource = Pick<SourceTable, 'title' | 'license' | 'sample'>

/** The sources of the sales, listings and permits of a place. A ZIP code has those of its market. */
export const seriesSources = (
  db: Db,
  { market, citySlug }: SeriesPlace,
  datasets: readonly Dataset[] = ['sales', 'listings', 'permits'],
) =>
  rowsOf<SeriesSource>(groupOf(db, market))`
    select distinct o.title, o.license, o.sample from dataset_count c join source o on o.id = c.source_id
    where c.market = ${market} and c.rows > 0 and c.dataset = any(${datasets})
      ${citySlug ? sql`and c.city_slug = ${citySlug}` : sql``}
    order by o.title`
