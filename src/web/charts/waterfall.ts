// The pro forma as a waterfall: what is spent piles up to the total, what comes back runs down to the profit.
// Drawn as table rows, so that figures and bars are one thing; the browser redraws it with the same function.
import type { ProformaSums } from '../../intelligence/proforma-arithmetic.ts'
import { percent, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'

export interface WaterfallStep {
  name: string
  because?: string
  /** Signed dollars of this step. */
  usd: number
  /** Where its bar runs, in dollars. */
  from: number
  to: number
  kind: 'cost' | 'total' | 'resale' | 'gain' | 'loss'
}

export interface WaterfallWords {
  buildSqft: number
  costPerSqft: number
  arvPerSqft: number
  contingencyPct: number
  sellingCostPct: number
  months: number
  ratePct: number
}

export const waterfallSteps = (sums: ProformaSums, terms: WaterfallWords): WaterfallStep[] => {
  const { carry } = sums
  const carried = carry.interest + carry.points + carry.tax + carry.insurance
  const steps: WaterfallStep[] = []
  let spent = 0
  const spend = (name: string, amount: number, because?: string) => {
    steps.push({ name, because, usd: amount, from: spent, to: spent + amount, kind: 'cost' })
    spent += amount
  }
  const size = `${terms.buildSqft.toLocaleString('en-US')} sq ft`
  spend('Purchase', sums.price)
  spend('Construction', sums.hardCost, `${size} at ${usd(terms.costPerSqft)}`)
  spend('Soft costs', sums.softCosts, 'design, permits, fees')
  spend('Demolition', sums.demoCost)
  spend('Contingency', sums.contingency, `${terms.contingencyPct} % of construction`)
  spend('Carry', carried, `interest at ${terms.ratePct} %, fees, tax, insurance over ${terms.months} months`)
  const { totalCost, resaleGross, resaleNet, profit } = sums
  return [
    ...steps,
    { name: 'All in', usd: totalCost, from: 0, to: totalCost, kind: 'total' },
    {
      name: 'Resale',
      because: `${size} at ${usd(terms.arvPerSqft)}`,
      usd: resaleGross,
      from: 0,
      to: resaleGross,
      kind: 'resale',
    },
    {
      name: 'Selling costs',
      because: `${terms.sellingCostPct} % of resale`,
      usd: -sums.sellingCosts,
      from: resaleNet,
      to: resaleGross,
      kind: 'cost',
    },
    {
      name: profit >= 0 ? 'Profit' : 'Loss',
      because: `${percent((100 * profit) / totalCost)} of everything put in`,
      usd: profit,
      from: Math.min(totalCost, resaleNet),
      to: Math.max(totalCost, resaleNet),
      kind: profit >= 0 ? 'gain' : 'loss',
    },
  ]
}

const width = 1000

export const waterfallRows = (steps: readonly WaterfallStep[]): Html => {
  const most = Math.max(1, ...steps.map((step) => step.to))
  const x = (dollars: number) => Math.round((dollars / most) * width)
  return html`${steps.map(
    (step) => html`<tr class="step ${step.kind}">
<th scope="row">${step.name}${step.because ? html` <small>${step.because}</small>` : ''}</th>
<td class="bar"><svg viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${x(step.from)}" width="${Math.max(3, x(step.to) - x(step.from))}" height="10"/></svg></td>
<td class="num">${usd(step.usd)}</td></tr>`,
  )}`
}
