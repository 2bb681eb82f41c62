// Which accessory unit Massachusetts law protects on a parcel, and how worthwhile the lot is for one. Not legal advice.

import type { AduFinding, AduUnit } from '../../domain/findings/adu.ts'
import { blockersOf, traceOf } from '../../intelligence/rules/rule.ts'
import { type RearYard, rearYard } from '../../intelligence/site/rear-yard.ts'
import { rearYardFt, sideYardFt } from '../../intelligence/site/setback-box.ts'
import { accessoryUnitFinding, areSizesKnown } from '../accessory-unit-finding.ts'
import type { UnitScale } from '../accessory-unit-score.ts'
import type { LawOf, RuleFacts, Traced } from '../law.ts'
import { maAduRules, maLimits, protectedSqft } from './rules.ts'

const scale: UnitScale = {
  fullSqft: maLimits.largestSqft,
  transit: {
    yes: 'Within half a mile of transit: no parking may be required.',
    no: 'Not within half a mile of transit.',
    unknown: 'Distance to transit is unknown: no points.',
  },
}

/** Used where the setbacks of the district are unknown. */
const usualSetbackFt = 10

export function maAdu(parcel: RuleFacts, on: string): Traced<AduFinding> {
  const { yard: estimate, notes } = rearYard(parcel, parcel.district, unitSetbacks(parcel))
  const yard = estimate && withinGroundCover(parcel, estimate)
  const trace = traceOf(maAduRules, { ...parcel, roomSqft: yard && yard.buildableSqft * unitFloors(parcel) }, on)
  const blockers = blockersOf(trace)
  const unit = unitOf(parcel, yard)
  if (yard && !unit && blockers.length === 0 && areSizesKnown(parcel, yard))
    blockers.push({
      code: 'NO_ROOM',
      reason: 'Yard, ground cover and garage leave no room for a unit.',
      citation: '760 CMR 71.03(3)(b)2',
    })
  return accessoryUnitFinding(
    parcel,
    {
      ...{ yard, notes, units: unit ? [unit] : [], trace, blockers, finalBlockers, scale },
      elsewhere: 'NOT_MASSACHUSETTS',
      decision: parcel.review
        ? { approval: 'design_review', decidedBy: parcel.review.body }
        : { approval: 'ministerial', decidedBy: 'building commissioner' },
    },
    on,
  )
}

const finalBlockers: readonly string[] = ['NOT_MASSACHUSETTS', 'MA_ZONE', 'NO_OWN_LOT', 'MA_DWELLING', 'NO_ROOM']

/** Two where the district's height allows them. */
const unitFloors = ({ district }: RuleFacts): number => ((district?.heightFt ?? 0) >= twoFloorsFt ? 2 : 1)
const twoFloorsFt = 24

/** The district's own setbacks: those of accessory buildings may be smaller, and are not on record. */
function unitSetbacks({ district, lotWidthFt = 0, lotDepthFt = 0 }: RuleFacts): { side: number; rear: number } {
  const setbacks = district?.setbacksFt
  return setbacks
    ? { side: sideYardFt(setbacks.side, lotWidthFt), rear: rearYardFt(setbacks.rear, lotDepthFt) }
    : { side: usualSetbackFt, rear: usualSetbackFt }
}

/** The footprint of a unit counts toward ground cover, so only what the house leaves of it can be built on. */
function withinGroundCover({ district, lotSqft }: RuleFacts, yard: RearYard): RearYard {
  if (district?.groundCoverPct === undefined || yard.coveragePct === undefined || !lotSqft) return yard
  const left = Math.max(0, Math.round(((district.groundCoverPct - yard.coveragePct) / 100) * lotSqft))
  return { ...yard, buildableSqft: Math.min(yard.buildableSqft, left) }
}

/** One unit by right: detached, or the garage converted if that is larger. The law limits floor area, so two floors count. */
function unitOf(parcel: RuleFacts, yard: RearYard | undefined): AduUnit | undefined {
  const most = protectedSqft(parcel)
  const detached = Math.min((yard?.buildableSqft ?? 0) * unitFloors(parcel), most)
  const garage = Math.min(Math.round(parcel.garageSqft ?? 0), most)
  if (detached >= maLimits.realisticSqft && detached >= garage) return { kind: 'detached', sqft: detached }
  return garage >= maLimits.conversionSqft ? { kind: 'conversion', sqft: garage } : undefined
}

export const usMaAdu: LawOf<'accessory_unit'> = {
  id: 'us-ma-adu',
  state: 'MA',
  leads: 'accessory_unit',
  title: 'Massachusetts protected accessory dwelling units',
  asOf: '2026-11-16',
  url: 'https://malegislature.gov/Laws/GeneralLaws/PartI/TitleVII/Chapter40A/Section3',
  since: '2025-02-02',
  assess: maAdu,
}
