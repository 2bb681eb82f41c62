// The results of the Explore page: count, chips, list, funnel. Sent with the page, and alone when the map has moved.
import { firmApprovalsNote } from '../../criteria/firm-approvals.ts'
import { placeWords } from '../../domain/findings/score-rank.ts'
import { flipProfit } from '../../domain/findings/use-words.ts'
import { marketById } from '../../domain/packs/markets.ts'
import type { FoundListings, Listing } from '../../operations/map-listings.ts'
import { percent, plural, signedUsd, statusWords, usdShort } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { csvLink } from '../list-csv.ts'
import { placeAttributes } from '../map-panel.ts'
import { listActionsWith } from '../page-actions.ts'
import { isPhotoHost } from '../photos.ts'
import { pathWithQuery } from '../query.ts'
import { earned, homeFacts, newHouseMoney, rankingScore } from '../signal-list.ts'
import { searchLinks } from '../watch-link.ts'
import { type Explore, isForSale, queryParamsOf, sortChoices } from './explore-filter.ts'
import { filterChips } from './explore-form.ts'
import { nearMissList } from './near-misses.ts'
import { numbersLine, numbersParam, shareChoice } from './numbers-line.ts'
import { isChanged } from './scenario.ts'
import { funnelTable, pager, problemList } from './search-list.ts'

export const resultsOf = (
  explore: Explore,
  { listings, total, funnel, notAssessed, misses }: FoundListings & { misses: Parameters<typeof nearMissList>[0] },
  offset: number,
  problems: readonly HtmlValue[],
  photoHosts: readonly string[] = [],
): Html => {
  const params = queryParamsOf(explore)
  const numbered = {
    ...explore,
    scenario: explore.assumptions,
    path: '/explore',
    params: { ...params, numbers: undefined },
  }
  return html`${problemList(problems)}${filterChips(explore)}${notAssessed ? html`<p class="caution">${notAssessed}</p>` : ''}
<div class="result-line" role="status">${total === 0 ? 'No listings match. Try removing a filter.' : `${countOf(explore, total)}, ${orderOf(explore)}`}${listActionsWith(shareChoice(numbered), csvLink('/explore.csv', params, { offset, shown: listings.length, total }), explore.minScore === undefined && searchLinks('listings', explore.input, explore))}</div>
${explore.leavesOut ? html`<p class="note">${firmApprovalsNote} <a href="${pathWithQuery('/explore', { ...params, sureNewHouse: 'false' })}">Show them</a></p>` : ''}
${numbersLine(numbered)}
${listings.length > 0 ? html`<ol class="signals homes" start="${offset + 1}">${listings.map((listing) => home(listing, explore, photoHosts))}</ol>` : ''}
${nearMissList(misses, explore)}${total === 0 ? funnelTable(funnel, 'homes') : ''}
${pager('/explore', params, offset, listings.length, total)}`
}

const countOf = (explore: Explore, total: number): string =>
  isForSale(explore) ? `${plural(total, 'home')} for sale` : plural(total, 'listing')

/** Of what is computed, only returns are searched at own numbers. */
const atMarketNumbers: readonly Explore['sort'][] = ['-room.low', '-flip.profitUsd', '-hold.capRatePct']

const orderOf = ({ sort, market, assumptions, numbers }: Explore): string =>
  sort === '-rankScore'
    ? `ranked by ${rankingScore(market)}`
    : `${sortChoices[sort].toLowerCase()}${atMarketNumbers.includes(sort) && (numbers.set || isChanged(assumptions)) ? ' at market numbers' : ''}`

/** What the map needs to draw a listing is in its data attributes. */
const home = (listing: Listing, explore: Explore, photoHosts: readonly string[]): Html => {
  const { picks, assumptions, numbers } = explore
  const { listingUrl, photo } = listing
  const { id, address, city, price, status, rankScore, returnPct, decision, metadata } = listing
  const place = placeIn(listing, explore)
  return html`<li data-id="${id}"${placeAttributes({ lat: metadata.lat, lng: metadata.lng, label: usdShort(price), name: `${address}, ${usdShort(price)}, ${statusWords[status].toLowerCase()}`, status })} data-score="${rankScore === undefined ? undefined : Math.round(rankScore)}" data-return="${returnPct}" data-listing="${listingUrl}" data-photo="${photo && isPhotoHost(photo, photoHosts) ? photo : undefined}">
<a class="where" href="${pathWithQuery(`/properties/${encodeURIComponent(id)}`, { ...assumptions, ...numbersParam(numbers) })}"><b>${address}</b> <span>${city}</span></a>
<span class="what"><b class="num">${usdShort(price)}</b> <span class="tag ${status}">${statusWords[status]}</span></span>
${decision ? html`<span class="in-short">${decision.text}</span>` : ''}
<span class="why">${homeFacts(metadata).join(' · ')}</span>
<span class="scores">${place ? html`<span class="place">${place}</span>` : ''}${moneyOf(listing, explore.sort)}</span>
<label class="pick"><input type="checkbox" name="pick" value="${id}" form="compare" aria-label="Compare ${address}"${picks.includes(id) ? html` checked` : ''}>Compare</label></li>`
}

/** The place of the home in the order of the list, where that is by a score. */
const placeIn = ({ ranks }: Listing, { sort, market }: Explore): string | undefined => {
  if (sort !== '-rankScore') return undefined
  const score = badges[marketById(market)?.ranking ?? 'teardown']
  const rank = score && ranks?.[score]
  return rank && `${score === 'teardownScore' ? 'Teardown' : 'Flip'} score: ${placeWords(rank)}`
}

/** The score behind each ranking; a flip that loses has no place. */
const badges = {
  teardown: 'teardownScore',
  flip_and_charm: 'flippabilityScore',
  flip: 'flippabilityScore',
  redevelopment: undefined,
} as const

/** What the order is by, first. */
const moneyOf = (listing: Listing, sort: Explore['sort']): Html => {
  const { hold, priceToValue, valueEstimate, bestUse } = listing
  const profit = flipProfit(listing)
  const lines = {
    return: newHouseMoney(sort === '-returnPct' ? { ...listing, returnAtExpectedPct: undefined } : listing),
    flip: profit && earned(profit.as, profit.usd, usdShort(Math.abs(profit.usd))),
    room:
      bestUse?.room?.low !== undefined &&
      html`<span>Room <b class="num">${signedUsd(bestUse.room.low)}</b> in the low case</span>`,
    hold: hold && html`<span>Cap rate <b class="num">${percent(hold.capRatePct)}</b></span>`,
    value:
      valueEstimate &&
      html`<span>Value <b class="num">${usdShort(valueEstimate.value)}</b>${priceToValue === undefined ? '' : `, price ${Math.round(100 * priceToValue)}% of it`}</span>`,
  }
  const first = (
    {
      '-returnPct': 'return',
      '-returnAtExpectedPct': 'return',
      '-flip.profitUsd': 'flip',
      '-room.low': 'room',
      '-hold.capRatePct': 'hold',
      priceToValue: 'value',
    } as const
  )[sort as string]
  const order = ['value', 'return', 'flip', 'hold'] as const
  const names = first ? [first, ...order.filter((name) => name !== first)] : order
  return html`${names.map((name) => lines[name] && html`${lines[name]} `)}`
}
