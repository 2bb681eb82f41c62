// What pages and agent answers say about comparable sales. Written from the served data, so that the count, the window
// and the value are always the ones that were computed.
import { dollars as usd } from '../common/dollars.ts'
import { dayInWords } from '../domain/day.ts'
import { type ComparableSale, type Comparables, recentSales } from '../domain/findings/comps.ts'
import type { ValueEstimate } from '../domain/findings/value.ts'
import type { PropertyDetail } from './property.ts'

/** One to five sentences; empty if nothing is known. */
export const compsText = ({
  comps = [],
  compsValue,
  compsWithheld = 0,
  comparables,
  intelligence,
}: Pick<PropertyDetail, 'comps' | 'compsValue' | 'compsWithheld' | 'comparables' | 'intelligence'>): string =>
  [
    ...gridSentences(comps, intelligence.valueEstimate?.asOf),
    ...agreementSentences(compsValue, intelligence.valueEstimate),
    ...withheldSentences(compsWithheld),
    ...recentSentences(comparables),
  ].join(' ')

const withheldSentences = (withheld: number): string[] => {
  if (withheld === 0) return []
  const sales = withheld === 1 ? '1 older sale is' : `${withheld} older sales are`
  return [`${sales} before the history window of this key and not listed.`]
}

/** Where the comparables differ from the value by more than this, the reader should know. */
const agreePct = 10

const agreementSentences = (ofSales: number | undefined, value: ValueEstimate | undefined): string[] => {
  if (ofSales === undefined || value === undefined) return []
  const off = Math.round(100 * (ofSales / value.value - 1))
  const worth = `${usd(value.value)}, range ${usd(value.low)} to ${usd(value.high)}`
  const both = `The value estimate is ${worth}; the weighted median of the adjusted prices is ${usd(ofSales)}`
  const share = Math.round(100 * (value.basis?.weightOfComps ?? 0))
  const { model, conditionUsd = 0 } = value.basis ?? {}
  const rest =
    conditionUsd === 0
      ? ''
      : `; the condition of the home ${conditionUsd > 0 ? 'adds' : 'takes off'} ${usd(Math.abs(conditionUsd))}`
  const counts = `counts ${share}% in it, the model${model === undefined ? '' : ` of ${usd(model)}`} ${100 - share}%`
  return Math.abs(off) <= agreePct
    ? [`${both} and ${counts}${rest}.`]
    : [
        `${both}, ${Math.abs(off)}% ${off > 0 ? 'more' : 'less'}. It ${counts}, by how near each has been to past prices${rest}.`,
      ]
}

/** About the rows of the table, which may be older and farther away than the recent sales. */
const gridSentences = (comps: readonly ComparableSale[], valuedOn = ''): string[] => {
  if (comps.length === 0) return []
  const dates = comps.flatMap(({ soldOn }) => soldOn ?? []).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  const period =
    first === undefined || last === undefined
      ? ''
      : first === last
        ? ` on ${dayInWords(first)}`
        : ` between ${dayInWords(first)} and ${dayInWords(last)}`
  const sales = comps.length === 1 ? 'sale' : `${comps.length} sales`
  return [
    `The table lists the most comparable ${sales}${period}, adjusted to this property${valuedOn && ` and to prices of ${dayInWords(valuedOn)}`}.`,
  ]
}

const recentSentences = ({ recentSalesCount, avgPricePerSqft, windowMonths, radiusMiles }: Comparables): string[] => {
  if (recentSalesCount === undefined || windowMonths === undefined || radiusMiles === undefined) return []
  const counted = recentSalesCount >= recentSales.mostCounted ? `${recentSalesCount} or more` : recentSalesCount
  const homes = `${counted} ${recentSalesCount === 1 ? 'home' : 'homes'} of the same type sold`
  const where = `within ${radiusMiles} ${radiusMiles === 1 ? 'mile' : 'miles'} in the last ${windowMonths} months`
  const price = avgPricePerSqft === undefined ? '' : `, at ${usd(avgPricePerSqft)} per sq ft on average`
  return [`For comparison, ${homes} ${where}${price}.`]
}
