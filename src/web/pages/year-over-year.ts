// What changed from the last complete quarter's counterpart a year earlier, in sentences.
import type { SeriesPeriod } from '../../domain/findings/market-series.ts'
import { count, usdShort } from '../formats.ts'

export const yearOverYear = (name: string, periods: readonly SeriesPeriod[]): string[] => {
  const now = periods.find(({ partial }) => !partial)
  const before = now && periods.find(({ period }) => period === yearBefore(now.period))
  if (!now || !before) return []
  const quarters = `the ${quarterWords(now.period)} quarter of ${now.period.slice(0, 4)}`
  const sentences = [
    changed(now.priceIndex, before.priceIndex, (change) => `Prices at constant quality in the market ${change}.`),
    changed(
      now.medianSalePrice,
      before.medianSalePrice,
      (change) => `The median sale price ${change}, to ${usdShort(now.medianSalePrice)}.`,
    ),
    changed(
      now.homesSold,
      before.homesSold,
      (change) => `The number of homes sold ${change}, to ${count(now.homesSold)}.`,
    ),
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
  now: number | undefined,
  before: number | undefined,
  sentence: (change: string) => string,
): string | undefined => {
  if (now === undefined || before === undefined || before === 0) return undefined
  const pct = 100 * (now / before - 1)
  if (Math.abs(pct) < 0.5) return sentence('hardly changed')
  return sentence(`${pct > 0 ? 'rose' : 'fell'} by ${Math.abs(pct).toFixed(1)}%`)
}
