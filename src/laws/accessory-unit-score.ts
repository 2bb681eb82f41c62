// How worthwhile a lot is for an accessory unit. Every law of that kind scores its lots with this function, so that scores compare.

import type { OverlayName, ParcelFacts, Tristate } from '../domain/facts.ts'
import type { AduUnit } from '../domain/findings/adu.ts'
import type { ScorePart } from '../domain/findings/findings.ts'
import type { Blocker } from '../domain/findings/rules.ts'
import { overlayOf } from '../intelligence/rules/rule.ts'
import { sqft } from '../intelligence/scores/number-format.ts'
import { part, share } from '../intelligence/scores/score-part.ts'
import type { RearYard } from '../intelligence/site/rear-yard.ts'
import { clamp } from '../intelligence/statistics/clamp.ts'

export type ScoredParcel = Pick<ParcelFacts, 'overlays' | 'slopePct' | 'lotWidthFt' | 'cornerLot'>

/** What the law says about the unit that earns all points. */
export interface UnitScale {
  /** A unit of this size earns all points. */
  fullSqft: number
  /** A junior unit of this size earns all points; absent where the law has none. */
  juniorSqft?: number
  transit: Readonly<Record<Tristate, string>>
}

export const scoreOf = (parts: readonly ScorePart[]): number =>
  clamp(Math.round(parts.reduce((sum, one) => sum + one.points, 0)), 0, 100)

/**
 * Maximum points: unit size 30, open yard 20, access 15, lot coverage 10, slope 10, second unit 10, transit 5, less what
 * makes building expensive. Unknown facts earn none. A lot that only just allows a unit earns little.
 */
export function unitScoreParts(
  parcel: ScoredParcel,
  yard: RearYard | undefined,
  units: readonly AduUnit[],
  blockers: readonly Blocker[],
  scale: UnitScale,
): ScorePart[] {
  const parts: ScorePart[] = [
    ...(yard
      ? [unitSize(yard, scale), openYard(yard, units)]
      : [part('unitSize', 0, 'The yard is unknown: no points.')]),
    access(parcel),
    yard?.coveragePct === undefined
      ? part('lotCoverage', 0, 'What buildings cover is unknown: no points.')
      : part(
          'lotCoverage',
          10 * share((45 - yard.coveragePct) / 35),
          `Buildings cover ${yard.coveragePct}% of the lot; 10% or less earns all 10 points.`,
        ),
    slope(parcel.slopePct),
    ...(scale.juniorSqft === undefined ? [] : [secondUnit(units, scale.juniorSqft)]),
    part(
      'transit',
      overlayOf(parcel.overlays, 'transitHalfMile') === 'yes' ? 5 : 0,
      scale.transit[overlayOf(parcel.overlays, 'transitHalfMile')],
    ),
  ]
  for (const { name, overlay, points, because } of costs)
    if (overlayOf(parcel.overlays, overlay) === 'yes') parts.push(part(name, points, because))
  if (blockers.length > 0)
    parts.push(part('blocked', -15, `Blocked unless cleared: ${blockers.map((one) => one.reason).join(' ')}`))
  return parts
}

/** A unit that takes half of the buildable area leaves both homes a yard; 200 sq ft or less earns nothing. */
function unitSize({ buildableSqft }: RearYard, { fullSqft }: UnitScale): ScorePart {
  const comfortable = Math.min(fullSqft, Math.round(buildableSqft / 2))
  return part(
    'unitSize',
    30 * share((comfortable - 200) / (fullSqft - 200)),
    `${sqft(buildableSqft)} of the rear yard can be built on. Half of it leaves both homes a yard; ${sqft(fullSqft)} for a unit earns all 30 points.`,
  )
}

/** Approaches its maximum slowly, so that lots with very large yards still differ. */
function openYard({ rearYardSqft }: RearYard, units: readonly AduUnit[]): ScorePart {
  const detached = units.filter(({ kind }) => kind === 'detached').reduce((sum, unit) => sum + unit.sqft, 0)
  const left = Math.max(0, rearYardSqft - detached)
  return part('openYard', (20 * left) / (left + 5000), `About ${sqft(left)} of the rear yard stays open.`)
}

function secondUnit(units: readonly AduUnit[], juniorSqft: number): ScorePart {
  const inside = units.filter(({ kind }) => kind !== 'detached')
  const conversion = inside.find(({ kind }) => kind === 'conversion')?.sqft ?? 0
  const junior = inside.find(({ kind }) => kind === 'junior')?.sqft ?? 0
  const points = 7 * share((conversion - 200) / 350) + 3 * share(junior / juniorSqft)
  if (inside.length === 0)
    return part('secondUnit', 0, 'No garage to convert and no space for a junior unit is on record.')
  return part('secondUnit', points, `Without new foundations: ${unitList(inside)}.`)
}

/** What makes a unit expensive to build, or slow to approve. */
const costs: readonly { name: string; overlay: OverlayName; points: number; because: string }[] = [
  { name: 'septic', overlay: 'septic', points: -10, because: 'On a septic system, which may need to be enlarged.' },
  { name: 'fire', overlay: 'veryHighFire', points: -6, because: 'In a very high fire hazard zone.' },
  { name: 'flood', overlay: 'floodZone', points: -5, because: 'In a flood hazard area: the floor must be raised.' },
  { name: 'coastal', overlay: 'coastalZone', points: -4, because: 'In the coastal zone: a coastal permit is needed.' },
]

/** "2 detached units of 800 sq ft, a garage conversion of 300 sq ft". */
function unitList(units: readonly AduUnit[]): string {
  const groups = Map.groupBy(units, ({ kind, sqft: size }) => `${kind} ${size}`)
  return [...groups.values()]
    .map((same) => {
      const { kind, sqft: size } = same[0]!
      const [one, many] = unitNames[kind]
      return `${same.length === 1 ? one : `${same.length} ${many}`} of ${sqft(size)}${same.length > 1 ? ' each' : ''}`
    })
    .join(', ')
}

const unitNames: Readonly<Record<AduUnit['kind'], readonly [one: string, many: string]>> = {
  detached: ['a detached unit', 'detached units'],
  conversion: ['a garage conversion', 'garage conversions'],
  junior: ['a junior unit', 'junior units'],
}

function access({ cornerLot, lotWidthFt }: ScoredParcel): ScorePart {
  const width = lotWidthFt === undefined ? 0 : 15 * share((lotWidthFt - 45) / 50)
  if (cornerLot)
    return part('access', Math.max(10, width), 'Corner lot: the rear yard can be reached from the side street.')
  if (lotWidthFt === undefined) return part('access', 0, 'Lot width is unknown: no points.')
  return part('access', width, `The lot is ${lotWidthFt} ft wide; 95 ft earns all 15 points.`)
}

function slope(slopePct: number | undefined): ScorePart {
  if (slopePct === undefined) return part('slope', 0, 'Slope is unknown: no points.')
  return part('slope', 10 * share((20 - slopePct) / 20), `The lot has a slope of ${slopePct}%.`)
}
