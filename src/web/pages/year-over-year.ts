// What changed from the last complete quarter's counterpart a year earlier, in sentences.
import type { SeriesPeriod } from '../../domain/findings/market-series.ts'
import { count, usdShort } from '../formats.ts'

export const yearOverYear = (name: string, periods: readonly SeriesPeriod[]): string[] => {
  const now = periods.find(({ partial }) => !partial)
  const before = now && periods.find(({ period }) => period === yearBefore(now.period))
  if (!now || !before) return []
  const quarters = `the ${quarterWords(now.period)} quarter of ${now.period.slice(0, 4)}`
  const sentences = [
    changed('Prices at constant quality in the market', now.priceIndex, before.priceIndex),
    changed('The median sale price', now.medianSalePrice, before.medianSalePrice, usdShort),
    changed('The number of homes sold', now.homesSold, before.homesSold, count),
    now.medianDaysOnMarket !== undefined && before.medianDaysOnMarket !== undefined
      ? `Homes sold after a median of ${count(now.medianDaysOnMarket)} days on the market; a year earlier it was ${count(before.medianDaysOnMarket)}.`
      : undefined,
  ].filter((sentence) => sentence !== undefined)
  return sentences.length === 0
    ? []
    : [`${name}, ${quarters} compared with the same quarter a year earlier:`, ...sentences]
}

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`

const quarterWords = (day: string): string =>
  ['first', 'second', 'third', 'fourth'][Math.floor((Number(day.slice(5, 7)) - 1) / 3)]!

/** Changes below half a percent are no change. */
const changed = (
  name: string,
  now: number | undefined,
  before: number | undefined,
  show?: (value: number) => string,
): string | undefined => {
  if (now === undefined || before === undefined || before === 0) return undefined
  const pct = 100 * (now / before - 1)
  if (Math.abs(pct) < 0.5) return `${name} ${show ? `stayed at about ${show(now)}` : 'hardly changed'}.`
  return `${name} ${pct > 0 ? 'rose' : 'fell'} by ${Math.abs(pct).toFixed(1)}%${show ? `, to ${show(now)}` : ''}.`
}
