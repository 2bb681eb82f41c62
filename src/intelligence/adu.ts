// Which accessory dwelling units (ADUs) a parcel could hold: their number and sizes, a score, and the result of every
// legal rule. Sizes come from the yard's geometry and the minimums of California law. Not legal advice.

import type { AduFinding, AduUnit } from '../contract/adu.ts'
import type { ParcelFacts, Tristate } from '../contract/facts.ts'
import type { ScorePart } from '../contract/findings.ts'
import type { TraceRow } from '../contract/rules.ts'
import type { District } from '../contract/zoning.ts'
import { clamp } from './clamp.ts'
import { plural, sqft } from './number-format.ts'
import { type RearYard, rearYard } from './rear-yard.ts'
import { type AduFacts, aduLimits } from './rules/adu-facts.ts'
import { aduGrantRules } from './rules/adu-grant-rules.ts'
import { aduSiteRules } from './rules/adu-site-rules.ts'
import { blockersOf, overlayOf, traceOf, warningsOf } from './rules/rule.ts'

export type AduParcel = Omit<AduFacts, 'buildableSqft' | 'city'> &
  Pick<ParcelFacts, 'lotDepthFt' | 'storeys' | 'garageSqft'> & {
    city?: AduFacts['city']
    district?: Pick<District, 'setbacksFt'>
    /** The city's own size cap. Defaults to the two-bedroom size that state law guarantees in every city. */
    localCapSqft?: number
  }

/** With the rules tested, which are not stored: they follow from the parcel alone. */
export type TracedAdu = AduFinding & { trace: readonly TraceRow[] }

export const aduRules = [...aduSiteRules, ...aduGrantRules] as const

export function adu(parcel: AduParcel, on: string): TracedAdu {
  const yard = rearYard(parcel, parcel.district)
  const trace = traceOf(aduRules, { ...parcel, buildableSqft: yard?.buildableSqft }, on)
  const units = yard ? unitsOf(parcel, yard, on) : []
  const blockers = blockersOf(trace)
  const outsideCalifornia = blockers.some((one) => one.code === 'NOT_CALIFORNIA')
  if (!outsideCalifornia && blockers.length === 0 && yard && units.length === 0)
    blockers.push({
      code: 'NO_ROOM',
      reason: 'The yard, the garage and the house are all too small for a unit.',
      citation: 'Gov. Code 66323',
    })
  const blocked = blockers.length > 0
  const parts = yard && !blocked ? partsOf(parcel, yard, units) : []
  const untested = trace.some((row) => row.force === 'absolute' && row.outcome === 'unknown')
  const shown = outsideCalifornia ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
  const facts = ['lotSqft', 'livingSqft', 'lotWidthFt', 'lotDepthFt', 'storeys', 'garageSqft', 'slopePct'] as const
  const missing: string[] = facts.filter((name) => parcel[name] === undefined)
  return {
    aduScore: parts.length > 0 ? scoreOf(parts) : undefined,
    maxUnits: blocked ? 0 : yard && units.length,
    buildableSqft: blocked ? undefined : yard?.buildableSqft,
    lot: {
      sqft: parcel.lotSqft,
      widthFt: parcel.lotWidthFt,
      depthFt: parcel.lotDepthFt,
      rearYardSqft: yard && !yard.shapeAssumed ? yard.rearYardSqft : undefined,
      coveragePct: yard?.coveragePct,
    },
    units: blocked ? [] : units,
    blockers,
    warnings: [...warningsOf(shown), ...(outsideCalifornia ? [] : (yard?.estimates ?? []))],
    parts,
    trace: shown,
    used: facts.filter((name) => parcel[name] !== undefined),
    missing: [...missing, ...shown.filter((row) => row.outcome === 'unknown').map((row) => row.code)],
    // The depth of the house is always an estimate, so confidence is never high unless a rule blocks the parcel.
    confidence: blocked ? 'high' : yard?.shapeAssumed === false && !untested ? 'medium' : 'low',
  }
}

/** Gov. Code 66323: a detached unit of up to 800 sq ft may be combined with a conversion; alone, local caps apply. */
function unitsOf(parcel: AduParcel, yard: RearYard, on: string): AduUnit[] {
  const { byRightDetachedSqft, juniorSqft, twoBedroomFloorSqft, largestSqft, efficiencySqft } = aduLimits
  const multifamily = parcel.propertyType === 'multi_family'
  const garage = Math.round(parcel.garageSqft ?? 0)
  const garageConverts = garage >= efficiencySqft
  const local = Math.min(parcel.localCapSqft ?? twoBedroomFloorSqft, largestSqft)
  const detached = Math.min(yard.buildableSqft, garageConverts || multifamily ? byRightDetachedSqft : local)
  const units: AduUnit[] = []
  if (detached >= efficiencySqft)
    units.push(
      ...repeat({ kind: 'detached', sqft: detached }, multifamily ? multifamilyUnits(parcel, yard, detached, on) : 1),
    )
  if (garageConverts) {
    const count = multifamily ? Math.max(1, Math.min(Math.floor((parcel.units ?? 1) / 4), Math.floor(garage / 350))) : 1
    units.push(...repeat({ kind: 'conversion', sqft: Math.min(Math.floor(garage / count), largestSqft) }, count))
  }
  const living = parcel.livingSqft ?? 0
  // A house under about 1,000 sq ft has no space to spare; in a larger one about a third can become a junior unit.
  if (!multifamily && living >= 1000) units.push({ kind: 'junior', sqft: Math.min(juniorSqft, Math.round(living / 3)) })
  return units
}

/** The smallest of what the law allows on that date, the number of existing units (1 if unknown) and what fits. */
function multifamilyUnits(parcel: AduParcel, yard: RearYard, each: number, on: string): number {
  const allowed = aduLimits.multifamilyDetached.findLast((row) => row.effectiveFrom <= on)?.units ?? 1
  return Math.max(1, Math.min(allowed, parcel.units ?? 1, Math.floor(yard.buildableSqft / each)))
}

function repeat(unit: AduUnit, count: number): AduUnit[] {
  return Array.from({ length: count }, () => ({ ...unit }))
}

/** Maximum points: rear yard 40, units 20, lot coverage 15, access 10, slope 10, transit 5. Unknown facts earn none. */
function partsOf(parcel: AduParcel, yard: RearYard, units: readonly AduUnit[]): ScorePart[] {
  // Full points for an 800 sq ft unit with twice that much open yard left.
  const ample = 3 * aduLimits.byRightDetachedSqft
  const room = Math.min(1, yard.buildableSqft / ample)
  const open = Math.min(1, Math.max(0, (50 - yard.coveragePct) / 30))
  const parts: ScorePart[] = [
    part(
      'rearYard',
      40 * room,
      `${sqft(yard.buildableSqft)} of the rear yard can be built on; ${sqft(ample)} earns the full 40 points.`,
    ),
    part(
      'units',
      [0, 8, 14, 20][Math.min(3, units.length)]!,
      units.length === 0 ? 'No unit fits.' : `${plural(units.length, 'unit')} possible: ${unitList(units)}.`,
    ),
    part('lotCoverage', 15 * open, `Buildings cover ${yard.coveragePct}% of the lot.`),
    access(parcel),
    slope(parcel.slopePct),
    part(
      'transit',
      overlayOf(parcel.overlays, 'transitHalfMile') === 'yes' ? 5 : 0,
      transitSentence[overlayOf(parcel.overlays, 'transitHalfMile')],
    ),
  ]
  if (overlayOf(parcel.overlays, 'veryHighFire') === 'yes')
    parts.push(part('fire', -5, 'In a very high fire hazard zone.'))
  if (overlayOf(parcel.overlays, 'septic') === 'yes') parts.push(part('septic', -10, 'On a septic system.'))
  return parts
}

const transitSentence: Readonly<Record<Tristate, string>> = {
  yes: 'Within half a mile of transit: no parking is required and 18 ft of height are allowed.',
  no: 'Not within half a mile of transit.',
  unknown: 'Distance to transit is unknown: no points.',
}

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

function access({ cornerLot, lotWidthFt }: AduParcel): ScorePart {
  if (cornerLot) return part('access', 10, 'Corner lot: the rear yard can be reached from the side street.')
  if (lotWidthFt === undefined) return part('access', 0, 'Lot width is unknown: no points.')
  const points = clamp((lotWidthFt - 35) * 0.4, 0, 10)
  return part('access', points, `The lot is ${lotWidthFt} ft wide; 60 ft earns the full 10 points.`)
}

function slope(slopePct: number | undefined): ScorePart {
  if (slopePct === undefined) return part('slope', 0, 'Slope is unknown: no points.')
  return part('slope', clamp((25 - slopePct) / 1.5, 0, 10), `The lot has a slope of ${slopePct}%.`)
}

function part(name: string, points: number, because: string): ScorePart {
  return { name, points: Math.round(points * 10) / 10 + 0, because }
}

function scoreOf(parts: readonly ScorePart[]): number {
  return clamp(Math.round(parts.reduce((sum, one) => sum + one.points, 0)), 0, 100)
}
