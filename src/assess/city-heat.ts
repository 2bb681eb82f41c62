// The heat index of each city by property type, today and at the end of each past month.
import { valueAt } from '../common/typed.ts'
import { dayOf, yearsBefore } from '../domain/day.ts'
import type { Finding } from '../domain/findings/findings.ts'
import { type HeatStatistics, heatStatistics, marketHeat } from '../intelligence/market/heat.ts'
import { type MarketSale, marketSales } from '../store/assessments/market-facts.ts'
import { type HeatRow, saveHeat, thinHeat } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import type { MarketView } from './market-view.ts'

/** `all` combines every type, for cities with few sales of one type. */
const heatTypes = ['single_family', 'condo', 'townhouse', 'all'] as const

/** Past months are drawn as a chart of the city. */
const pastTypes = ['single_family', 'all'] as const

const monthsBack = 24

export interface CityHeat extends Finding, HeatStatistics {}

export type HeatByCity = ReturnType<typeof cityHeat>

export const cityHeat = (sales: readonly MarketSale[], on: string) => {
  const cities = [...new Set(sales.map((sale) => sale.citySlug))].sort()
  const cells = new Map<string, MarketSale[]>()
  for (const type of heatTypes) {
    for (const city of ['', ...cities]) cells.set(`${city}/${type}`, [])
    for (const sale of sales)
      if (type === 'all' || sale.propertyType === type)
        for (const city of ['', sale.citySlug]) cells.get(`${city}/${type}`)!.push(sale)
  }
  const statisticsCache = new Map<string, ReturnType<typeof statisticsAt>>()
  const statistics = (cell: string, day: string) =>
    valueAt(statisticsCache, `${cell}@${day}`, () => statisticsAt(cells.get(cell), day))
  const heatAt = (cell: string, day: string): CityHeat => {
    const cityStatistics = statistics(cell, day)
    const [city, type] = cell.split('/')
    const wider = city === '' ? undefined : statistics(`/${type}`, day)
    const { sales, daysToPending, shareAboveList, saleToList } = cityStatistics
    return { ...marketHeat(cityStatistics, wider), sales, daysToPending, shareAboveList, saleToList }
  }
  const known = new Map<string, CityHeat>()
  const knownHeatAt = (cell: string, day: string) => valueAt(known, `${cell}@${day}`, () => heatAt(cell, day))
  const fallbacks = (city: string, type = 'all') => [`${city}/${type}`, `${city}/all`, '/all']

  return {
    of: (city: string, type: string | undefined): CityHeat =>
      fallbacks(city, type)
        .map((cell) => knownHeatAt(cell, on))
        .find((heat) => heat.score !== undefined) ?? knownHeatAt(`${city}/all`, on),
    /** The heat of the 90 days before a day. Cached, because many sales share a day. */
    before: (city: string, type: string | undefined, day: string) => {
      const cell = fallbacks(city, type).find((each) => cells.has(each))
      return cell === undefined ? undefined : knownHeatAt(cell, dayBefore(day))
    },
    /** Rows to store: today and the previous month ends, or a single day. */
    rows: (only?: string): HeatRow[] =>
      (only === undefined ? [...monthEnds(on, monthsBack), on] : [only]).flatMap((day) =>
        ['', ...cities].flatMap((city) =>
          (day === on ? heatTypes : pastTypes).map((type) => {
            const heat = day === on ? knownHeatAt(`${city}/${type}`, on) : heatAt(`${city}/${type}`, day)
            const { score: heatIndex, parts, sales } = heat
            return { citySlug: city, propertyType: type, asOf: day, heatIndex, parts, sales }
          }),
        ),
      ),
  }
}

const statisticsAt = (sales: readonly MarketSale[] = [], day: string) => heatStatistics(recentSales(sales, day), day)

/** The sales of the 100 days before `day`. `sales` is ordered by date. */
const recentSales = (sales: readonly MarketSale[], day: string): readonly MarketSale[] => {
  const from = dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 100 * 86_400_000))
  return sales.slice(firstAfter(sales, from), firstAfter(sales, day))
}

/** Index of the first sale after `day`. */
const firstAfter = (sales: readonly MarketSale[], day: string): number => {
  let low = 0
  let high = sales.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sales[middle]!.soldOn <= day) low = middle + 1
    else high = middle
  }
  return low
}

const dayBefore = (day: string): string => dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000))

const monthEnds = (on: string, count: number): string[] => {
  const [year, month] = on.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, back) => dayOf(new Date(Date.UTC(year, month - 1 - (count - 1 - back), 0))))
}

/** With a new valuation also the month ends before it. */
export const saveMarketHeat = async (db: Db, { market, on, today, heat }: MarketView): Promise<void> => {
  await saveHeat(db, market, on === today ? heat.rows() : await heatToday(db, market, today))
  await thinHeat(db, market, today)
}

const heatToday = async (db: Db, market: MarketView['market'], today: string) =>
  cityHeat(await marketSales(db, market, { from: yearsBefore(today, 1), until: today }), today).rows(today)
