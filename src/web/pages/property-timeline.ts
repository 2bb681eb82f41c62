// What happened to a home: a chart of its value estimates, and the dated list.
import type { PropertyDetail } from '../../wire/property.ts'
import type { TimelineEntry } from '../../wire/timeline.ts'
import { lineChart } from '../charts/line-chart.ts'
import { collapsible } from '../collapsible.ts'
import { day, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'

export const timelineSection = ({
  timeline = [],
  last30Days,
}: Pick<PropertyDetail, 'timeline' | 'last30Days'>): Html =>
  timeline.length === 0
    ? html``
    : html`<section class="timeline-section">${collapsible(
        `Timeline (${timeline.length})`,
        'timeline',
        html`${last30Days ? html`<p><strong>Last 30 days.</strong> ${last30Days.text}</p>` : ''}${chart(timeline)}<ol class="timeline">${timeline.slice(0, 40).map((entry) => html`<li><time>${day(entry.date)}</time><div><p>${entry.text}</p></div></li>`)}</ol>`,
      )}</section>`

const chart = (timeline: readonly TimelineEntry[]): Html => {
  const points = timeline.flatMap(({ date, value }) => (value === undefined ? [] : [{ on: date, value }])).reverse()
  if (points.length < 2) return html``
  const values = points.map(({ value }) => value)
  const [from, to] = [Math.min(...values), Math.max(...values)]
  return lineChart(points, {
    label: `Value estimates from ${usdShort(from)} to ${usdShort(to)}`,
    from,
    to,
    show: usdShort,
  })
}
