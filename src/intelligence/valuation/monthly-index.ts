import type { MarketModel } from './market-model.ts'
import { cityKey } from './sale-columns.ts'
import { logLevel } from './time-index.ts'
import { dateOf, dayOf } from './valuation-facts.ts'

interface IndexMonth {
  /** YYYY-MM. */
  month: string
  /** Price level at constant quality, 100 in the first month. */
  index: number
  /** Sales in the month, in the city or the market. */
  salesCount: number
}

/** The monthly price index of the market with the sales of a city, or of all; empty for a city without sales. */
export function monthlyIndex(model: MarketModel, city?: string): readonly IndexMonth[] {
  const { sales } = model
  const code = city === undefined ? undefined : sales.cities.indexOf(cityKey(city))
  const ids: number[] = []
  for (let i = 0; i < sales.count; i++) if (code === undefined || sales.city[i] === code) ids.push(i)
  if (ids.length === 0 || code === -1) return []
  const counts = new Map<string, number>()
  for (const i of ids) {
    const month = dateOf(sales.day[i]!).slice(0, 7)
    counts.set(month, (counts.get(month) ?? 0) + 1)
  }
  const levelOn = (day: number) => logLevel(model.index, day)
  const months: string[] = []
  const last = dateOf(sales.asOfDay - 1).slice(0, 7)
  for (let month = dateOf(sales.day[0]!).slice(0, 7); month <= last; month = nextMonth(month)) months.push(month)
  const middleOf = (month: string) => Math.min(dayOf(`${month}-15`), sales.asOfDay)
  const first = levelOn(middleOf(months[0]!))
  return months.map((month) => ({
    month,
    index: 100 * Math.exp(levelOn(middleOf(month)) - first),
    salesCount: counts.get(month) ?? 0,
  }))
}

function nextMonth(month: string): string {
  const year = Number(month.slice(0, 4))
  const next = Number(month.slice(5, 7)) + 1
  return next > 12 ? `${year + 1}-01` : `${year}-${String(next).padStart(2, '0')}`
}
