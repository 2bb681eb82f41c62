// Which accessory dwelling units (ADUs) fit on a parcel, and how worthwhile the lot is for one. Sizes come from the
// geometry of the yard and the minimums of California law. Not legal advice.

import type { AduFinding, AduUnit } from '../../domain/findings/adu.ts'
import { blockersOf, traceOf } from '../../intelligence/rules/rule.ts'
import { type RearYard, rearYard } from '../../intelligence/site/rear-yard.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import { accessoryUnitFinding, areSizesKnown } from '../accessory-unit-finding.ts'
import type { UnitScale } from '../accessory-unit-score.ts'
import type { LawOf, RuleFacts, Traced } from '../law.ts'
import { aduLimits, existingUnits } from './facts.ts'
import { aduGrantRules } from './grant-rules.ts'
import { aduSiteRules } from './site-rules.ts'

/** With the city's own size cap. It defaults to the two-bedroom size that state law guarantees in every city. */
export type AduParcel = RuleFacts & { localCapSqft?: number }

const scale: UnitScale = {
  fullSqft: aduLimits.twoBedroomFloorSqft,
  juniorSqft: aduLimits.juniorSqft,
  transit: {
    yes: 'Within half a mile of transit: no parking is required and 18 ft of height are allowed.',
    no: 'Not within half a mile of transit.',
    unknown: 'Distance to transit is unknown: no points.',
  },
}

export const aduRules = [...aduSiteRules, ...aduGrantRules] as const

const finalBlockers: readonly string[] = ['NOT_CALIFORNIA', 'NO_OWN_LOT', 'NO_ROOM', 'MAXIMUM_REACHED']

export function adu(parcel: AduParcel, on: string): Traced<AduFinding> {
  const home = hasHome(parcel)
  // On vacant land the unit is built with a new house, whose footprint is estimated like that of a house of unknown size.
  const built = isVacantLot(parcel) ? { ...parcel, propertyType: undefined, assessedImprovementUsd: undefined } : parcel
  const { yard, notes } = home
    ? rearYard(built, parcel.district)
    : { notes: ['Neither the property type, the house nor the zoning on record shows that this is a home.'] }
  const trace = traceOf(aduRules, { ...parcel, buildableSqft: yard?.buildableSqft }, on)
  // A conversion and a junior unit need no yard: Gov. Code 66323(a)(1).
  const units = home ? unitsOf(parcel, yard, on) : []
  const blockers = blockersOf(trace)
  const isFinal = blockers.some((one) => finalBlockers.includes(one.code))
  if (yard && units.length === 0 && !isFinal && areSizesKnown(parcel, yard))
    blockers.push({
      code: 'NO_ROOM',
      reason: 'The yard, the garage and the house are all too small for even an efficiency unit.',
      citation: 'Gov. Code 66323',
    })
  return accessoryUnitFinding(
    parcel,
    {
      ...{ yard, notes, units, trace, blockers, finalBlockers, scale },
      elsewhere: 'NOT_CALIFORNIA',
      decision: { approval: 'ministerial', decidedBy: 'city staff, within 60 days' },
    },
    on,
  )
}

/** A lot alone earns a score only where something shows that a home belongs on it. */
function hasHome({ propertyType, livingSqft, district }: AduParcel): boolean {
  if (livingSqft || (district && district.singleFamily !== false)) return true
  return propertyType !== undefined && propertyType !== 'other' && propertyType !== 'land'
}

/**
 * The units that fit, out of what Gov. Code 66323 allows: a detached unit of up to 800 sq ft beside a conversion, or up
 * to the local cap on its own, and a junior unit inside the house.
 */
function unitsOf(parcel: AduParcel, yard: RearYard | undefined, on: string): AduUnit[] {
  const { byRightDetachedSqft, twoBedroomFloorSqft, largestSqft, efficiencySqft, realisticSqft } = aduLimits
  const multifamily = parcel.propertyType === 'multi_family'
  const garage = Math.round(parcel.garageSqft ?? 0)
  const garageConverts = garage >= aduLimits.conversionSqft
  const local = Math.min(parcel.localCapSqft ?? twoBedroomFloorSqft, largestSqft)
  const detached = Math.min(yard?.buildableSqft ?? 0, garageConverts || multifamily ? byRightDetachedSqft : local)
  const units: AduUnit[] = []
  if (detached >= realisticSqft)
    units.push(
      ...repeat({ kind: 'detached', sqft: detached }, multifamily ? multifamilyUnits(parcel, yard!, detached, on) : 1),
    )
  if (garageConverts) {
    const count = multifamily ? Math.max(1, Math.min(Math.floor((parcel.units ?? 1) / 4), Math.floor(garage / 350))) : 1
    units.push(...repeat({ kind: 'conversion', sqft: Math.floor(garage / count) }, count))
  }
  const junior = multifamily ? 0 : juniorSqft(parcel)
  if (junior > 0) units.push({ kind: 'junior', sqft: junior })
  // The law guarantees a unit of this size, but it is rarely worth building beside another.
  if (units.length === 0 && detached >= efficiencySqft) units.push({ kind: 'detached', sqft: detached })
  return multifamily ? units : units.slice(existingUnits(parcel))
}

/** Zero when the size of the house is unknown or too little of it would remain. */
function juniorSqft({ livingSqft = 0 }: AduParcel): number {
  const { juniorSqft: largest, juniorLeastSqft, houseKeepsSqft } = aduLimits
  const spare = Math.min(largest, Math.round(livingSqft - houseKeepsSqft))
  return spare >= juniorLeastSqft ? spare : 0
}

/** The smallest of what the law allows on that date, the number of existing units (1 if unknown) and what fits. */
function multifamilyUnits(parcel: AduParcel, yard: RearYard, each: number, on: string): number {
  const allowed = aduLimits.multifamilyDetached.findLast((row) => row.effectiveFrom <= on)?.units ?? 1
  return Math.max(1, Math.min(allowed, parcel.units ?? 1, Math.floor(yard.buildableSqft / each)))
}

const repeat = (unit: AduUnit, count: number): AduUnit[] => Array.from({ length: count }, () => ({ ...unit }))

export const usCaAdu: LawOf<'accessory_unit'> = {
  id: 'us-ca-adu',
  state: 'CA',
  leads: 'accessory_unit',
  title: 'California accessory dwelling unit law',
  asOf: '2026-11-16',
  url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=GOV&sectionNum=66323',
  since: '2020-01-01',
  assess: adu,
}
