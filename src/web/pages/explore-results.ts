// The results of the Explore page: count, chips, list, funnel. Sent with the page, and alone when the map has moved.
import type { FoundListings, Listing } from '../../operations/map-listings.ts'
import { count, percent, plural, sqft, statusWords, usdShort } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { csvLink } from '../list-csv.ts'
import { placeAttributes } from '../map-panel.ts'
import { listActions } from '../page-actions.ts'
import { isPhotoHost } from '../photos.ts'
import { pathWithQuery } from '../query.ts'
import { rankingScore } from '../signal-list.ts'
import { watchSearchLink } from '../watch-link.ts'
import { type Explore, isForSale, queryParamsOf, sortChoices } from './explore-filter.ts'
import { filterChips } from './explore-form.ts'
import { nearMissList } from './near-misses.ts'
import { changedText } from './scenario.ts'
import { funnelTable, pager, problemList } from './search-list.ts'

export const resultsOf = (
  explore: Explore,
  {
    listings,
    total,
    funnel,
    notAssessed,
    misses,
    assumptions,
  }: FoundListings & { misses: Parameters<typeof nearMissList>[0] },
  offset: number,
  problems: readonly HtmlValue[],
  photoHosts: readonly string[] = [],
): Html => {
  const params = queryParamsOf(explore)
  return html`${problemList(problems)}${filterChips(explore)}${notAssessed ? html`<p class="caution">${notAssessed}</p>` : ''}
<p class="result-line" role="status">${total === 0 ? 'No listings match. Try removing a filter.' : `${countOf(explore, total)}, ${orderOf(explore)}`}${listActions(csvLink('/explore.csv', params, { offset, shown: listings.length, total }), explore.minScore === undefined && watchSearchLink('listings', explore.input))}</p>
${assumptions ? html`<p class="note">Returns use your own assumptions: ${changedText(Object.fromEntries(assumptions.changed.map(({ name, value }) => [name, value])))}.</p>` : ''}
${listings.length > 0 ? html`<ol class="signals homes" start="${offset + 1}">${listings.map((listing) => home(listing, explore, photoHosts))}</ol>` : ''}
${nearMissList(misses, explore.assumptions)}${total === 0 ? funnelTable(funnel, 'homes') : ''}
${pager('/explore', params, offset, listings.length, total)}`
}

const countOf = (explore: Explore, total: number): string =>
  isForSale(explore) ? `${plural(total, 'home')} for sale` : plural(total, 'listing')

const orderOf = ({ sort, market }: Explore): string =>
  sort === '-rankScore' ? `ranked by ${rankingScore(market)}` : sortChoices[sort].toLowerCase()

/** What the map needs to draw a listing is in its data attributes. */
const home = (listing: Listing, { picks, assumptions }: Explore, photoHosts: readonly string[]): Html => {
  const { listingUrl, photo } = listing
  const { id, address, city, price, status, rankScore, returnPct, returnAtExpectedPct, verdict, metadata } = listing
  const grade = gradeOf(listing)
  return html`<li data-id="${id}"${placeAttributes({ lat: metadata.lat, lng: metadata.lng, label: usdShort(price), name: `${address}, ${usdShort(price)}, ${statusWords[status].toLowerCase()}`, status })} data-score="${rankScore === undefined ? undefined : Math.round(rankScore)}" data-return="${returnPct}" data-listing="${listingUrl}" data-photo="${photo && isPhotoHost(photo, photoHosts) ? photo : undefined}">
<a class="where" href="${pathWithQuery(`/properties/${encodeURIComponent(id)}`, assumptions)}"><b>${address}</b> <span>${city}</span></a>
<span class="what"><b class="num">${usdShort(price)}</b> <span class="tag ${status}">${statusWords[status]}</span></span>
<span class="why">${factsOf(listing)}</span>
<span class="scores">${grade ? html`<span class="grade" title="${grade.title}">${grade.letter}</span>` : ''}${returnPct === undefined ? '' : html`<span>Return${status === 'sold' ? ' at the last asking price' : ''} <b class="num ${returnPct < 0 ? 'down' : 'up'}">${percent(returnPct)}</b>${returnAtExpectedPct === undefined ? '' : html`, at the expected price <b class="num ${returnAtExpectedPct < 0 ? 'down' : 'up'}">${percent(returnAtExpectedPct)}</b>`}</span>`}
<label class="pick"><input type="checkbox" name="pick" value="${id}" form="compare"${picks.includes(id) ? html` checked` : ''}>Compare</label></span>
${verdict ? html`<span class="in-short">${verdict}</span>` : ''}</li>`
}

const factsOf = ({ metadata: { beds, baths, sqft: size, lotSize, yearBuilt, daysOnMarket } }: Listing): string =>
  [
    beds !== undefined && baths !== undefined ? `${beds} bd, ${baths} ba` : undefined,
    size !== undefined ? sqft(size) : undefined,
    lotSize !== undefined ? `lot ${count(lotSize)} sq ft` : undefined,
    yearBuilt !== undefined ? `built ${yearBuilt}` : undefined,
    daysOnMarket !== undefined ? `${plural(daysOnMarket, 'day')} on market` : undefined,
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ')

/** The better grade of the two scores that rank listings. */
const gradeOf = ({ ranks }: Listing): { letter: string; title: string } | undefined => {
  const found = [
    ['teardown', ranks?.teardownScore],
    ['flip', ranks?.flippabilityScore],
  ] as const
  const [best] = found
    .flatMap(([name, rank]) => (rank ? [{ name, ...rank }] : []))
    .sort((a, b) => b.percentile - a.percentile)
  if (!best) return undefined
  return {
    letter: `${best.name === 'flip' ? 'Flip' : 'Teardown'} ${best.grade}`,
    title: `Higher ${best.name} score than ${Math.round(best.percentile)}% of ${best.of}`,
  }
}
