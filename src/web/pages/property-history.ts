// What happened to a home: its timeline with a chart of value estimates, its permits, and new houses sold nearby.

import type { ResaleSale } from '../../domain/findings/comps.ts'
import type { ValueEstimate } from '../../domain/findings/value.ts'
import type { TimelinePermit } from '../../wire/permit.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { leastValuePct, type TimelineEntry } from '../../wire/timeline.ts'
import { lineChart } from '../charts/line-chart.ts'
import { collapsible } from '../collapsible.ts'
import { day, permitClassWords, permitStatusWords, plural, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { mapPanel } from '../map-panel.ts'
import type { Site } from '../site.ts'
import { formatWeight, saleAttributes, saleLine, showAll } from './property-comps.ts'

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

export const permitTimeline = ({ permits = [] }: PropertyDetail): Html =>
  permits.length === 0
    ? html`<section class="timeline-section" id="permits"><h2>Permits</h2><p class="note">No permits were found for this property.</p></section>`
    : html`<section class="timeline-section">${collapsible(`Permits (${permits.length})`, 'permits', html`<ol class="timeline">${permits.slice(0, 30).map(entry)}</ol>${permits.length > 3 ? html`<p class="print-only">The newest 3 of ${permits.length}.</p>` : ''}`)}</section>`

const entry = (permit: TimelinePermit): Html => {
  const { permitId, citySlug, addresses, permitClass, appliedDate, issuedDate, finaledDate, valuation, goneAt } = permit
  const dates = (
    [
      ['applied', appliedDate],
      ['issued', issuedDate],
      ['finaled', finaledDate],
    ] as const
  ).filter(([, date]) => date)
  const title =
    permitClass && permitClass !== 'other' ? permitClassWords[permitClass] : (permit.projectType ?? 'Permit')
  const unitText = permit.units ? html` <span>${plural(permit.units, 'unit')}</span>` : ''
  return html`<li><time>${day(dates.at(-1)?.[1])}</time><div>
<b><a href="/permits/${citySlug}/${encodeURIComponent(permitId)}">${title}</a></b> <span class="tag">${permitStatusWords[permit.status]}</span>${valuation === null ? '' : html` <span class="num">${usd(valuation)}</span>`}${unitText}
<p>${permit.description}</p>${addresses ? html`<p class="note">One permit for ${addresses.join(', ')}</p>` : ''}${goneAt ? html`<p class="caution">Removed from the city’s feed on ${day(goneAt)}. The scores do not use it.</p>` : ''}<small>${permitId} · ${dates.map(([what, date]) => `${what} ${day(date)}`).join(', ')}</small></div></li>`
}

// The sales behind the resale value per square foot of the pro forma.
export const resaleSection = (site: Site, { resaleComps = [], proforma, facts, address }: PropertyDetail): Html => {
  if (resaleComps.length === 0 || proforma?.arvPerSqft === undefined) return html``
  return html`<section class="comps">${collapsible(
    'Sales behind the resale value',
    'resale',
    html`<p class="note">${plural(resaleComps.length, 'sale')} of new, renovated or top-priced homes. Their prices per sq ft are adjusted to a new house of the build size on this lot; the weighted median is the resale value of ${usd(proforma.arvPerSqft)} per sq ft.</p>
<div class="comps-grid">${facts?.lat === undefined || facts.lng === undefined ? '' : html`<figure>${mapPanel(site, { className: 'map-figure', places: '#resale', subject: { lat: facts.lat, lng: facts.lng, name: address } })}</figure>`}
<div class="scroll" tabindex="0" role="region" aria-label="Sales behind the resale value">${showAll(resaleComps.length)}<table class="data comps-table cards">
<thead><tr><th scope="col">#</th><th scope="col">Sale</th><th scope="col" class="num">Sale price</th><th scope="col" class="num">Per sq ft</th><th scope="col" class="num">Time-adjusted</th><th scope="col" class="num">As this new house</th><th scope="col" class="num">Weight</th></tr></thead>
<tbody>${resaleComps.map(row)}</tbody></table><p class="note">Time-adjusted is the sale price per sq ft at the price level on the day of the assessment. “As this new house” is that price, adjusted to a new house of the build size on this lot.</p></div></div>`,
  )}</section>`
}

const row = (
  sale: ResaleSale,
  index: number,
) => html`<tr${saleAttributes(sale, index)}><td class="num rank">${index + 1}</td>
<th scope="row" data-rank="${index + 1}">${sale.propertyId ? html`<a href="/properties/${encodeURIComponent(sale.propertyId)}">${sale.address ?? 'Sale'}</a>` : (sale.address ?? 'Sale')}<small>${saleLine(sale)}</small></th>
<td class="num" data-name="Sale price">${usdShort(sale.priceUsd)}</td><td class="num" data-name="Per sq ft">${usd(sale.pricePerSqft)}</td>
<td class="num" data-name="Time-adjusted">${usd(sale.timeAdjustedPerSqft)}</td><td class="num" data-name="As this new house"><b>${usd(sale.adjustedPerSqft)}</b></td>
<td class="num" data-name="Weight">${formatWeight(sale.weight)}</td></tr>`
