// The redevelopment score: how much of the allowed floor area a parcel leaves unused, and whether that makes it a candidate
// for a new house or for an addition.

import { type Assumptions, isDefault } from '../../domain/assumptions/assumptions.ts'
import type { ParcelFacts } from '../../domain/facts.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { ScorePart } from '../../domain/findings/findings.ts'
import type { NewHouseLimit, RedevelopmentClass, RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import type { Blocker } from '../../domain/findings/rules.ts'
import type { Market } from '../../domain/packs/markets.ts'
import type { MarketPack } from '../../domain/packs/pack.ts'
import type { District } from '../../domain/packs/zoning.ts'
import { nearestLevel } from '../condition/condition.ts'
import { conditionLevels } from '../condition/condition-phrases.ts'
import { oneLevelLower } from '../scores/confidence.ts'
import { decimal, percent, plural, sqft } from '../scores/number-format.ts'
import { part, share } from '../scores/score-part.ts'
import { clamp } from '../statistics/clamp.ts'
import { allowableArea, buildSize } from './allowable-area.ts'
import { historicDoubt, historicStatus } from './historic-doubt.ts'
import { houseAgeYears } from './house-age.ts'
import { houseReplacement, type PermittedHome, recentWork } from './house-replacement.ts'
import { isVacantLot } from './vacant-lot.ts'

export type RedevelopmentParcel = Pick<
  ParcelFacts,
  | 'propertyType'
  | 'lotSqft'
  | 'livingSqft'
  | 'garageSqft'
  | 'yearBuilt'
  | 'yearRenovated'
  | 'units'
  | 'assessedLandUsd'
  | 'assessedImprovementUsd'
  | 'overlays'
> &
  Pick<PermittedHome, 'permits'> & {
    /** From evidence beside the age, which has its own points. */
    readonly conditionScore?: number
  }

const redevelopmentThresholds = {
  /** Most demolitions are of houses below half of the allowed size and over fifty years old (Charles 2013; Dye & McMillen 2007). */
  teardownUtilizationPct: 50,
  teardownAgeYears: 50,
  /** UrbanSim's Bay Area model never redevelops a building of twenty years or less. */
  youngYears: 20,
  recentRenovationYears: 10,
} as const

export function redevelopment(
  parcel: RedevelopmentParcel,
  envelope: Envelope,
  district: Pick<District, 'minLotSqft' | 'garageCounts'> | undefined,
  on: string,
  pack: Pick<MarketPack, 'market' | 'assumptions'> | undefined,
  assumptions: Pick<Assumptions, 'buildSizeMultiple'>,
  newHouses?: NewHouseLimit,
): RedevelopmentFinding {
  const { lotSqft, yearBuilt } = parcel
  const vacant = isVacantLot(parcel)
  const livingSqft = vacant ? 0 : parcel.livingSqft || undefined
  const blockers = blockersFor(parcel, on)
  const counted = !vacant && district?.garageCounts ? (parcel.garageSqft ?? 0) : 0
  const countedSqft = livingSqft === undefined ? undefined : livingSqft + counted
  const area = allowableArea(envelope)
  const size = buildSize(envelope, livingSqft, assumptions, newHouses)
  const allowableSqft = envelope.maxSqft
  const work = recentWork(parcel, on)
  const base = {
    yearBuilt,
    lotSize: lotSqft,
    existingSqft: parcel.livingSqft,
    allowableSqft,
    ...(area && { buildableSqft: area.buildableSqft }),
    ...(allowableSqft !== undefined && { allowableConfidence: envelope.confidence }),
    ...(size.sqft !== undefined && { buildSqft: size.sqft, allowableBasis: size.basis }),
    ...(newHouses && { newHouses }),
    ...(size.capped && isDefault(pack, 'buildSizeMultiple') && { defaults: ['buildSizeMultiple'] }),
    ...(work && { recentWork: work }),
    blockers,
    ...usedAndMissing(parcel, envelope, vacant),
  }
  if (!lotSqft || countedSqft === undefined || !allowableSqft) {
    const reason = envelope.unmodelledReason ?? 'The size of the house is unknown, so its unused floor area is unknown.'
    return { ...base, warnings: [...(work ? [work] : []), reason], parts: [], confidence: 'low' }
  }

  const year = Number(on.slice(0, 4))
  const headroomSqft = allowableSqft - countedSqft
  const utilization = countedSqft / allowableSqft
  const age = yearBuilt === undefined ? undefined : houseAgeYears(yearBuilt, year)
  // Where larger houses need discretionary approval, the score uses only the size that needs none.
  const likely = Math.min(allowableSqft, envelope.likelyApprovableSqft ?? allowableSqft)
  const at = {
    utilization: countedSqft / likely,
    headroomSqft: likely - countedSqft,
    age,
    year,
    reviewed: likely < allowableSqft,
    unverified: envelope.confidence === 'low',
    unseen: newHouses === undefined || newHouses.area === 'similarCities',
    vacant,
  }
  const doubt = vacant ? undefined : historicDoubt(parcel, pack?.market.demolitionReview)
  const parts = withObstacles(partsFor(parcel, at, district?.minLotSqft), { doubt, yearBuilt }, blockers)
  const score = parts.reduce((sum, one) => sum + one.points, 0)
  return {
    ...base,
    redevelopmentScore: clamp(Math.round(score), 0, 100),
    class: blockers.length > 0 ? undefined : vacant ? 'vacant_lot' : classOf(at.utilization, age),
    far: {
      existing: thousandth(countedSqft / lotSqft),
      allowed: thousandth(allowableSqft / lotSqft),
      countedSqft,
      headroomSqft,
      utilisationPct: usedPct(utilization),
    },
    warnings: [
      ...(work ? [work] : []),
      ...(at.unseen ? [unseenText] : []),
      ...warningsFor(parcel, envelope, pack?.market.demolitionReview),
    ],
    parts,
    confidence: age === undefined && !vacant ? oneLevelLower(envelope.confidence) : envelope.confidence,
  }
}

/** Share of the points that the doubt takes: a house that is probably kept must not lead a list of sites. */
const doubtShare = { presumed: 0.9, doubtful: 0.5 } as const

/** A blocked parcel has no points, so that it never ranks above one that can be built on. */
const withObstacles = (
  free: readonly ScorePart[],
  { doubt, yearBuilt }: { doubt: keyof typeof doubtShare | undefined; yearBuilt: number | undefined },
  blockers: readonly Blocker[],
): ScorePart[] => {
  const lost = (parts: readonly ScorePart[], share: number) =>
    -share * parts.reduce((sum, { points }) => sum + points, 0)
  const because = `Built in ${yearBuilt} in a historic district, and its historic status is unknown: a demolition may be refused.`
  const open =
    doubt === undefined ? [...free] : [...free, part('historicDoubt', lost(free, doubtShare[doubt]), because)]
  return blockers.length === 0 ? open : [...open, part('blocked', lost(open, 1), blockers[0]!.reason)]
}

/** Facts about the house, which a vacant lot does not lack. */
const houseFacts: ReadonlySet<string> = new Set(['livingSqft', 'yearBuilt'])

const usedAndMissing = (parcel: RedevelopmentParcel, envelope: Envelope, vacant: boolean) => {
  const facts = ['lotSqft', 'livingSqft', 'yearBuilt', 'assessedLandUsd', 'assessedImprovementUsd'] as const
  const absent = facts.filter((name) => parcel[name] === undefined && !(vacant && houseFacts.has(name)))
  const overlays = overlayBlockers.map(([name]) => name)
  const untested = overlays.filter((name) => (parcel.overlays[name] ?? 'unknown') === 'unknown')
  return {
    used: facts.filter((name) => parcel[name] !== undefined),
    missing: [...new Set([...absent, ...envelope.missing, ...untested])],
  }
}

/** Undefined when the class depends on an age that is unknown. */
function classOf(utilization: number, age: number | undefined): RedevelopmentClass | undefined {
  const { teardownUtilizationPct, teardownAgeYears } = redevelopmentThresholds
  if (utilization * 100 >= teardownUtilizationPct) return 'expansion'
  if (age === undefined) return undefined
  return age >= teardownAgeYears ? 'teardown_candidate' : 'expansion'
}

/** Maximum points: unused floor area 45, age 20, headroom 15, lot 10, land share 10; deductions for renovated, good, unverified or few new houses. */
function partsFor(
  parcel: RedevelopmentParcel,
  at: {
    utilization: number
    headroomSqft: number
    age?: number
    year: number
    reviewed: boolean
    unverified: boolean
    unseen: boolean
    vacant: boolean
  },
  minLotSqft: number | undefined,
): ScorePart[] {
  const { youngYears, recentRenovationYears } = redevelopmentThresholds
  const allowed = at.reviewed ? 'the size that needs no hearing' : 'the allowed floor area'
  const parts: ScorePart[] = [
    part(
      'unusedFloorArea',
      45 * share((0.8 - at.utilization) / 0.55),
      at.vacant
        ? `Nothing is built of ${allowed}.`
        : `The house uses ${Math.round(usedPct(at.utilization))}% of ${allowed}; no points at 80% or more, full points at 25% or less.`,
    ),
    part(
      'headroom',
      15 * share(at.headroomSqft / 2500),
      at.headroomSqft > 0
        ? `${sqft(at.headroomSqft)} more could be built; 2,500 sq ft earns the full 15 points.`
        : 'Nothing more could be built.',
    ),
    at.vacant
      ? part('vacant', 20, 'No building has to be demolished.')
      : at.age === undefined
        ? part('age', 0, 'Year built is unknown: no points.')
        : part(
            'age',
            20 * share((at.age - youngYears) / 70),
            `The house is ${plural(at.age, 'year')} old; no points up to ${youngYears} years, full points from ${youngYears + 70}.`,
          ),
  ]
  if (minLotSqft === undefined || parcel.lotSqft === undefined)
    parts.push(part('lot', 0, 'The minimum lot size of the district is unknown: no points.'))
  else {
    const ratio = parcel.lotSqft / minLotSqft
    const because = `The lot is ${decimal(Math.round(ratio * 100) / 100)} times the district's minimum size; twice the minimum earns the full 10 points.`
    parts.push(part('lot', 10 * share((ratio - 0.8) / 1.2), because))
  }
  parts.push(landShare(parcel))
  const { conditionScore, yearRenovated } = parcel
  if (yearRenovated !== undefined && at.year - yearRenovated <= recentRenovationYears)
    parts.push(part('renovation', -20, `Renovated in ${yearRenovated}.`))
  else if (!at.vacant && conditionScore !== undefined && conditionScore > conditionLevels.C4)
    parts.push(
      part(
        'condition',
        -20 * share((conditionScore - conditionLevels.C4) / (conditionLevels.C2 - conditionLevels.C4)),
        `The house is in condition ${nearestLevel(conditionScore)}; up to C4 nothing is subtracted, from C2 20 points.`,
      ),
    )
  if (at.unseen) parts.push(part('fewNewHouses', -8, unseenText))
  if (at.unverified) parts.push(part('unverifiedZoning', -8, 'The zoning limits of this district are unverified.'))
  return parts
}

/** The size is then limited by houses of other cities, which may sell for more. */
const unseenText = 'Few new houses were sold in the city, so it is not known whether one of that size sells there.'

function landShare({ assessedLandUsd, assessedImprovementUsd }: RedevelopmentParcel): ScorePart {
  const total = (assessedLandUsd ?? 0) + (assessedImprovementUsd ?? 0)
  if (assessedLandUsd === undefined || assessedImprovementUsd === undefined || total <= 0)
    return part('landShare', 0, 'The assessed values are unknown: no points.')
  const improvement = assessedImprovementUsd / total
  return part(
    'landShare',
    10 * share((0.6 - improvement) / 0.3),
    `The building is ${percent(improvement)} of the assessed value.`,
  )
}

/** Overlays that block redevelopment, with code, reason and citation; unknown ones are listed in `missing`. */
const overlayBlockers = [
  ['historicListed', 'HISTORIC_LISTED', 'Listed as historic.', 'local landmark ordinance'],
  ['historicContributing', 'HISTORIC_CONTRIBUTING', 'Contributes to a historic district.', 'local landmark ordinance'],
  ['conservationEasement', 'CONSERVATION_EASEMENT', 'Under a conservation easement.', 'recorded easement'],
  ['wetland', 'WETLAND', 'On a wetland.', 'Clean Water Act s. 404'],
  ['affordableDeed', 'AFFORDABLE', 'Deed-restricted affordable housing.', 'recorded deed'],
] as const

function blockersFor(parcel: RedevelopmentParcel, on: string): Blocker[] {
  const { propertyType, overlays } = parcel
  const blockers: Blocker[] = []
  const add = (code: string, reason: string, citation: string) => blockers.push({ code, reason, citation })
  if (propertyType && propertyType !== 'single_family' && propertyType !== 'land')
    add('NOT_SINGLE_FAMILY', 'Not a single-family property.', 'zoning limits of single-family districts')
  for (const [overlay, code, reason, citation] of overlayBlockers)
    if (overlays[overlay] === 'yes') add(code, reason, citation)
  const replaced = houseReplacement(parcel, on)
  if (replaced) add('HOUSE_REPLACED', replaced, 'building permits')
  return blockers
}

function warningsFor(parcel: RedevelopmentParcel, envelope: Envelope, review: Market['demolitionReview']): string[] {
  const { overlays } = parcel
  const warnings = [...(review ? [reviewText(parcel, review)] : []), ...envelope.notes]
  if (envelope.confidence === 'low') warnings.push('The zoning limits of this district are unverified.')
  if (!isVacantLot(parcel) && historicStatus(overlays) === 'unknown') warnings.push('Historic status is unknown.')
  if (!isVacantLot(parcel) && (overlays.rentControlled === 'yes' || overlays.tenantLast3y === 'yes'))
    warnings.push('Tenant protections apply: protected units must be replaced and tenants compensated.')
  if (overlays.coastalZone === 'yes') warnings.push('In the coastal zone: a coastal development permit is required.')
  if (overlays.veryHighFire === 'yes') warnings.push('In a very high fire hazard zone: fire-hardening rules apply.')
  if (overlays.floodZone === 'yes')
    warnings.push('In a flood hazard area: the lowest floor must be above the flood level.')
  return warnings
}

/** Who decides where all of the market is a historic district. An old house, or one of unknown age, may have to stay. */
function reviewText(
  parcel: RedevelopmentParcel,
  { body, months, doubtfulBefore = 0 }: NonNullable<Market['demolitionReview']>,
) {
  const time = months === undefined ? '' : `, about ${plural(months, 'month')}`
  if (isVacantLot(parcel)) return `${body}: a new building needs a certificate for its look${time}.`
  const old =
    parcel.yearBuilt === undefined || parcel.yearBuilt < doubtfulBefore || historicStatus(parcel.overlays) === 'yes'
  return `${body}: a demolition needs its certificate${old ? ', which it may refuse' : ''}, and so does the new house${time}.`
}

/** Rounded once: every text rounds this, so that 60.46% is not 60% in one place and 61% in another. */
const usedPct = (utilization: number): number => Math.round(utilization * 1000) / 10

const thousandth = (value: number): number => Math.round(value * 1000) / 1000
