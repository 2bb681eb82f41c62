// The finding of a law on accessory units, from the units that it allows and the rules that it tests.

import { inputName, type ParcelFacts } from '../domain/facts.ts'
import type { AduFinding, AduUnit } from '../domain/findings/adu.ts'
import type { LawfulUse } from '../domain/findings/laws.ts'
import type { Blocker, TraceRow } from '../domain/findings/rules.ts'
import { warningsOf } from '../intelligence/rules/rule.ts'
import { type PermittedHome, permittedUnit } from '../intelligence/site/house-replacement.ts'
import type { RearYard } from '../intelligence/site/rear-yard.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { type ScoredParcel, scoreOf, type UnitScale, unitScoreParts } from './accessory-unit-score.ts'
import type { Traced } from './law.ts'
import { lawfulUse } from './lawful-use.ts'

const facts = ['lotSqft', 'livingSqft', 'lotWidthFt', 'lotDepthFt', 'stories', 'garageSqft', 'slopePct'] as const
type UnitParcel = ScoredParcel & Pick<ParcelFacts, (typeof facts)[number]> & PermittedHome

const isMeasured = (yard: RearYard | undefined): yard is RearYard =>
  yard !== undefined && !yard.shapeAssumed && !yard.houseAssumed

/** Only known sizes rule a unit out. With an assumed house or an unknown garage nothing can be said. */
export const areSizesKnown = (parcel: UnitParcel, yard: RearYard | undefined): boolean =>
  isMeasured(yard) && parcel.garageSqft !== undefined && parcel.livingSqft !== undefined

interface Allowed {
  /** Undefined where nothing shows that the lot has a home. */
  yard: RearYard | undefined
  notes: readonly string[]
  units: readonly AduUnit[]
  trace: readonly TraceRow[]
  blockers: readonly Blocker[]
  /** These leave nothing to score. Any other blocker may be cleared, so the lot keeps its score and its units. */
  finalBlockers: readonly string[]
  /** The blocker of a parcel in another state, of which no other rule is shown. */
  elsewhere: string
  scale: UnitScale
  /** Who decides, and how. */
  decision: Pick<LawfulUse, 'approval' | 'decidedBy'>
}

export const accessoryUnitFinding = (
  parcel: UnitParcel,
  { yard, notes, trace, finalBlockers, elsewhere, scale, decision, ...allowed }: Allowed,
  on: string,
): Traced<AduFinding> => {
  const permitted = permittedUnit(parcel.permits, on)
  // Whether another unit would fit beside a permitted one depends on that unit, which is not on record.
  const units = permitted ? [] : allowed.units
  const blockers = [
    ...allowed.blockers,
    ...(permitted ? [{ code: 'UNIT_PERMITTED', reason: permitted, citation: 'building permits' }] : []),
  ]
  const final = blockers.some(({ code }) => finalBlockers.includes(code))
  const outside = blockers.some(({ code }) => code === elsewhere)
  const shown = outside ? trace.filter(({ code }) => code === elsewhere) : trace
  const parts = units.length > 0 && !final ? unitScoreParts(parcel, yard, units, blockers, scale) : []
  const untested = trace.filter((row) => row.force === 'absolute' && row.outcome === 'unknown').length
  return {
    aduScore: parts.length > 0 ? scoreOf(parts) : undefined,
    // No unit with sizes that are not all known is undecided, not zero.
    maxUnits: final ? 0 : units.length || undefined,
    buildableSqft: final ? undefined : yard?.buildableSqft,
    lot: {
      sqft: parcel.lotSqft,
      widthFt: parcel.lotWidthFt,
      depthFt: parcel.lotDepthFt,
      rearYardSqft: isMeasured(yard) ? yard.rearYardSqft : undefined,
      coveragePct: yard?.coveragePct,
    },
    units: final ? [] : [...units],
    blockers,
    uses: [
      lawfulUse(shown, {
        ...{
          ...decision,
          scheme: 'add_unit',
          blockers: blockers.filter(({ code }) => !shown.some((row) => row.code === code && row.outcome === 'fail')),
        },
        // The homes on record, or the new house that the unit needs.
        homes: units.length > 0 ? units.length + (isVacantLot(parcel) ? 1 : (parcel.units ?? 1)) : undefined,
        sizes: units.length > 0 ? { largestUnitSqft: Math.max(...units.map(({ sqft }) => sqft)) } : undefined,
      }),
    ],
    warnings: [...warningsOf(shown), ...(outside ? [] : notes)],
    parts,
    trace: shown,
    used: facts.filter((name) => parcel[name] !== undefined).map(inputName),
    missing: [
      ...facts.filter((name) => parcel[name] === undefined).map(inputName),
      ...shown.filter((row) => row.outcome === 'unknown').map((row) => row.code),
    ],
    // The depth of the house is always an estimate, so confidence is never high unless a rule blocks the parcel.
    confidence: final ? 'high' : isMeasured(yard) && units.length > 0 && untested <= 2 ? 'medium' : 'low',
  }
}
