// Ranked listings as rows: the same on the home page and beside the map.
import type { Listing } from '../operations/search-listings.ts'
import { scoreMeter } from './charts/score-bars.ts'
import { count, percent, statusWords, usdShort } from './formats.ts'
import { type Html, html } from './html.ts'

export const signalList = (signals: readonly Listing[], start = 1): Html =>
  html`<ol class="signals" start="${start}">${signals.map(
    (signal) => html`<li data-id="${signal.id}">
<a class="where" href="/properties/${encodeURIComponent(signal.id)}"><b>${signal.address}</b> <span>${signal.city}</span></a>
<span class="what"><b class="num">${usdShort(signal.price)}</b> <span class="tag ${signal.status}">${statusWords[signal.status]}</span></span>
<span class="why">${factsLine(signal)}</span>
<span class="scores">${scored(signal)}</span></li>`,
  )}</ol>`

const factsLine = ({ metadata: { beds, baths, sqft, lotSize, yearBuilt, daysOnMarket } }: Listing): Html => {
  const facts = [
    beds !== undefined && baths !== undefined ? `${beds} bd, ${baths} ba` : undefined,
    sqft !== undefined ? `${count(sqft)} sq ft` : undefined,
    lotSize !== undefined ? `on ${count(lotSize)}` : undefined,
    yearBuilt !== undefined ? `built ${yearBuilt}` : undefined,
    daysOnMarket !== undefined ? `${daysOnMarket} d on market` : undefined,
  ].filter((fact) => fact !== undefined)
  // Each fact stays whole where the line breaks.
  return html`${facts.map((fact, at) => html`<span>${fact}${at < facts.length - 1 ? ' ·' : ''}</span> `)}`
}

const scored = (signal: Listing): Html => html`
<span class="score"><span class="name">Teardown</span>${scoreMeter(signal.teardownScore)}</span>
<span class="score"><span class="name">Flip</span>${scoreMeter(signal.flippabilityScore)}</span>
${signal.historicCharm === undefined ? '' : html`<span class="score"><span class="name">Charm</span>${scoreMeter(signal.historicCharm)}</span>`}
${signal.developerROI === undefined ? '' : html`<span class="score"><span class="name">Return</span><b class="num ${signal.developerROI < 0 ? 'down' : ''}">${percent(signal.developerROI)}</b></span>`}`
