// What happened to a home: a chart of its value estimates, and the dated list.
import type { ValueEstimate } from '../../domain/findings/value.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { leastValuePct, type TimelineEntry } from '../../wire/timeline.ts'
import { lineChart } from '../charts/line-chart.ts'
import { collapsible } from '../collapsible.ts'
import { day, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'

type Shown = Pick<PropertyDetail, 'timeline' | 'last30Days'> & {
  intelligence: Pick<PropertyDetail['intelligence'], 'valueEstimate'>
}

export const timelineSection = ({ timeline = [], last30Days, intelligence: { valueEstimate: today } }: Shown): Html =>
  timeline.length === 0
    ? html``
    : html`<section class="timeline-section">${collapsible(
        `Timeline (${timeline.length})`,
        'timeline',
        html`${last30Days ? html`<p><strong>Last 30 days.</strong> ${last30Days.text}</p>` : ''}${chart(timeline, today)}<ol class="timeline">${timeline.slice(0, 40).map((entry) => html`<li><time>${day(entry.date)}</time><div><p>${entry.text}</p></div></li>`)}</ol>
${today ? html`<p class="note">The value estimate today is ${usd(today.value)}. Its changes are listed from ${leastValuePct}%.</p>` : ''}`,
      )}</section>`

/** Ends with the value of today, whose last steps may be too small to be listed. */
const chart = (timeline: readonly TimelineEntry[], today: ValueEstimate | undefined): Html => {
  const points = timeline.flatMap(({ date, value }) => (value === undefined ? [] : [{ on: date, value }])).reverse()
  if (today?.asOf !== undefined) points.push({ on: today.asOf, value: today.value })
  if (points.length < 2) return html``
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // An axis of a tenth around the values: a change of 2% must not look like a crash.
  const [from, to] = [0.9 * least, 1.1 * most]
  return lineChart(points, {
    label: `Value estimates from ${usdShort(least)} to ${usdShort(most)}`,
    from,
    to,
    show: usdShort,
  })
}
