// Comparable sales: where they lie, what they sold for, and every adjustment made to them.
import { ringMap } from '../charts/ring-map.ts'
import { count, day, signedUsd, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { compsOf, type Loose, numberAt, type ShownComp } from '../stored-findings.ts'
import type { Detail } from './property-detail.ts'

const milesPerKm = 0.621371

export const compsSection = (data: Detail, facts: Loose): Html => {
  const comps = compsOf(data.comps).slice(0, 20)
  const { valueEstimate } = data.intelligence
  const { recentSalesCount, avgPricePerSqft } = data.comparables
  if (comps.length === 0 && recentSalesCount === undefined) return html``
  const [lat, lng] = [numberAt(facts, 'lat'), numberAt(facts, 'lng')]
  const placed = comps.flatMap((comp, index) =>
    comp.lat !== undefined && comp.lng !== undefined
      ? [{ lat: comp.lat, lng: comp.lng, label: String(index + 1) }]
      : [],
  )
  const recent =
    recentSalesCount === undefined
      ? undefined
      : `${recentSalesCount} within a mile in the last half year${avgPricePerSqft === undefined ? '' : `, ${usd(avgPricePerSqft)} per sq ft on average`}`
  const worth =
    valueEstimate &&
    `Adjusted, they put this home at ${usd(valueEstimate.value)} as it stands, between ${usd(valueEstimate.low)} and ${usd(valueEstimate.high)}`
  const said = [recent, worth].filter((each) => each !== undefined)
  return html`<section class="comps"><h2>Comparable sales</h2>
${said.length > 0 ? html`<p class="note">${said.join('. ')}.</p>` : ''}
<div class="comps-grid">${lat !== undefined && lng !== undefined && placed.length > 0 ? html`<figure>${ringMap({ lat, lng }, placed)}</figure>` : ''}
${comps.length > 0 ? grid(comps) : ''}</div></section>`
}

const grid = (comps: readonly ShownComp[]): Html => {
  const adjusted = comps.some((comp) => comp.adjustedUsd !== undefined)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Comparable sales with adjustments"><table class="data comps-table cards">
<thead><tr><th scope="col">#</th><th scope="col">Sale</th><th scope="col" class="num">Price</th>${
    adjusted
      ? html`<th scope="col" class="num">Time</th><th scope="col" class="num">Home and place</th><th scope="col" class="num">Unexplained</th><th scope="col" class="num">Adjusted</th><th scope="col" class="num">Weight</th>`
      : ''
  }</tr></thead>
<tbody>${comps.map(
    (comp, index) => html`<tr><td class="num rank">${index + 1}</td>
<th scope="row" data-rank="${index + 1}">${comp.propertyId ? html`<a href="/properties/${encodeURIComponent(comp.propertyId)}">${comp.address ?? 'Sale'}</a>` : (comp.address ?? 'Sale')}<small>${saleLine(comp)}</small></th>
<td class="num" data-name="Price">${usdShort(comp.priceUsd)}</td>${
      adjusted
        ? html`<td class="num" data-name="Time">${signedUsd(comp.timeUsd)}</td><td class="num" data-name="Home and place">${signedUsd(comp.attributesUsd)}</td><td class="num" data-name="Unexplained">${signedUsd(comp.unexplainedUsd)}</td><td class="num" data-name="Adjusted"><b>${usdShort(comp.adjustedUsd)}</b></td><td class="num" data-name="Weight">${weightWords(comp.weight)}</td>`
        : ''
    }</tr>`,
  )}</tbody></table></div>`
}

const weightWords = (weight: number | undefined): string =>
  weight === undefined ? '–' : weight < 0.005 ? '< 1 %' : `${Math.round(weight * 100)} %`

const saleLine = ({ soldOn, livingSqft, distanceKm }: ShownComp): string =>
  [
    soldOn ? day(soldOn) : undefined,
    livingSqft === undefined ? undefined : `${count(livingSqft)} sq ft`,
    distanceKm === undefined ? undefined : `${(distanceKm * milesPerKm).toFixed(2)} mi`,
  ]
    .filter(Boolean)
    .join(' · ')
