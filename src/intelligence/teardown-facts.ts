// What the teardown score may look at, and the shares and ratios made of it. What is not known stays unknown all the way.
import type { MarketId, PropertyType, Tristate } from '../contract/facts.ts'

/** Everything the score may look at. The caller supplies what it knows; nothing here is about people. */
export interface TeardownFacts {
  readonly market: MarketId
  readonly propertyType?: PropertyType
  readonly yearBuilt?: number
  readonly yearRenovated?: number
  readonly livingSqft?: number
  readonly lotSqft?: number
  readonly storeys?: number
  readonly priceUsd?: number
  /** What homes like it sell for, made without its own price. */
  readonly valueUsd?: number
  readonly slopePct?: number
  /** What the lot alone would sell for: land-only comparables per square foot times its area. */
  readonly landValueUsd?: number
  /** Floor area the zoning allows. */
  readonly envelopeSqft?: number
  readonly minLotSqft?: number
  readonly assessedLandUsd?: number
  readonly assessedImprovementUsd?: number
  readonly neighbourhoodMedianUsd?: number
  /** Usual size of a new house on such a lot in the city. */
  readonly newBuildSqft?: number
  /** Houses demolished or newly built within 500 m in the last five years. */
  readonly rebuildsNearby?: number
  /** Demolitions per home of the city in five years, against the market's: 2 is twice as often. */
  readonly cityPace?: number
  readonly conditionScore?: number
  /** How many different land-value phrases the remarks hold; absent without remarks. */
  readonly landPhrases?: number
  /** Valuation of permits issued in the last ten years, in total. */
  readonly recentPermitsUsd?: number
  /** Expected return on building the allowed house, as a fraction of capital. */
  readonly redevelopmentReturn?: number
  readonly historicListed?: Tristate
  readonly historicDistrict?: Tristate
  readonly historicContributing?: Tristate
}

export const ageOf = (facts: TeardownFacts, year: number): number | undefined =>
  facts.yearBuilt !== undefined && facts.yearBuilt > 1600 ? clamp(year - facts.yearBuilt, 0, 120) : undefined

export const utilisationOf = (facts: TeardownFacts): number | undefined =>
  on(ratio(facts.livingSqft, facts.envelopeSqft), (used) => clamp(used, 0, 1.5))

export const landShareOf = (facts: TeardownFacts): number | undefined =>
  on(ratio(facts.landValueUsd, worthOf(facts)), (share) => clamp(share, 0, 1.5))

/**
 * What the home as it stands is worth: asking prices are set to draw bids or to leave room, so the estimate from
 * comparable sales, which errs less, counts for more. Either alone where the other is not known.
 */
const worthOf = ({ priceUsd, valueUsd }: TeardownFacts): number | undefined =>
  positive(priceUsd) && positive(valueUsd)
    ? Math.exp(askingWeight.value * Math.log(priceUsd) + (1 - askingWeight.value) * Math.log(valueUsd))
    : (priceUsd ?? valueUsd)

export const askingWeight = {
  value: 0.3,
  unit: 'fraction',
  range: [0, 1],
  reason: 'asking prices stray from what is paid about half as far again as estimates do',
  source: 'sale-to-list ratios against held-out values; assumption',
} as const

export const improvementOf = (facts: TeardownFacts): number | undefined => {
  const { assessedImprovementUsd: built, assessedLandUsd: land } = facts
  return built === undefined || land === undefined ? undefined : ratio(built, built + land)
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const positive = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0

export const ratio = (top: number | undefined, bottom: number | undefined): number | undefined =>
  top !== undefined && Number.isFinite(top) && top >= 0 && positive(bottom) ? top / bottom : undefined

export const logRatio = (top: number | undefined, bottom: number | undefined): number | undefined =>
  positive(top) && positive(bottom) ? clamp(Math.log(top / bottom), -2.5, 2.5) : undefined

export const on = <T, R>(value: T | undefined, map: (value: T) => R): R | undefined =>
  value === undefined ? undefined : map(value)
