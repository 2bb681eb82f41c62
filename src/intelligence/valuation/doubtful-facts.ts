// Facts of one home that are probably wrong: they stand outside of what its neighbors and its own history show, or they move the value
// by more than its range although no neighbor has the like.

import type { DoubtfulFact } from '../../domain/findings/value.ts'
import { percent } from '../scores/number-format.ts'
import { quantileOf } from './quantiles.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

interface Doubted {
  attributes: Float32Array
  /** Attributes of all sales, and those of the neighbors among them. */
  sales: Float32Array
  near: { count: number; ids: Int32Array }
  /** Attributes of the home at its last sale. */
  before?: Float32Array
  /** Calendar year of the value. */
  year: number
  /** What the facts add to the value, in logs. Called for a fact that few neighbors have, because it is slow. */
  effects: () => { readonly quality: number; readonly condition: number; readonly view: number }
  /** Half of the value's range, in logs. */
  half: number
}

/** So many neighbors with the like make a fact plausible. */
const fewestAlike = 2
const fewestKnown = 10
/** In robust standard deviations of the neighbors. A scale of another county is far outside, an unusual home is not. */
const mostDeviations = 4
/** Living area per room varies little in a neighborhood, so a doubled area is seen there. */
const mostRoomDeviations = 2.6
const leastSpread = { quality: 4, condition: 8, logSizePerRoom: 0.12, view: 0.5, waterfront: 0.1 }
/** A house grows by less than this without a permit that changes its year. */
const mostGrowth = Math.log(1.35)

export function doubtfulFacts({ attributes, sales, near, before, year, effects, half }: Doubted): DoubtfulFact[] {
  const doubts: DoubtfulFact[] = []
  const valueAt = (name: keyof typeof attributeAt) => attributes[attributeAt[name]]!
  const neighbors = (name: keyof typeof attributeAt) =>
    Array.from({ length: near.count }, (_, k) => sales[near.ids[k]! * attributeCount + attributeAt[name]]!).filter(
      (value) => !Number.isNaN(value),
    )
  /** How far from the middle of the neighbors, in their robust deviations; undefined where enough are as far on that side. */
  const standing = (name: keyof typeof leastSpread) => {
    const value = valueAt(name)
    const others = Number.isNaN(value) ? [] : neighbors(name)
    if (others.length < fewestKnown) return undefined
    const middle = quantileOf(others, 0.5)
    const asFar = others.filter((other) => (value > middle ? other >= value : other <= value)).length
    if (asFar >= fewestAlike) return undefined
    const spread = Math.max((quantileOf(others, 0.75) - quantileOf(others, 0.25)) / 1.35, leastSpread[name])
    return { deviations: (value - middle) / spread }
  }
  for (const [fact, group, deviationsMatter] of [
    ['quality', 'quality', true],
    ['condition', 'condition', true],
    ['view', 'view', false],
    ['waterfront', 'view', false],
  ] as const) {
    const standingOfFact = standing(fact)
    if (!standingOfFact || standingOfFact.deviations === 0) continue
    const effect = effects()[group]
    if (Math.abs(effect) > half)
      doubts.push({
        fact,
        why: `It moves the value by ${percent(Math.expm1(effect))}, more than the range, and no sale nearby has the like.`,
      })
    else if (deviationsMatter && Math.abs(standingOfFact.deviations) > mostDeviations)
      doubts.push({
        fact,
        why: `It is far ${standingOfFact.deviations > 0 ? 'above' : 'below'} that of every sale nearby; its scale may be another.`,
      })
  }
  const rooms = standing('logSizePerRoom')
  if (rooms && Math.abs(rooms.deviations) > mostRoomDeviations)
    doubts.push({
      fact: 'livingSqft',
      why: `The area per room is ${rooms.deviations > 0 ? 'larger' : 'smaller'} than in any home sold nearby.`,
    })
  else if (before && isOlder(attributes, before, year)) {
    const grown = valueAt('logLivingSqft') - before[attributeAt.logLivingSqft]!
    if (Math.abs(grown) > mostGrowth)
      doubts.push({
        fact: 'livingSqft',
        why: `It differs by ${percent(Math.expm1(grown))} from the area at its last sale.`,
      })
  }
  if (valueAt('yearBuilt') > year + 1) doubts.push({ fact: 'yearBuilt', why: 'It is in the future.' })
  return doubts
}

/** The house is the one that was sold: not built or renovated since. */
const isOlder = (attributes: Float32Array, before: Float32Array, year: number): boolean =>
  attributes[attributeAt.effectiveYear]! <= Math.max(before[attributeAt.effectiveYear]!, year - 15)
