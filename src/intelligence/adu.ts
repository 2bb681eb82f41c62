// What accessory units a parcel could take: units and sizes from yard geometry and the state's floors, a score, and
// every rule asked. Not legal advice.

import type { Confidence, ParcelFacts, ScorePart } from '../contract/facts.ts'
import type { District } from '../contract/zoning.ts'
import { sqft } from './plain-numbers.ts'
import { type RearYard, rearYard } from './rear-yard.ts'
import { type AduFacts, aduLimits } from './rules/adu-facts.ts'
import { aduGrantRules } from './rules/adu-grant-rules.ts'
import { aduSiteRules } from './rules/adu-site-rules.ts'
import { type Blocker, blockersOf, overlayOf, type TraceRow, traceOf, warningsOf } from './rules/rule.ts'

export interface AduUnit {
  kind: 'detached' | 'conversion' | 'junior'
  sqft: number
}

export interface AduFinding {
  /** 0-100; absent when blocked or when the yard cannot be worked out. */
  aduScore?: number
  maxUnits?: number
  buildableSqft?: number
  lot: { sqft?: number; widthFt?: number; depthFt?: number; rearYardSqft?: number; coveragePct?: number }
  units: readonly AduUnit[]
  blockers: readonly Blocker[]
  warnings: readonly string[]
  parts: readonly ScorePart[]
  trace: readonly TraceRow[]
  used: readonly string[]
  missing: readonly string[]
  confidence: Confidence
}

export type AduParcel = Omit<AduFacts, 'buildableSqft' | 'city'> &
  Pick<ParcelFacts, 'lotDepthFt' | 'storeys' | 'garageSqft'> & {
    city?: AduFacts['city']
    district?: Pick<District, 'setbacksFt'>
    /** The city's own size cap; without it the state's floor for two bedrooms, which no city may go under. */
    localCapSqft?: number
  }

export const aduRules = [...aduSiteRules, ...aduGrantRules] as const

export function adu(parcel: AduParcel, on: string): AduFinding {
  const yard = rearYard(parcel, parcel.district)
  const trace = traceOf(aduRules, { ...parcel, buildableSqft: yard?.buildableSqft }, on)
  const units = yard ? unitsOf(parcel, yard, on) : []
  const blockers = blockersOf(trace)
  const foreign = blockers.some((one) => one.code === 'NOT_CALIFORNIA')
  if (!foreign && blockers.length === 0 && yard && units.length === 0)
    blockers.push({
      code: 'NO_ROOM',
      reason: 'Neither yard, garage nor house leaves room for a unit.',
      citation: 'Gov. Code 66323',
    })
  const blocked = blockers.length > 0
  const parts = yard && !blocked ? partsOf(parcel, yard, units) : []
  const untested = trace.some((row) => row.force === 'absolute' && row.outcome === 'unknown')
  const shown = foreign ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
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
    warnings: [...warningsOf(shown), ...(foreign ? [] : (yard?.estimates ?? []))],
    parts,
    trace: shown,
    used: facts.filter((name) => parcel[name] !== undefined),
    missing: [...missing, ...shown.filter((row) => row.outcome === 'unknown').map((row) => row.code)],
    // The house's own depth is always an estimate, so nothing here is better than medium.
    confidence: blocked ? 'high' : yard?.shapeAssumed === false && !untested ? 'medium' : 'low',
  }
}

/** Gov. Code 66323: a detached unit of up to 800 sqft may be combined with a conversion; alone it may follow local caps. */
function unitsOf(parcel: AduParcel, yard: RearYard, on: string): AduUnit[] {
  const { byRightDetachedSqft, juniorSqft, twoBedroomFloorSqft, largestSqft, efficiencySqft } = aduLimits
  const flats = parcel.propertyType === 'multi_family'
  const garage = Math.round(parcel.garageSqft ?? 0)
  const converts = garage >= efficiencySqft
  const local = Math.min(parcel.localCapSqft ?? twoBedroomFloorSqft, largestSqft)
  const detached = Math.min(yard.buildableSqft, converts || flats ? byRightDetachedSqft : local)
  const units: AduUnit[] = []
  if (detached >= efficiencySqft)
    units.push(
      ...repeat({ kind: 'detached', sqft: detached }, flats ? detachedBesideFlats(parcel, yard, detached, on) : 1),
    )
  if (converts) {
    const count = flats ? Math.max(1, Math.min(Math.floor((parcel.units ?? 1) / 4), Math.floor(garage / 350))) : 1
    units.push(...repeat({ kind: 'conversion', sqft: Math.min(Math.floor(garage / count), largestSqft) }, count))
  }
  const living = parcel.livingSqft ?? 0
  // A house under about 1,000 sqft has no part to spare; above it about a third can be set apart.
  if (!flats && living >= 1000) units.push({ kind: 'junior', sqft: Math.min(juniorSqft, Math.round(living / 3)) })
  return units
}

/** Not more than the law of that day, than stand there, or than fit; where their number is not known, one. */
function detachedBesideFlats(parcel: AduParcel, yard: RearYard, each: number, on: string): number {
  const allowed = aduLimits.besideFlats.findLast((row) => row.effectiveFrom <= on)?.units ?? 1
  return Math.max(1, Math.min(allowed, parcel.units ?? 1, Math.floor(yard.buildableSqft / each)))
}

function repeat(unit: AduUnit, count: number): AduUnit[] {
  return Array.from({ length: count }, () => ({ ...unit }))
}

/** Points: room 40, units 20, open lot 15, way in 10, ground 10, transit 5; what is not known earns none. */
function partsOf(parcel: AduParcel, yard: RearYard, units: readonly AduUnit[]): ScorePart[] {
  // An 800-sqft unit and twice as much open yard left beside it is as good as a yard gets.
  const ample = 3 * aduLimits.byRightDetachedSqft
  const room = Math.min(1, yard.buildableSqft / ample)
  const open = Math.min(1, Math.max(0, (50 - yard.coveragePct) / 30))
  const parts: ScorePart[] = [
    part(
      'room',
      40 * room,
      `${sqft(yard.buildableSqft)} of rear yard can be built on; ${sqft(ample)} earn all 40 points.`,
    ),
    part(
      'units',
      [0, 8, 14, 20][Math.min(3, units.length)]!,
      `${units.length} possible: ${units.map((unit) => `${unit.kind} ${sqft(unit.sqft)}`).join(', ') || 'none'}.`,
    ),
    part('openLot', 15 * open, `Buildings cover ${yard.coveragePct} % of the lot.`),
    wayIn(parcel),
    ground(parcel.slopePct),
    part(
      'transit',
      overlayOf(parcel.overlays, 'transitHalfMile') === 'yes' ? 5 : 0,
      'Within half a mile of transit no parking is asked and 18 ft are allowed.',
    ),
  ]
  if (overlayOf(parcel.overlays, 'veryHighFire') === 'yes') parts.push(part('fire', -5, 'Very high fire hazard zone.'))
  if (overlayOf(parcel.overlays, 'septic') === 'yes') parts.push(part('septic', -10, 'Septic system.'))
  return parts
}

function wayIn({ cornerLot, lotWidthFt }: AduParcel): ScorePart {
  if (cornerLot) return part('wayIn', 10, 'A corner lot: the rear yard is reached from the side street.')
  if (lotWidthFt === undefined) return part('wayIn', 0, 'The width of the lot is not known: no points.')
  const points = Math.min(10, Math.max(0, (lotWidthFt - 35) * 0.4))
  return part('wayIn', points, `The lot is ${lotWidthFt} ft wide; 60 ft earn all 10 points.`)
}

function ground(slopePct: number | undefined): ScorePart {
  if (slopePct === undefined) return part('ground', 0, 'The slope is not known: no points.')
  return part('ground', Math.min(10, Math.max(0, (25 - slopePct) / 1.5)), `The ground slopes ${slopePct} %.`)
}

function part(name: string, points: number, because: string): ScorePart {
  return { name, points: Math.round(points * 10) / 10 + 0, because }
}

function scoreOf(parts: readonly ScorePart[]): number {
  return Math.min(100, Math.max(0, Math.round(parts.reduce((sum, one) => sum + one.points, 0))))
}
