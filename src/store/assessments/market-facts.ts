// The data that the models of a market are fitted on: sales, and where houses were rebuilt.

import { valueAt } from '../../common/typed.ts'
import type { HomeFact } from '../../domain/fact-table.ts'
import { type MarketId, minMarketPriceUsd } from '../../domain/facts.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, type Known, knownRows, onlyRow, rowsOf, sql } from '../engine/database.ts'
import type { PermitTable, PropertyTable, SaleTable } from '../engine/schema.ts'
import { doubtfulDemolitions } from '../permits/doubtful-demolitions.ts'
import { homeColumns, locationColumns } from '../properties/fact-columns.ts'
import { notAfter, type Period, permitStatusOn, within } from './known-on.ts'

const ofSale = columnsOf<SaleTable>()('propertyId city citySlug soldOn priceUsd listPriceUsd listedOn daysOnMarket')

type SaleRow = RowOf<typeof ofSale> &
  Pick<SaleTable, 'saleId' | 'lat' | 'lng' | HomeFact> &
  Pick<PropertyTable, 'slopePct'>
export type MarketSale = Known<SaleRow>

/**
 * The facts of the house come from the sale first, lot size and position from the parcel first, as for the homes that are
 * assessed (`domain/home-facts.ts`). Transfers for a token price and removed sales are left out:
 * they say nothing about market prices.
 */
export const marketSales = async (
  db: Db,
  market: MarketId,
  period: Period,
  sample: SaleSample = { most: Number.POSITIVE_INFINITY, allSince: period.from },
): Promise<MarketSale[]> => {
  const share = await olderShare(db, market, period, sample)
  const rows = await rowsOf<SaleRow>(db)`
    select s.source_id || ':' || s.sale_id as sale_id, ${ofSale('s')}, ${homeColumns('s', 'p')}, ${locationColumns('s', 'p')},
      p.slope_pct
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and ${within('s.sold_on', period)} and s.removed_at is null and s.price_usd >= ${minMarketPriceUsd}
      and ${isEvidence(market, sql.ref('s.source_id'))}
      ${share < 1 ? sql`and (s.sold_on >= ${sample.allSince} or hashtext(s.sale_id) & ${hashMask} < ${Math.floor(share * (hashMask + 1))}::int)` : sql``}
    order by s.sold_on, s.source_id, s.sale_id`
  return compact(rows)
}

export type SaleCounts = Record<'all' | 'usable' | 'before' | 'after' | 'tokenPrice' | 'noArea' | 'noLocation', number>

/** How many sales of a market a value model can use, and what the others lack; one sale can lack several things. */
export const saleCounts = (db: Db, market: MarketId, { from, until }: Period): Promise<SaleCounts> =>
  onlyRow<SaleCounts>(db)`
    select count(*) as all, count(*) filter (where sold_on < ${from}::date) as before,
      count(*) filter (where sold_on > ${until}::date) as after,
      count(*) filter (where price_usd < ${minMarketPriceUsd}) as token_price,
      count(*) filter (where living_sqft is null) as no_area, count(*) filter (where lat is null or lng is null) as no_location,
      count(*) filter (where sold_on between ${from}::date and ${until}::date and price_usd >= ${minMarketPriceUsd}
        and living_sqft is not null and lat is not null and lng is not null) as usable
    from (
      select s.sold_on, s.price_usd, ${homeColumns('s', 'p', ['livingSqft'])}, ${locationColumns('s', 'p')}
      from sale s left join property p on p.market = s.market and p.id = s.property_id
      where s.market = ${market} and s.removed_at is null and ${isEvidence(market, sql.ref('s.source_id'))}) s`

/** Generated records teach nothing about real homes: they count only while the market has no real parcels or listings. */
export const isEvidence = (market: MarketId, sourceId: ReturnType<typeof sql.ref>) => sql`(
      ${sourceId} not in (select id from source where sample)
      or not exists (
        select 1 from dataset_count c join source r on r.id = c.source_id
        where c.market = ${market} and c.dataset in ('parcels', 'listings') and c.rows > 0 and not r.sample))`

/** Texts up to this length repeat: days, cities, types. Ids are longer and do not. */
const longestSharedText = 16

/** Copies without nulls: an object with a deleted field becomes a hash table of three times the size. Equal texts are kept once. */
const compact = <T extends object>(rows: readonly T[]): Known<T>[] => {
  const texts = new Map<string, string>()
  const shared = (text: string): string => {
    if (text.length > longestSharedText) return text
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
  return rows.map((row) => {
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(row))
      if (value !== null) values[name] = typeof value === 'string' ? shared(value) : value
    return values as Known<T>
  })
}

/** Up to about `most` sales: all since `allSince`, and as many of the older ones as fit. */
interface SaleSample {
  most: number
  allSince: string
}

const hashMask = 0xff_ff

/** The share of the sales before `allSince` to read. They are chosen by a hash of their id, so every run reads the same ones. */
const olderShare = async (db: Db, market: MarketId, period: Period, { most, allSince }: SaleSample) => {
  if (!Number.isFinite(most)) return 1
  const { recent, older } = await onlyRow<{ recent: number; older: number }>(db)`
    select count(*) filter (where sold_on >= ${allSince}) as recent, count(*) filter (where sold_on < ${allSince}) as older
    from sale where market = ${market} and ${within('sold_on', period)}`
  return older === 0 ? 1 : Math.min(1, Math.max(0, most - recent) / older)
}

type RebuildRow = Pick<PermitTable, 'propertyId' | 'citySlug' | 'sqft'> &
  Pick<PropertyTable, 'lotSqft'> & {
    permitClass: 'new_house' | 'whole_house_demolition'
    issuedOn: string
    lat: number
    lng: number
  }
export type Rebuild = Known<RebuildRow>

/** New houses and whole-house demolitions with a location. Leaves out removed permits and demolitions that may be of only a part of the house. */
export const marketRebuilds = async (db: Db, market: MarketId, period: Period): Promise<Rebuild[]> => {
  const rows = await rowsOf<RebuildRow>(db)`
    select m.property_id, m.city_slug, m.permit_class, m.issued_on, m.sqft, p.lot_sqft, coalesce(p.lat, m.lat) as lat,
      coalesce(p.lng, m.lng) as lng
    from permit m left join property p on p.market = m.market and p.id = m.property_id
    where m.market = ${market} and m.permit_class in ('new_house', 'whole_house_demolition') and ${within('m.issued_on', period)}
      and m.removed_at is null and ${isEvidence(market, sql.ref('m.source_id'))}
      and coalesce(p.lat, m.lat) is not null and coalesce(p.lng, m.lng) is not null
      and (m.city_slug, m.permit_id) not in (${doubtfulDemolitions(market, period.until)})
    order by m.issued_on, m.city_slug, m.permit_id`
  return compact(rows)
}

/** Homes by city, without removed parcels. Those are few and subtracted, so that the index alone counts all homes. */
export const homesByCity = async (db: Db, market: MarketId): Promise<Map<string, number>> => {
  const rows = await rowsOf<Pick<PropertyTable, 'citySlug'> & { homes: number }>(db)`
    select h.city_slug, h.homes - coalesce(g.homes, 0) as homes
    from (select city_slug, count(*) as homes from property where market = ${market} group by city_slug) h
    left join (
      select city_slug, count(*) as homes from property where market = ${market} and removed_at is not null group by city_slug
    ) g using (city_slug)`
  return new Map(rows.map(({ citySlug, homes }) => [citySlug, homes]))
}

export type SubjectPermit = Known<
  Pick<PermitTable, 'permitClass' | 'status' | 'issuedOn' | 'finaledOn' | 'valuationUsd'>
>

/** Issued permits, as evidence of a home's condition. A removed permit is left out: its work was probably not done. */
export const permitsByProperty = async (db: Db, market: MarketId, ids: readonly string[], until: string) => {
  const rows = await knownRows<SubjectPermit & { propertyId: string }>(db)`
    select m.property_id, m.permit_class, ${permitStatusOn('m', until)} as status, m.issued_on,
      ${notAfter('m.finaled_on', until)} as finaled_on, m.valuation_usd
    from permit m
    where m.market = ${market} and m.property_id = any(${ids}) and m.issued_on <= ${until}::date and m.removed_at is null
    order by m.property_id, m.issued_on, m.permit_id`
  const byProperty = new Map<string, SubjectPermit[]>()
  for (const { propertyId, ...permit } of rows) valueAt(byProperty, propertyId, () => []).push(permit)
  return byProperty
}
