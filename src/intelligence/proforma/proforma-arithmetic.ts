// The arithmetic of the pro forma, in whole dollars, so that a person can redo it from the served numbers.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { CarryCosts } from '../../domain/findings/proforma.ts'
import { type Phases, type ProjectPlan, priceAtTarget, schedule } from '../cash-flow/schedule.ts'

export interface ProformaTerms {
  priceUsd: number
  /** The price at which the home probably sells, where it is known. */
  expectedUsd?: number
  buildSqft: number
  arvPerSqft: number
  costPerSqft: number
  /** Beside `buildSqft`; none by default. */
  basementSqft?: number
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

export type SaleCosts = Pick<
  Assumptions,
  'sellingCostPct' | 'transferTaxPct' | 'highTransferTaxPct' | 'highTransferTaxFromUsd'
>

export type CostTerms = SaleCosts &
  Pick<
    Assumptions,
    | 'acquisitionPct'
    | 'softCostPct'
    | 'impactFeesPerSqft'
    | 'loanToCostPct'
    | 'pointsPct'
    | 'propertyTaxPct'
    | 'insurancePct'
    | 'basementCostPct'
  >

export interface ProformaSums {
  price: number
  hardCost: number
  softCosts: number
  demoCost: number
  capital: number
  resaleGross: number
  /** Percent of the resale price, transfer tax included. */
  sellingCostPct: number
  sellingCosts: number
  resaleNet: number
  roiPct: number
  /** Title, escrow, inspection and the buyer's fees. */
  acquisition: number
  contingency: number
  /** The most that the loan pays. */
  loan: number
  carry: Required<CarryCosts>
  /** Capital, acquisition, contingency and carry. */
  totalCost: number
  profit: number
  /** After acquisition, contingency and financing costs, before adjustment toward the market average; not rounded. */
  returnPct: number
  /** Profit divided by the part of the cost that is not borrowed; not rounded. */
  returnOnEquityPct: number
}

/** The lines that do not depend on the price. */
const costLines = (terms: ProformaTerms, costs: CostTerms) => {
  const basement = (terms.basementSqft ?? 0) * (costs.basementCostPct / 100)
  const hardCost = Math.round((terms.buildSqft + basement) * terms.costPerSqft)
  const fees = costs.impactFeesPerSqft * addedSqft(terms)
  const resaleGross = Math.round(terms.buildSqft * terms.arvPerSqft)
  const sellingCostPct = terms.sellingCostPct ?? sellingCostPctAt(resaleGross, costs)
  return {
    hardCost,
    softCosts: Math.round(terms.softCosts ?? (costs.softCostPct / 100) * hardCost + fees),
    demoCost: Math.round(terms.demoCost),
    contingency: Math.round((terms.contingencyPct / 100) * hardCost),
    resaleGross,
    sellingCostPct,
    resaleNet: Math.round(terms.buildSqft * terms.arvPerSqft * (1 - sellingCostPct / 100)),
  }
}

const acquisitionAt = (price: number, costs: CostTerms): number => Math.round((costs.acquisitionPct / 100) * price)

const planAt = (
  price: number,
  terms: ProformaTerms,
  costs: CostTerms,
  lines: ReturnType<typeof costLines>,
): ProjectPlan => ({
  purchase: price + acquisitionAt(price, costs),
  hard: lines.hardCost + lines.demoCost + lines.contingency,
  soft: lines.softCosts,
  taxPerYear: (costs.propertyTaxPct / 100) * price,
  insurancePerYear: (costs.insurancePct / 100) * lines.hardCost,
  phases: terms.phases,
  proceeds: lines.resaleNet,
  completedValue: lines.resaleGross,
  loanToCostPct: costs.loanToCostPct,
  ratePct: terms.ratePct,
  pointsPct: costs.pointsPct,
})

/** What the schedule of a project is made from. */
export const planOf = (terms: ProformaTerms, costs: CostTerms): ProjectPlan =>
  planAt(Math.round(terms.priceUsd), terms, costs, costLines(terms, costs))

export function computeProforma(terms: ProformaTerms, costs: CostTerms): ProformaSums {
  const price = Math.round(terms.priceUsd)
  const lines = costLines(terms, costs)
  const { hardCost, softCosts, demoCost, contingency, resaleGross, sellingCostPct, resaleNet } = lines
  const capital = price + hardCost + softCosts + demoCost
  const { months, loan, points, tax, insurance, interest, averageBalance, totalCost, profit } = schedule(
    planAt(price, terms, costs, lines),
  )
  return {
    price,
    hardCost,
    softCosts,
    demoCost,
    capital,
    resaleGross,
    sellingCostPct,
    sellingCosts: resaleGross - resaleNet,
    resaleNet,
    roiPct: oneDecimal((100 * (resaleNet - capital)) / capital),
    acquisition: acquisitionAt(price, costs),
    contingency,
    loan,
    carry: { interest, points, tax, insurance, averageBalance, months, ratePct: terms.ratePct, loan },
    totalCost,
    profit,
    returnPct: (100 * profit) / totalCost,
    returnOnEquityPct: (100 * profit) / (totalCost - loan),
  }
}

/** The return at the price at which the home probably sells, as served. */
export const returnAtExpectedPct = (terms: ProformaTerms, costs: CostTerms): number | undefined =>
  terms.expectedUsd === undefined
    ? undefined
    : oneDecimal(computeProforma({ ...terms, priceUsd: terms.expectedUsd }, costs).returnPct)

export const addedSqft = ({ buildSqft, existingSqft }: ProformaTerms): number => Math.max(0, buildSqft - existingSqft)

/** Commission, closing and transfer tax, in percent of the price of the sale. Some cities tax expensive sales more. */
export const sellingCostPctAt = (saleUsd: number, costs: SaleCosts): number => {
  const high = saleUsd >= costs.highTransferTaxFromUsd ? costs.highTransferTaxPct : 0
  // The sum of decimals such as 5.5 + 0.44 is rounded so that it prints as written.
  return Math.round((costs.sellingCostPct + costs.transferTaxPct + high) * 1e4) / 1e4
}

/** The highest price at which `returnPct` reaches the target; negative where none above zero does. */
export function priceForReturn(terms: ProformaTerms, costs: CostTerms, targetPct: number): number {
  const lines = costLines(terms, costs)
  return priceAtTarget((price) => planAt(price, terms, costs, lines), targetPct)
}

export function oneDecimal(value: number): number {
  // Adding zero turns −0 into 0.
  return Math.round(value * 10) / 10 + 0
}
