// What a home or a lot that a scheme makes would sell for, with its range: from five sales of the product nearby, else by formula from
// the city's price per square foot, times what is known of new homes, size, lot and product. docs/methods/schemes.md has it.
import { type AssumptionName, type Assumptions, assumptionTable } from '../domain/assumptions/assumptions.ts'
import type { Confidence } from '../domain/facts.ts'
import type { SchemePlace } from '../domain/findings/decision.ts'
import { resaleSpread } from '../intelligence/proforma/proforma-cases.ts'
import { plural, sqft as sqftText, usd as usdText } from '../intelligence/scores/number-format.ts'

export interface Price {
  usd: number
  low: number
  high: number
  confidence: Confidence
  basis: string
  comparables?: number
  /** The assumptions that it follows from. */
  names?: readonly AssumptionName[]
}

/** `share`: the assumption that says what the product sells for beside a house of its size. */
export interface Product {
  words: string
  share?: AssumptionName
  /** Attached homes have no lot of their own; sales of these count as sales of the product. */
  sold?: 'attached' | 'flats'
}

export const products = {
  house: { words: 'a new house' },
  duplexHalf: { words: 'half a duplex', share: 'duplexHalfPct', sold: 'attached' },
  townhouse: { words: 'a townhouse', share: 'townhousePct', sold: 'attached' },
  flat: { words: 'a condominium', share: 'flatPct', sold: 'flats' },
  secondHouse: { words: 'a second house', share: 'secondHousePct' },
} as const satisfies Record<string, Product>

/** Lots under this share of the usual size sell as small lots: another product, which value model and sales of other lots do not know. */
export const smallLotShare = 0.6

/** Lots of which neither is more than twice the other: what houses sell for on others says little. */
export const areComparableLots = (one: number, other: number): boolean => one <= 2 * other && other <= 2 * one

/** A factor of a price that an assumption decides. */
type Term = readonly [name: AssumptionName, factor: (value: number) => number]

/** How far the price may be off, as a logarithm. The terms are independent errors, so that their logarithms add as squares. */
const spreadOf = (terms: readonly Term[], a: Assumptions, pick: (one: number, other: number) => number): number =>
  Math.sqrt(
    terms.reduce((sum, [name, factor]) => {
      // The range of the table moves with a caller's own value.
      const { value, range } = assumptionTable[name]
      const [one, other] = range.map((end) => factor(a[name] + (end - value)))
      return sum + Math.log(pick(one!, other!) / factor(a[name])) ** 2
    }, 0),
  )

const pct = (value: number): number => value / 100

const soldWords = { attached: 'townhouses', flats: 'condominiums', smallLots: 'houses on small lots' } as const

/** The sales that say what the product sells for here; undefined where fewer than five are known. */
const salesOf = (place: SchemePlace, { sold, share }: Product, lotSqft: number | undefined) => {
  const isSmall = lotSqft && place.lotSqft && lotSqft < smallLotShare * place.lotSqft
  const name = sold ?? (isSmall && !share ? 'smallLots' : undefined)
  const medians = name && place.sold?.[name]
  if (name === 'smallLots' && medians?.lotSqft && !areComparableLots(lotSqft!, medians.lotSqft)) return undefined
  return medians && { ...medians, words: soldWords[name] }
}

/** Undefined where neither sales nor the city's prices, or for a house its lots, are known. */
export const homePrice = (
  place: SchemePlace,
  product: Product,
  home: { sqft: number; lotSqft?: number | undefined; isShared?: boolean },
  a: Assumptions,
): Price | undefined => {
  const sales = salesOf(place, product, home.lotSqft)
  const { perSqft, sqft: median, lotSqft: medianLot } = sales ?? place
  if (!perSqft || !median) return undefined
  const terms: Term[] = [
    ['newPremiumPct', (value) => 1 + pct(value)],
    [product.sold ? 'attachedSizeExponent' : 'priceSizeExponent', (exponent) => (home.sqft / median) ** -exponent],
  ]
  if (!product.sold) {
    if (!medianLot || !home.lotSqft) return undefined
    terms.push(['priceLotExponent', (exponent) => (home.lotSqft! / medianLot) ** exponent])
  }
  if (product.share && !sales) terms.push([product.share, pct])
  if (home.isShared) terms.push(['sharedAccessPct', (value) => 1 - pct(value)])
  const usd = terms.reduce((price, [name, factor]) => price * factor(a[name]), perSqft * home.sqft)
  const spread = sales && pct(resaleSpread(a, 'medium'))
  return {
    usd,
    // Of some dozen sizes only the best is described.
    get low() {
      return usd * (spread === undefined ? Math.exp(-spreadOf(terms, a, Math.min)) : 1 - spread)
    },
    get high() {
      return usd * (spread === undefined ? Math.exp(spreadOf(terms, a, Math.max)) : 1 + spread)
    },
    confidence: sales ? 'medium' : 'low',
    get basis() {
      const level = sales
        ? `From ${sales.count} sales of ${sales.words} within 3 miles and 24 months: a median, at the level of this city, of`
        : 'By formula: the city’s median of'
      return `${level} ${usdText(perSqft)} per sq ft for ${product.words} of ${sqftText(home.sqft)}${home.lotSqft && !product.sold ? ` on ${sqftText(home.lotSqft)}` : ''}.`
    },
    ...(sales ? { comparables: sales.count } : {}),
    get names() {
      return terms.map(([name]) => name)
    },
  }
}

/** What the value model says of new houses on half of the lot, between the sizes it was asked at. */
export const halfLotPrice = ({ halfLot }: SchemePlace, sqft: number, spreadPct: (confidence: Confidence) => number) => {
  if (!halfLot) return undefined
  const [[small, one], [large, other]] = [halfLot.at[0]!, halfLot.at.at(-1)!]
  const slope = small === large ? 0 : Math.log(other / one) / Math.log(large / small)
  const usd = sqft * one * (sqft / small) ** slope
  const spread = pct(spreadPct(halfLot.confidence))
  return {
    ...{ usd, low: usd * (1 - spread), high: usd * (1 + spread), confidence: halfLot.confidence },
    basis: `By the value model, from ${plural(halfLot.count, 'sale')} of new, renovated or top-priced homes.`,
    comparables: halfLot.count,
  }
}
