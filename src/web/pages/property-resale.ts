// The sales behind the resale value per square foot of the pro forma.

import { milesPerKm } from '../../domain/distance.ts'
import type { ResaleSale } from '../../domain/findings/comps.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { collapsible } from '../collapsible.ts'
import { day, plural, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { mapPanel } from '../map-panel.ts'
import type { Site } from '../site.ts'
import { saleAttributes, showAll } from './property-comps.ts'

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
): Html => html`<tr${saleAttributes(sale, index)}><td class="num rank">${index + 1}</td>
<th scope="row" data-rank="${index + 1}">${sale.propertyId ? html`<a href="/properties/${encodeURIComponent(sale.propertyId)}">${sale.address ?? 'Sale'}</a>` : (sale.address ?? 'Sale')}<small>${[sale.soldOn ? day(sale.soldOn) : undefined, `${(sale.distanceKm * milesPerKm).toFixed(2)} mi`].filter(Boolean).join(' · ')}</small></th>
<td class="num" data-name="Sale price">${usdShort(sale.priceUsd)}</td><td class="num" data-name="Per sq ft">${usd(sale.pricePerSqft)}</td>
<td class="num" data-name="Time-adjusted">${usd(sale.timeAdjustedPerSqft)}</td><td class="num" data-name="As this new house"><b>${usd(sale.adjustedPerSqft)}</b></td>
<td class="num" data-name="Weight">${sale.weight < 0.005 ? '<1%' : `${Math.round(sale.weight * 100)}%`}</td></tr>`
