// Figures of a market, its cities and its ZIP codes by month, quarter and year. One calendar year is computed at a time: the months,
// quarters and the year contain each other, so only together can it be decided which figures are withheld.

import { keysOf, valueAt } from '../../common/typed.ts'
import type { ListingFacts, PermitClass, SaleFacts } from '../../domain/facts.ts'
import type { SeriesFigures, SeriesInterval, SeriesMetric } from '../../domain/findings/market-series.ts'
import { meanIfAny, medianIfAny } from '../statistics/average.ts'
import { type Family, withheldGroups } from './small-groups.ts'

interface Located {
  readonly citySlug: string
  readonly zip?: string
}

export interface SeriesSale
  extends Located,
    Pick<SaleFacts, 'soldOn' | 'priceUsd' | 'listPriceUsd' | 'daysOnMarket' | 'livingSqft'> {}

export interface SeriesListing
  extends Located,
    Pick<ListingFacts, 'status' | 'priceUsd' | 'originalPriceUsd' | 'listedOn' | 'pendingOn' | 'soldOn'> {}

export interface SeriesPermits extends Located {
  /** YYYY-MM. */
  readonly month: string
  readonly permitClass: PermitClass
  readonly count: number
}

export interface MarketSeriesInput {
  readonly year: number
  /** Records after this day are not used; a period that contains it and does not end on it is partial, like one in which sales begin. */
  readonly on: string
  readonly sales: readonly SeriesSale[]
  /** The day of the first known sale, by place (`placesOf`). Whether homes were sold before it is not known. */
  readonly salesSince: ReadonlyMap<string, string>
  readonly listings: readonly SeriesListing[]
  /** Since when the listings of the market are complete; undefined without listings. */
  listingsSince?: string
  readonly permits: readonly SeriesPermits[]
  /** The first month with a permit, by city slug; "" for the market. */
  readonly permitsSince: ReadonlyMap<string, string>
  /** The level of the price index in a month (YYYY-MM); undefined outside the fitted months. */
  readonly indexOf: (month: string) => number | undefined
  /** The heat index of a city ("" for the market) on a day. */
  readonly heatOf: (citySlug: string, day: string) => number | undefined
}

export type SeriesRow = ReturnType<typeof marketSeriesOf>[number]

/** Prices, ratios and days of fewer records are withheld. */
const smallestGroup = 5
/** Below this, a median price is the mean of the middle sales, so that it is no single sale's price. */
const singleSaleLimit = 20

interface Period {
  interval: SeriesInterval
  first: string
  /** At most `on`. */
  last: string
  partial: boolean
  months: readonly string[]
}

interface Place extends Located {
  key: string
}

export const marketSeriesOf = (input: MarketSeriesInput) => {
  const periods = periodsOf(input.year, input.on, input.salesSince.get(''))
  const sales = input.sales.filter(({ soldOn }) => soldOn <= input.on && soldOn.startsWith(String(input.year)))
  const places = placesIn([...sales, ...input.listings, ...input.permits])
  const groups = groupsOf(input.listings, sales, periods)
  const hidden = hiddenGroups(groups, places, periods)
  return [...places.values()].flatMap((place) =>
    periods.flatMap((period) => {
      const key = groupKey(place.key, period)
      const group = groups.get(key)
      const permits = permitFigures(input, place, period)
      const permitCount = Object.values(permits).reduce((sum, each) => sum + each, 0)
      if (!group && permitCount === 0) return []
      const sales = group?.sales ?? []
      const active = group?.active ?? []
      const listed = input.listingsSince !== undefined && period.first >= input.listingsSince
      const ratios = sales.flatMap(saleToList)
      const citySlug = place.zip === undefined ? place.citySlug : ''
      const n = sales.length
      const isFew = n > 0 && n < smallestGroup
      const withheld = new Set<SeriesMetric>([
        ...keysOf(hidden).flatMap((kind) =>
          hidden[kind].has(key) && (kind !== 'drops' || listed) ? metricsOf[kind] : [],
        ),
        ...(isFew && listed ? (['monthsOfSupply'] as const) : []),
        ...(isFew && place.zip === undefined && input.heatOf(citySlug, period.last) !== undefined
          ? (['heatIndex'] as const)
          : []),
      ])
      const ifServed = <T>(metric: SeriesMetric, figure: () => T): T | undefined =>
        withheld.has(metric) ? undefined : figure()
      const row = {
        /** Empty for the whole market. */
        citySlug,
        zip: place.zip ?? '',
        interval: period.interval,
        /** First day. */
        period: period.first,
        n,
        partial: period.partial,
        suppressed: withheld.size > 0,
        figures: {
          ...known({
            medianSalePrice: ifServed('medianSalePrice', () => typicalPrice(sales.map(({ priceUsd }) => priceUsd))),
            medianPricePerSqft: ifServed('medianPricePerSqft', () => typicalPrice(sales.flatMap(pricePerSqft))),
            priceIndex: indexIn(input, period),
            homesSold: n > 0 || (input.salesSince.get(place.key) ?? input.on) < period.first ? n : undefined,
            newListings: listed ? (group?.newListings ?? 0) : undefined,
            inventory: listed ? active.length : undefined,
            medianDaysOnMarket: ifServed('medianDaysOnMarket', () => medianIfAny(sales.flatMap(daysOnMarket))),
            saleToList: ifServed('saleToList', () => rounded(meanIfAny(ratios), 3)),
            soldAboveListPct: ifServed('soldAboveListPct', () =>
              rounded(meanIfAny(ratios.map((ratio) => (ratio > 1 ? 100 : 0))), 1),
            ),
            priceDropsPct: listed
              ? ifServed('priceDropsPct', () => rounded(meanIfAny(active.flatMap(priceDrop)), 1))
              : undefined,
            // Of two counts that are shown.
            monthsOfSupply:
              listed && n >= smallestGroup ? rounded(active.length / (n / monthsIn(period)), 1) : undefined,
            heatIndex:
              place.zip === undefined && n >= smallestGroup
                ? rounded(input.heatOf(citySlug, period.last), 0)
                : undefined,
            ...permits,
          }),
          ...(withheld.size > 0 && { withheld: [...withheld] }),
        } satisfies SeriesFigures,
      }
      return [row]
    }),
  )
}

interface Group {
  sales: SeriesSale[]
  active: SeriesListing[]
  newListings: number
}
type Groups = Map<string, Group>

/** The sales and listings of each place in each period. */
const groupsOf = (
  listings: readonly SeriesListing[],
  sales: readonly SeriesSale[],
  periods: readonly Period[],
): Groups => {
  const groups: Groups = new Map()
  const groupOf = (place: string, period: Period) =>
    valueAt(groups, groupKey(place, period), () => ({ sales: [], active: [], newListings: 0 }))
  for (const period of periods) {
    for (const sale of sales)
      if (sale.soldOn >= period.first && sale.soldOn <= period.last)
        for (const place of placesOf(sale)) groupOf(place, period).sales.push(sale)
    for (const listing of listings) {
      const isNew =
        listing.listedOn !== undefined && listing.listedOn >= period.first && listing.listedOn <= period.last
      const isActive = isActiveOn(listing, period.last)
      if (!isNew && !isActive) continue
      for (const place of placesOf(listing)) {
        const group = groupOf(place, period)
        if (isNew) group.newListings++
        if (isActive) group.active.push(listing)
      }
    }
  }
  return groups
}

/** By kind of figure: the groups whose figure is withheld, because it or a difference of served figures is of too few records. */
const hiddenGroups = (groups: Groups, places: ReadonlyMap<string, Place>, periods: readonly Period[]) => {
  const smallGroups = (recordsOf: (group: Group) => Located[], added: Family[]) => {
    const sizes = new Map([...groups].map(([key, group]) => [key, recordsOf(group).length]))
    const families = periods.flatMap((period) => {
      const group = groups.get(groupKey('', period))
      return group ? placeFamilies(recordsOf(group), period, sizes) : []
    })
    return withheldGroups(sizes, [...families, ...added], smallestGroup)
  }
  const years = periodFamilies(places, periods)
  const salesWith = (value: (sale: SeriesSale) => number[]) =>
    smallGroups(({ sales: groupSales }) => groupSales.filter((sale) => value(sale).length > 0), years)
  return {
    price: salesWith(({ priceUsd }) => [priceUsd]),
    perSqft: salesWith(pricePerSqft),
    ratio: salesWith(saleToList),
    days: salesWith(daysOnMarket),
    // The inventory is that of one day, so a year has the same listings as its last month: periods do not add up.
    drops: smallGroups(({ active }) => active.filter((listing) => priceDrop(listing).length > 0), []),
  }
}

/** The figures computed from the same records. */
const metricsOf = {
  price: ['medianSalePrice'],
  perSqft: ['medianPricePerSqft'],
  ratio: ['saleToList', 'soldAboveListPct'],
  days: ['medianDaysOnMarket'],
  drops: ['priceDropsPct'],
} as const satisfies Record<string, readonly SeriesMetric[]>

/** `interval/first day` under a place. */
const groupKey = (place: string, { interval, first }: Pick<Period, 'interval' | 'first'>): string =>
  `${place}|${interval}/${first}`

/** The market, the city and the ZIP code of a record. */
export const placesOf = ({ citySlug, zip }: Located): string[] => ['', `c:${citySlug}`, ...(zip ? [`z:${zip}`] : [])]

const placesIn = (records: readonly Located[]): Map<string, Place> => {
  const places = new Map<string, Place>([['', { key: '', citySlug: '' }]])
  for (const { citySlug, zip } of records) {
    const city = `c:${citySlug}`
    if (!places.has(city)) places.set(city, { key: city, citySlug })
    if (zip && !places.has(`z:${zip}`)) places.set(`z:${zip}`, { key: `z:${zip}`, citySlug: '', zip })
  }
  return places
}

/**
 * Which places divide another one, by the records of one period: the cities and ZIP codes of the market, the ZIP codes within one
 * city, the cities within one ZIP code. Cities and ZIP codes that overlap have the same records in all, so of them one follows from
 * the others: `sizes` gets a group for them, which has every record twice.
 */
const placeFamilies = (records: readonly Located[], period: Period, sizes: Map<string, number>): Family[] => {
  const citiesOf = new Map<string, Set<string>>()
  const zipsOf = new Map<string, Set<string>>()
  for (const { citySlug, zip } of records) {
    valueAt(zipsOf, `c:${citySlug}`, () => new Set()).add(`z:${zip ?? ''}`)
    if (zip) valueAt(citiesOf, `z:${zip}`, () => new Set()).add(`c:${citySlug}`)
  }
  const within = (inner: ReadonlyMap<string, ReadonlySet<string>>, outer: string) =>
    [...inner].filter(([, containing]) => containing.size === 1 && containing.has(outer)).map(([key]) => key)
  const linked = overlapping(zipsOf, citiesOf)
  for (const places of linked) {
    const placeRecords = records.filter(({ citySlug }) => places.includes(`c:${citySlug}`))
    sizes.set(groupKey(places.join(), period), 2 * placeRecords.length)
  }
  const divided: [parent: string, parts: string[]][] = [
    ['', [...zipsOf.keys()]],
    ['', [...citiesOf.keys()]],
    ...[...zipsOf.keys()].map((city): [string, string[]] => [city, within(citiesOf, city)]),
    ...[...citiesOf.keys()].map((zip): [string, string[]] => [zip, within(zipsOf, zip)]),
    ...linked.map((parts): [string, string[]] => [parts.join(), parts]),
  ]
  return divided.map(([parent, parts]) => ({
    parent: groupKey(parent, period),
    parts: parts.map((part) => groupKey(part, period)),
  }))
}

/** Cities and ZIP codes that share records, directly or through others. */
const overlapping = (
  zipsOf: ReadonlyMap<string, ReadonlySet<string>>,
  citiesOf: ReadonlyMap<string, ReadonlySet<string>>,
): string[][] => {
  const seen = new Set<string>()
  const reached = (key: string): string[] => {
    if (seen.has(key)) return []
    seen.add(key)
    return [key, ...[...(zipsOf.get(key) ?? citiesOf.get(key) ?? [])].filter((next) => next !== 'z:').flatMap(reached)]
  }
  return [...zipsOf.keys()].map(reached).filter(({ length }) => length > 1)
}

const periodFamilies = (places: ReadonlyMap<string, Place>, periods: readonly Period[]): Family[] =>
  [...places.keys()].flatMap((place) =>
    periods.flatMap((outer) => {
      const next = outer.interval === 'year' ? 'quarter' : outer.interval === 'quarter' ? 'month' : undefined
      const inner = periods.filter(
        ({ interval, first }) => interval === next && first >= outer.first && first <= outer.last,
      )
      return next ? [{ parent: groupKey(place, outer), parts: inner.map((period) => groupKey(place, period)) }] : []
    }),
  )

const lengths = { month: 1, quarter: 3, year: 12 } as const

/** The last day of a month on which a first sale still counts as its beginning. */
const firstWeek = '07'

const periodsOf = (year: number, on: string, salesSince = ''): Period[] =>
  Object.entries(lengths).flatMap(([interval, length]) =>
    Array.from({ length: 12 / length }, (_, at): Period => {
      const months = Array.from(
        { length },
        (__, month) => `${year}-${String(at * length + month + 1).padStart(2, '0')}`,
      )
      const end = new Date(Date.UTC(year, (at + 1) * length, 0)).toISOString().slice(0, 10)
      const first = `${months[0]}-01`
      const beginsLate = salesSince > `${months[0]}-${firstWeek}` && salesSince <= end
      return {
        interval: interval as SeriesInterval,
        first,
        last: end < on ? end : on,
        partial: on < end || beginsLate,
        months,
      }
    }).filter(({ first }) => first <= on),
  )

const isActiveOn = ({ status, listedOn, pendingOn, soldOn }: SeriesListing, day: string): boolean =>
  listedOn !== undefined &&
  listedOn <= day &&
  (soldOn === undefined || soldOn > day) &&
  (pendingOn === undefined || pendingOn > day) &&
  status !== 'withdrawn' &&
  status !== 'coming_soon'

const pricePerSqft = ({ priceUsd, livingSqft }: SeriesSale): number[] => (livingSqft ? [priceUsd / livingSqft] : [])

/** A ratio beyond ±50% is more often a data error than a sale (Redfin's rule). */
const saleToList = ({ priceUsd, listPriceUsd }: SeriesSale): number[] => {
  const ratio = listPriceUsd ? priceUsd / listPriceUsd : undefined
  return ratio !== undefined && ratio > 0.5 && ratio < 1.5 ? [ratio] : []
}

const daysOnMarket = ({ daysOnMarket: days }: SeriesSale): number[] => (days !== undefined && days >= 0 ? [days] : [])

const priceDrop = ({ priceUsd, originalPriceUsd }: SeriesListing): number[] =>
  priceUsd === undefined || originalPriceUsd === undefined ? [] : [priceUsd < originalPriceUsd ? 100 : 0]

const permitMetrics = {
  newHousePermits: 'new_house',
  demolitions: 'whole_house_demolition',
  aduPermits: 'adu',
} as const satisfies Partial<Record<keyof SeriesFigures, PermitClass>>

/** Absent before the first permit of the place: a feed that does not reach back is not a city without permits. */
const permitFigures = (
  { permits, permitsSince, on }: MarketSeriesInput,
  { key, citySlug, zip }: Place,
  period: Period,
): Record<string, number> => {
  const since = permitsSince.get(zip === undefined ? citySlug : '')
  if (since === undefined || period.months[0]! < since) return {}
  const placePermits = permits.filter(
    (each) => period.months.includes(each.month) && each.month <= on.slice(0, 7) && placesOf(each).includes(key),
  )
  return Object.fromEntries(
    Object.entries(permitMetrics).map(([name, permitClass]) => [
      name,
      placePermits.filter((each) => each.permitClass === permitClass).reduce((sum, { count }) => sum + count, 0),
    ]),
  )
}

const indexIn = ({ indexOf }: MarketSeriesInput, { months, last }: Period): number | undefined =>
  rounded(meanIfAny(months.filter((month) => month <= last).flatMap((month) => indexOf(month) ?? [])), 1)

const monthsIn = ({ first, last }: Period): number =>
  (Date.parse(last) - Date.parse(first) + 86_400_000) / 86_400_000 / 30.4

/** The median to three significant digits. In a small group it is the mean of the middle sales, and no sale has this price. */
export const typicalPrice = (prices: readonly number[]): number | undefined => {
  if (prices.length === 0) return undefined
  const sorted = [...prices].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length >= singleSaleLimit) return threeDigits(medianIfAny(sorted)!)
  const price = threeDigits(
    meanIfAny(sorted.slice(middle - 1, sorted.length % 2 === 1 ? middle + 2 : middle + 1)) ?? sorted[0]!,
  )
  const step = 10 ** (Math.floor(Math.log10(price)) - 2)
  for (let away = 0; ; away = away > 0 ? -away : 1 - away) {
    const candidate = threeDigits(price + away * step)
    if (!sorted.includes(candidate)) return candidate
  }
}

export const threeDigits = (value: number): number => Number(value.toPrecision(3))

const rounded = (value: number | undefined, digits: number): number | undefined =>
  value === undefined ? undefined : Math.round(value * 10 ** digits) / 10 ** digits

const known = (figures: Record<string, number | undefined>): SeriesFigures =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined))
