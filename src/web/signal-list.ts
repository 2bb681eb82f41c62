// Ranked listings as a list, on the home page and next to the map.
import type { MarketId } from '../domain/facts.ts'
import { newHouseReturn } from '../domain/findings/use-words.ts'
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
${listing.decision ? html`<span class="in-short">${listing.decision.text}</span>` : ''}
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
${newHouseMoney(listing) ?? ''}`

/** "Loses 12.3% as a new house at the expected price": at its price to beat. */
export const newHouseMoney = (listing: Listing): Html | undefined => {
  const shown = newHouseReturn(listing)
  return shown && earned(shown.as, shown.pct, percent(Math.abs(shown.pct)))
}

export const earned = (as: string, amount: number, text: string): Html =>
  html`<span>${amount < 0 ? 'Loses' : 'Earns'} <b class="num ${amount < 0 ? 'down' : 'up'}">${text}</b> ${as}</span>`
