// The market heat index of one city and property type: how strongly buyers compete, 0-100, where 50 is a typical US
// market. Each statistic is placed on a fixed curve instead of being ranked among nearby cities: where every city is hot
// each should score high, and an island has no nearby cities.

import type { Confidence } from '../contract/facts.ts'
import type { Finding, HeatFinding, ScorePart } from '../contract/findings.ts'
import { percent, plural } from './number-format.ts'

/** Statistics of a city and property type over the last 90 days. */
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

interface HeatComponent {
  readonly weight: number
  /** The value of a typical market, which scores 50. */
  readonly center: number
  /** Change that moves the score from 50 to 73; negative where a lower value means a hotter market. */
  readonly spread: number
  /** True when compared by ratio instead of by difference. */
  readonly byRatio?: true
  readonly label: string
  readonly reason: string
}

/**
 * The first four weights are in the proportions that ranked metros closest to the published index from 2023 to 2026
 * (saleToList alone ranks almost as well as all four; an unweighted mean ranks far worse). The last two are inputs of the
 * published index too, but no series of them was available to fit, so their weights are small.
 */
export const heatComponents: Readonly<Record<HeatInput, HeatComponent>> = {
  saleToList: {
    weight: 0.61,
    center: 0.985,
    spread: 0.025,
    label: 'Sale price to list price',
    reason: 'how competition shows in prices; the best single predictor in every month tried',
  },
  shareAboveList: {
    weight: 0.05,
    center: 0.27,
    spread: 0.25,
    label: 'Share sold above list',
    reason: 'mostly contained in saleToList',
  },
  daysToPending: {
    weight: 0.05,
    center: 40,
    spread: -30,
    label: 'Time to an accepted offer',
    reason: 'differs little between metros once saleToList is known',
  },
  monthsOfSupply: {
    weight: 0.12,
    center: 4,
    spread: -0.9,
    byRatio: true,
    label: 'Supply',
    reason: 'under 3 favors sellers, 4-6 is balanced, over 6 favors buyers',
  },
  pendingRatio: {
    weight: 0.07,
    center: 0.35,
    spread: 0.25,
    label: 'Pending share of listings',
    reason: 'replaces the share pending within 21 days, which is not available',
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

const heatAssumptions = {
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
    reason: 'fewer sales do not describe a market',
    source: 'practice of published indexes',
  },
} as const

/** `region` is the market around the city; a city with few sales is shrunk toward it. */
export const marketHeat = (city: HeatStatistics, region?: HeatStatistics): Finding => {
  const k = heatAssumptions.shrinkSales.value
  const tooFewSales = city.sales < heatAssumptions.minSales.value
  const used = heatInputs.filter((input) => city[input] !== undefined)
  const missing = heatInputs.filter((input) => city[input] === undefined)
  if (tooFewSales || used.length === 0)
    return { parts: [], used, missing: tooFewSales ? [...missing, 'sales'] : missing, confidence: 'low' }
  const total = used.reduce((sum, input) => sum + heatComponents[input].weight, 0)
  const parts: ScorePart[] = [
    { name: 'base', points: 50, because: 'A typical US market' },
    ...used.map((input) => {
      const component = heatComponents[input]
      const own = heatLevel(input, city[input]!)
      const regional = region?.[input] === undefined ? undefined : heatLevel(input, region[input])
      const level = regional === undefined ? own : (city.sales * own + k * regional) / (city.sales + k)
      const shrunk =
        regional === undefined
          ? ''
          : ` (${plural(city.sales, 'sale')}); adjusted toward ${formatStatistic(input, region![input]!)} in the whole market`
      return {
        name: input,
        points: (component.weight * (level - 50)) / total,
        because: `${component.label}: ${formatStatistic(input, city[input]!)}${shrunk}`,
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

/** The finding behind a stored index: what it used and how certain it is follow from its parts. */
export const storedHeat = (index: { heatIndex?: number; parts: readonly ScorePart[]; sales: number }): HeatFinding => {
  const names = new Set(index.parts.map(({ name }) => name))
  const used = heatInputs.filter((input) => names.has(input))
  const weight = used.reduce((sum, input) => sum + heatComponents[input].weight, 0)
  return {
    score: index.heatIndex,
    parts: [...index.parts],
    used,
    missing: heatInputs.filter((input) => !names.has(input)),
    confidence: confidenceOf(index.sales, weight),
    sales: index.sales,
  }
}

/** The index from whichever statistics are known; undefined when none is. */
export const heatIndex = (statistics: Partial<Record<HeatInput, number>>): number | undefined => {
  let sum = 0
  let total = 0
  for (const input of heatInputs) {
    const value = statistics[input]
    const { weight } = heatComponents[input]
    if (value === undefined || !Number.isFinite(value)) continue
    sum += weight * heatLevel(input, value)
    total += weight
  }
  return total > 0 ? sum / total : undefined
}

/** The score of one statistic alone, 0-100. */
export const heatLevel = (input: HeatInput, value: number): number => {
  const { center, spread, byRatio } = heatComponents[input]
  const away = byRatio ? Math.log(Math.max(value, 1e-3) / center) : value - center
  return 100 / (1 + Math.exp(-away / spread))
}

const formatStatistic = (input: HeatInput, value: number): string => {
  if (input === 'daysToPending') return plural(Math.round(value), 'day')
  if (input === 'monthsOfSupply') return `${value.toFixed(1)} months`
  return percent(value, 1)
}

const confidenceOf = (sales: number, weight: number): Confidence => {
  if (sales >= 40 && weight >= 0.7) return 'high'
  return sales >= 15 ? 'medium' : 'low'
}
