// Comparable sales on a map and in a table, with the adjustments that lead to the value estimate.

import { milesPerKm } from '../../domain/distance.ts'
import type { ComparableSale, ResaleSale } from '../../domain/findings/comps.ts'
import { compsText } from '../../wire/comps-text.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { collapsible } from '../collapsible.ts'
import { count, day, signedUsd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { mapPanel, placeAttributes } from '../map-panel.ts'
import type { Site } from '../site.ts'

export const compsSection = (site: Site, data: PropertyDetail): Html => {
  const { comps = [], facts } = data
  const text = compsText(data)
  if (text === '') return html``
  const { lat, lng } = facts ?? {}
  const isPlaced = comps.some((comp) => comp.lat !== undefined && comp.lng !== undefined)
  return html`<section class="comps">${collapsible(
    'Comparable sales',
    'comps',
    html`<p class="note">${text}</p>
<div class="comps-grid">${lat !== undefined && lng !== undefined && isPlaced ? html`<figure>${mapPanel(site, { className: 'map-figure', places: '#comps', subject: { lat, lng, name: data.address } })}</figure>` : ''}
${comps.length > 0 ? grid(comps) : ''}</div>`,
  )}</section>`
}

const grid = (comps: readonly ComparableSale[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Comparable sales with adjustments">${showAll(comps.length)}<table class="data comps-table cards">
<thead><tr><th scope="col">#</th><th scope="col">Sale</th><th scope="col" class="num">Sale price</th><th scope="col" class="num">Time adj.</th><th scope="col" class="num">Size and lot adj.</th><th scope="col" class="num">Age and quality adj.</th><th scope="col" class="num">Adjusted price</th><th scope="col" class="num">Unexplained</th><th scope="col" class="num">Weight</th></tr></thead>
<tbody>${comps.map(
    (comp, index) => html`<tr${saleAttributes(comp, index)}><td class="num rank">${index + 1}</td>
<th scope="row" data-rank="${index + 1}">${comp.propertyId ? html`<a href="/properties/${encodeURIComponent(comp.propertyId)}">${comp.address ?? 'Sale'}</a>` : (comp.address ?? 'Sale')}<small>${saleLine(comp)}</small></th>
<td class="num" data-name="Sale price">${usdShort(comp.priceUsd)}</td>
<td class="num" data-name="Time adj.">${signedUsd(comp.timeAdjustedUsd - comp.priceUsd)}</td><td class="num" data-name="Size and lot adj.">${signedUsd(comp.adjustments.size + comp.adjustments.lot)}</td><td class="num" data-name="Age and quality adj.">${signedUsd(comp.attributeAdjustmentUsd - comp.adjustments.size - comp.adjustments.lot)}</td>
<td class="num" data-name="Adjusted price"><b>${usdShort(comp.adjustedUsd)}</b></td><td class="num" data-name="Unexplained">${signedUsd(comp.unexplainedUsd)}</td><td class="num" data-name="Weight">${formatWeight(comp.weight)}</td></tr>`,
  )}</tbody></table><p class="note">Adjustments: Time is the change in market prices since the sale. Size includes rooms and stories; age and quality include renovation, view, condition and type. Unexplained is what remains between the adjusted price and the value estimate; it is shown and not adjusted away.</p></div>`

/** The number on the marker is the row of the table. */
export const saleAttributes = (sale: ComparableSale | ResaleSale, index: number): Html =>
  placeAttributes({
    lat: sale.lat,
    lng: sale.lng,
    label: String(index + 1),
    name: `${sale.address ?? 'Sale'}, sold for ${usdShort(sale.priceUsd)}`,
  })

/** On a phone only the first four sales are shown until this is checked. */
export const showAll = (sales: number): Html =>
  sales > 4 ? html`<label class="show-all"><input type="checkbox"> Show all ${sales} sales</label>` : html``

export const formatWeight = (weight: number): string => (weight < 0.005 ? '<1%' : `${Math.round(weight * 100)}%`)

export const saleLine = ({ soldOn, livingSqft, yearBuilt, distanceKm }: ComparableSale | ResaleSale): string =>
  [
    soldOn ? day(soldOn) : undefined,
    livingSqft === undefined ? undefined : `${count(livingSqft)} sq ft`,
    yearBuilt === undefined ? undefined : `built ${yearBuilt}`,
    `${(distanceKm * milesPerKm).toFixed(2)} mi`,
  ]
    .filter(Boolean)
    .join(' · ')
