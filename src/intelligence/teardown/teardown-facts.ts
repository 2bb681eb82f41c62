// The facts that the teardown score uses and the ratios computed from them. A ratio of an unknown fact is unknown.
import type { Overlays, ParcelFacts } from '../../domain/facts.ts'
import type { Market } from '../../domain/packs/markets.ts'
import { clamp } from '../statistics/clamp.ts'

type HouseFact =
  | ('propertyType' | 'yearBuilt' | 'yearRenovated' | 'livingSqft' | 'lotSqft' | 'stories')
  | ('assessedLandUsd' | 'assessedImprovementUsd')

/** Everything the score may use. Nothing here is about people. */
export interface TeardownFacts
  extends Readonly<Pick<ParcelFacts, HouseFact>>,
    Readonly<Pick<Overlays, 'historicListed' | 'historicDistrict' | 'historicContributing'>> {
  /** Who approves demolitions, where all of the market is a historic district. */
  readonly review?: Market['demolitionReview']
  /** Why the house on record may be gone, by `houseReplacement`. */
  readonly replaced?: string
  readonly priceUsd?: number
  /** What similar homes sell for, estimated without this home's own price. */
  readonly valueUsd?: number
  /** What the lot alone would sell for. */
  readonly landValueUsd?: number
  /** Floor area the zoning allows. */
  readonly envelopeSqft?: number
  readonly minLotSqft?: number
  readonly neighborhoodMedianUsd?: number
  /** Typical size of a new house on such a lot in the city. */
  readonly newBuildSqft?: number
  /** Houses demolished or newly built within 500 m in the last five years. */
  readonly rebuildsNearby?: number
  /** Demolitions per home of the city in five years, against the market's: 2 is twice as often. */
  readonly cityPace?: number
  readonly conditionScore?: number
  /** Number of different land-value phrases in the remarks; absent without remarks. */
  readonly landPhrases?: number
  /** Total valuation of permits issued in the last ten years. */
  readonly recentPermitsUsd?: number
  /** Expected return on building the allowed house, as a fraction of capital. */
  readonly redevelopmentReturn?: number
}

/** Capped at 120 years, beyond which age says nothing more about demolition. Sentences state the real age. */
export const cappedAgeOf = (facts: TeardownFacts, year: number): number | undefined =>
  facts.yearBuilt !== undefined && facts.yearBuilt > 1600 ? clamp(year - facts.yearBuilt, 0, 120) : undefined

export const utilizationOf = (facts: TeardownFacts): number | undefined =>
  ifKnown(ratio(facts.livingSqft, facts.envelopeSqft), (used) => clamp(used, 0, 1.5))

export const landShareOf = (facts: TeardownFacts): number | undefined =>
  ifKnown(ratio(facts.landValueUsd, homeValueOf(facts)), (share) => clamp(share, 0, 1.5))

/**
 * The value of the home as it is: a weighted mean of the estimate from comparable sales and the asking price. Asking
 * prices are set to draw bids or to leave room for negotiation, so they count less.
 */
const homeValueOf = ({ priceUsd, valueUsd }: TeardownFacts): number | undefined =>
  positive(priceUsd) && positive(valueUsd)
    ? Math.exp(askingWeight * Math.log(priceUsd) + (1 - askingWeight) * Math.log(valueUsd))
    : (priceUsd ?? valueUsd)

/**
 * Asking prices miss the sale price by about one and a half times as much as estimates do (sale-to-list ratios compared with
 * held-out values). An assumption.
 */
const askingWeight = 0.3

export const improvementShareOf = (facts: TeardownFacts): number | undefined => {
  const { assessedImprovementUsd: built, assessedLandUsd: land } = facts
  return built === undefined || land === undefined ? undefined : ratio(built, built + land)
}

const positive = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0

export const ratio = (top: number | undefined, bottom: number | undefined): number | undefined =>
  top !== undefined && Number.isFinite(top) && top >= 0 && positive(bottom) ? top / bottom : undefined

export const logRatio = (top: number | undefined, bottom: number | undefined): number | undefined =>
  positive(top) && positive(bottom) ? clamp(Math.log(top / bottom), -2.5, 2.5) : undefined

export const ifKnown = <T, R>(value: T | undefined, map: (value: T) => R): R | undefined =>
  value === undefined ? undefined : map(value)
