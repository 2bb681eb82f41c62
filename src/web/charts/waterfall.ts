// The pro forma as a waterfall chart: costs add up to the total cost, then resale less selling costs gives the profit. Table rows
// with bars, drawn from the lines of the what-if answer.
import type { ProformaAnswer, ProformaLine, ProformaLineName } from '../../domain/findings/proforma.ts'
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

const costSteps: readonly [name: string, lines: readonly ProformaLineName[], because?: string][] = [
  ['Purchase', ['purchase']],
  ['Construction', ['hardCost']],
  ['Soft costs', ['softCosts']],
  ['Demolition', ['demoCost']],
  ['Buying costs', ['acquisition']],
  ['Contingency', ['contingency']],
  ['Financing and holding', ['interest', 'points', 'tax', 'insurance'], 'interest, loan fees, tax and insurance'],
]

export const waterfallSteps = ({
  lines,
  totalCost = 0,
  profit = 0,
}: Pick<ProformaAnswer, 'lines' | 'totalCost' | 'profit'>): WaterfallStep[] => {
  const named = new Map(lines.map((line) => [line.name, line]))
  const usesDefault = (...of: readonly ProformaLine[]) => of.some(({ defaults = [] }) => defaults.length > 0)
  const steps: WaterfallStep[] = []
  let spent = 0
  for (const [name, parts, words] of costSteps) {
    const found = parts.flatMap((part) => named.get(part) ?? [])
    const amount = found.reduce((sum, line) => sum + line.usd, 0)
    const because = words ?? (name === 'Purchase' || name === 'Demolition' ? undefined : found[0]?.because)
    steps.push({
      name,
      because,
      usd: amount,
      from: spent,
      to: spent + amount,
      kind: 'cost',
      usesDefault: usesDefault(...found),
    })
    spent += amount
  }
  const costs = lines.filter(({ of }) => of !== 'resale')
  const [resale, selling] = [named.get('resaleGross'), named.get('sellingCosts')]
  const resaleNet = (resale?.usd ?? 0) + (selling?.usd ?? 0)
  return [
    ...steps,
    { name: 'Total cost', usd: totalCost, from: 0, to: totalCost, kind: 'total', usesDefault: usesDefault(...costs) },
    ...(resale && selling
      ? [
          {
            name: 'Resale',
            because: resale.because,
            usd: resale.usd,
            from: 0,
            to: resale.usd,
            kind: 'resale' as const,
            usesDefault: usesDefault(resale),
          },
          {
            name: 'Selling costs',
            because: selling.because,
            usd: selling.usd,
            from: resaleNet,
            to: resale.usd,
            kind: 'cost' as const,
            usesDefault: usesDefault(selling),
          },
        ]
      : []),
    {
      name: profit >= 0 ? 'Profit' : 'Loss',
      because: `${percent((100 * profit) / totalCost)} of total cost`,
      usd: profit,
      from: Math.min(totalCost, resaleNet),
      to: Math.max(totalCost, resaleNet),
      kind: profit >= 0 ? 'gain' : 'loss',
      usesDefault: usesDefault(...lines),
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
