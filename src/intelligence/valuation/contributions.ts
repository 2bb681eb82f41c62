// What each group of facts adds to a value: the home is changed step by step from a typical home of its location into itself.

import type { ScorePart } from '../../domain/findings/findings.ts'
import { sqft } from '../scores/number-format.ts'
import type { ComparableEvidence } from './reconcile.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

type Attribute = keyof typeof attributeAt

/** In the order of the steps. */
export const factGroups = {
  size: ['logLivingSqft', 'beds', 'baths', 'stories', 'garageSqft', 'basementSqft'],
  lot: ['logLotSqft'],
  age: ['yearBuilt', 'effectiveYear', 'ageYears'],
  type: ['condo', 'townhouse', 'multiFamily'],
  quality: ['quality'],
  condition: ['condition'],
  view: ['view', 'waterfront'],
} as const satisfies Record<string, readonly Attribute[]>
export type FactGroup = keyof typeof factGroups

/** The mean of the known values of the nearest sales; unknown where they know none. */
const typicalFrom = 20

export const typicalAttributes = (
  home: Float32Array,
  sales: Float32Array,
  near: { count: number; ids: Int32Array },
) => {
  const typical = home.slice()
  for (const at of Object.values(factGroups).flatMap((names) => names.map((name) => attributeAt[name]))) {
    let [sum, known] = [0, 0]
    for (let k = 0; k < Math.min(near.count, typicalFrom); k++) {
      const value = sales[near.ids[k]! * attributeCount + at]!
      if (Number.isNaN(value)) continue
      sum += value
      known++
    }
    // A fact that is not known of the home does not change it.
    if (!Number.isNaN(home[at]!)) typical[at] = known > 0 ? sum / known : home[at]!
  }
  return withRatios(typical)
}

const withRatios = (attributes: Float32Array): Float32Array => {
  const [size, lot] = [attributes[attributeAt.logLivingSqft]!, attributes[attributeAt.logLotSqft]!]
  attributes[attributeAt.logLotPerLiving] = lot - size
  attributes[attributeAt.logSizePerRoom] =
    size - Math.log(attributes[attributeAt.beds]! + attributes[attributeAt.baths]!)
  return attributes
}

/** The log price of the typical home, and what each group adds to it. They add up to that of the home itself. */
export const contributionsOf = (
  attributes: Float32Array,
  typical: Float32Array,
  logPriceOf: (attributes: Float32Array) => number,
): { typical: number; groups: Record<FactGroup, number> } => {
  const present = typical.slice()
  const start = logPriceOf(present)
  let before = start
  const groups = Object.fromEntries(
    Object.entries(factGroups).map(([group, names]) => {
      const changes = names.some((name) => attributes[attributeAt[name]] !== present[attributeAt[name]])
      for (const name of names) present[attributeAt[name]] = attributes[attributeAt[name]]!
      const after = changes ? logPriceOf(withRatios(present)) : before
      const added = after - before
      before = after
      return [group, added]
    }),
  ) as Record<FactGroup, number>
  return { typical: start, groups }
}

const words: Record<FactGroup, string> = {
  size: 'Size, rooms and stories',
  lot: 'Lot',
  age: 'Age and renovation',
  type: 'Property type',
  quality: 'Quality',
  condition: 'Rated condition',
  view: 'View and waterfront',
}

/** A value in dollars, part by part. Without the change of the market since the comparables' dates, `place` is at their price level. */
export const valueParts = (
  { typical: start, groups }: ReturnType<typeof contributionsOf>,
  home: {
    typical: Float32Array
    attributes: Float32Array
    comps: ComparableEvidence | undefined
    logValue: number
    /** Applies the calibration to a log price. */
    finish: (log: number) => number
  },
): ScorePart[] => {
  const { typical, attributes, comps, logValue, finish } = home
  let reached = 0
  const to = (name: string, log: number, because: string): ScorePart => {
    const before = reached
    reached = Math.exp(log)
    return { name, points: Math.round(reached) - Math.round(before), because }
  }
  const described = `${sqft(Math.exp(typical[attributeAt.logLivingSqft]!))}${yearText(typical)}`
  const parts = [
    to('place', finish(start) - (comps?.timeLog ?? 0), `What a typical home here sells for: ${described}`),
    to('market', finish(start), 'Change of the market since the dates of the comparable sales'),
  ]
  let log = start
  for (const [group, added] of Object.entries(groups) as [FactGroup, number][]) {
    const name = factGroups[group][0]
    log += added
    if (added !== 0) parts.push(to(group, finish(log), `${words[group]}${againstText(name, attributes, typical)}`))
  }
  parts.push(
    to('comparables', logValue, 'What its comparable sales add to the model, by how near they have been to prices'),
  )
  return parts.filter(({ points }) => points !== 0)
}

const yearText = (attributes: Float32Array): string => {
  const year = attributes[attributeAt.yearBuilt]!
  return Number.isNaN(year) ? '' : `, built about ${Math.round(year)}`
}

const againstText = (name: Attribute, attributes: Float32Array, typical: Float32Array): string => {
  const [a, b] = [attributes[attributeAt[name]]!, typical[attributeAt[name]]!]
  if (Number.isNaN(a) || Number.isNaN(b)) return ''
  if (name.startsWith('log')) return `: ${sqft(Math.exp(a))}, ${sqft(Math.exp(b))} is typical here`
  return name === 'condo' ? '' : `: ${Math.round(a)}, ${Math.round(b)} is typical here`
}
