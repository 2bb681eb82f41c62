// A line chart of one value over time, as SVG.
import { month } from '../formats.ts'
import { type Html, html } from '../html.ts'

interface LineChartOptions {
  label: string
  from: number
  to: number
  /** A value in words. */
  show?: (value: number) => string
}

export const lineChart = (
  points: readonly {
    /** YYYY-MM-DD. */
    on: string
    value: number
    /** Where the value is expected. Drawn behind the line, from the first to the last point that has one. */
    band?: { low: number; high: number } | undefined
  }[],
  { label, from, to, show = (value) => value.toFixed(0) }: LineChartOptions,
): Html => {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || points.length < 2) return html``
  const start = Date.parse(first.on)
  const span = Date.parse(last.on) - start || 1
  const x = (on: string) => (((Date.parse(on) - start) / span) * 1000).toFixed(1)
  const y = (value: number) => (100 - ((value - from) / (to - from || 1)) * 100).toFixed(1)
  const path = points.map(({ on, value }, index) => `${index === 0 ? 'M' : 'L'}${x(on)} ${y(value)}`).join('')
  const banded = points.flatMap(({ on, band }) => (band ? [{ on, ...band }] : []))
  const band = [
    ...banded.map(({ on, high }) => `${x(on)} ${y(high)}`),
    ...banded.toReversed().map(({ on, low }) => `${x(on)} ${y(low)}`),
  ].join('L')
  const middle = (from + to) / 2
  return html`<figure class="line-chart">
<div class="y"><span>${show(to)}</span><span>${show(middle)}</span><span>${show(from)}</span></div>
<svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="${label}: ${show(first.value)} in ${month(first.on)}, ${show(last.value)} in ${month(last.on)}">
<path class="grid" d="M0 0H1000M0 50H1000M0 100H1000"/>${banded.length > 1 ? html`<path class="band" d="M${band}Z"/>` : html`<path class="area" d="${path}V100H0Z"/>`}<path class="line" d="${path}"/></svg>
<div class="x"><span>${month(first.on)}</span><span>${month(last.on)}</span></div></figure>`
}
