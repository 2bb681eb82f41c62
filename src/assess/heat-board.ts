// How hot each city's market is for each type, today and at the end of each past month.
import { dayOf } from '../contract/day.ts'
import type { Finding } from '../contract/findings.ts'
import { marketHeat } from '../intelligence/heat.ts'
import { heatStatistics } from '../intelligence/heat-statistics.ts'
import type { MarketListing, MarketSale } from '../store/assessments/market-facts.ts'
import type { HeatRow } from '../store/assessments/models.ts'

/** `all` holds every type together, for cities with few of one. */
export const heatTypes = ['single_family', 'condo', 'townhouse', 'all'] as const

const monthsBack = 24

export interface CityHeat extends Finding {
  /** Closed in the 90 days it looks at. */
  sales: number
  daysToPending?: number
  shareAboveList?: number
  saleToList?: number
}

export interface HeatBoard {
  of(citySlug: string, propertyType: string | undefined): CityHeat
  /** The 90 days before a day, of sales alone; each day asked for is worked out once. */
  before(citySlug: string, propertyType: string | undefined, day: string): CityHeat | undefined
  /** Today and the month ends before it, or one day of them, for the store. */
  rows(only?: string): HeatRow[]
}

export const heatBoard = (sales: readonly MarketSale[], listings: readonly MarketListing[], on: string): HeatBoard => {
  const cities = [...new Set([...sales.map((sale) => sale.citySlug), ...listings.map((each) => each.citySlug)])].sort()
  const cells = new Map<string, Cell>()
  for (const type of heatTypes) {
    for (const city of ['', ...cities]) cells.set(`${city}/${type}`, { sales: [], listings: [] })
    const put = (city: string, propertyType: string | undefined, add: (cell: Cell) => void) => {
      if (type !== 'all' && propertyType !== type) return
      for (const slug of ['', city]) add(cells.get(`${slug}/${type}`)!)
    }
    for (const sale of sales) put(sale.citySlug, sale.propertyType, (cell) => cell.sales.push(sale))
    for (const listing of listings) put(listing.citySlug, listing.propertyType, (cell) => cell.listings.push(listing))
  }
  const counted = new Map<string, ReturnType<typeof statisticsAt>>()
  const statistics = (cell: string, day: string) => {
    const key = `${cell}@${day}`
    let found = counted.get(key)
    if (!found) {
      found = statisticsAt(cells.get(cell), day)
      counted.set(key, found)
    }
    return found
  }
  const heatAt = (city: string, type: string, day: string): CityHeat => {
    const own = statistics(`${city}/${type}`, day)
    const wider = city === '' ? undefined : statistics(`/${type}`, day)
    const { sales, daysToPending, shareAboveList, saleToList } = own
    return { ...marketHeat(own, wider), sales, daysToPending, shareAboveList, saleToList }
  }
  const today = new Map<string, CityHeat>()
  const todayAt = (city: string, type: string) => {
    const key = `${city}/${type}`
    if (!today.has(key)) today.set(key, heatAt(city, type, on))
    return today.get(key)!
  }
  return {
    of: (city, type) => {
      const ladder: [string, string][] = [
        [city, type ?? 'all'],
        [city, 'all'],
        ['', 'all'],
      ]
      return ladder.map(([c, t]) => todayAt(c, t)).find((heat) => heat.score !== undefined) ?? todayAt(city, 'all')
    },
    before: (city, type, day) => {
      const eve = dayBefore(day)
      const ladder = [`${city}/${type ?? 'all'}`, `${city}/all`, '/all']
      const chosen = ladder.find((key) => cells.has(key))
      if (!chosen) return undefined
      const key = `${chosen}@${eve}`
      if (!today.has(key)) {
        const [ownCity, ownType] = chosen.split('/') as [string, string]
        today.set(key, heatAt(ownCity, ownType, eve))
      }
      return today.get(key)
    },
    rows: (only) =>
      (only === undefined ? [...monthEnds(on, monthsBack), on] : [only]).flatMap((day) =>
        ['', ...cities].flatMap((city) =>
          (['single_family', 'all'] as const).map((type) => {
            const heat = day === on ? todayAt(city, type) : heatAt(city, type, day)
            const { score: heatIndex, parts, sales } = heat
            return { citySlug: city, propertyType: type, asOf: day, heatIndex, parts, sales }
          }),
        ),
      ),
  }
}

interface Cell {
  sales: MarketSale[]
  listings: MarketListing[]
}

const statisticsAt = (cell: Cell | undefined, day: string) =>
  heatStatistics(
    lately(cell?.sales ?? [], day),
    (cell?.listings ?? []).flatMap((listing) => standingOn(listing, day)),
    day,
  )

/** Sales come in order of date: only those of the last 100 days before `day` are looked at. */
const lately = (sales: readonly MarketSale[], day: string): readonly MarketSale[] => {
  const from = dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 100 * 86_400_000))
  return sales.slice(firstAfter(sales, from), firstAfter(sales, day))
}

/** Where the first sale later than `day` stands. */
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

/** A listing as it stood on a day: on the market, under contract, or neither. */
const standingOn = (
  listing: MarketListing,
  day: string,
): Pick<MarketListing, 'status' | 'priceUsd' | 'originalPriceUsd'>[] => {
  const { listedOn, pendingOn, soldOn, status, priceUsd, originalPriceUsd } = listing
  if (listedOn === undefined || listedOn > day || (soldOn !== undefined && soldOn <= day)) return []
  if (status === 'withdrawn' || status === 'coming_soon') return []
  return [{ status: pendingOn !== undefined && pendingOn <= day ? 'pending' : 'active', priceUsd, originalPriceUsd }]
}

const dayBefore = (day: string): string => dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000))

const monthEnds = (on: string, count: number): string[] => {
  const [year, month] = on.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, back) => dayOf(new Date(Date.UTC(year, month - 1 - (count - 1 - back), 0))))
}
