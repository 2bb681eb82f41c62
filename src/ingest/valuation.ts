// Cleans a permit's valuation. Cities enter $1 (or $0, $10, $100) when a form requires a number and none is known. Taken
// as a valuation, it would rank a tower among the smallest projects.
import { type ReadValue, readNumber } from './values.ts'

/**
 * Returns undefined for:
 * - $0 or less: not given.
 * - Below $100: a placeholder. The least expensive permitted job, a water heater, costs ten times that.
 * - Below $1 per square foot for a known area of at least 500 sq ft: a placeholder. Paint alone costs more; the least
 *   expensive building of the ICC Building Valuation Data, a type VB utility shed, is above $50.
 * - Above $5 billion: a typing error. The largest US building permits are near $2 billion.
 * The raw text is stored separately.
 */
export const cleanValuation = (raw: string | undefined, sqft: number | undefined): number | undefined => {
  if (raw === undefined) return undefined
  const usd: ReadValue<number> = readNumber(raw)
  if (typeof usd !== 'number' || usd < placeholderBelowUsd || usd > typingErrorAboveUsd) return undefined
  if (sqft !== undefined && sqft >= 500 && usd / sqft < placeholderPerSqftUsd) return undefined
  return usd
}

const placeholderBelowUsd = 100
const placeholderPerSqftUsd = 1
const typingErrorAboveUsd = 5_000_000_000
