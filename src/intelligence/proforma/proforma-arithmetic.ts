// The arithmetic of the pro forma, in whole dollars, so that a person can redo it from the served numbers.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'

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
  months: number
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
    | 'drawPct'
    | 'pointsPct'
    | 'propertyTaxPct'
    | 'insurancePct'
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
  /** The land loan, drawn at the purchase, and the building loan, drawn as work proceeds. */
  loan: number
  landLoan: number
  carry: { interest: number; points: number; tax: number; insurance: number }
  /** Capital, acquisition, contingency and carry. */
  totalCost: number
  profit: number
  /** After acquisition, contingency and financing costs, before adjustment toward the market average; not rounded. */
  returnPct: number
  /** Profit divided by the part of the cost that is not borrowed; not rounded. */
  returnOnEquityPct: number
}

export function computeProforma(terms: ProformaTerms, costs: CostTerms): ProformaSums {
  const price = Math.round(terms.priceUsd)
  const hardCost = Math.round(terms.buildSqft * terms.costPerSqft)
  const fees = costs.impactFeesPerSqft * addedSqft(terms)
  const softCosts = Math.round(terms.softCosts ?? (costs.softCostPct / 100) * hardCost + fees)
  const demoCost = Math.round(terms.demoCost)
  const capital = price + hardCost + softCosts + demoCost
  const resaleGross = Math.round(terms.buildSqft * terms.arvPerSqft)
  const sellingCostPct = terms.sellingCostPct ?? sellingCostPctAt(resaleGross, costs)
  const resaleNet = Math.round(terms.buildSqft * terms.arvPerSqft * (1 - sellingCostPct / 100))

  const years = terms.months / 12
  const acquisition = Math.round((costs.acquisitionPct / 100) * price)
  const contingency = Math.round((terms.contingencyPct / 100) * hardCost)
  const loan = Math.round((costs.loanToCostPct / 100) * (capital + contingency))
  const landLoan = Math.round((costs.loanToCostPct / 100) * price)
  const averageLoan = landLoan + (costs.drawPct / 100) * (loan - landLoan)
  const carry = {
    interest: Math.round(averageLoan * (terms.ratePct / 100) * years),
    points: Math.round((costs.pointsPct / 100) * loan),
    tax: Math.round((costs.propertyTaxPct / 100) * price * years),
    insurance: Math.round((costs.insurancePct / 100) * hardCost * years),
  }
  const totalCost = capital + acquisition + contingency + carry.interest + carry.points + carry.tax + carry.insurance
  const profit = resaleNet - totalCost
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
    acquisition,
    contingency,
    loan,
    landLoan,
    carry,
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

/** The highest price at which `returnPct` reaches the target; all terms are linear in the price. */
export function priceForReturn(terms: ProformaTerms, costs: CostTerms, targetPct: number): number {
  const free = computeProforma({ ...terms, priceUsd: 0 }, costs)
  const years = terms.months / 12
  const loanCostShare = (terms.ratePct / 100) * years + costs.pointsPct / 100
  const perDollar =
    1 + costs.acquisitionPct / 100 + (costs.loanToCostPct / 100) * loanCostShare + (costs.propertyTaxPct / 100) * years
  return Math.floor((free.resaleNet / (1 + targetPct / 100) - free.totalCost) / perDollar)
}

export function oneDecimal(value: number): number {
  // Adding zero turns −0 into 0.
  return Math.round(value * 10) / 10 + 0
}
