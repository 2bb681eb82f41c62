// What pages and agent answers say about comparable sales. Written from the served data, so that the count, the window
// and the value are always the ones that were computed.
import { type ComparableSale, type Comparables, recentSales } from './comps.ts'
import type { PropertyDetail, ValueEstimate } from './property.ts'

/** One to four sentences; empty if nothing is known. */
export const compsText = ({
  comps = [],
  compsWithheld = 0,
  comparables,
  intelligence,
}: Pick<PropertyDetail, 'comps' | 'compsWithheld' | 'comparables' | 'intelligence'>): string =>
  [
    ...gridSentences(comps, compsWithheld > 0 ? undefined : intelligence.valueEstimate),
    ...withheldSentences(compsWithheld, intelligence.valueEstimate),
    ...recentSentences(comparables),
  ].join(' ')

/** The median of the sales that a windowed key sees is not the value, so the text does not say so. */
const withheldSentences = (withheld: number, value: ValueEstimate | undefined): string[] => {
  if (withheld === 0) return []
  const sales = withheld === 1 ? '1 older sale is' : `${withheld} older sales are`
  const worth =
    value === undefined
      ? ''
      : ` The value estimate uses all sales: ${usd(value.value)}, range ${usd(value.low)} to ${usd(value.high)}.`
  return [`${sales} before the history window of this key and not listed.${worth}`]
}

/** About the rows of the table, which may be older and farther away than the recent sales. */
const gridSentences = (comps: readonly ComparableSale[], value: ValueEstimate | undefined): string[] => {
  if (comps.length === 0) return []
  const dates = comps.flatMap(({ soldOn }) => soldOn ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  const period =
    first === undefined || last === undefined
      ? ''
      : first === last
        ? ` on ${day(first)}`
        : ` between ${day(first)} and ${day(last)}`
  const sales = comps.length === 1 ? 'sale' : `${comps.length} sales`
  const listed = `The table lists the most comparable ${sales}${period}, adjusted to this property and today.`
  if (value === undefined) return [listed]
  const worth = `${usd(value.value)}, range ${usd(value.low)} to ${usd(value.high)}`
  return [
    listed,
    `The weighted median of the adjusted prices is the value estimate for the usual condition of a home of this age: ${worth}.`,
    ...dominantSentences(comps),
  ]
}

/** A sale with more than half of the weight decides the median alone, which a reader of "12 sales" would not expect. */
const dominantSentences = (comps: readonly ComparableSale[]): string[] => {
  const most = Math.max(...comps.map(({ weight }) => weight))
  if (comps.length === 1 || !(most > 0.5)) return []
  return [`One sale has ${Math.round(100 * most)}% of the weight, so its adjusted price is the estimate.`]
}

const recentSentences = ({ recentSalesCount, avgPricePerSqft, windowMonths, radiusMiles }: Comparables): string[] => {
  if (recentSalesCount === undefined || windowMonths === undefined || radiusMiles === undefined) return []
  const counted = recentSalesCount >= recentSales.mostCounted ? `${recentSalesCount} or more` : recentSalesCount
  const homes = `${counted} ${recentSalesCount === 1 ? 'home' : 'homes'} of the same type sold`
  const where = `within ${radiusMiles} ${radiusMiles === 1 ? 'mile' : 'miles'} in the last ${windowMonths} months`
  const price = avgPricePerSqft === undefined ? '' : `, at ${usd(avgPricePerSqft)} per sq ft on average`
  return [`For comparison, ${homes} ${where}${price}.`]
}

const usd = (value: number): string => `$${Math.round(value).toLocaleString('en-US')}`

const day = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
