// Cleans a permit's valuation. Cities enter $1 (or $0, $10, $100) when a form requires a number and none is known; counted
// as a valuation, it would rank a tower among the cheapest projects.
import { type Read, readNumber } from './values.ts'

/**
 * - Not above 0: none given.
 * - Below $100: a placeholder, whatever the work; the cheapest permitted job, a water heater, costs ten times that.
 * - Below $1 a square foot where the area is known and at least 500 sqft: a placeholder. Paint alone costs more; the cheapest
 *   building of the ICC Building Valuation Data, a type VB utility shed, is above $50.
 * - Above $5 billion: a slip of the keyboard; the largest US building permits are near 2.
 * The raw text is always kept beside it.
 */
export const cleanValuation = (raw: string | undefined, sqft: number | undefined): number | undefined => {
  if (raw === undefined) return undefined
  const usd: Read<number> = readNumber(raw)
  if (typeof usd !== 'number' || usd < placeholderBelowUsd || usd > slipAboveUsd) return undefined
  if (sqft !== undefined && sqft >= 500 && usd / sqft < placeholderPerSqftUsd) return undefined
  return usd
}

const placeholderBelowUsd = 100
const placeholderPerSqftUsd = 1
const slipAboveUsd = 5_000_000_000
