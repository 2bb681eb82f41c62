// Computes the series of a market, year by year, and stores what changed.
import { type MarketSeriesInput, marketSeriesOf, placesOf } from '../intelligence/market/market-series.ts'
import { monthlyIndex } from '../intelligence/valuation/monthly-index.ts'
import {
  firstPermits,
  listingsOfYear,
  listingsSince,
  permitCounts,
  salesOfYear,
  saveSeries,
  trimSeries,
} from '../store/assessments/market-series.ts'
import { heatAtMonthEnds } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import type { MarketView } from './market-view.ts'

/** Calendar years with this one, as many as the price index has. */
const seriesYears = 6

export const saveMarketSeries = async (
  db: Db,
  { market, today, value }: Pick<MarketView, 'market' | 'today' | 'value'>,
  now: Date,
): Promise<void> => {
  const last = Number(today.slice(0, 4))
  const first = last - seriesYears + 1
  const [since, permits, cityPermits, heat] = await Promise.all([
    listingsSince(db, market),
    permitCounts(db, market, { from: `${first}-01-01`, until: today }),
    firstPermits(db, market),
    heatAtMonthEnds(db, market),
  ])
  const index = indexFrom(value ? monthlyIndex(value) : [], `${first}-01`)
  const permitsSince = new Map([...cityPermits, ...earliest([...cityPermits.values()])])
  const salesSince = new Map<string, string>()
  for (let year = first; year <= last; year++) {
    const [sales, listings] = await Promise.all([
      salesOfYear(db, market, year, today),
      listingsOfYear(db, market, year, today),
    ])
    for (const sale of sales)
      for (const place of placesOf(sale))
        if (!((salesSince.get(place) ?? '9') <= sale.soldOn)) salesSince.set(place, sale.soldOn)
    const input: MarketSeriesInput = {
      year,
      on: today,
      sales,
      salesSince,
      listings,
      permits: permits.filter(({ month }) => month.startsWith(String(year))),
      permitsSince,
      indexOf: (month) => index.get(month),
      heatOf: (citySlug, day) => heat.get(`${citySlug}/${day}`),
    }
    if (since !== undefined) input.listingsSince = since
    await saveSeries(db, market, year, marketSeriesOf(input), now)
  }
  await trimSeries(db, market, first, last)
}

/** 100 in the first month of the series that the index has. */
const indexFrom = (months: ReturnType<typeof monthlyIndex>, first: string): ReadonlyMap<string, number> => {
  const used = months.filter(({ month }) => month >= first)
  const base = used[0]?.index ?? 100
  return new Map(used.map(({ month, index }) => [month, (100 * index) / base]))
}

const earliest = (months: readonly string[]): [string, string][] =>
  months.length === 0 ? [] : [['', [...months].sort()[0]!]]
