// The pro forma as a waterfall chart: costs add up to the total cost, then resale less selling costs gives the profit.
// Table rows with bars; the server and the browser draw it with the same function.
import type { ProformaLineName } from '../../contract/proforma.ts'
import type { ProformaSums } from '../../intelligence/proforma-arithmetic.ts'
import { defaultMark } from '../default-mark.ts'
import { percent, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'

interface WaterfallStep {
  name: string
  because?: string
  /** Dollars, negative for selling costs and losses. */
  usd: number
  /** Start and end of the bar, in dollars. */
  from: number
  to: number
  kind: 'cost' | 'total' | 'resale' | 'gain' | 'loss'
  /** Whether it depends on a default assumption. */
  usesDefault: boolean
}

type LineDefaults = Partial<Record<ProformaLineName, readonly string[]>>

const holdingLines: readonly ProformaLineName[] = ['interest', 'points', 'tax', 'insurance']
const costLines: readonly ProformaLineName[] = [
  'hardCost',
  'softCosts',
  'demoCost',
  'acquisition',
  'contingency',
  ...holdingLines,
]
const resaleLines: readonly ProformaLineName[] = ['resaleGross', 'sellingCosts']

interface WaterfallTerms {
  buildSqft: number
  costPerSqft: number
  arvPerSqft: number
  contingencyPct: number
  months: number
  ratePct: number
}

export const waterfallSteps = (
  sums: ProformaSums,
  terms: WaterfallTerms,
  defaults: LineDefaults = {},
): WaterfallStep[] => {
  const uses = (...lines: readonly ProformaLineName[]) => lines.some((line) => (defaults[line] ?? []).length > 0)
  const { carry } = sums
  const holdingCost = carry.interest + carry.points + carry.tax + carry.insurance
  const steps: WaterfallStep[] = []
  let spent = 0
  const spend = (name: string, amount: number, usesDefault: boolean, because?: string) => {
    steps.push({ name, because, usd: amount, from: spent, to: spent + amount, kind: 'cost', usesDefault })
    spent += amount
  }
  const size = `${terms.buildSqft.toLocaleString('en-US')} sq ft`
  spend('Purchase', sums.price, false)
  spend('Construction', sums.hardCost, uses('hardCost'), `${size} at ${usd(terms.costPerSqft)} per sq ft`)
  spend('Soft costs', sums.softCosts, uses('softCosts'), 'design, permits and fees')
  spend('Demolition', sums.demoCost, uses('demoCost'))
  spend('Buying costs', sums.acquisition, uses('acquisition'), 'title, escrow, inspection and buyer’s fees')
  spend('Contingency', sums.contingency, uses('contingency'), `${terms.contingencyPct}% of construction`)
  spend(
    'Financing and holding',
    holdingCost,
    uses(...holdingLines),
    `interest at ${terms.ratePct}%, loan fees, tax and insurance for ${terms.months} months`,
  )
  const { totalCost, resaleGross, resaleNet, profit } = sums
  return [
    ...steps,
    { name: 'Total cost', usd: totalCost, from: 0, to: totalCost, kind: 'total', usesDefault: uses(...costLines) },
    {
      name: 'Resale',
      because: `${size} at ${usd(terms.arvPerSqft)} per sq ft`,
      usd: resaleGross,
      from: 0,
      to: resaleGross,
      kind: 'resale',
      usesDefault: uses('resaleGross'),
    },
    {
      name: 'Selling costs',
      because: `${sums.sellingCostPct}% of resale`,
      usd: -sums.sellingCosts,
      from: resaleNet,
      to: resaleGross,
      kind: 'cost',
      usesDefault: uses('sellingCosts'),
    },
    {
      name: profit >= 0 ? 'Profit' : 'Loss',
      because: `${percent((100 * profit) / totalCost)} of total cost`,
      usd: profit,
      from: Math.min(totalCost, resaleNet),
      to: Math.max(totalCost, resaleNet),
      kind: profit >= 0 ? 'gain' : 'loss',
      usesDefault: uses(...costLines, ...resaleLines),
    },
  ]
}

const width = 1000

export const waterfallRows = (steps: readonly WaterfallStep[]): Html => {
  const largest = Math.max(1, ...steps.map((step) => step.to))
  const x = (dollars: number) => Math.round((dollars / largest) * width)
  return html`${steps.map(
    (step) => html`<tr class="step ${step.kind}">
<th scope="row">${step.name}${defaultMark(step.usesDefault)}${step.because ? html` <small>${step.because}</small>` : ''}</th>
<td class="bar"><svg viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${x(step.from)}" width="${Math.max(3, x(step.to) - x(step.from))}" height="10"/></svg></td>
<td class="num">${usd(step.usd)}</td></tr>`,
  )}`
}
