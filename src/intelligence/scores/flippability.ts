// The flip score: the profit of buying, renovating and reselling this house, checked against the 70% rule and how fast
// homes sell. The budget brings the house to a stated condition, and the resale price is its value in that condition.
// `deal` holds every line, so that a person can redo the arithmetic. Not an appraisal.

import {
  type AssumptionName,
  type Assumptions,
  type FlipAssumptionName,
  flipAssumptionFor,
  isDefault,
} from '../../domain/assumptions/assumptions.ts'
import type { Confidence, PropertyType } from '../../domain/facts.ts'
import type { FlipDeal, FlipFinding, ScorePart } from '../../domain/findings/findings.ts'
import type { MarketPack } from '../../domain/packs/pack.ts'
import type { Phases } from '../cash-flow/schedule.ts'
import { nearestLevel } from '../condition/condition.ts'
import { conditionAssumptions } from '../condition/condition-evidence.ts'
import { conditionLevels } from '../condition/condition-phrases.ts'
import { type ProjectCosts, projectOffer, projectSums, sellingCostPctAt } from '../proforma/project.ts'
import { clamp } from '../statistics/clamp.ts'
import { percent, plural, usd } from './number-format.ts'
import { scorePart } from './score-part.ts'

export interface FlipFacts {
  /** Its assumptions, and whether they are its own; undefined for a market without a pack. */
  readonly pack: Pick<MarketPack, 'assumptions'> | undefined
  readonly propertyType?: PropertyType
  /** Why the house on record may be gone, by `houseReplacement`. */
  readonly replaced?: string
  /** The asking price. */
  readonly priceUsd?: number
  /** The price at which it probably sells; the deal is computed with it where it is known. */
  readonly expectedPriceUsd?: number
  /** The value of the house in its present condition. */
  readonly valueNowUsd?: number
  /** The value of the same house in the condition of `renovatedCondition`. */
  readonly afterRepairValueUsd?: number
  readonly livingSqft?: number
  readonly conditionScore?: number
  /** Market heat index of the city and type. */
  readonly heat?: number
  readonly daysToPending?: number
  /** Costs of buying, selling and borrowing, the same as those of the pro forma. */
  readonly costs: ProjectCosts & Pick<Assumptions, 'baseCostPerSqft' | 'ratePct' | 'targetRenovatePct'>
  /** Confidence of the after-repair value; the score has the lowest confidence of its inputs. */
  readonly valueConfidence?: Confidence
}

export const flipInputs = [
  'propertyType',
  'priceUsd',
  'valueNowUsd',
  'afterRepairValueUsd',
  'livingSqft',
  'conditionScore',
  'heat',
  'daysToPending',
] as const satisfies readonly (keyof FlipFacts)[]

/** C2: kitchen, baths and finishes new or like new, systems sound; what flippers sell. C1 is a new house. */
const targetCondition = conditionLevels.C2

/** Profit over cost. Investors want 15-20%; at this return the profit part is at 73% of its range. */
const goodReturn = 0.15

/**
 * The share of a price below the estimated value that counts as profit: such a home is more often overestimated than
 * underpriced, because its seller knows what the estimate does not. Judgment.
 */
const bargainShare = 0.5
/** A price this far below the value contradicts the estimate. */
const contradictingShare = 0.2

/**
 * What repairs must add to the value, as a share of the price, for the full score: a home in average condition sells 14% above
 * a poor one (`data/condition-prices.json`). A home that gains nothing has nothing to renovate. Judgment.
 */
const fullGain = 0.1

/** The condition assumed where there is no evidence at all: between C3 and C4, where most homes are. */
export const unknownCondition: number = conditionAssumptions.unknownAgeLevel

/** A smaller improvement counts as none, because a condition score is not that exact. */
const leastImprovement = 1

/** The condition after the renovation; a house that is already as good stays as it is, and nothing is spent. */
export const renovatedCondition = (condition = unknownCondition): number =>
  needsRenovation(condition) ? targetCondition : condition

export const needsRenovation = (condition: number): boolean => condition <= targetCondition - leastImprovement

export const flippability = (facts: FlipFacts): FlipFinding => {
  const used = flipInputs.filter((input) => facts[input] !== undefined)
  const missing = flipInputs.filter((input) => facts[input] === undefined)
  const none = (excluded: string): FlipFinding => ({ parts: [], used, missing, confidence: 'low', excluded })
  if (facts.propertyType === 'land') return none('Vacant land: there is no house to renovate')
  if (facts.replaced) return none(facts.replaced)
  if (facts.conditionScore !== undefined && !needsRenovation(facts.conditionScore))
    return none('In good condition: there is nothing to renovate')
  const deal = flipDeal(facts)
  if (!deal) return none('Needs the price, an estimated value and the living area')
  const price = facts.expectedPriceUsd ?? facts.priceUsd!
  const priced = `the ${deal.priceBasis} price is ${usd(price)}`
  const rule = deal.maximumOfferUsd / price
  const rulePct = flipAssumptionFor(facts.pack, 'rulePct')

  // Each part ranges from minus to plus half its weight, along a smooth curve.
  const centered = (x: number) => 1 / (1 + Math.exp(-x)) - 0.5
  const speed = speedOf(facts)
  const weights = { profit: 60, rule: 25, speed: speed === undefined ? 0 : 15 }
  const total = weights.profit + weights.rule + weights.speed
  const profitPoints = (profitUsd: number) =>
    (100 * weights.profit * centered(profitUsd / deal.totalCostUsd / goodReturn)) / total
  const bargainUsd = Math.max(0, (facts.valueNowUsd ?? 0) - price)
  // This never turns a profit into a loss.
  const earnedUsd = Math.max(Math.min(0, deal.profitUsd), deal.profitUsd - (1 - bargainShare) * bargainUsd)
  const parts: ScorePart[] = [
    { name: 'base', points: 50, because: 'A deal that breaks even at the highest price the rule allows' },
    scorePart(
      'profit',
      profitPoints(deal.profitUsd),
      `${workSentence(deal)} Selling costs ${usd(deal.sellingUsd)} and total cost ${usd(deal.totalCostUsd)} leave a ${deal.profitUsd < 0 ? 'loss' : 'profit'} of ${usd(Math.abs(deal.profitUsd))}, ${percent(deal.returnOnCost, 1)} of cost`,
    ),
    scorePart(
      'rule',
      (100 * weights.rule * centered((rule - 1) / 0.12)) / total,
      deal.maximumOfferUsd > 0
        ? `The ${rulePct}% rule allows an offer of up to ${usd(deal.maximumOfferUsd)}; ${priced}`
        : `Under the ${rulePct}% rule repairs cost more than any offer leaves; ${priced}`,
    ),
  ]
  if (earnedUsd < deal.profitUsd)
    parts.push(
      scorePart(
        'bargain',
        profitPoints(earnedUsd) - profitPoints(deal.profitUsd),
        `${usd(bargainUsd)} of it is not earned by the renovation: ${priced}, less than the estimated value of ${usd(facts.valueNowUsd!)}. Half of it counts, because the estimate may be too high`,
      ),
    )
  if (speed)
    parts.push({ name: 'speed', points: (100 * weights.speed * centered(speed.x)) / total, because: speed.because })
  const gainUsd = Math.max(0, deal.afterRepairValueUsd - (facts.valueNowUsd ?? 0))
  const gain = gainUsd / price
  // A share of the other points, so that the score stays within 0-100 and rises with the gain.
  if (facts.valueNowUsd !== undefined && gain < fullGain)
    parts.push(
      scorePart(
        'gain',
        (gain / fullGain - 1) * parts.reduce((sum, part) => sum + part.points, 0),
        gainUsd < 1
          ? 'Repairs would add nothing to the value'
          : `Repairs would add ${usd(gainUsd)} to the value, ${percent(gain, 1)} of the ${deal.priceBasis} price; ${percent(fullGain)} earns all points`,
      ),
    )
  return {
    score: parts.reduce((sum, part) => sum + part.points, 0),
    parts,
    used,
    missing,
    confidence: bargainUsd > contradictingShare * (facts.valueNowUsd ?? 0) ? 'low' : confidenceOf(facts),
    deal,
  }
}

const costNames = [
  'acquisitionPct',
  'sellingCostPct',
  'transferTaxPct',
  'highTransferTaxPct',
  'baseCostPerSqft',
  'loanToCostPct',
  'ratePct',
  'pointsPct',
  'propertyTaxPct',
  'insurancePct',
] as const satisfies readonly AssumptionName[]

/** A renovation without its price. Undefined when after-repair value or living area is unknown, and without work: the profit would be an error of the price. */
export const renovationOf = (
  facts: Omit<FlipFacts, 'priceUsd' | 'expectedPriceUsd' | 'heat' | 'valueConfidence'>,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
) => {
  const { pack } = facts
  const defaults = new Set<FlipAssumptionName | AssumptionName>(costNames.filter((name) => isDefault(pack, name)))
  // Every assumption is read through this function, so that `defaults` names exactly those that were used.
  const assume = (name: FlipAssumptionName): number => {
    const ownValue = replaced[name]
    if (ownValue === undefined && isDefault(pack, name)) defaults.add(name)
    return ownValue ?? flipAssumptionFor(pack, name)
  }
  const { afterRepairValueUsd, livingSqft, costs, conditionScore: condition = unknownCondition } = facts
  if (!afterRepairValueUsd || !livingSqft || !needsRenovation(condition)) return undefined
  const level = (costs.baseCostPerSqft / referenceCost) * (livingSqft / referenceSqft) ** -sizeExponent
  const costPerSqftUsd = renovationCost(condition, assume) * assume('costFactor') * level
  const renovationUsd = costPerSqftUsd * livingSqft
  const light = clamp((condition - lightFrom) / 15, 0, 1)
  return {
    project: {
      hardCost: renovationUsd,
      softCosts: (renovationUsd * assume('renovationSoftPct') * (1 - 0.5 * light)) / 100,
      fixedSoftCosts: 0,
      demoCost: 0,
      contingency: (renovationUsd * assume('renovationContingencyPct') * (1 - 0.2 * light)) / 100,
      resaleGross: afterRepairValueUsd,
      phases: renovationPhases(condition, facts.daysToPending, assume),
      ratePct: costs.ratePct,
    },
    conditionNow: condition,
    costPerSqftUsd,
    sellingUsd: (afterRepairValueUsd * sellingCostPctAt(afterRepairValueUsd, costs)) / 100,
    defaults,
  }
}

/** The deal line by line; undefined when price, after-repair value or living area is unknown, and without work. */
export const flipDeal = (
  facts: FlipFacts,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
): FlipDeal | undefined => {
  const { priceUsd: askingUsd, costs, pack } = facts
  const priceUsd = facts.expectedPriceUsd ?? askingUsd
  const found = renovationOf(facts, replaced)
  if (!askingUsd || !priceUsd || !found) return undefined
  const { project, conditionNow, costPerSqftUsd, sellingUsd } = found
  const { hardCost: renovationUsd, resaleGross: afterRepairValueUsd, phases } = project
  const sums = projectSums(priceUsd, project, costs)
  const offer = projectOffer(project, costs, costs.targetRenovatePct)
  const { interest, points, tax, insurance } = sums.carry
  const rulePct = replaced.rulePct ?? flipAssumptionFor(pack, 'rulePct')
  const isRuleDefault = replaced.rulePct === undefined && isDefault(pack, 'rulePct')
  const defaults = [...found.defaults, ...(isRuleDefault ? (['rulePct'] as const) : [])]
  return {
    valueNowUsd: facts.valueNowUsd,
    conditionNow,
    conditionAfter: renovatedCondition(conditionNow),
    afterRepairValueUsd,
    renovationUsd,
    costPerSqftUsd,
    softUsd: project.softCosts + project.contingency,
    months: phases.permit + phases.build + phases.sale,
    daysToPending: facts.daysToPending,
    buyingUsd: (priceUsd * costs.acquisitionPct) / 100,
    carryUsd: interest + points + tax + insurance,
    sellingUsd,
    priceBasis: facts.expectedPriceUsd === undefined ? 'asking' : 'expected',
    totalCostUsd: sums.totalCost,
    profitUsd: sums.profit,
    profitAtAskingUsd: projectSums(askingUsd, project, costs).profit,
    returnOnCost: sums.profit / sums.totalCost,
    maximumOfferUsd: (afterRepairValueUsd * rulePct) / 100 - renovationUsd,
    ...(offer > 0 && { maximumOffer: offer }),
    ...(defaults.length > 0 && { defaults }),
  }
}

/** The house and the base cost that the renovation costs are of; a larger house costs less per square foot. */
const referenceSqft = 2_000
const referenceCost = 500
const sizeExponent = 0.1
/** From here up only finishes are renewed. */
const lightFrom = 55
/** Buying, any work, marketing and two closings take this long. */
const leastMonths = 3

/** Longer from C3 (70) down to C5 (35), and again to C6 (15). */
const renovationPhases = (
  condition: number,
  daysToPending = 30,
  assume: (name: FlipAssumptionName) => number,
): Phases => {
  const share = clamp((85 - condition) / 15, 0, 1)
  const heavy = clamp((70 - condition) / 35, 0, 1)
  const studs = clamp((35 - condition) / 20, 0, 1)
  const permit = share * (0.5 + 1.5 * heavy + assume('extraMonths'))
  const build = share * assume('renovationMonths') * (1 + heavy) + 4 * studs
  return { permit, build, sale: Math.max(daysToPending / 30.4 + 1, leastMonths - permit - build) }
}

/** The renovation budget in words, and the condition it reaches. */
const workSentence = (deal: FlipDeal): string => {
  const value = usd(deal.afterRepairValueUsd)
  const grade = (condition: number) => `${nearestLevel(condition)} (${Math.round(condition)})`
  return `A renovation for ${usd(deal.renovationUsd)} (${usd(deal.costPerSqftUsd)} per sq ft) brings it from condition ${grade(deal.conditionNow)} to ${grade(deal.conditionAfter)}, in which it would sell for ${value}.`
}

/** Cost per square foot by condition, interpolated between the grades: zero at C2 (85), down to the studs at C6 (15). */
const renovationCost = (condition: number, assume: (name: FlipAssumptionName) => number): number => {
  const at = costLevels.findIndex(([level]) => condition <= level)
  const costAt = (index: number): number => {
    const name = costLevels[index]![1]
    return name === undefined ? 0 : assume(name)
  }
  const [high] = costLevels[at]!
  if (at === 0 || condition === high) return costAt(at)
  const low = costLevels[at - 1]![0]
  const [more, less] = [costAt(at - 1), costAt(at)]
  return more + ((less - more) * (condition - low)) / (high - low)
}

const costLevels: readonly (readonly [level: number, cost?: FlipAssumptionName])[] = [
  [15, 'costStudsSqft'],
  [35, 'costHeavySqft'],
  [55, 'costMiddleSqft'],
  [70, 'costLightSqft'],
  [85],
]

const speedOf = (facts: FlipFacts): { x: number; because: string } | undefined => {
  if (facts.heat !== undefined)
    return { x: (facts.heat - 50) / 15, because: `Market heat is ${Math.round(facts.heat)} of 100` }
  if (facts.daysToPending === undefined) return undefined
  return {
    x: (40 - facts.daysToPending) / 20,
    because: `Homes here get an accepted offer in ${plural(Math.round(facts.daysToPending), 'day')}`,
  }
}

const confidenceOf = (facts: FlipFacts): Confidence => {
  if (facts.valueConfidence === 'low' || facts.conditionScore === undefined) return 'low'
  return facts.valueConfidence === 'high' && facts.heat !== undefined ? 'high' : 'medium'
}
