// The monthly rent of a home by place and bedrooms, from rents that are known there.
import { yearsBefore } from '../../domain/day.ts'
import type { ParcelFacts } from '../../domain/facts.ts'
import type { EarningsUnavailable, MonthlyRent, Rent, RentStatistic } from '../../domain/findings/rent.ts'
import { plural } from '../scores/number-format.ts'
import { quantileOf } from '../valuation/quantiles.ts'

interface RentPlace {
  zip?: string
  county?: string
}

/** Rents of this age still describe the market. */
const longestYears = 2
/** Fewer single rents are an anecdote; from `fewestOfRange` on their spread is known too. */
const fewestRents = 3
const fewestOfRange = 10
/** Larger homes are counted with these: feeds of rents end here. */
const mostBedrooms = 4

export type RentIndex = ReadonlyMap<string, readonly Rent[]>

export const rentIndex = (rents: readonly Rent[]): RentIndex =>
  Map.groupBy(rents, ({ zip, county, bedrooms }) => keyOf(zip ?? countyKey(county ?? ''), bedrooms))

const keyOf = (place: string, bedrooms: number): string => `${place} ${Math.min(bedrooms, mostBedrooms)}`
const countyKey = (county: string): string => county.toLowerCase().replace(/ county$/, '')

/** Hundreds of homes share a ZIP code, and each asks for several sizes. */
const known = new WeakMap<RentIndex, Map<string, MonthlyRent | undefined>>()

/** The ZIP code first, then the county. Undefined if neither has rents of homes with as many bedrooms. */
export const monthlyRent = (
  index: RentIndex,
  place: RentPlace,
  bedrooms: number,
  on: string,
): MonthlyRent | undefined => {
  const key = `${place.zip} ${place.county} ${bedrooms} ${on}`
  const rents = known.get(index) ?? new Map<string, MonthlyRent | undefined>()
  if (!rents.has(key)) known.set(index, rents.set(key, rentAt(index, place, bedrooms, on)))
  return rents.get(key)
}

const rentAt = (index: RentIndex, { zip, county }: RentPlace, bedrooms: number, on: string): MonthlyRent | undefined =>
  (zip === undefined ? undefined : rentOf(index.get(keyOf(zip, bedrooms)), `ZIP code ${zip}`, bedrooms, on)) ??
  (county === undefined
    ? undefined
    : rentOf(index.get(keyOf(countyKey(county), bedrooms)), `${county.replace(/ County$/, '')} County`, bedrooms, on))

const rentOf = (
  rents: readonly Rent[] | undefined,
  place: string,
  bedrooms: number,
  on: string,
): MonthlyRent | undefined => {
  const since = yearsBefore(on, longestYears)
  const recent = (rents ?? []).filter(({ asOf }) => asOf > since && asOf <= on)
  const of = (statistic: RentStatistic) =>
    recent.filter((rent) => rent.statistic === statistic).sort((a, b) => (a.asOf < b.asOf ? 1 : -1))
  const single = of('rent')
  const homes = `${sizeText(bedrooms)} in ${place}`
  const fromSingle = (fewest: number): MonthlyRent | undefined => {
    if (single.length < fewest) return undefined
    const amounts = single.map(({ amountUsd }) => amountUsd).sort((a, b) => a - b)
    return {
      amount: Math.round(quantileOf(amounts, 0.5)),
      ...(single.length >= fewestOfRange
        ? { low: Math.round(quantileOf(amounts, 0.1)), high: Math.round(quantileOf(amounts, 0.9)) }
        : {}),
      basis: `Median of ${plural(single.length, 'rent')} of ${homes}.`,
      ...sourceOf(single[0]!),
    }
  }
  const published = (statistic: RentStatistic, basis: string): MonthlyRent | undefined => {
    const newest = of(statistic)[0]
    return newest && { amount: Math.round(newest.amountUsd), basis, ...sourceOf(newest) }
  }
  return (
    fromSingle(fewestOfRange) ??
    published('median', `Published median rent of ${homes}.`) ??
    published('fair_market', `Federal fair market rent of ${homes}: the 40th percentile of rents, with utilities.`) ??
    fromSingle(fewestRents)
  )
}

const sourceOf = ({ asOf, sourceTitle, sample }: Rent) => ({
  asOf,
  source: sourceTitle,
  ...(sample ? { sample } : {}),
})

const sizeText = (bedrooms: number): string => {
  if (bedrooms === 0) return 'studios'
  return bedrooms >= mostBedrooms
    ? `homes with ${mostBedrooms} or more bedrooms`
    : `homes with ${plural(bedrooms, 'bedroom')}`
}

/** The rent of a home, or why it has none. `ofSize`: the rent of homes with so many bedrooms. */
export const rentFor = (
  { beds, units = 1, propertyType }: Pick<ParcelFacts, 'beds' | 'units' | 'propertyType'>,
  ofSize: (bedrooms: number) => MonthlyRent | undefined,
): MonthlyRent | EarningsUnavailable => {
  if (units > 1 || propertyType === 'multi_family')
    return { reason: 'SEVERAL_UNITS', text: 'It has several homes, and their sizes are not known.' }
  if (beds === undefined) return { reason: 'BEDROOMS_UNKNOWN', text: 'The number of bedrooms is not known.' }
  return ofSize(Math.round(beds)) ?? { reason: 'NO_RENTS', text: 'No rents of homes of its size are known nearby.' }
}
