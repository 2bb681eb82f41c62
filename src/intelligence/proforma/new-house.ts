// What a new house costs per square foot and how long it takes, by size, stories, slope and finish. docs/methods/proforma.md has the
// formulas; every factor is an assumption.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Phases } from '../cash-flow/schedule.ts'
import { decimal, plural, sqft as sqftText, usd } from '../scores/number-format.ts'
import { clamp } from '../statistics/clamp.ts'

export interface NewHousePlan {
  sqft: number
  /** Defaults to two. */
  stories?: number
  /** Unknown slope counts as flat. */
  slopePct?: number
  /** Not part of `sqft`. */
  basementSqft?: number
}

/** The house that the base cost is of. */
export const referenceHouse: NewHousePlan = { sqft: 2_500, stories: 2, slopePct: 0 }
/** Above this size each square foot costs more, not less. */
const largeFromSqft = 3_500
/** A spec finish becomes a custom finish evenly between these sizes; a step would price two square feet at $0.9M. */
const customFromSqft = 4_500
const customToSqft = 6_500
/** Slope in percent. */
const gentleSlope = 10
const steepSlope = 30
const slowSlope = 20

export type NewHouseCostTerms = Pick<
  Assumptions,
  | 'baseCostPerSqft'
  | 'costSizeExponent'
  | 'largeHouseCostPct'
  | 'sizeCostMostPct'
  | 'finishPct'
  | 'largeFinishPct'
  | 'oneStoryCostPct'
  | 'threeStoriesCostPct'
  | 'slopeCostPct'
  | 'steepSlopeCostPct'
>

const costFactors = ({ sqft, stories = 2, slopePct = 0 }: NewHousePlan, terms: NewHouseCostTerms) => {
  const share = (pct: number) => pct / 100
  const bySize =
    (Math.min(sqft, largeFromSqft) / referenceHouse.sqft) ** -terms.costSizeExponent +
    (share(terms.largeHouseCostPct) * Math.max(0, sqft - largeFromSqft)) / 1_000
  const custom = clamp((sqft - customFromSqft) / (customToSqft - customFromSqft), 0, 1)
  return {
    size: Math.min(1 + share(terms.sizeCostMostPct), bySize),
    finish: 1 + share(terms.finishPct) + share(terms.largeFinishPct) * custom,
    stories: 1 + share(stories <= 1 ? terms.oneStoryCostPct : stories > 2 ? terms.threeStoriesCostPct : 0),
    slope:
      1 +
      share(terms.slopeCostPct) * Math.max(0, Math.min(slopePct, steepSlope) - gentleSlope) +
      share(terms.steepSlopeCostPct) * Math.max(0, slopePct - steepSlope),
  }
}

/** In cents, so that a person can multiply it. */
export const newHouseCostPerSqft = (
  house: NewHousePlan,
  terms: NewHouseCostTerms & Pick<Assumptions, 'costPerSqft'>,
): number => {
  if (terms.costPerSqft !== undefined) return terms.costPerSqft
  const { size, finish, stories, slope } = costFactors(house, terms)
  return Math.round(100 * terms.baseCostPerSqft * size * finish * stories * slope) / 100
}

/** How the cost per square foot was found. */
export const costBasis = (
  house: NewHousePlan,
  terms: NewHouseCostTerms & Pick<Assumptions, 'costPerSqft'>,
  place: string | undefined,
): string => {
  if (terms.costPerSqft !== undefined) return 'your own assumption'
  const { size, finish, stories, slope } = costFactors(house, terms)
  const words = [
    [size, `the size of ${sqftText(house.sqft)}`],
    [finish, 'the finish'],
    [stories, plural(house.stories ?? 2, 'story', 'stories')],
    [slope, `a slope of ${decimal(house.slopePct ?? 0)}%`],
  ] as const
  const factors = words.flatMap(([factor, what]) =>
    Math.abs(factor - 1) < 0.0005 ? [] : [`× ${Math.round(1000 * factor) / 1000} for ${what}`],
  )
  const flat = house.slopePct === undefined ? '; the slope is unknown and counts as flat' : ''
  return `${place === undefined ? '' : `${place}: `}${usd(terms.baseCostPerSqft)} per sq ft for ${sqftText(referenceHouse.sqft)} on two stories${factors.map((each) => ` ${each}`).join('')}${flat}`
}

export const newHouseBuildMonths = (
  { sqft, slopePct = 0, basementSqft = 0 }: NewHousePlan,
  terms: Pick<
    Assumptions,
    'buildBaseMonths' | 'buildMonthsPer1000Sqft' | 'basementMonths' | 'steepSlopeMonths' | 'extraBuildMonths'
  >,
): number =>
  terms.buildBaseMonths +
  (terms.buildMonthsPer1000Sqft * sqft) / 1_000 +
  (basementSqft > 0 ? terms.basementMonths : 0) +
  (slopePct > slowSlope ? terms.steepSlopeMonths : 0) +
  terms.extraBuildMonths

/** To one decimal, as they are served. */
export const monthsOfPhases = ({ permit, build, sale }: Phases): number => Math.round(10 * (permit + build + sale)) / 10

/** The phases of a project that takes this long in all. */
export const scaledTo = (phases: Phases, months: number): Phases => {
  const total = phases.permit + phases.build + phases.sale
  if (total === 0) return { permit: 0, build: months, sale: 0 }
  const factor = months / total
  return { permit: factor * phases.permit, build: factor * phases.build, sale: factor * phases.sale }
}
