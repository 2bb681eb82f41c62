// A new house as a project, in whole dollars, so that a person can redo it from the served numbers.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Phases } from '../cash-flow/schedule.ts'
import { oneDecimal, type ProformaSums, type Project, type ProjectCosts, projectOffer, projectSums } from './project.ts'

export interface ProformaTerms {
  priceUsd: number
  /** The price at which the home probably sells, where it is known. */
  expectedUsd?: number
  buildSqft: number
  arvPerSqft: number
  costPerSqft: number
  /** Living area of the house to demolish; 0 on a vacant lot. Impact fees are charged on the area that is added to it. */
  existingSqft: number
  /** Dollars. Defaults to the soft-cost percentage of the hard cost and the fees on the added area. */
  softCosts?: number
  demoCost: number
  /** Percent of the resale price. Defaults to the selling costs and the transfer tax at that price. */
  sellingCostPct?: number
  contingencyPct: number
  /** Purchase to resale: the sum of the phases. */
  months: number
  phases: Phases
  ratePct: number
}

export type CostTerms = ProjectCosts & Pick<Assumptions, 'softCostPct' | 'impactFeesPerSqft'>

export const houseProject = (terms: ProformaTerms, costs: CostTerms): Project => {
  const hardCost = Math.round(terms.buildSqft * terms.costPerSqft)
  const fees = terms.softCosts ?? costs.impactFeesPerSqft * addedSqft(terms)
  const share = terms.softCosts === undefined ? (costs.softCostPct / 100) * hardCost : 0
  return {
    hardCost,
    softCosts: Math.round(share + fees),
    fixedSoftCosts: fees,
    demoCost: Math.round(terms.demoCost),
    contingency: Math.round((terms.contingencyPct / 100) * hardCost),
    resaleGross: Math.round(terms.buildSqft * terms.arvPerSqft),
    ...(terms.sellingCostPct === undefined ? {} : { sellingCostPct: terms.sellingCostPct }),
    phases: terms.phases,
    ratePct: terms.ratePct,
  }
}

export const computeProforma = (terms: ProformaTerms, costs: CostTerms): ProformaSums =>
  projectSums(Math.round(terms.priceUsd), houseProject(terms, costs), costs)

/** The return at the price at which the home probably sells, as served. */
export const returnAtExpectedPct = (terms: ProformaTerms, costs: CostTerms): number | undefined =>
  terms.expectedUsd === undefined
    ? undefined
    : oneDecimal(computeProforma({ ...terms, priceUsd: terms.expectedUsd }, costs).returnPct)

export const addedSqft = ({ buildSqft, existingSqft }: ProformaTerms): number => Math.max(0, buildSqft - existingSqft)

/** The highest price at which `returnPct` reaches the target; negative where none above zero does. */
export const priceForReturn = (terms: ProformaTerms, costs: CostTerms, targetPct: number): number =>
  projectOffer(houseProject(terms, costs), costs, targetPct)
