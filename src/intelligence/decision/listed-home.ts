// What is stored about a home on the market: its flip, what each use could bear, and how its pro forma came about. The same for the
// assessment and for facts and assumptions of a caller.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Confidence, ParcelFacts } from '../../domain/facts.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { StoredResaleSale } from '../../domain/findings/comps.ts'
import type { StoredOffers } from '../../domain/findings/decision.ts'
import type { FlipFinding, ScorePart } from '../../domain/findings/findings.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { Market } from '../../domain/packs/markets.ts'
import { hearingFor, type ProformaResult } from '../proforma/proforma.ts'
import { type FlipFacts, needsRenovation } from '../scores/flippability.ts'
import { sqft, usd } from '../scores/number-format.ts'
import { newHouseApproval } from '../site/demolition-approval.ts'
import { storedResale } from '../valuation/after-repair.ts'
import { type PresentValue, renovationValues } from '../valuation/present-value.ts'
import { flipOffer, rentOfferAt } from './offers.ts'

type ListedFacts = Parameters<typeof renovationValues>[0] & Parameters<typeof newHouseApproval>[0] & ParcelFacts

/** The values before and after the renovation follow from `value` and the condition. */
export const flipFactsOf = (
  facts: ListedFacts,
  view: Parameters<typeof renovationValues>[1] & Pick<FlipFacts, 'pack'>,
  value: PresentValue | undefined,
  known: Omit<FlipFacts, 'pack' | 'propertyType' | 'livingSqft' | 'valueConfidence'>,
): FlipFacts => ({
  ...known,
  ...(value && renovationValues(facts, view, value, known.conditionScore)),
  pack: view.pack,
  propertyType: facts.propertyType,
  livingSqft: facts.livingSqft,
  valueConfidence: value?.confidence,
})

/** What each use could bear, and whether what it needs may be refused. */
export const listedOffers = (
  facts: ListedFacts,
  figures: {
    assumptions: Assumptions
    review: Market['demolitionReview']
    priceUsd: number | undefined
    rentUsd: number | undefined
    built: Proforma
    envelope: Envelope
    flip: Pick<FlipFinding, 'deal' | 'confidence'> | undefined
    value: PresentValue | undefined
    noValue: string | undefined
  },
): StoredOffers => {
  const { assumptions, priceUsd, rentUsd, built, envelope, flip, value } = figures
  const { propertyType, livingSqft } = facts
  const hearing = built.buildSqft === undefined ? undefined : hearingFor(envelope, built.buildSqft)
  return {
    propertyType,
    livingSqft,
    valueConfidence: value?.confidence,
    noValue: figures.noValue,
    priceToValue: value && priceUsd && Math.round((1000 * priceUsd) / value.valueUsd) / 1000,
    newHouse: newHouseApproval(facts, figures.review, hearing),
    flip: storedFlip(flip, assumptions),
    monthlyRent: rentUsd,
    rent: rentOfferAt(priceUsd, { monthlyRent: rentUsd, livingSqft }, assumptions),
  }
}

const storedFlip = (
  flip: Pick<FlipFinding, 'deal' | 'confidence'> | undefined,
  assumptions: Assumptions,
): StoredOffers['flip'] => {
  // Without work there is nothing to renovate.
  if (!flip?.deal || !needsRenovation(flip.deal.conditionNow)) return undefined
  const { valueNowUsd, afterRepairValueUsd, conditionNow, daysToPending } = flip.deal
  const { confidence } = flip
  return {
    ...{ valueNowUsd, afterRepairValueUsd, conditionNow, daysToPending, confidence },
    ...flipOffer(flip.deal, assumptions, confidence),
  }
}

export const proformaFinding = (
  built: ProformaResult,
  compConfidence: Confidence,
  resaleComps: readonly StoredResaleSale[],
) => ({
  parts: proformaParts(built),
  used: built.used,
  missing: built.missing,
  confidence: built.proforma.confidence,
  compConfidence,
  warnings: built.warnings,
  because: built.because,
  ...(built.proforma.unmodellableReason === null ? { resaleComps: resaleComps.map(storedResale) } : {}),
})

const resaleSentence = (buildSqft: number, arvPerSqft: number): string =>
  `${sqft(buildSqft)} at ${usd(arvPerSqft)} per sq ft, minus selling costs`

/** Dollars instead of points: resale and capital. */
const proformaParts = ({ proforma: { resaleNet, capital, buildSqft, arvPerSqft } }: ProformaResult): ScorePart[] =>
  resaleNet === undefined || capital === undefined
    ? []
    : [
        { name: 'resaleNet', points: resaleNet, because: resaleSentence(buildSqft!, arvPerSqft!) },
        { name: 'capital', points: -capital, because: 'Price, construction, soft costs and demolition' },
      ]
