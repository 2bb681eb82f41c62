// The flip score: the profit of buying, renovating and reselling this house, checked against the 70% rule and how fast
// homes sell. The budget brings the house to a stated condition, and the resale price is its value in that condition.
// `deal` holds every line, so that a person can redo the arithmetic. Not an appraisal.

import { flipAssumptionsOf } from '../contract/assumptions.ts'
import type { Confidence, MarketId, PropertyType } from '../contract/facts.ts'
import type { FlipDeal, FlipFinding, ScorePart } from '../contract/findings.ts'
import { clamp } from './clamp.ts'
import { nearestLevel } from './condition.ts'
import { conditionAssumptions } from './condition-evidence.ts'
import { conditionLevels } from './condition-phrases.ts'
import { percent, plural, usd } from './number-format.ts'

export interface FlipFacts {
  readonly market: MarketId
  readonly propertyType?: PropertyType
  readonly priceUsd?: number
  /** The value of the house in its present condition. */
  readonly valueNowUsd?: number
  /** The value of the same house in the condition of `renovatedCondition`. */
  readonly afterRepairValueUsd?: number
  readonly livingSqft?: number
  readonly conditionScore?: number
  /** Market heat index of the city and type. */
  readonly heat?: number
  readonly daysToPending?: number
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

export interface FlipAssumption {
  readonly value: number
  readonly unit: string
  readonly range: readonly [number, number]
  readonly reason: string
}

export type FlipAssumptionName = keyof typeof flipAssumptions

/** A caller may replace any of these by name. */
export const flipAssumptions = {
  rulePct: {
    value: 70,
    unit: '% of ARV',
    range: [65, 85],
    reason:
      'the 70% rule: pay at most 70% of the after-repair value minus repairs; where land is expensive investors go to 80-85%',
  },
  targetCondition: {
    value: conditionLevels.C2,
    unit: 'condition points',
    range: [70, 95],
    reason: 'C2: kitchen, baths and finishes new or like new, systems sound; what flippers sell. C1 is a new house',
  },
  costLightSqft: { value: 60, unit: 'USD/sqft', range: [30, 90], reason: 'C3: paint, floors, fixtures' },
  costMiddleSqft: { value: 140, unit: 'USD/sqft', range: [90, 200], reason: 'C4: kitchen, baths and some systems' },
  costHeavySqft: { value: 250, unit: 'USD/sqft', range: [180, 350], reason: 'C5: all systems, kitchen, baths, roof' },
  costStudsSqft: { value: 380, unit: 'USD/sqft', range: [300, 500], reason: 'C6: to the studs, structure included' },
  costFactor: {
    value: 1,
    unit: 'factor',
    range: [0.6, 2],
    reason: 'the costs above are those of an expensive coastal market',
  },
  buyingPct: { value: 1, unit: '% of price', range: [0.5, 3], reason: 'escrow, title, inspections' },
  sellingPct: { value: 5.5, unit: '% of ARV', range: [5, 7], reason: 'commission, transfer tax, staging' },
  carryPctMonth: {
    value: 0.8,
    unit: '% of price a month',
    range: [0.6, 1.1],
    reason: 'interest on a bridge loan at 9-11% on 70%, tax and insurance',
  },
  renovationMonths: {
    value: 4,
    unit: 'months',
    range: [2, 8],
    reason: 'paint, floors and fixtures; heavy work adds up to six months, and no work takes none',
  },
  extraMonths: { value: 0, unit: 'months', range: [0, 6], reason: 'where exterior work needs an approval of its own' },
  goodReturn: {
    value: 0.15,
    unit: 'profit / cost',
    range: [0.1, 0.2],
    reason: 'investors want 15-20% on cost; at this return the profit part is at 73% of its range',
  },
} as const satisfies Record<string, FlipAssumption>

/** The condition assumed where there is no evidence at all: between C3 and C4, where most homes are. */
export const unknownCondition: number = conditionAssumptions.unknownAgeLevel.value

/** A smaller improvement counts as none, because a condition score is not that exact. */
const leastImprovement = 1

/** The condition after the renovation; a house that is already as good stays as it is, and nothing is spent. */
export const renovatedCondition = (condition = unknownCondition): number => {
  const target = flipAssumptions.targetCondition.value
  return condition > target - leastImprovement ? condition : target
}

export const flippability = (
  facts: FlipFacts,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
): FlipFinding => {
  const used = flipInputs.filter((input) => facts[input] !== undefined)
  const missing = flipInputs.filter((input) => facts[input] === undefined)
  const none = (excluded: string): FlipFinding => ({ parts: [], used, missing, confidence: 'low', excluded })
  if (facts.propertyType === 'land') return none('Vacant land: there is no house to renovate')
  const deal = flipDeal(facts, replaced)
  if (!deal) return none('Needs the price, an estimated value and the living area')
  const rule = deal.maximumOfferUsd / facts.priceUsd!
  const good = replaced.goodReturn ?? flipAssumptions.goodReturn.value
  const rulePct = replaced.rulePct ?? flipAssumptions.rulePct.value

  // Each part ranges from minus to plus half its weight, along a smooth curve.
  const centered = (x: number) => 1 / (1 + Math.exp(-x)) - 0.5
  const speed = speedOf(facts)
  const weights = { profit: 60, rule: 25, speed: speed === undefined ? 0 : 15 }
  const total = weights.profit + weights.rule + weights.speed
  const parts: ScorePart[] = [
    { name: 'base', points: 50, because: 'A deal that breaks even at the highest price the rule allows' },
    {
      name: 'profit',
      points: (100 * weights.profit * centered(deal.returnOnCost / good)) / total,
      because: `${workSentence(deal)} Selling costs ${usd(deal.sellingUsd)} and total cost ${usd(deal.totalCostUsd)} leave a ${deal.profitUsd < 0 ? 'loss' : 'profit'} of ${usd(Math.abs(deal.profitUsd))}, ${percent(deal.returnOnCost, 1)} of cost`,
    },
    {
      name: 'rule',
      points: (100 * weights.rule * centered((rule - 1) / 0.12)) / total,
      because:
        deal.maximumOfferUsd > 0
          ? `The ${rulePct}% rule allows an offer of up to ${usd(deal.maximumOfferUsd)}; the price is ${usd(facts.priceUsd!)}`
          : `Under the ${rulePct}% rule repairs cost more than any offer leaves; the price is ${usd(facts.priceUsd!)}`,
    },
  ]
  if (speed)
    parts.push({ name: 'speed', points: (100 * weights.speed * centered(speed.x)) / total, because: speed.because })
  return {
    score: parts.reduce((sum, part) => sum + part.points, 0),
    parts,
    used,
    missing,
    confidence: confidenceOf(facts),
    deal,
  }
}

/** The deal line by line; undefined when price, after-repair value or living area is unknown. */
export const flipDeal = (
  facts: FlipFacts,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
): FlipDeal | undefined => {
  const local = flipAssumptionsOf(facts.market)
  const assume = (name: FlipAssumptionName): number => replaced[name] ?? local[name] ?? flipAssumptions[name].value
  const { priceUsd, afterRepairValueUsd, livingSqft } = facts
  if (!priceUsd || !afterRepairValueUsd || !livingSqft) return undefined
  const condition = facts.conditionScore ?? unknownCondition
  const work = renovationCost(condition, assume)
  const costPerSqftUsd = work.perSqft * assume('costFactor')
  const renovationUsd = costPerSqftUsd * livingSqft
  const months =
    work.share * (assume('renovationMonths') + assume('extraMonths')) +
    6 * work.heaviness +
    (facts.daysToPending ?? 30) / 30.4 +
    1
  const buyingUsd = (priceUsd * assume('buyingPct')) / 100
  const carryUsd = (priceUsd * assume('carryPctMonth') * months) / 100
  const sellingUsd = (afterRepairValueUsd * assume('sellingPct')) / 100
  const totalCostUsd = priceUsd + renovationUsd + buyingUsd + carryUsd
  const profitUsd = afterRepairValueUsd - sellingUsd - totalCostUsd
  return {
    valueNowUsd: facts.valueNowUsd,
    conditionNow: condition,
    conditionAfter: renovatedCondition(condition),
    afterRepairValueUsd,
    renovationUsd,
    costPerSqftUsd,
    months,
    buyingUsd,
    carryUsd,
    sellingUsd,
    totalCostUsd,
    profitUsd,
    returnOnCost: profitUsd / totalCostUsd,
    maximumOfferUsd: (afterRepairValueUsd * assume('rulePct')) / 100 - renovationUsd,
  }
}

/** The renovation budget in words, and the condition it reaches. */
const workSentence = (deal: FlipDeal): string => {
  const value = usd(deal.afterRepairValueUsd)
  const grade = (condition: number) => `${nearestLevel(condition)} (${Math.round(condition)})`
  if (deal.renovationUsd < 0.5)
    return `In condition ${grade(deal.conditionNow)} it needs no renovation and would sell for ${value}.`
  return `${usd(deal.renovationUsd)} (${usd(deal.costPerSqftUsd)} per sq ft) brings it from condition ${grade(deal.conditionNow)} to ${grade(deal.conditionAfter)}, in which it would sell for ${value}.`
}

/**
 * Cost per square foot by condition, interpolated between the grades: zero at C2 (85), down to the studs at C6 (15).
 * `share` is the share of the basic renovation time: all of it from C3 down, less for touch-ups.
 */
const renovationCost = (condition: number, assume: (name: FlipAssumptionName) => number) => {
  const costs: readonly (readonly [level: number, cost: number])[] = [
    [15, assume('costStudsSqft')],
    [35, assume('costHeavySqft')],
    [55, assume('costMiddleSqft')],
    [70, assume('costLightSqft')],
    [85, 0],
  ]
  const heaviness = clamp((85 - condition) / 70, 0, 1)
  const share = clamp((85 - condition) / 15, 0, 1)
  if (renovatedCondition(condition) === condition) return { perSqft: 0, heaviness: 0, share: 0 }
  if (condition <= 15) return { perSqft: costs[0]![1], heaviness, share }
  for (let k = 1; k < costs.length; k++) {
    const [high, less] = costs[k]!
    const [low, more] = costs[k - 1]!
    if (condition <= high)
      return { perSqft: more + ((less - more) * (condition - low)) / (high - low), heaviness, share }
  }
  return { perSqft: 0, heaviness, share }
}

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
