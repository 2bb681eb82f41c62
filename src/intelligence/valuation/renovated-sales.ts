// Indexes the sales from which the value of a renovated home is estimated, once per market: new or renovated homes, and
// the top quarter by price per square foot, by city and property type.

import { indexPoints, type PointIndex } from './nearest-sales.ts'
import { quantileOf } from './quantiles.ts'
import { type SaleColumns, unknownType } from './sale-columns.ts'
import { attributeAt, attributeCount, yearOfDay } from './valuation-facts.ts'

export interface RenovatedSales {
  renovatedByCity: ReadonlyMap<string, PointIndex>
  topQuartileByCity: ReadonlyMap<string, PointIndex>
  renovatedByType: ReadonlyMap<number, PointIndex>
  topQuartileByType: ReadonlyMap<number, PointIndex>
}

/** A home counts as renovated if it was built or renovated within ten years before its sale. */
const renovatedYears = 10
const cityDays = 365
/** Market-wide sales reach back a year and a half, the most that appraisers use with a time adjustment. */
const marketDays = 548

export function cityTypeKey(city: number, type: number): string {
  return `${city} ${type}`
}

export function indexRenovatedSales(sales: SaleColumns, timeAdjustedLogPpsf: Float64Array): RenovatedSales {
  const renovatedCity = new Map<string, number[]>()
  const anyCity = new Map<string, number[]>()
  const renovatedType = new Map<number, number[]>()
  const anyType = new Map<number, number[]>()
  for (let i = 0; i < sales.count; i++) {
    const type = sales.type[i]!
    const daysAgo = sales.asOfDay - sales.day[i]!
    if (type === unknownType || daysAgo > marketDays) continue
    const effective = sales.attributes[i * attributeCount + attributeAt.effectiveYear]!
    const isRenovated = yearOfDay(sales.day[i]!) - effective <= renovatedYears + 1
    const cityType = cityTypeKey(sales.city[i]!, type)
    if (daysAgo <= cityDays) {
      if (sales.city[i]! >= 0) addTo(anyCity, cityType, i)
      if (sales.city[i]! >= 0 && isRenovated) addTo(renovatedCity, cityType, i)
    }
    addTo(anyType, type, i)
    if (isRenovated) addTo(renovatedType, type, i)
  }
  const topQuarter = (ids: readonly number[]) => {
    const least = quantileOf(
      ids.map((i) => timeAdjustedLogPpsf[i]!),
      0.75,
    )
    return ids.filter((i) => timeAdjustedLogPpsf[i]! >= least)
  }
  const indexed = <K>(lists: ReadonlyMap<K, number[]>, choose: (ids: number[]) => number[]) =>
    new Map([...lists].map(([key, ids]) => [key, indexPoints(sales.east, sales.north, Int32Array.from(choose(ids)))]))
  const same = (ids: number[]) => ids
  return {
    renovatedByCity: indexed(renovatedCity, same),
    topQuartileByCity: indexed(anyCity, topQuarter),
    renovatedByType: indexed(renovatedType, same),
    topQuartileByType: indexed(anyType, topQuarter),
  }
}

function addTo<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
