// The thirty most usual filtered lists and seven lists of sales, each as a caller asks for it and as an expert would write it in SQL.
// Values change with every request, so that no two are the same.
import type { Implementation } from '../src/operations/context.ts'
import { listAduLeadsRun, listLotSplitsRun, listRedevelopmentLeadsRun } from '../src/operations/leads.ts'
import { listMarketSignalsRun } from '../src/operations/list-market-signals.ts'
import { searchPermitsRun } from '../src/operations/permits.ts'
import { listSalesRun } from '../src/operations/sales.ts'
import { searchAllRun } from '../src/operations/search.ts'
import { center, market, places, today } from './market-data.ts'

export type FilteredList = ReturnType<typeof filteredLists>[number]

/**
 * The lists with the values of the request number `i`, with the conditions and the order of the same list in SQL. Totals of listings are
 * exact, all others are counted up to 10,000.
 */
export const filteredLists = (i: number) => {
  const { name: city, slug } = places()[i % 12]!
  const price = 1_200_000 + (i % 20) * 60_000
  const step = (i % 25) / 25
  const at = { lat: center.lat + 0.2 * (step - 0.5), lng: center.lng + 0.2 * (((i * 7) % 25) / 25 - 0.5) }
  const box = [at.lng - 0.03, at.lat - 0.03, at.lng + 0.03, at.lat + 0.03]
  /** The tiles of the index, then the box. */
  const inBox = (half: number, tall = half) => {
    const tile = (degrees: number) => Math.floor(degrees * 50)
    const rows = Array.from(
      { length: tile(at.lat + tall) - tile(at.lat - tall) + 1 },
      (_, row) => tile(at.lat - tall) + row,
    )
    const [west, east] = [tile(at.lng - half), tile(at.lng + half)]
    const tiles = rows.flatMap((row) =>
      Array.from({ length: east - west + 1 }, (_, column) => row * 18_000 + west + column),
    )
    return `floor(location[1] * 50)::int * 18000 + floor(location[0] * 50)::int in (${tiles})
      and location <@ box(point(${at.lng - half}, ${at.lat - tall}), point(${at.lng + half}, ${at.lat + tall}))`
  }
  const miles = `2 * 3958.7613 * asin(sqrt(sin(radians(location[1] - ${at.lat}) / 2) ^ 2
    + cos(radians(${at.lat})) * cos(radians(location[1])) * sin(radians(location[0] - ${at.lng}) / 2) ^ 2))`
  const near = (radius: number) => `${inBox(radius / 54, radius / 68)} and ${miles} <= ${radius}`
  const ring = [
    [at.lng - 0.03, at.lat - 0.02],
    [at.lng + 0.03, at.lat - 0.03],
    [at.lng + 0.035, at.lat + 0.02],
    [at.lng, at.lat + 0.035],
    [at.lng - 0.03, at.lat - 0.02],
  ]
  const inRing = `${inBox(0.035)} and location <@ polygon '(${ring.map(([x, y]) => `(${x},${y})`).join(',')})'`
  const daysAgo = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
  const point = { lat: at.lat, lng: at.lng }

  const forSale = "status in ('active', 'coming_soon')"
  const ranked = 'rank_score desc nulls last, property_id'
  const listOf =
    (
      kind: string,
      table: 'property_search' | 'permit_search' | 'sale_search',
      run: Implementation,
      order: string,
      exact = false,
    ) =>
    (name: string, input: Record<string, unknown>, where: string, by = order, through = run) => ({
      ...{ name: `${kind}: ${name}`, table, run: through, input, order: by, exact },
      where: `market = '${market}' and ${where}`,
    })
  const listing = listOf('listings', 'property_search', listMarketSignalsRun, ranked, true)
  const permit = listOf('permits', 'permit_search', searchPermitsRun, 'issued_on desc, permit_id, city_slug')
  const sold = listOf('sales', 'sale_search', listSalesRun, 'sold_on desc, source_id, sale_id')
  const lead = (name: string, run: Implementation, input: Record<string, unknown>, where: string, order: string) =>
    listOf('leads', 'property_search', run, order)(name, input, where)
  const sale = (name: string, input: Record<string, unknown>, where: string, order?: string) =>
    listing(`for sale, ${name}`, { status: ['for_sale'], ...input }, `${forSale} and ${where}`, order)
  const inCity = `city_slug = '${slug}'`
  /** Permits take a part of a name: "Palo Alto" also finds East Palo Alto. */
  const inCities = `city_slug in (${places()
    .filter((each) => each.slug.includes(slug))
    .map((each) => `'${each.slug}'`)
    .join(', ')})`
  const adu = 'adu_score is not null and not removed'
  const redevelopment = 'redevelopment_score is not null and not removed'
  const sb9 = "sb9_status in ('eligible', 'likely') and status in ('active', 'coming_soon')"
  const sb9Order = `array_position(array['eligible', 'likely', 'unknown_zone', 'blocked'], sb9_status), sb9_max_units desc nulls last, property_id`

  return [
    sale('price', { maxPrice: price }, `price <= ${price}`),
    sale('city', { city }, inCity),
    sale('city, price', { city, maxPrice: price }, `${inCity} and price <= ${price}`),
    sale(
      'city, price range, beds',
      { city, minPrice: 800_000, maxPrice: price + 800_000, minBeds: 3 },
      `${inCity} and price between 800000 and ${price + 800_000} and beds >= 3`,
    ),
    sale('return', { minReturnPct: 8 + step }, `return_pct >= ${8 + step}`),
    sale('city, return', { city, minReturnPct: 5 + step }, `${inCity} and return_pct >= ${5 + step}`),
    sale('teardown score', { minTeardownScore: 65 }, 'teardown_score >= 65'),
    sale(
      'flip score, price',
      { minFlippabilityScore: 60, maxPrice: price },
      `flippability_score >= 60 and price <= ${price}`,
    ),
    sale(
      'lot size, year built',
      { minLotSize: 8000, maxYearBuilt: 1960 - (i % 10) },
      `lot_size >= 8000 and year_built <= ${1960 - (i % 10)}`,
    ),
    sale(
      'city, price, no flood zone',
      { city, maxPrice: price, exclude: ['floodZone'] },
      `${inCity} and price <= ${price} and not 'floodZone' = any(overlays_yes)`,
    ),
    sale(
      'beds, cheapest first',
      { minBeds: 3, sort: ['price'], maxPrice: price + 2_000_000 },
      `beds >= 3 and price <= ${price + 2_000_000}`,
      'price nulls last, property_id',
    ),
    sale(
      'price, newest first',
      { maxPrice: price, sort: ['-metadata.listedDate'] },
      `price <= ${price}`,
      'listed_on desc nulls last, property_id',
    ),
    sale('price cut', { minPriceCutPct: 5 + step }, `price_cut_pct >= ${5 + step}`),
    sale(
      'ZIP code',
      { zip: `${94_000 + (i % 60)},${94_000 + ((i + 7) % 60)}` },
      `zip in ('${94_000 + (i % 60)}', '${94_000 + ((i + 7) % 60)}')`,
    ),
    sale('box', { bbox: box }, inBox(0.03)),
    sale('radius 1 mile', { ...point, radiusMi: 1 }, near(1)),
    sale(
      'radius 3 miles, price, nearest first',
      { ...point, radiusMi: 3, maxPrice: price, sort: ['distanceMi'] },
      `price <= ${price} and ${near(3)}`,
      `${miles}, property_id`,
    ),
    listing(
      'polygon',
      { kind: 'listings', criteria: { status: ['for_sale'], within: { type: 'Polygon', coordinates: [ring] } } },
      `${forSale} and ${inRing}`,
      ranked,
      searchAllRun,
    ),
    listing(
      'sold in six months, city',
      { status: ['sold'], city, soldFrom: daysAgo(180 + (i % 7)) },
      `status = 'sold' and ${inCity} and sold_on >= '${daysAgo(180 + (i % 7))}'`,
    ),
    lead('SB 9, city', listLotSplitsRun, { city }, `${sb9} and ${inCity}`, sb9Order),
    lead('SB 9, price', listLotSplitsRun, { maxPrice: price }, `${sb9} and price <= ${price}`, sb9Order),
    lead(
      'ADU, city, score',
      listAduLeadsRun,
      { city, minScore: 70 + (i % 20) },
      `${adu} and ${inCity} and adu_score >= ${70 + (i % 20)}`,
      'adu_score desc nulls last, property_id',
    ),
    lead(
      'ADU, lot size, radius 1 mile',
      listAduLeadsRun,
      { minScore: 50, minLotSize: 6000, ...point, radiusMi: 1 },
      `${adu} and adu_score >= 50 and lot_size >= 6000 and ${near(1)}`,
      'adu_score desc nulls last, property_id',
    ),
    lead(
      'redevelopment, class, city, no blockers',
      listRedevelopmentLeadsRun,
      { class: 'teardown_candidate', city, minScore: 50, excludeBlockers: true },
      `${redevelopment} and redevelopment_score >= 50 and redevelopment_class = 'teardown_candidate' and ${inCity} and not redevelopment_blocked`,
      'redevelopment_score desc nulls last, property_id',
    ),
    permit('city, kind', { city, permitClass: ['adu'] }, `${inCities} and permit_class = 'adu'`),
    permit(
      'status, 90 days, valuation',
      { status: ['issued'], issuedFrom: daysAgo(90 + (i % 9)), minValuation: 250_000 },
      `status = 'issued' and issued_on >= '${daysAgo(90 + (i % 9))}' and valuation_usd >= 250000`,
    ),
    permit(
      'city, kind, highest valuation first',
      { city, permitClass: ['new_house', 'addition'], sort: ['-valuation'] },
      `${inCities} and permit_class in ('new_house', 'addition')`,
      'valuation_usd desc nulls last, permit_id, city_slug',
    ),
    permit(
      'city, valuation range',
      { city, minValuation: 500_000, maxValuation: 2_000_000 + i },
      `${inCities} and valuation_usd between 500000 and ${2_000_000 + i}`,
    ),
    permit(
      'one year, radius 1 mile',
      { issuedFrom: daysAgo(365), ...point, radiusMi: 1 },
      `issued_on >= '${daysAgo(365)}' and ${near(1)}`,
    ),
    permit(
      'keyword, kind, city',
      { q: 'kitchen', permitClass: ['remodel'], city },
      `search like '%kitchen%' and permit_class = 'remodel' and ${inCities}`,
    ),
    sold('ZIP code', { zip: `${94_000 + (i % 60)}` }, `zip = '${94_000 + (i % 60)}'`),
    sold(
      'city, one year, price',
      { city, soldFrom: daysAgo(365 + (i % 9)), maxPrice: price },
      `${inCity} and sold_on >= '${daysAgo(365 + (i % 9))}' and price <= ${price}`,
    ),
    sold('city, highest price first', { city, sort: ['-price'] }, inCity, 'price desc, source_id, sale_id'),
    sold(
      'beds, living area',
      { minBeds: 3, minSqft: 1_500 + i, maxSqft: 2_000 + i },
      `beds >= 3 and sqft between ${1_500 + i} and ${2_000 + i}`,
    ),
    sold('box', { bbox: box }, inBox(0.03)),
    sold(
      'radius 1 mile, two years, nearest first',
      { ...point, radiusMi: 1, soldFrom: daysAgo(730), sort: ['distanceMi'] },
      `sold_on >= '${daysAgo(730)}' and ${near(1)}`,
      `${miles}, source_id, sale_id`,
    ),
    sold(
      'radius 3 miles, price, beds',
      { ...point, radiusMi: 3, maxPrice: price, minBeds: 3 },
      `price <= ${price} and beds >= 3 and ${near(3)}`,
    ),
  ]
}
