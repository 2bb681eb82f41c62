// Indexes the sales from which the value of a renovated home is estimated, once per market: new or renovated homes, and
// the top quarter by price per square foot, by city and property type.

import { valueAt } from '../../common/typed.ts'
import { indexPoints, type PointIndex } from './nearest-sales.ts'
import { quantileOf } from './quantiles.ts'
import { type SaleColumns, unknownType } from './sale-columns.ts'
import { attributeAt, attributeCount, yearOfDay } from './valuation-facts.ts'

/** The best first. */
export const renovatedSources = [
  'city_renovated',
  'city_top_quarter',
  'market_renovated',
  'market_top_quarter',
] as const
export type RenovatedSource = (typeof renovatedSources)[number]

/** By `renovatedKey`. */
export type RenovatedSales = ReadonlyMap<string, PointIndex>

export const renovatedKey = (source: RenovatedSource, city: number, type: number): string =>
  `${source} ${source.startsWith('city') ? city : ''} ${type}`

/** A home counts as renovated if it was built or renovated within ten years before its sale. */
const renovatedYears = 10
/** Market-wide sales reach back a year and a half, the most that appraisers use with a time adjustment. */
const mostDays = { city: 365, market: 548 }

export function indexRenovatedSales(sales: SaleColumns, timeAdjustedLogPpsf: Float64Array): RenovatedSales {
  const lists = new Map<string, number[]>()
  for (let i = 0; i < sales.count; i++) {
    const [type, city] = [sales.type[i]!, sales.city[i]!]
    if (type === unknownType) continue
    const effective = sales.attributes[i * attributeCount + attributeAt.effectiveYear]!
    const isRenovated = yearOfDay(sales.day[i]!) - effective <= renovatedYears + 1
    for (const scope of ['city', 'market'] as const) {
      if (sales.asOfDay - sales.day[i]! > mostDays[scope] || (scope === 'city' && city < 0)) continue
      for (const group of isRenovated ? (['renovated', 'top_quarter'] as const) : (['top_quarter'] as const)) {
        const key = renovatedKey(`${scope}_${group}`, city, type)
        valueAt(lists, key, () => []).push(i)
      }
    }
  }
  const topQuarter = (ids: readonly number[]) => {
    const least = quantileOf(
      Float64Array.from(ids, (i) => timeAdjustedLogPpsf[i]!),
      0.75,
    )
    return ids.filter((i) => timeAdjustedLogPpsf[i]! >= least)
  }
  const indexed = ([key, ids]: [string, number[]]) => {
    const chosen = key.includes('top_quarter') ? topQuarter(ids) : ids
    return [key, indexPoints(sales.east, sales.north, Int32Array.from(chosen))] as const
  }
  return new Map([...lists].map(indexed))
}
