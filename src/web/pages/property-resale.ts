// The sales behind the resale value per square foot of the pro forma.

import type { ResaleSale } from '../../contract/comps.ts'
import { milesPerKm } from '../../contract/distance.ts'
import type { PropertyDetail } from '../../contract/property.ts'
import { day, plural, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { showAll } from './property-comps.ts'

export const resaleSection = ({ resaleComps = [], proforma }: PropertyDetail): Html => {
  if (resaleComps.length === 0 || proforma?.arvPerSqft === undefined) return html``
  return html`<section class="comps"><h2>Sales behind the resale value</h2>
<p class="note">${plural(resaleComps.length, 'sale')} of new, renovated or top-priced homes, adjusted to a new house of the build size on this lot. Their weighted median is the resale value of ${usd(proforma.arvPerSqft)} per sq ft.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sales behind the resale value">${showAll(resaleComps.length)}<table class="data comps-table cards">
<thead><tr><th scope="col">Sale</th><th scope="col" class="num">Sale price</th><th scope="col" class="num">Per sq ft</th><th scope="col" class="num">At today’s prices</th><th scope="col" class="num">As this new house</th><th scope="col" class="num">Weight</th></tr></thead>
<tbody>${resaleComps.map(row)}</tbody></table></div></section>`
}

const row = (sale: ResaleSale): Html => html`<tr>
<th scope="row">${sale.propertyId ? html`<a href="/properties/${encodeURIComponent(sale.propertyId)}">${sale.address ?? 'Sale'}</a>` : (sale.address ?? 'Sale')}<small>${[sale.soldOn ? day(sale.soldOn) : undefined, `${(sale.distanceKm * milesPerKm).toFixed(2)} mi`].filter(Boolean).join(' · ')}</small></th>
<td class="num" data-name="Sale price">${usdShort(sale.priceUsd)}</td><td class="num" data-name="Per sq ft">${usd(sale.pricePerSqft)}</td>
<td class="num" data-name="At today’s prices">${usd(sale.timeAdjustedPerSqft)}</td><td class="num" data-name="As this new house"><b>${usd(sale.adjustedPerSqft)}</b></td>
<td class="num" data-name="Weight">${sale.weight < 0.005 ? '<1%' : `${Math.round(sale.weight * 100)}%`}</td></tr>`
