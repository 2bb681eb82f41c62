// The sales that tell what a renewed home fetches, sorted out once per market so that asking costs the same however
// large it grows: new or renovated ones, and the dearest quarter per square foot, by city and type.

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

/** New or renovated within ten years of its sale. */
const renewedYears = 10
const renewedDays = 365
/** Where few sales are new, a year and a half with time adjustment is the farthest custom allows. */
const stretchedDays = 548

export function cityTypeKey(city: number, type: number): string {
  return `${city} ${type}`
}

export function indexRenovatedSales(sales: SaleColumns, timeAdjustedLogPpsf: Float64Array): RenovatedSales {
  const renewedCity = new Map<string, number[]>()
  const anyCity = new Map<string, number[]>()
  const renewedType = new Map<number, number[]>()
  const anyType = new Map<number, number[]>()
  for (let i = 0; i < sales.count; i++) {
    const type = sales.type[i]!
    const daysAgo = sales.asOfDay - sales.day[i]!
    if (type === unknownType || daysAgo > stretchedDays) continue
    const effective = sales.attributes[i * attributeCount + attributeAt.effectiveYear]!
    const renewed = yearOfDay(sales.day[i]!) - effective <= renewedYears + 1
    const cityType = cityTypeKey(sales.city[i]!, type)
    if (daysAgo <= renewedDays) {
      if (sales.city[i]! >= 0) put(anyCity, cityType, i)
      if (sales.city[i]! >= 0 && renewed) put(renewedCity, cityType, i)
    }
    put(anyType, type, i)
    if (renewed) put(renewedType, type, i)
  }
  const dearest = (ids: readonly number[]) => {
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
    renovatedByCity: indexed(renewedCity, same),
    topQuartileByCity: indexed(anyCity, dearest),
    renovatedByType: indexed(renewedType, same),
    topQuartileByType: indexed(anyType, dearest),
  }
}

function put<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
