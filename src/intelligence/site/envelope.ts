// The largest house that zoning allows on a lot: the smallest of the floor-area, coverage, setback and ground-cover limits,
// and which of them decides.

import { pick } from '../../common/typed.ts'
import type { Confidence, ParcelFacts } from '../../domain/facts.ts'
import type { Envelope, EnvelopeCandidate } from '../../domain/findings/building-envelope.ts'
import { sizeWithoutReview } from '../../domain/packs/city-facts.ts'
import type { CoverageRule, District } from '../../domain/packs/zoning.ts'
import { lowestConfidence, oneLevelLower } from '../scores/confidence.ts'
import { decimal, plural, roundDown, sqft } from '../scores/number-format.ts'
import { type FloorAreaFacts, floorAreaLimit } from './floor-area.ts'
import { setbackBox } from './setback-box.ts'

export type EnvelopeFacts = Pick<ParcelFacts, 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot' | 'slopePct'> &
  Pick<FloorAreaFacts, 'garage' | 'lotUnitFactor'>

const envelopeAssumptions = {
  /** Converts a height limit to stories where the code does not state them, 10 to 14 (UDST/developer sqftproforma default). */
  storyHeightFt: 12,
  /** Floor area per footprint under a 30 ft limit, 1.5 to 2.2: two stories, the upper one under the roof. Not in the bylaw. */
  groundCoverStories: 1.8,
  /** A two-car garage, 400 to 450; where garages count as floor area, the living area is that much smaller. */
  garageSqft: 420,
} as const

export function buildingEnvelope(parcel: EnvelopeFacts, district: District | undefined): Envelope {
  const { lotSqft } = parcel
  if (!district) return unmodeled('The rules of this zoning district are unknown.', ['zoning'])
  if (lotSqft === undefined || lotSqft <= 0) return unmodeled('The lot size is unknown.', ['lotSqft'])
  if (!district.modelled) return unmodeled(district.unmodelledReason ?? 'This zoning district is not modeled.', [])

  const known = district.confidence
  const stories =
    district.storeys ?? Math.max(1, Math.floor((district.heightFt ?? 0) / envelopeAssumptions.storyHeightFt))
  const candidates: EnvelopeCandidate[] = []
  const missing: string[] = []
  const notes: string[] = []
  let smallLotRule = lotSqft < (district.minLotSqft ?? 0)
  let developmentAreaSqft: number | undefined
  let groundCoverSqft: number | undefined

  if (district.floorArea.kind !== 'none') {
    const limit = floorAreaLimit(district.floorArea, { ...parcel, lotSqft })
    missing.push(...limit.missing)
    // Without the floor-area limit the other limits alone would overstate what can be built.
    if (limit.sqft === undefined) return unmodeled(limit.reason ?? 'The floor-area limit is unknown.', limit.missing)
    const confidence = limit.confidence ?? known.floorArea ?? 'low'
    candidates.push({ limit: 'floor_area', sqft: limit.sqft, formula: limit.formula, confidence })
    developmentAreaSqft = limit.developmentAreaSqft
  }
  if (district.groundCoverPct !== undefined) {
    groundCoverSqft = roundDown((district.groundCoverPct / 100) * lotSqft)
    candidates.push({
      limit: 'ground_cover',
      sqft: roundDown(groundCoverSqft * envelopeAssumptions.groundCoverStories),
      formula: `${decimal(district.groundCoverPct)}% of ${sqft(lotSqft)} = ${sqft(groundCoverSqft)} footprint × ${plural(envelopeAssumptions.groundCoverStories, 'story', 'stories')}`,
      confidence: lowestConfidence(known.groundCover, 'medium'),
    })
  }
  if (district.coverage) {
    const best = coverageCandidate(district.coverage, lotSqft, stories)
    if (best) candidates.push({ ...best, confidence: known.coverage ?? 'low' })
  }
  if (district.setbacksFt) {
    if (parcel.lotWidthFt && parcel.lotDepthFt) {
      const lot = { widthFt: parcel.lotWidthFt, depthFt: parcel.lotDepthFt, cornerLot: parcel.cornerLot }
      const box = setbackBox(district.setbacksFt, lot, stories)
      const total = roundDown(box.storySqft.reduce((sum, one) => sum + one, 0))
      if (total > 0)
        candidates.push({ limit: 'setbacks', sqft: total, formula: box.formula, confidence: known.setbacks ?? 'low' })
      else {
        smallLotRule = true
        notes.push('The setbacks leave no room for a house on this lot; small-lot rules are not modeled.')
      }
    } else missing.push(...(['lotWidthFt', 'lotDepthFt'] as const).filter((name) => !parcel[name]))
  }

  const [binding] = candidates.toSorted((a, b) => a.sqft - b.sqft)
  if (!binding) return unmodeled('Lot coverage and lot dimensions are unknown.', missing)

  const trigger = district.sizeReview
  const review = trigger && { ...trigger, sqft: sizeWithoutReview(trigger, lotSqft) }
  return {
    maxSqft: binding.sqft,
    livableSqft: Math.max(0, binding.sqft - (district.garageCounts ? envelopeAssumptions.garageSqft : 0)),
    limitedBy: binding.limit,
    stories,
    groundCoverSqft,
    developmentAreaSqft,
    likelyApprovableSqft: review?.sqft,
    ...(review && {
      review: {
        sqft: Math.max(0, review.sqft - (review.garageCounted ? envelopeAssumptions.garageSqft : 0)),
        ...pick(review, 'body', 'approval', 'months'),
      },
    }),
    candidates,
    confidence: limitsSize(district) ? envelopeConfidence(binding, candidates, smallLotRule) : 'low',
    missing,
    notes: [...notes, ...notesOn(district, lotSqft, review)],
  }
}

const notesOn = (
  district: District,
  lotSqft: number,
  review: (District['sizeReview'] & { sqft: number }) | undefined,
) => {
  const { minLotSqft = 0, netLot } = district
  return [
    lotSqft < minLotSqft &&
      `The lot is smaller than the district's minimum of ${sqft(minLotSqft)}; small-lot rules are not modeled.`,
    !limitsSize(district) &&
      'No floor-area rule is known for this district: only coverage, setbacks and height limit the size.',
    netLot && 'The zoning rule uses net lot area; the recorded lot area is used here.',
    review &&
      `Houses above ${sqft(review.sqft)}${review.garageCounted ? ', garage included,' : ''} need approval from the ${review.body}.`,
  ].filter((note) => typeof note === 'string')
}

/** Coverage and setbacks alone allow houses that no city approves: a rule on size is missing from the zoning file. */
const limitsSize = ({ floorArea, groundCoverPct, sizeReview }: District): boolean =>
  floorArea.kind !== 'none' || groundCoverPct !== undefined || sizeReview !== undefined

/** The larger of a wide one-story house and a narrower one with more stories. */
function coverageCandidate(rule: CoverageRule, lotSqft: number, stories: number) {
  const options = [
    { pct: rule.oneStoreyPct, stories: 1 },
    { pct: rule.twoStoreyPct, stories },
  ].filter((one, index) => one.pct !== undefined && (index === 0 || stories > 1))
  // A one-story house that may cover the lot up to its floor-area limit is not limited by coverage.
  if (rule.oneStoreyIsFloorArea && stories === 1) return undefined
  const totals = options.map((one) => ({
    limit: 'coverage' as const,
    sqft: roundDown((one.pct! / 100) * lotSqft * one.stories),
    formula: `${decimal(one.pct!)}% of ${sqft(lotSqft)} × ${plural(one.stories, 'story', 'stories')}`,
  }))
  return totals.sort((a, b) => b.sqft - a.sqft)[0]
}

/**
 * The lowest confidence of the deciding limit and of any limit within a sixth of it: one that close might be the real
 * limit, while an uncertain limit far above does not matter.
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

const unmodeled = (reason: string, missing: readonly string[]): Envelope => ({
  candidates: [],
  confidence: 'low',
  missing,
  notes: [],
  unmodelledReason: reason,
})
