// The arithmetic of the pro forma, in whole dollars, so that a person can redo it from the served numbers.

import type { Assumptions } from '../contract/assumptions.ts'

export interface ProformaTerms {
  priceUsd: number
  buildSqft: number
  arvPerSqft: number
  costPerSqft: number
  /** Dollars. Defaults to the soft-cost percentage of the hard cost. */
  softCosts?: number
  demoCost: number
  sellingCostPct: number
  contingencyPct: number
  months: number
  ratePct: number
}

export type LoanTerms = Pick<
  Assumptions,
  'softCostPct' | 'loanToCostPct' | 'drawPct' | 'pointsPct' | 'propertyTaxPct' | 'insurancePct'
>

export interface ProformaSums {
  price: number
  hardCost: number
  softCosts: number
  demoCost: number
  capital: number
  resaleGross: number
  sellingCosts: number
  resaleNet: number
  roiPct: number
  contingency: number
  loan: number
  carry: { interest: number; points: number; tax: number; insurance: number }
  /** Capital, contingency and carry. */
  totalCost: number
  profit: number
  /** After contingency and financing costs, before adjustment toward the market average; not rounded. */
  returnPct: number
  /** Profit divided by the part of the cost that is not borrowed; not rounded. */
  returnOnEquityPct: number
}

export function computeProforma(terms: ProformaTerms, loanTerms: LoanTerms): ProformaSums {
  const price = Math.round(terms.priceUsd)
  const hardCost = Math.round(terms.buildSqft * terms.costPerSqft)
  const softCosts = Math.round(terms.softCosts ?? (loanTerms.softCostPct / 100) * hardCost)
  const demoCost = Math.round(terms.demoCost)
  const capital = price + hardCost + softCosts + demoCost
  const resaleGross = Math.round(terms.buildSqft * terms.arvPerSqft)
  const resaleNet = Math.round(terms.buildSqft * terms.arvPerSqft * (1 - terms.sellingCostPct / 100))

  const years = terms.months / 12
  const contingency = Math.round((terms.contingencyPct / 100) * hardCost)
  const loan = Math.round((loanTerms.loanToCostPct / 100) * (capital + contingency))
  const carry = {
    interest: Math.round(loan * (loanTerms.drawPct / 100) * (terms.ratePct / 100) * years),
    points: Math.round((loanTerms.pointsPct / 100) * loan),
    tax: Math.round((loanTerms.propertyTaxPct / 100) * price * years),
    insurance: Math.round((loanTerms.insurancePct / 100) * hardCost * years),
  }
  const totalCost = capital + contingency + carry.interest + carry.points + carry.tax + carry.insurance
  const profit = resaleNet - totalCost
  return {
    price,
    hardCost,
    softCosts,
    demoCost,
    capital,
    resaleGross,
    sellingCosts: resaleGross - resaleNet,
    resaleNet,
    roiPct: oneDecimal((100 * (resaleNet - capital)) / capital),
    contingency,
    loan,
    carry,
    totalCost,
    profit,
    returnPct: (100 * profit) / totalCost,
    returnOnEquityPct: (100 * profit) / (totalCost - loan),
  }
}

/** The highest price at which `returnPct` reaches the target; all terms are linear in the price. */
export function priceForReturn(terms: ProformaTerms, loanTerms: LoanTerms, targetPct: number): number {
  const free = computeProforma({ ...terms, priceUsd: 0 }, loanTerms)
  const years = terms.months / 12
  const loanCostShare = (loanTerms.drawPct / 100) * (terms.ratePct / 100) * years + loanTerms.pointsPct / 100
  const perDollar = 1 + (loanTerms.loanToCostPct / 100) * loanCostShare + (loanTerms.propertyTaxPct / 100) * years
  return Math.floor((free.resaleNet / (1 + targetPct / 100) - free.totalCost) / perDollar)
}

export function oneDecimal(value: number): number {
  // Adding zero turns −0 into 0.
  return Math.round(value * 10) / 10 + 0
}
