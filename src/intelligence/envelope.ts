// How much house a lot may carry: the least of floor area, coverage, setbacks and ground cover, and which one binds.

import type { Assumption } from '../contract/assumption.ts'
import type { Envelope, EnvelopeCandidate } from '../contract/building-envelope.ts'
import type { Confidence, ParcelFacts } from '../contract/facts.ts'
import type { CoverageRule, District } from '../contract/zoning.ts'
import { lowestConfidence, oneLevelLower } from './confidence.ts'
import { type FloorAreaFacts, floorAreaLimit } from './floor-area.ts'
import { decimal, roundDown, sqft } from './number-format.ts'
import { setbackBox } from './setback-box.ts'

export type EnvelopeFacts = Pick<ParcelFacts, 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot' | 'slopePct'> &
  Pick<FloorAreaFacts, 'garage' | 'lotUnitFactor'>

export const envelopeAssumptions = {
  storyHeightFt: {
    value: 12,
    unit: 'ft',
    range: [10, 14],
    reason: 'Turns a height limit into storeys where the code does not state them.',
    source: 'UDST/developer sqftproforma default',
    confidence: 'medium',
  },
  groundCoverStories: {
    value: 1.8,
    unit: 'storeys',
    range: [1.5, 2.2],
    reason:
      'Floor area per footprint under a 30-ft limit: two storeys, the upper one under the roof. Not in the bylaw.',
    source: 'model assumption',
    confidence: 'low',
  },
  garageSqft: {
    value: 420,
    unit: 'sqft',
    range: [400, 450],
    reason: 'A two-car garage where garages count, so the saleable house is that much smaller.',
    source: 'model assumption',
    confidence: 'medium',
  },
} as const satisfies Record<string, Assumption>

export type EnvelopeAssumptions = Record<keyof typeof envelopeAssumptions, number>

export function buildingEnvelope(
  parcel: EnvelopeFacts,
  district: District | undefined,
  replaced: Partial<EnvelopeAssumptions> = {},
): Envelope {
  const using = { ...envelopeDefaults, ...replaced }
  const { lotSqft } = parcel
  if (!district) return unmodelled('No rule is known for this zoning district.', ['zoning'])
  if (lotSqft === undefined || lotSqft <= 0) return unmodelled('The lot size is not known.', ['lotSqft'])
  if (!district.modelled) return unmodelled(district.unmodelledReason ?? 'This district is not modelled.', [])

  const known = district.confidence
  const storeys = district.storeys ?? Math.max(1, Math.floor((district.heightFt ?? 0) / using.storyHeightFt))
  const candidates: EnvelopeCandidate[] = []
  const missing: string[] = []
  const notes: string[] = []
  let smallLotRule = district.minLotSqft !== undefined && lotSqft < district.minLotSqft
  let developmentAreaSqft: number | undefined
  let groundCoverSqft: number | undefined

  if (district.floorArea.kind !== 'none') {
    const limit = floorAreaLimit(district.floorArea, { ...parcel, lotSqft })
    missing.push(...limit.missing)
    // A floor-area rule that exists but cannot be read for this lot leaves no honest upper bound.
    if (limit.sqft === undefined) return unmodelled(limit.reason ?? 'The floor-area limit is not known.', limit.missing)
    const confidence = limit.confidence ?? known.floorArea ?? 'low'
    candidates.push({ limit: 'floor_area', sqft: limit.sqft, formula: limit.formula, confidence })
    developmentAreaSqft = limit.developmentAreaSqft
  }
  if (district.groundCoverPct !== undefined) {
    groundCoverSqft = roundDown((district.groundCoverPct / 100) * lotSqft)
    candidates.push({
      limit: 'ground_cover',
      sqft: roundDown(groundCoverSqft * using.groundCoverStories),
      formula: `${decimal(district.groundCoverPct)} % of ${sqft(lotSqft)} = ${sqft(groundCoverSqft)} footprint × ${using.groundCoverStories} storeys`,
      confidence: lowestConfidence(known.groundCover, 'medium'),
    })
  }
  if (district.coverage) {
    const best = coverageCandidate(district.coverage, lotSqft, storeys)
    if (best) candidates.push({ ...best, confidence: known.coverage ?? 'low' })
  }
  if (district.setbacksFt) {
    if (parcel.lotWidthFt && parcel.lotDepthFt) {
      const lot = { widthFt: parcel.lotWidthFt, depthFt: parcel.lotDepthFt, cornerLot: parcel.cornerLot }
      const box = setbackBox(district.setbacksFt, lot, storeys)
      const total = roundDown(box.storySqft.reduce((sum, one) => sum + one, 0))
      if (total > 0)
        candidates.push({ limit: 'setbacks', sqft: total, formula: box.formula, confidence: known.setbacks ?? 'low' })
      else {
        smallLotRule = true
        notes.push('The setbacks leave no room on this lot: a small-lot rule must apply, which is not modelled.')
      }
    } else missing.push(...(['lotWidthFt', 'lotDepthFt'] as const).filter((name) => !parcel[name]))
  }

  const binding = candidates.reduce<EnvelopeCandidate | undefined>(
    (least, one) => (least && least.sqft <= one.sqft ? least : one),
    undefined,
  )
  if (!binding) return unmodelled('Neither coverage nor lot dimensions are known.', missing)

  if (district.minLotSqft && lotSqft < district.minLotSqft)
    notes.push(
      `The lot is under the district's ${sqft(district.minLotSqft)} minimum; small-lot rules are not modelled.`,
    )
  if (district.netLot) notes.push('The rule counts net lot area; the recorded area is used.')
  const review = district.reviewAbove
  const likelyApprovableSqft = review && Math.max(review.sqft, roundDown(review.ratio * lotSqft))
  if (review && likelyApprovableSqft)
    notes.push(
      `The ${review.body} decides on larger houses; up to ${sqft(likelyApprovableSqft)} is taken as likely to pass.`,
    )

  return {
    maxSqft: binding.sqft,
    livableSqft: Math.max(0, binding.sqft - (district.garageCounts ? using.garageSqft : 0)),
    limitedBy: binding.limit,
    groundCoverSqft,
    developmentAreaSqft,
    likelyApprovableSqft,
    candidates,
    confidence: envelopeConfidence(binding, candidates, smallLotRule),
    missing,
    notes,
  }
}

const envelopeDefaults: EnvelopeAssumptions = {
  storyHeightFt: envelopeAssumptions.storyHeightFt.value,
  groundCoverStories: envelopeAssumptions.groundCoverStories.value,
  garageSqft: envelopeAssumptions.garageSqft.value,
}

/** The better of building low and wide or high and narrow. */
function coverageCandidate(rule: CoverageRule, lotSqft: number, storeys: number) {
  const options = [
    { pct: rule.oneStoreyPct, storeys: 1 },
    { pct: rule.twoStoreyPct, storeys },
  ].filter((one, index) => one.pct !== undefined && (index === 0 || storeys > 1))
  // A one-storey house that may cover its whole floor area is not limited by coverage.
  if (rule.oneStoreyIsFloorArea && storeys === 1) return undefined
  const totals = options.map((one) => ({
    limit: 'coverage' as const,
    sqft: roundDown((one.pct! / 100) * lotSqft * one.storeys),
    formula: `${decimal(one.pct!)} % of ${sqft(lotSqft)} × ${one.storeys} storey${one.storeys > 1 ? 's' : ''}`,
  }))
  return totals.sort((a, b) => b.sqft - a.sqft)[0]
}

/**
 * As sure as the rule that binds and any that nearly does: a weak rule far above the limit does not weaken it,
 * one within a sixth of it might bind instead.
 */
function envelopeConfidence(
  binding: EnvelopeCandidate,
  candidates: readonly EnvelopeCandidate[],
  smallLotRule: boolean,
): Confidence {
  const near = candidates.filter((one) => one.sqft <= binding.sqft * (7 / 6))
  const confidence = lowestConfidence(...near.map((one) => one.confidence))
  return smallLotRule ? oneLevelLower(confidence) : confidence
}

function unmodelled(reason: string, missing: readonly string[]): Envelope {
  return { candidates: [], confidence: 'low', missing, notes: [], unmodelledReason: reason }
}
