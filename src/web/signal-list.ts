// Ranked listings as a list, on the home page and next to the map.
import type { MarketId } from '../domain/facts.ts'
import { rankingLabels } from '../domain/packs/market-pack.ts'
import { marketById } from '../domain/packs/markets.ts'
import type { Listing } from '../operations/map-listings.ts'
import { scoreMeter } from './charts/score-bars.ts'
import { cityLink } from './city-link.ts'
import { count, percent, plural, statusWords, usdShort } from './formats.ts'
import { type Html, html } from './html.ts'
import { placeAttributes } from './map-panel.ts'

/** What a market is ranked by, in words. */
export const rankingScore = (market: MarketId): string => rankingLabels[marketById(market)?.ranking ?? 'teardown']

export const signalList = (listings: readonly Listing[]): Html =>
  html`<ol class="signals">${listings.map(
    (listing) => html`<li data-id="${listing.id}"${placeOf(listing)}>
<span class="where"><a href="/properties/${encodeURIComponent(listing.id)}"><b>${listing.address}</b></a> <span>${cityLink(listing.city)}</span></span>
<span class="what"><b class="num">${usdShort(listing.price)}</b> <span class="tag ${listing.status}">${statusWords[listing.status]}</span></span>
<span class="why">${factsLine(listing)}</span>
<span class="scores">${scores(listing)}</span></li>`,
  )}</ol>`

const placeOf = ({ metadata: { lat, lng }, address, price, status }: Listing): Html =>
  placeAttributes({ lat, lng, label: usdShort(price), name: `${address}, ${usdShort(price)}`, level: 'high', status })

const factsLine = ({ metadata: { beds, baths, sqft, lotSize, yearBuilt, daysOnMarket } }: Listing): Html => {
  const facts = [
    beds !== undefined && baths !== undefined ? `${beds} bd, ${baths} ba` : undefined,
    sqft !== undefined ? `${count(sqft)} sq ft` : undefined,
    lotSize !== undefined ? `lot ${count(lotSize)} sq ft` : undefined,
    yearBuilt !== undefined ? `built ${yearBuilt}` : undefined,
    daysOnMarket !== undefined ? `${plural(daysOnMarket, 'day')} on market` : undefined,
  ].filter((fact) => fact !== undefined)
  // One element per fact, so that a line never breaks inside a fact.
  return html`${facts.map((fact, at) => html`<span>${fact}${at < facts.length - 1 ? ' ·' : ''}</span> `)}`
}

const scores = (listing: Listing): Html => html`
<span class="score"><span class="name">Teardown</span>${scoreMeter(listing.teardownScore)}</span>
<span class="score"><span class="name">Flip</span>${scoreMeter(listing.flippabilityScore)}</span>
${listing.historicCharm === undefined ? '' : html`<span class="score"><span class="name">Charm</span>${scoreMeter(listing.historicCharm)}</span>`}
${listing.returnPct === undefined ? '' : html`<span class="score"><span class="name">Return</span><b class="num ${listing.returnPct < 0 ? 'down' : ''}">${percent(listing.returnPct)}</b></span>`}
${listing.returnAtExpectedPct === undefined ? '' : html`<span class="score"><span class="name">At expected price</span><b class="num ${listing.returnAtExpectedPct < 0 ? 'down' : ''}">${percent(listing.returnAtExpectedPct)}</b></span>`}`
