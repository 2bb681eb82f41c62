// Comparable sales on a map and in a table, with the adjustments that lead to the value estimate.
import { ringMap } from '../charts/ring-map.ts'
import { count, day, plural, signedUsd, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { compsOf, type Loose, numberAt, type ShownComp } from '../stored-findings.ts'
import type { Detail } from './property-detail.ts'

const milesPerKm = 0.621371

/** Where the service stops counting recent sales nearby. */
const maxCountedSales = 50

export const compsSection = (data: Detail, facts: Loose): Html => {
  const comps = compsOf(data.comps).slice(0, 20)
  const { valueEstimate } = data.intelligence
  const { recentSalesCount, avgPricePerSqft } = data.comparables
  if (comps.length === 0 && recentSalesCount === undefined) return html``
  const [lat, lng] = [numberAt(facts, 'lat'), numberAt(facts, 'lng')]
  const points = comps.flatMap((comp, index) =>
    comp.lat !== undefined && comp.lng !== undefined
      ? [{ lat: comp.lat, lng: comp.lng, label: String(index + 1) }]
      : [],
  )
  const sentences = [
    comps.length > 0 ? listedSales(comps) : undefined,
    valueEstimate &&
      `Their weighted median is the value estimate in the current condition: ${usd(valueEstimate.value)}, range ${usd(valueEstimate.low)} to ${usd(valueEstimate.high)}.`,
    recentSalesCount === undefined ? undefined : nearbySales(recentSalesCount, avgPricePerSqft),
  ].filter((each) => each !== undefined)
  return html`<section class="comps"><h2>Comparable sales</h2>
${sentences.length > 0 ? html`<p class="note">${sentences.join(' ')}</p>` : ''}
<div class="comps-grid">${lat !== undefined && lng !== undefined && points.length > 0 ? html`<figure>${ringMap({ lat, lng }, points)}</figure>` : ''}
${comps.length > 0 ? grid(comps) : ''}</div></section>`
}

/** "12 sales, Jan 5, 2025 to Oct 1, 2026, ..." describes the rows of the table. */
const listedSales = (comps: readonly ShownComp[]): string => {
  const dates = comps.flatMap(({ soldOn }) => soldOn ?? []).sort()
  const period =
    dates.length === 0
      ? ''
      : dates[0] === dates.at(-1)
        ? ` on ${day(dates[0])}`
        : ` between ${day(dates[0])} and ${day(dates.at(-1))}`
  return `The table lists the ${plural(comps.length, 'most comparable sale')}${period}, each adjusted to this property and today.`
}

/** The count is not that of the table: all sales of the same property type nearby, and it stops at 50. */
const nearbySales = (sales: number, avgPricePerSqft: number | undefined): string => {
  const number = sales >= maxCountedSales ? `${sales} or more` : String(sales)
  const average = avgPricePerSqft === undefined ? '' : `, at ${usd(avgPricePerSqft)} per sq ft on average`
  return `For comparison, ${number} ${sales === 1 ? 'home' : 'homes'} of the same type sold within 1 mile in the last 6 months${average}.`
}

const grid = (comps: readonly ShownComp[]): Html => {
  const adjusted = comps.some((comp) => comp.adjustedUsd !== undefined)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Comparable sales with adjustments"><table class="data comps-table cards">
<thead><tr><th scope="col">#</th><th scope="col">Sale</th><th scope="col" class="num">Sale price</th>${
    adjusted
      ? html`<th scope="col" class="num">Time adj.</th><th scope="col" class="num">Home and location adj.</th><th scope="col" class="num">Other adj.</th><th scope="col" class="num">Adjusted price</th><th scope="col" class="num">Weight</th>`
      : ''
  }</tr></thead>
<tbody>${comps.map(
    (comp, index) => html`<tr><td class="num rank">${index + 1}</td>
<th scope="row" data-rank="${index + 1}">${comp.propertyId ? html`<a href="/properties/${encodeURIComponent(comp.propertyId)}">${comp.address ?? 'Sale'}</a>` : (comp.address ?? 'Sale')}<small>${saleLine(comp)}</small></th>
<td class="num" data-name="Sale price">${usdShort(comp.priceUsd)}</td>${
      adjusted
        ? html`<td class="num" data-name="Time adj.">${signedUsd(comp.timeUsd)}</td><td class="num" data-name="Home and location adj.">${signedUsd(comp.attributesUsd)}</td><td class="num" data-name="Other adj.">${signedUsd(comp.unexplainedUsd)}</td><td class="num" data-name="Adjusted price"><b>${usdShort(comp.adjustedUsd)}</b></td><td class="num" data-name="Weight">${formatWeight(comp.weight)}</td>`
        : ''
    }</tr>`,
  )}</tbody></table></div>`
}

const formatWeight = (weight: number | undefined): string =>
  weight === undefined ? '–' : weight < 0.005 ? '<1%' : `${Math.round(weight * 100)}%`

const saleLine = ({ soldOn, livingSqft, distanceKm }: ShownComp): string =>
  [
    soldOn ? day(soldOn) : undefined,
    livingSqft === undefined ? undefined : `${count(livingSqft)} sq ft`,
    distanceKm === undefined ? undefined : `${(distanceKm * milesPerKm).toFixed(2)} mi`,
  ]
    .filter(Boolean)
    .join(' · ')
