// The money of one project: what is built, when, and what it brings. New houses, renovations and every other scheme are projects, so
// that lines, schedule, offer, break-even and return are computed in one place.
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { CarryCosts, ProformaLine, ProformaLineName } from '../../domain/findings/proforma.ts'
import { cashFlowOf, type Phases, type ProjectPlan, priceAtTarget, schedule } from '../cash-flow/schedule.ts'
import { decimal, plural, usd } from '../scores/number-format.ts'

export type SaleCosts = Pick<
  Assumptions,
  'sellingCostPct' | 'transferTaxPct' | 'highTransferTaxPct' | 'highTransferTaxFromUsd'
>

/** What a project costs besides building: the same for every project in a city. */
export type ProjectCosts = SaleCosts &
  Pick<Assumptions, 'acquisitionPct' | 'loanToCostPct' | 'pointsPct' | 'propertyTaxPct' | 'insurancePct'>

/** Everything but the price of the lot, in dollars. */
export interface Project {
  hardCost: number
  /** A share of the hard cost, and what does not follow from it: fees, maps and papers. */
  softCosts: number
  fixedSoftCosts: number
  demoCost: number
  contingency: number
  resaleGross: number
  /** Percent of the resale price. Defaults to the selling costs and the transfer tax at that price. */
  sellingCostPct?: number
  phases: Phases
  ratePct: number
}

export type ProformaSums = ReturnType<typeof projectSums>

/** Commission, closing and transfer tax, in percent of the price of the sale. Some cities tax expensive sales more. */
export const sellingCostPctAt = (saleUsd: number, costs: SaleCosts): number => {
  const high = saleUsd >= costs.highTransferTaxFromUsd ? costs.highTransferTaxPct : 0
  // The sum of decimals such as 5.5 + 0.44 is rounded so that it prints as written.
  return Math.round((costs.sellingCostPct + costs.transferTaxPct + high) * 1e4) / 1e4
}

const sellingPct = ({ resaleGross, sellingCostPct }: Project, costs: SaleCosts): number =>
  sellingCostPct ?? sellingCostPctAt(resaleGross, costs)

const acquisitionAt = (price: number, { acquisitionPct }: ProjectCosts): number =>
  Math.round((acquisitionPct / 100) * price)

/** What the schedule of a project is made from. */
export const projectPlan = (price: number, project: Project, costs: ProjectCosts): ProjectPlan => ({
  purchase: price + acquisitionAt(price, costs),
  hard: Math.round(project.hardCost + project.demoCost + project.contingency),
  soft: Math.round(project.softCosts),
  taxPerYear: (costs.propertyTaxPct / 100) * price,
  insurancePerYear: (costs.insurancePct / 100) * project.hardCost,
  phases: project.phases,
  proceeds: Math.round(project.resaleGross * (1 - sellingPct(project, costs) / 100)),
  completedValue: project.resaleGross,
  loanToCostPct: costs.loanToCostPct,
  ratePct: project.ratePct,
  pointsPct: costs.pointsPct,
})

export const projectSums = (price: number, project: Project, costs: ProjectCosts) => {
  const plan = projectPlan(price, project, costs)
  const { months, loan, points, tax, insurance, interest, averageBalance, totalCost, profit } = schedule(plan)
  const { demoCost, ratePct } = project
  // The amounts that the schedule pays, so that lines in whole dollars sum to it.
  const contingency = Math.round(project.contingency)
  const hardCost = plan.hard - demoCost - contingency
  const softCosts = plan.soft
  const resaleGross = Math.round(project.resaleGross)
  const capital = price + hardCost + softCosts + demoCost
  const resaleNet = plan.proceeds
  return {
    price,
    hardCost,
    softCosts,
    demoCost,
    capital,
    resaleGross,
    /** Percent of the resale price, transfer tax included. */
    sellingCostPct: sellingPct(project, costs),
    sellingCosts: resaleGross - resaleNet,
    resaleNet,
    roiPct: oneDecimal((100 * (resaleNet - capital)) / capital),
    /** Title, escrow, inspection and the buyer's fees. */
    acquisition: acquisitionAt(price, costs),
    contingency,
    carry: { interest, points, tax, insurance, averageBalance, months, ratePct, loan } satisfies CarryCosts,
    /** Capital, acquisition, contingency and carry. */
    totalCost,
    profit,
    /** After acquisition, contingency and financing costs, before adjustment toward the market average; not rounded. */
    returnPct: (100 * profit) / totalCost,
    /** Profit divided by the part of the cost that is not borrowed; not rounded. */
    returnOnEquityPct: (100 * profit) / (totalCost - loan),
  }
}

export const projectCashFlow = (price: number, project: Project, costs: ProjectCosts) =>
  cashFlowOf(projectPlan(price, project, costs))

/** The highest price at which the return reaches the target; where none above zero does, negative, or `least`. */
export const projectOffer = (project: Project, costs: ProjectCosts, targetPct: number, least?: number): number =>
  priceAtTarget((price) => projectPlan(price, project, costs), targetPct, least)

/** Rounding to dollars moves a bound by no more. */
const roundingUsd = 10

/**
 * About the offer, from two schedules instead of six: enough to compare sizes. Minus infinity as soon as it is known to be below
 * `floor`: interest, points and tax only lower it, and whatever a price leaves pays the price and the buying costs first.
 */
export const roughOffer = (
  project: Project,
  costs: ProjectCosts,
  targetPct: number,
  floor = Number.NEGATIVE_INFINITY,
): number => {
  const factor = 1 + targetPct / 100
  const leftOf = (plan: ProjectPlan) => plan.proceeds - schedule(plan).totalCost * factor
  const isBelow = (left: number) =>
    (left > 0 ? left / factor / (1 + costs.acquisitionPct / 100) : left) + roundingUsd < floor
  const plan = projectPlan(0, project, costs)
  if (isBelow(plan.proceeds - (plan.hard + plan.soft) * factor)) return Number.NEGATIVE_INFINITY
  const free = leftOf(plan)
  if (isBelow(free)) return Number.NEGATIVE_INFINITY
  if (free < 1) return free
  const price = Math.round(free / factor)
  return (price * free) / (free - leftOf(projectPlan(price, project, costs)))
}

/** A project that turns out otherwise. Soft costs in percent and the contingency follow the hard cost. */
export const changedProject = (
  project: Project,
  { resale = 1, cost = 1, months = 1 }: { resale?: number; cost?: number; months?: number },
): Project => {
  const { hardCost, softCosts, fixedSoftCosts, contingency, resaleGross, phases } = project
  return {
    ...project,
    hardCost: Math.round(hardCost * cost),
    softCosts: Math.round(fixedSoftCosts + (softCosts - fixedSoftCosts) * cost),
    contingency: Math.round(contingency * cost),
    resaleGross: Math.round(resaleGross * resale),
    phases: { permit: phases.permit * months, build: phases.build * months, sale: phases.sale * months },
  }
}

const longestDelay = 240
const mostCost = 20

/** Undefined where the project loses already. */
export const breakEvenOf = (price: number, project: Project, costs: ProjectCosts) => {
  const profitOf = (changed: Project) => schedule(projectPlan(price, changed, costs)).profit
  if (profitOf(project) <= 0) return undefined
  const resale = zeroOf((factor) => profitOf(changedProject(project, { resale: factor })), 0, 1)
  const isCostly = project.hardCost > 0 && profitOf(changedProject(project, { cost: mostCost })) < 0
  const cost = isCostly
    ? zeroOf((factor) => -profitOf(changedProject(project, { cost: factor })), 1, mostCost)
    : undefined
  const { phases } = project
  const delayed = (extra: number) => profitOf({ ...project, phases: { ...phases, sale: phases.sale + extra } })
  let [bearable, lost] = [0, longestDelay]
  while (lost - bearable > 1) {
    const middle = (bearable + lost) >> 1
    if (delayed(middle) > 0) bearable = middle
    else lost = middle
  }
  return {
    /** Change of the resale price and of the hard cost at which nothing is left, percent. */
    resalePct: oneDecimal(100 * (resale - 1)),
    ...(cost === undefined ? {} : { costPct: oneDecimal(100 * (cost - 1)) }),
    /** Whole months of delay after completion that still leave a profit. */
    extraMonths: bearable,
  }
}

/** Where a rising function crosses zero. */
const zeroOf = (rising: (x: number) => number, from: number, to: number): number => {
  let [low, high] = [from, to]
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    if (rising(middle) > 0) high = middle
    else low = middle
  }
  return low
}

export type ProjectLine = ProformaLine & { name: ProformaLineName }

/** What only the project knows of its lines. */
export interface LineTexts {
  hardCost: string
  softCosts: string
  demoCost: string
  contingency: string
  resaleGross: string
}

export const projectLines = (sums: ProformaSums, texts: LineTexts, costs: ProjectCosts, isOwnSellingCost = false) => {
  const { averageBalance, loan, ratePct } = sums.carry
  const months = plural(sums.carry.months, 'month')
  const line = (name: ProformaLineName, amount: number, because: string, of: ProformaLine['of']): ProjectLine => ({
    ...{ name, usd: amount, because, of },
  })
  return [
    line('purchase', sums.price, 'purchase price', 'capital'),
    line('hardCost', sums.hardCost, texts.hardCost, 'capital'),
    line('softCosts', sums.softCosts, texts.softCosts, 'capital'),
    line('demoCost', sums.demoCost, texts.demoCost, 'capital'),
    line(
      'acquisition',
      sums.acquisition,
      `${decimal(costs.acquisitionPct)}% of the price: title, escrow, inspection and buyer’s fees`,
      'afterCapital',
    ),
    line('contingency', sums.contingency, texts.contingency, 'afterCapital'),
    line(
      'interest',
      sums.carry.interest,
      `${usd(averageBalance)} balance on average of a loan of up to ${usd(loan)} (${costs.loanToCostPct}% of the cost, no more than 70% of the resale price), ${decimal(ratePct)}% interest for ${months}`,
      'afterCapital',
    ),
    line('points', sums.carry.points, `${costs.pointsPct}% of the loan`, 'afterCapital'),
    line('tax', sums.carry.tax, `${costs.propertyTaxPct}% of the price per year for ${months}`, 'afterCapital'),
    line(
      'insurance',
      sums.carry.insurance,
      `${costs.insurancePct}% of the hard cost per year for ${months}`,
      'afterCapital',
    ),
    line('resaleGross', sums.resaleGross, texts.resaleGross, 'resale'),
    line('sellingCosts', -sums.sellingCosts, sellingCostText(sums, costs, isOwnSellingCost), 'resale'),
  ]
}

const sellingCostText = (sums: ProformaSums, { sellingCostPct }: ProjectCosts, isOwn: boolean): string => {
  const total = `${decimal(sums.sellingCostPct)}% of the resale price`
  const tax = sums.sellingCostPct - sellingCostPct
  return !isOwn && tax > 0 ? `${total}, of which ${decimal(tax)}% is transfer tax` : total
}

export function oneDecimal(value: number): number {
  // Adding zero turns −0 into 0.
  return Math.round(value * 10) / 10 + 0
}
