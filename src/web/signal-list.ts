// Ranked listings as a list, on the home page and next to the map.
import type { MarketId } from '../domain/facts.ts'
import { newHouseReturn } from '../domain/findings/use-words.ts'
import { rankingLabels } from '../domain/packs/market-pack.ts'
import { marketById } from '../domain/packs/markets.ts'
import type { Listing } from '../operations/map-listings.ts'
import { scoreMeter } from './charts/score-bars.ts'
import { cityLink } from './city-link.ts'
import { percent, plural, sqft, statusWords, usdShort } from './formats.ts'
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
<span class="why">${factsLine(homeFacts(listing.metadata))}</span>
<span class="scores">${scores(listing)}</span></li>`,
  )}</ol>`

const placeOf = ({ metadata: { lat, lng }, address, price, status }: Listing): Html =>
  placeAttributes({ lat, lng, label: usdShort(price), name: `${address}, ${usdShort(price)}`, level: 'high', status })

/** "3 bd, 2 ba", "1,400 sq ft", "lot 7,500 sq ft", "built 1951", "12 days on market", as far as they are known. */
export const homeFacts = ({ beds, baths, sqft: size, lotSize, yearBuilt, daysOnMarket }: Listing['metadata']) =>
  [
    beds !== undefined && baths !== undefined ? `${beds} bd, ${baths} ba` : undefined,
    size !== undefined ? sqft(size) : undefined,
    lotSize !== undefined ? `lot ${sqft(lotSize)}` : undefined,
    yearBuilt !== undefined ? `built ${yearBuilt}` : undefined,
    daysOnMarket !== undefined ? `${plural(daysOnMarket, 'day')} on market` : undefined,
  ].filter((fact) => fact !== undefined)

/** One element per fact, so that a line never breaks inside a fact. */
const factsLine = (facts: readonly string[]): Html =>
  html`${facts.map((fact, at) => html`<span>${fact}${at < facts.length - 1 ? ' ·' : ''}</span> `)}`

const scores = (listing: Listing): Html => html`
<span class="score"><span class="name">Teardown</span>${scoreMeter(listing.teardownScore)}</span>
<span class="score"><span class="name">Flip</span>${scoreMeter(listing.flippabilityScore)}</span>
${listing.historicCharm === undefined ? '' : html`<span class="score"><span class="name">Charm</span>${scoreMeter(listing.historicCharm)}</span>`}
${newHouseMoney(listing) ?? ''}`

/** "Loses 12.3% as a new house at the expected price": at its price to beat. */
export const newHouseMoney = (listing: Listing): Html | undefined => {
  const best = newHouseReturn(listing)
  return best && earned(best.as, best.pct, percent(Math.abs(best.pct)))
}

export const earned = (as: string, amount: number, text: string): Html =>
  html`<span>${amount < 0 ? 'Loses' : 'Earns'} <b class="num ${amount < 0 ? 'down' : 'up'}">${text}</b> ${as}</span>`
