// The market heat index of one city and property type: how hard buyers compete, 0-100, 50 being an ordinary US market.
// Each statistic is placed on a fixed curve (its share of ordinary markets below it) rather than ranked among the
// neighbors: where every city is hot every city should say so, and an island has no neighbors.

import type { Confidence } from '../contract/facts.ts'
import type { Finding, ScorePart } from '../contract/findings.ts'

/** What happened in a city, for one type, over the last 90 days. */
export interface HeatStatistics {
  /** Closed sales behind the figures. */
  readonly sales: number
  /** Mean of sale price over last list price. */
  readonly saleToList?: number
  readonly shareAboveList?: number
  readonly daysToPending?: number
  readonly monthsOfSupply?: number
  /** Pending over active and pending. */
  readonly pendingRatio?: number
  readonly priceCutShare?: number
}

export type HeatInput = Exclude<keyof HeatStatistics, 'sales'>

export interface HeatComponent {
  readonly weight: number
  /** The value of an ordinary market, where the component stands at 50. */
  readonly center: number
  /** Distance over which it moves from 50 to 73; negative where less is hotter. */
  readonly spread: number
  /** Compared by ratio rather than by difference. */
  readonly byRatio?: true
  readonly label: string
  readonly reason: string
}

/**
 * Weights: the first four in the proportions that ranked metros best against the published index over windows from 2023
 * to 2026 (saleToList alone ranks almost as well as all four; a plain mean ranks far worse). The last two are inputs of
 * the published index itself, but no series of them was at hand to fit, so they get little.
 */
export const heatComponents: Readonly<Record<HeatInput, HeatComponent>> = {
  saleToList: {
    weight: 0.61,
    center: 0.985,
    spread: 0.025,
    label: 'Sale price to list price',
    reason: 'the price answer to competition; best single predictor in every month tried',
  },
  shareAboveList: {
    weight: 0.05,
    center: 0.27,
    spread: 0.25,
    label: 'Share sold above list',
    reason: 'much of it is in saleToList already',
  },
  daysToPending: {
    weight: 0.05,
    center: 40,
    spread: -30,
    label: 'Days to an accepted offer',
    reason: 'slow to differ between metros once saleToList is known',
  },
  monthsOfSupply: {
    weight: 0.12,
    center: 4,
    spread: -0.9,
    byRatio: true,
    label: 'Months of supply',
    reason: 'under 3 favours sellers, 4-6 is balanced, over 6 favours buyers',
  },
  pendingRatio: {
    weight: 0.07,
    center: 0.35,
    spread: 0.25,
    label: 'Pending share of listings',
    reason: 'stands for the share pending within 21 days',
  },
  priceCutShare: {
    weight: 0.1,
    center: 0.2,
    spread: -0.16,
    label: 'Share of listings with a price cut',
    reason: 'an input of the published index',
  },
}

export const heatInputs = Object.keys(heatComponents) as readonly HeatInput[]

export const heatAssumptions = {
  shrinkSales: {
    value: 20,
    unit: 'sales',
    range: [10, 40],
    reason: 'with 20 sales a city counts as much as its county',
    source: 'empirical-Bayes practice',
  },
  minSales: {
    value: 5,
    unit: 'sales',
    range: [3, 10],
    reason: 'fewer say nothing about a market',
    source: 'practice of published indices',
  },
} as const

export interface HeatOptions {
  readonly shrinkSales?: number
  readonly minSales?: number
}

/** `wider` is the county or market around the city, to which few sales are shrunk. */
export const marketHeat = (city: HeatStatistics, wider?: HeatStatistics, options: HeatOptions = {}): Finding => {
  const k = options.shrinkSales ?? heatAssumptions.shrinkSales.value
  const used = heatInputs.filter((input) => city[input] !== undefined)
  const missing = heatInputs.filter((input) => city[input] === undefined)
  if (city.sales < (options.minSales ?? heatAssumptions.minSales.value) || used.length === 0) {
    return {
      parts: [],
      used,
      missing: city.sales < heatAssumptions.minSales.value ? [...missing, 'sales'] : missing,
      confidence: 'low',
    }
  }
  const total = used.reduce((sum, input) => sum + heatComponents[input].weight, 0)
  const parts: ScorePart[] = [
    { name: 'base', points: 50, because: 'A typical US market' },
    ...used.map((input) => {
      const component = heatComponents[input]
      const own = heatLevel(input, city[input]!)
      const around = wider?.[input] === undefined ? undefined : heatLevel(input, wider[input])
      const level = around === undefined ? own : (city.sales * own + k * around) / (city.sales + k)
      const shrunk =
        around === undefined
          ? ''
          : `, shrunk with ${city.sales} sales towards ${shown(input, wider![input]!)} around it`
      return {
        name: input,
        points: (component.weight * (level - 50)) / total,
        because: `${component.label} ${shown(input, city[input]!)}${shrunk}`,
      }
    }),
  ]
  return {
    score: parts.reduce((sum, part) => sum + part.points, 0),
    parts,
    used,
    missing,
    confidence: confidenceOf(city.sales, total),
  }
}

/** The formula alone, on whatever statistics are known; undefined when none is. */
export const heatIndex = (
  statistics: Partial<Record<HeatInput, number>>,
  weights: Partial<Record<HeatInput, number>> = {},
): number | undefined => {
  let sum = 0
  let total = 0
  for (const input of heatInputs) {
    const value = statistics[input]
    const weight = weights[input] ?? heatComponents[input].weight
    if (value === undefined || !Number.isFinite(value)) continue
    sum += weight * heatLevel(input, value)
    total += weight
  }
  return total > 0 ? sum / total : undefined
}

/** One statistic on its curve, 0-100. */
export const heatLevel = (input: HeatInput, value: number): number => {
  const { center, spread, byRatio } = heatComponents[input]
  const away = byRatio ? Math.log(Math.max(value, 1e-3) / center) : value - center
  return 100 / (1 + Math.exp(-away / spread))
}

const shown = (input: HeatInput, value: number): string => {
  if (input === 'daysToPending') return `${Math.round(value)} days`
  if (input === 'monthsOfSupply') return `${value.toFixed(1)} months`
  return `${(100 * value).toFixed(1)} %`
}

const confidenceOf = (sales: number, weight: number): Confidence => {
  if (sales >= 40 && weight >= 0.7) return 'high'
  return sales >= 15 ? 'medium' : 'low'
}
