// Which accessory dwelling units (ADUs) fit on a parcel, and how worthwhile the lot is for one. Sizes come from the
// geometry of the yard and the minimums of California law. Not legal advice.

import type { AduFinding, AduUnit } from '../../contract/adu.ts'
import type { OverlayName, ParcelFacts, Tristate } from '../../contract/facts.ts'
import type { ScorePart } from '../../contract/findings.ts'
import type { Blocker, TraceRow } from '../../contract/rules.ts'
import type { District } from '../../contract/zoning.ts'
import { clamp } from '../../intelligence/clamp.ts'
import { sqft } from '../../intelligence/number-format.ts'
import { type RearYard, rearYard } from '../../intelligence/rear-yard.ts'
import { blockersOf, overlayOf, traceOf, warningsOf } from '../../intelligence/rules/rule.ts'
import { type AduFacts, aduLimits, existingUnits } from './facts.ts'
import { aduGrantRules } from './grant-rules.ts'
import { aduSiteRules } from './site-rules.ts'

export type AduParcel = Omit<AduFacts, 'buildableSqft' | 'city'> &
  Pick<ParcelFacts, 'lotDepthFt' | 'storeys' | 'garageSqft'> & {
    city?: AduFacts['city']
    district?: Pick<District, 'setbacksFt' | 'singleFamily'>
    /** The city's own size cap. Defaults to the two-bedroom size that state law guarantees in every city. */
    localCapSqft?: number
  }

/** With the rules tested, which are not stored: they follow from the parcel alone. */
export type TracedAdu = AduFinding & { trace: readonly TraceRow[] }

export const aduRules = [...aduSiteRules, ...aduGrantRules] as const

/** These leave nothing to score. Any other blocker may be cleared, so the lot keeps its score and its units. */
const finalBlockers: readonly string[] = ['NOT_CALIFORNIA', 'NO_OWN_LOT', 'NO_DWELLING', 'NO_ROOM', 'MAXIMUM_REACHED']

export function adu(parcel: AduParcel, on: string): TracedAdu {
  const { yard, notes } = hasHome(parcel)
    ? rearYard(parcel, parcel.district)
    : { notes: ['Neither the property type, the house nor the zoning on record shows that this is a home.'] }
  const trace = traceOf(aduRules, { ...parcel, buildableSqft: yard?.buildableSqft }, on)
  const units = yard ? unitsOf(parcel, yard, on) : []
  const blockers = blockersOf(trace)
  const outsideCalifornia = blockers.some((one) => one.code === 'NOT_CALIFORNIA')
  const isFinal = () => blockers.some((one) => finalBlockers.includes(one.code))
  const measured = yard !== undefined && !yard.shapeAssumed && !yard.houseAssumed
  // Only known sizes rule a unit out. With an assumed house or an unknown garage nothing can be said.
  const sizesKnown = measured && parcel.garageSqft !== undefined && parcel.livingSqft !== undefined
  const undecided = yard !== undefined && units.length === 0 && !sizesKnown
  if (yard && units.length === 0 && sizesKnown && !isFinal())
    blockers.push({
      code: 'NO_ROOM',
      reason: 'The yard, the garage and the house are all too small for even an efficiency unit.',
      citation: 'Gov. Code 66323',
    })
  const final = isFinal()
  const parts = yard && !final && !undecided ? partsOf(parcel, yard, units, blockers) : []
  const untested = trace.filter((row) => row.force === 'absolute' && row.outcome === 'unknown').length
  const shown = outsideCalifornia ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
  const facts = ['lotSqft', 'livingSqft', 'lotWidthFt', 'lotDepthFt', 'storeys', 'garageSqft', 'slopePct'] as const
  const missing: string[] = facts.filter((name) => parcel[name] === undefined)
  return {
    aduScore: parts.length > 0 ? scoreOf(parts) : undefined,
    maxUnits: final ? 0 : undecided ? undefined : yard && units.length,
    buildableSqft: final ? undefined : yard?.buildableSqft,
    lot: {
      sqft: parcel.lotSqft,
      widthFt: parcel.lotWidthFt,
      depthFt: parcel.lotDepthFt,
      rearYardSqft: measured ? yard.rearYardSqft : undefined,
      coveragePct: yard?.coveragePct,
    },
    units: final ? [] : units,
    blockers,
    warnings: [...warningsOf(shown), ...(outsideCalifornia ? [] : notes)],
    parts,
    trace: shown,
    used: facts.filter((name) => parcel[name] !== undefined),
    missing: [...missing, ...shown.filter((row) => row.outcome === 'unknown').map((row) => row.code)],
    // The depth of the house is always an estimate, so confidence is never high unless a rule blocks the parcel.
    confidence: final ? 'high' : measured && !undecided && untested <= 2 ? 'medium' : 'low',
  }
}

/** A lot alone earns a score only where something shows that a home belongs on it. */
function hasHome({ propertyType, livingSqft, district }: AduParcel): boolean {
  if (livingSqft || (district && district.singleFamily !== false)) return true
  return propertyType !== undefined && propertyType !== 'other'
}

/**
 * The units that fit, out of what Gov. Code 66323 allows: a detached unit of up to 800 sq ft beside a conversion, or up
 * to the local cap on its own, and a junior unit inside the house.
 */
function unitsOf(parcel: AduParcel, yard: RearYard, on: string): AduUnit[] {
  const { byRightDetachedSqft, twoBedroomFloorSqft, largestSqft, efficiencySqft, realisticSqft } = aduLimits
  const multifamily = parcel.propertyType === 'multi_family'
  const garage = Math.round(parcel.garageSqft ?? 0)
  const garageConverts = garage >= aduLimits.conversionSqft
  const local = Math.min(parcel.localCapSqft ?? twoBedroomFloorSqft, largestSqft)
  const detached = Math.min(yard.buildableSqft, garageConverts || multifamily ? byRightDetachedSqft : local)
  const units: AduUnit[] = []
  if (detached >= realisticSqft)
    units.push(
      ...repeat({ kind: 'detached', sqft: detached }, multifamily ? multifamilyUnits(parcel, yard, detached, on) : 1),
    )
  if (garageConverts) {
    const count = multifamily ? Math.max(1, Math.min(Math.floor((parcel.units ?? 1) / 4), Math.floor(garage / 350))) : 1
    units.push(...repeat({ kind: 'conversion', sqft: Math.min(Math.floor(garage / count), largestSqft) }, count))
  }
  const junior = multifamily ? 0 : juniorSqft(parcel)
  if (junior > 0) units.push({ kind: 'junior', sqft: junior })
  // The law guarantees a unit of this size, but it is rarely worth building beside another.
  if (units.length === 0 && detached >= efficiencySqft) units.push({ kind: 'detached', sqft: detached })
  return multifamily ? units : units.slice(existingUnits(parcel))
}

/** Zero when the house is let, when its size is unknown, or when too little of it would remain. */
function juniorSqft({ livingSqft = 0, overlays }: AduParcel): number {
  const { juniorSqft: largest, juniorLeastSqft, houseKeepsSqft } = aduLimits
  if (overlayOf(overlays, 'tenantLast3y') === 'yes') return 0
  const spare = Math.min(largest, Math.round(livingSqft - houseKeepsSqft))
  return spare >= juniorLeastSqft ? spare : 0
}

/** The smallest of what the law allows on that date, the number of existing units (1 if unknown) and what fits. */
function multifamilyUnits(parcel: AduParcel, yard: RearYard, each: number, on: string): number {
  const allowed = aduLimits.multifamilyDetached.findLast((row) => row.effectiveFrom <= on)?.units ?? 1
  return Math.max(1, Math.min(allowed, parcel.units ?? 1, Math.floor(yard.buildableSqft / each)))
}

function repeat(unit: AduUnit, count: number): AduUnit[] {
  return Array.from({ length: count }, () => ({ ...unit }))
}

/**
 * Maximum points: unit size 30, open yard 20, access 15, lot coverage 10, slope 10, second unit 10, transit 5, less what
 * makes building expensive. Unknown facts earn none. A lot that only just allows a unit earns little.
 */
function partsOf(
  parcel: AduParcel,
  yard: RearYard,
  units: readonly AduUnit[],
  blockers: readonly Blocker[],
): ScorePart[] {
  const parts: ScorePart[] = [
    unitSize(yard),
    openYard(yard, units),
    access(parcel),
    yard.coveragePct === undefined
      ? part('lotCoverage', 0, 'The size of the house is unknown: no points.')
      : part(
          'lotCoverage',
          10 * share((45 - yard.coveragePct) / 35),
          `Buildings cover ${yard.coveragePct}% of the lot; 10% or less earns all 10 points.`,
        ),
    slope(parcel.slopePct),
    secondUnit(units),
    part(
      'transit',
      overlayOf(parcel.overlays, 'transitHalfMile') === 'yes' ? 5 : 0,
      transitSentence[overlayOf(parcel.overlays, 'transitHalfMile')],
    ),
  ]
  for (const { name, overlay, points, because } of costs)
    if (overlayOf(parcel.overlays, overlay) === 'yes') parts.push(part(name, points, because))
  if (blockers.length > 0)
    parts.push(part('blocked', -15, `Blocked unless cleared: ${blockers.map((one) => one.reason).join(' ')}`))
  return parts
}

/** A unit that takes half of the buildable area leaves both homes a yard; 200 sq ft or less earns nothing. */
function unitSize({ buildableSqft }: RearYard): ScorePart {
  const comfortable = Math.min(aduLimits.twoBedroomFloorSqft, Math.round(buildableSqft / 2))
  return part(
    'unitSize',
    30 * share((comfortable - 200) / (aduLimits.twoBedroomFloorSqft - 200)),
    `${sqft(buildableSqft)} of the rear yard can be built on. Half of it leaves both homes a yard; ${sqft(aduLimits.twoBedroomFloorSqft)} for a unit earns all 30 points.`,
  )
}

/** Approaches its maximum slowly, so that lots with very large yards still differ. */
function openYard({ rearYardSqft }: RearYard, units: readonly AduUnit[]): ScorePart {
  const detached = units.filter(({ kind }) => kind === 'detached').reduce((sum, unit) => sum + unit.sqft, 0)
  const left = Math.max(0, rearYardSqft - detached)
  return part('openYard', (20 * left) / (left + 5000), `About ${sqft(left)} of the rear yard stays open.`)
}

function secondUnit(units: readonly AduUnit[]): ScorePart {
  const inside = units.filter(({ kind }) => kind !== 'detached')
  const conversion = inside.find(({ kind }) => kind === 'conversion')?.sqft ?? 0
  const junior = inside.find(({ kind }) => kind === 'junior')?.sqft ?? 0
  const points = 7 * share((conversion - 200) / 350) + 3 * share(junior / aduLimits.juniorSqft)
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

function share(value: number): number {
  return clamp(value, 0, 1)
}

function part(name: string, points: number, because: string): ScorePart {
  return { name, points: Math.round(points * 10) / 10 + 0, because }
}

function scoreOf(parts: readonly ScorePart[]): number {
  return clamp(Math.round(parts.reduce((sum, one) => sum + one.points, 0)), 0, 100)
}
