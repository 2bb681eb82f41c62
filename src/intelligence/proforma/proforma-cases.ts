// A project whose resale, cost and time all turn out worse or better, and what it could bear.
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Confidence } from '../../domain/facts.ts'
import { scaledTo } from './new-house.ts'
import { houseProject, type ProformaTerms } from './proforma-arithmetic.ts'
import { projectOffer } from './project.ts'

export type Spreads = Pick<
  Assumptions,
  'resaleSpreadHighPct' | 'resaleSpreadMediumPct' | 'resaleSpreadLowPct' | 'costSpreadPct' | 'monthsSpreadPct'
>

/** How far the resale price may be off, by its confidence, in percent. */
export const resaleSpread = (assumptions: Spreads, confidence: Confidence): number => {
  const { resaleSpreadHighPct, resaleSpreadMediumPct, resaleSpreadLowPct } = assumptions
  return { high: resaleSpreadHighPct, medium: resaleSpreadMediumPct, low: resaleSpreadLowPct }[confidence]
}

/** The low case (−1) and the high case (1). `resale`: the confidence of the resale price. */
export const movedTerms = (
  terms: ProformaTerms,
  assumptions: Spreads,
  resale: Confidence,
  sign: -1 | 1,
): ProformaTerms => {
  const months = moveBy(terms.months, -sign * assumptions.monthsSpreadPct, 0.1)
  return {
    ...shifted(terms, sign * resaleSpread(assumptions, resale), -sign * assumptions.costSpreadPct),
    months,
    // Every phase is longer or shorter by the same share.
    phases: scaledTo(terms.phases, months),
  }
}

/** What a new house could bear for the land, at its target and in the low case; 0 where no price earns the target. */
export const newHouseOffers = (
  terms: ProformaTerms,
  assumptions: Assumptions,
  resale: Confidence,
  targetRoiPct = assumptions.targetRoiPct,
) => {
  const offer = (of: ProformaTerms) => projectOffer(houseProject(of, assumptions), assumptions, targetRoiPct, 0)
  return {
    targetRoiPct,
    maximumOffer: offer(terms),
    maximumOfferLow: offer(movedTerms(terms, assumptions, resale, -1)),
  }
}

/** Soft costs given in dollars stay unchanged; computed ones follow the hard cost. */
export const shifted = (terms: ProformaTerms, resalePct: number, costPct: number): ProformaTerms => ({
  ...terms,
  arvPerSqft: moveBy(terms.arvPerSqft, resalePct, 1),
  costPerSqft: moveBy(terms.costPerSqft, costPct, 0.01),
})

/**
 * Changes a value by a percentage and rounds it, so that a person can redo the case. At 0% the value stays unrounded, so
 * that the row without stress equals the base case; rounding never reverses the direction of the change.
 */
function moveBy(value: number, pct: number, step: number): number {
  if (pct === 0) return value
  const perUnit = Math.round(1 / step)
  const moved = Math.round(value * (1 + pct / 100) * perUnit) / perUnit
  return pct > 0 ? Math.max(value, moved) : Math.min(value, moved)
}
