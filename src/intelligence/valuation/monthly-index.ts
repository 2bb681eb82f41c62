import { monthAfter } from '../../domain/day.ts'
import type { MarketModel } from './market-model.ts'
import { logLevel } from './time-index.ts'
import { dateOf, dayOf } from './valuation-facts.ts'

/** The price level of the market at constant quality by month (YYYY-MM), 100 in the first; empty without sales. */
export function monthlyIndex({ sales, index }: MarketModel): readonly { month: string; index: number }[] {
  if (sales.count === 0) return []
  const months: string[] = []
  const last = dateOf(sales.asOfDay - 1).slice(0, 7)
  for (let month = dateOf(sales.day[0]!).slice(0, 7); month <= last; month = monthAfter(month)) months.push(month)
  const level = (month: string) => logLevel(index, Math.min(dayOf(`${month}-15`), sales.asOfDay))
  const first = level(months[0]!)
  return months.map((month) => ({ month, index: 100 * Math.exp(level(month) - first) }))
}
