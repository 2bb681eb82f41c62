// The pro forma as a waterfall chart: costs add up to the total cost, then resale less selling costs gives the profit. Table rows
// with bars, drawn from the lines of the what-if answer.
import type { ProformaAnswer, ProformaLine, ProformaLineName } from '../../domain/findings/proforma.ts'
import { defaultMark } from '../default-mark.ts'
import { percent, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'

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
}: Pick<ProformaAnswer, 'lines' | 'totalCost' | 'profit'>) => {
  const named = new Map(lines.map((line) => [line.name, line]))
  const step = (
    name: string,
    kind: 'cost' | 'total' | 'resale' | 'gain' | 'loss',
    /** Dollars, negative for selling costs and losses. */
    amount: number,
    /** Start and end of the bar, in dollars. */
    [from, to]: readonly [from: number, to: number],
    of: readonly ProformaLine[],
    because?: string,
  ) => ({
    ...{ name, because, usd: amount, from, to, kind },
    /** Whether it depends on a default assumption. */
    usesDefault: of.some(({ defaults = [] }) => defaults.length > 0),
  })
  let spent = 0
  const costs = costSteps.map(([name, parts, words]) => {
    const found = parts.flatMap((part) => named.get(part) ?? [])
    const before = spent
    spent += found.reduce((sum, line) => sum + line.usd, 0)
    const because = words ?? (name === 'Purchase' || name === 'Demolition' ? undefined : found[0]?.because)
    return step(name, 'cost', spent - before, [before, spent], found, because)
  })
  const [resale, selling] = [named.get('resaleGross'), named.get('sellingCosts')]
  const resaleNet = (resale?.usd ?? 0) + (selling?.usd ?? 0)
  const ofTotal = `${percent((100 * profit) / totalCost)} of total cost`
  const ends = [Math.min(totalCost, resaleNet), Math.max(totalCost, resaleNet)] as const
  return [
    ...costs,
    step(
      'Total cost',
      'total',
      totalCost,
      [0, totalCost],
      lines.filter(({ of }) => of !== 'resale'),
    ),
    ...(resale && selling
      ? [
          step('Resale', 'resale', resale.usd, [0, resale.usd], [resale], resale.because),
          step('Selling costs', 'cost', selling.usd, [resaleNet, resale.usd], [selling], selling.because),
        ]
      : []),
    step(profit >= 0 ? 'Profit' : 'Loss', profit >= 0 ? 'gain' : 'loss', profit, ends, lines, ofTotal),
  ]
}

const width = 1000

export const waterfallRows = (steps: ReturnType<typeof waterfallSteps>): Html => {
  const largest = Math.max(1, ...steps.map((step) => step.to))
  const x = (dollars: number) => Math.round((dollars / largest) * width)
  return html`${steps.map(
    (step) => html`<tr class="step ${step.kind}">
<th scope="row">${step.name}${defaultMark(step.usesDefault)}${step.because ? html` <small>${step.because}</small>` : ''}</th>
<td class="bar"><svg viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${x(step.from)}" width="${Math.max(3, x(step.to) - x(step.from))}" height="10"/></svg></td>
<td class="num">${usd(step.usd)}</td></tr>`,
  )}`
}
