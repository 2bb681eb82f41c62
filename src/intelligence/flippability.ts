// Flippability: what buying, renovating and selling this house would leave, judged by the 70 % rule and by how fast the
// market sells. Arithmetic a person can redo: the working is in `deal` and in the parts. Not an appraisal.

import type { Confidence, Finding, MarketId, PropertyType, ScorePart } from '../contract/facts.ts'

export interface FlipFacts {
  readonly market: MarketId
  readonly propertyType?: PropertyType
  readonly priceUsd?: number
  /** What it would sell for renovated, from renovated comparables. */
  readonly afterRepairValueUsd?: number
  readonly livingSqft?: number
  readonly conditionScore?: number
  /** Market heat index of the city and type. */
  readonly heat?: number
  readonly daysToPending?: number
  /** Confidence of the after-repair value; a score is as good as its weakest input. */
  readonly valueConfidence?: Confidence
}

export const flipInputs = [
  'propertyType',
  'priceUsd',
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

/** Any of these may be replaced by name. */
export const flipAssumptions = {
  rulePct: {
    value: 70,
    unit: '% of ARV',
    range: [65, 85],
    reason:
      'the 70 % rule: pay at most 70 % of the after-repair value less repairs; on dear land investors go to 80-85',
  },
  costLightSqft: { value: 60, unit: 'USD/sqft', range: [30, 90], reason: 'C3: paint, floors, fixtures' },
  costMiddleSqft: { value: 140, unit: 'USD/sqft', range: [90, 200], reason: 'C4: kitchen, baths and some systems' },
  costHeavySqft: { value: 250, unit: 'USD/sqft', range: [180, 350], reason: 'C5: all systems, kitchen, baths, roof' },
  costStudsSqft: { value: 380, unit: 'USD/sqft', range: [300, 500], reason: 'C6: to the studs, structure included' },
  islandCostFactor: {
    value: 1.6,
    unit: 'factor',
    range: [1.3, 2],
    reason: 'building on Nantucket costs about 950 against 550-600 per sqft',
  },
  buyingPct: { value: 1, unit: '% of price', range: [0.5, 3], reason: 'escrow, title, inspections' },
  islandBuyingPct: {
    value: 3,
    unit: '% of price',
    range: [2.5, 4],
    reason: 'adds the Land Bank fee of 2 %, which the buyer pays',
  },
  sellingPct: { value: 5.5, unit: '% of ARV', range: [5, 7], reason: 'commission, transfer tax, staging' },
  carryPctMonth: {
    value: 0.8,
    unit: '% of price a month',
    range: [0.6, 1.1],
    reason: 'interest on a bridge loan at 9-11 % on 70 %, tax and insurance',
  },
  renovationMonths: { value: 4, unit: 'months', range: [2, 8], reason: 'light work; heavy work adds up to six months' },
  islandExtraMonths: { value: 4, unit: 'months', range: [2, 6], reason: 'exterior work needs the historic commission' },
  goodReturn: {
    value: 0.15,
    unit: 'profit / cost',
    range: [0.1, 0.2],
    reason: 'investors want 15-20 % on cost; at this the return stands at 73 points',
  },
} as const satisfies Record<string, FlipAssumption>

export interface FlipDeal {
  readonly renovationUsd: number
  readonly costPerSqftUsd: number
  readonly months: number
  readonly buyingUsd: number
  readonly carryUsd: number
  readonly sellingUsd: number
  readonly totalCostUsd: number
  /** afterRepairValue − selling − total cost. */
  readonly profitUsd: number
  /** profit / total cost. */
  readonly returnOnCost: number
  /** rulePct · afterRepairValue − renovation. */
  readonly maximumOfferUsd: number
}

export interface FlipFinding extends Finding {
  readonly deal?: FlipDeal
  readonly excluded?: string
}

export const flippability = (
  facts: FlipFacts,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
): FlipFinding => {
  const used = flipInputs.filter((input) => facts[input] !== undefined)
  const missing = flipInputs.filter((input) => facts[input] === undefined)
  const none = (excluded: string): FlipFinding => ({ parts: [], used, missing, confidence: 'low', excluded })
  if (facts.propertyType === 'land') return none('A lot without a house cannot be renovated')
  const deal = flipDeal(facts, replaced)
  if (!deal) return none('Price, after-repair value and living area are needed')
  const rule = deal.maximumOfferUsd / facts.priceUsd!
  const good = replaced.goodReturn ?? flipAssumptions.goodReturn.value
  const money = (usd: number) => `${usd < 0 ? '−' : ''}$${Math.round(Math.abs(usd)).toLocaleString('en-US')}`
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`

  // Each part runs from minus to plus half its share around 50, along a curve that never jumps.
  const centred = (x: number) => 1 / (1 + Math.exp(-x)) - 0.5
  const speed = speedOf(facts)
  const weights = { profit: 60, rule: 25, speed: speed === undefined ? 0 : 15 }
  const total = weights.profit + weights.rule + weights.speed
  const parts: ScorePart[] = [
    { name: 'even', points: 50, because: 'A deal that breaks even, at a price the rule would just pay' },
    {
      name: 'profit',
      points: (100 * weights.profit * centred(deal.returnOnCost / good)) / total,
      because: `After-repair value ${money(facts.afterRepairValueUsd!)} less selling ${money(deal.sellingUsd)} and cost ${money(deal.totalCostUsd)} leaves ${money(deal.profitUsd)}, ${percent(deal.returnOnCost)} of cost`,
    },
    {
      name: 'rule',
      points: (100 * weights.rule * centred((rule - 1) / 0.12)) / total,
      because: `The ${replaced.rulePct ?? flipAssumptions.rulePct.value} % rule would pay up to ${money(deal.maximumOfferUsd)}; the price is ${money(facts.priceUsd!)}`,
    },
  ]
  if (speed)
    parts.push({ name: 'speed', points: (100 * weights.speed * centred(speed.x)) / total, because: speed.because })
  return {
    score: parts.reduce((sum, part) => sum + part.points, 0),
    parts,
    used,
    missing,
    confidence: confidenceOf(facts),
    deal,
  }
}

/** The deal line by line; undefined without price, after-repair value or living area. */
export const flipDeal = (
  facts: FlipFacts,
  replaced: Partial<Record<FlipAssumptionName, number>> = {},
): FlipDeal | undefined => {
  const assume = (name: FlipAssumptionName): number => replaced[name] ?? flipAssumptions[name].value
  const { priceUsd, afterRepairValueUsd, livingSqft } = facts
  if (!priceUsd || !afterRepairValueUsd || !livingSqft) return undefined
  const island = facts.market === 'nantucket'
  const work = renovationCost(facts.conditionScore ?? 60, assume)
  const costPerSqftUsd = work.perSqft * (island ? assume('islandCostFactor') : 1)
  const renovationUsd = costPerSqftUsd * livingSqft
  const months =
    assume('renovationMonths') +
    6 * work.heaviness +
    (island ? assume('islandExtraMonths') : 0) +
    (facts.daysToPending ?? 30) / 30.4 +
    1
  const buyingUsd = (priceUsd * assume(island ? 'islandBuyingPct' : 'buyingPct')) / 100
  const carryUsd = (priceUsd * assume('carryPctMonth') * months) / 100
  const sellingUsd = (afterRepairValueUsd * assume('sellingPct')) / 100
  const totalCostUsd = priceUsd + renovationUsd + buyingUsd + carryUsd
  const profitUsd = afterRepairValueUsd - sellingUsd - totalCostUsd
  return {
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

/** Cost by condition, interpolated between the grades: nothing at C2 (85), light at C3, to the studs at C6 (15). */
const renovationCost = (condition: number, assume: (name: FlipAssumptionName) => number) => {
  const ladder: readonly (readonly [level: number, cost: number])[] = [
    [15, assume('costStudsSqft')],
    [35, assume('costHeavySqft')],
    [55, assume('costMiddleSqft')],
    [70, assume('costLightSqft')],
    [85, 0],
  ]
  const heaviness = Math.min(1, Math.max(0, (85 - condition) / 70))
  if (condition <= 15) return { perSqft: ladder[0]![1], heaviness }
  for (let k = 1; k < ladder.length; k++) {
    const [high, less] = ladder[k]!
    const [low, more] = ladder[k - 1]!
    if (condition <= high) return { perSqft: more + ((less - more) * (condition - low)) / (high - low), heaviness }
  }
  return { perSqft: 0, heaviness }
}

const speedOf = (facts: FlipFacts): { x: number; because: string } | undefined => {
  if (facts.heat !== undefined)
    return { x: (facts.heat - 50) / 15, because: `Market heat ${Math.round(facts.heat)} of 100` }
  if (facts.daysToPending === undefined) return undefined
  return {
    x: (40 - facts.daysToPending) / 20,
    because: `Homes here find a buyer in ${Math.round(facts.daysToPending)} days`,
  }
}

const confidenceOf = (facts: FlipFacts): Confidence => {
  if (facts.valueConfidence === 'low' || facts.conditionScore === undefined) return 'low'
  return facts.valueConfidence === 'high' && facts.heat !== undefined ? 'high' : 'medium'
}
