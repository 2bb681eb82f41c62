// Map and ranked list side by side. The filters live in the address; without scripts the list stands alone.
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../../contract/address.ts'
import { type ListingStatus, type MarketId, marketIds } from '../../contract/facts.ts'
import { cities, markets } from '../../contract/markets.ts'
import { maxOffset } from '../../contract/operations/paging.ts'
import { publicPageResults } from '../../contract/plans.ts'
import { signalOf } from '../../operations/list-market-signals.ts'
import { countSignals, type SignalFilter, signalPage, signalPoints } from '../../store/signals.ts'
import { plural, statusWords } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { landOf } from '../land.ts'
import { addressOf, numberIn, oneOf, type Query, someOf, textIn, wholeIn } from '../query.ts'
import { sendPage } from '../send-page.ts'
import { signalList } from '../signal-table.ts'
import type { Site } from '../site.ts'

/** The map shows where things are, not what they are: the best of these, in full at their pages. */
const mostPoints = 2_000

/** What one can still buy: shown unless the reader asks for other statuses. */
const forSale = ['active', 'coming_soon', 'pending'] as const

const shownStatuses = ['active', 'coming_soon', 'pending', 'sold'] as const satisfies readonly ListingStatus[]

/** The whole notice stands on the coverage page. */
const shortAttribution = '© OpenStreetMap contributors'

interface Chosen {
  market: MarketId
  city?: string
  status: (typeof shownStatuses)[number][]
  minPrice?: number
  maxPrice?: number
  minScore?: number
  address?: string
}

export const mountExplore = (app: FastifyInstance, site: Site): void => {
  const { db } = site.services

  app.get('/explore', async (request, reply) => {
    const query = request.query as Query
    const chosen = chosenIn(query)
    const offset = wholeIn(query, 'offset', 0, maxOffset) ?? 0
    const filter = filterOf(chosen)
    const [rows, total] = await Promise.all([
      signalPage(db, filter, { limit: publicPageResults, offset }),
      countSignals(db, filter),
    ])
    const today = site.clock().toISOString().slice(0, 10)
    const market = markets.find(({ id }) => id === chosen.market)!
    const place = cities.find(({ slug }) => slug === chosen.city)
    return sendPage(site, request, reply, {
      title: `Explore ${place?.name ?? market.name}`,
      description: `Listings in ${place?.name ?? market.name} ranked by what they could become, on a map and as a list.`,
      path: '/explore',
      layout: 'wide',
      script: 'explore',
      body: html`
<section class="explore">
<div class="panel">
<h1>${place?.name ?? market.name}</h1>
${filterForm(chosen)}
<p class="result-line">${total === 0 ? 'Nothing matches. Loosen a filter.' : `${plural(total, 'listing')}, best first`}</p>
${
  rows.length > 0
    ? signalList(
        rows.map((row) => signalOf(row, today)),
        offset + 1,
      )
    : ''
}
${pager('/explore', paramsOf(chosen), offset, rows.length, total)}
</div>
<div class="map-panel" id="map" data-points="${addressOf('/explore/points.json', paramsOf(chosen))}" data-land="/map/${chosen.market}.geojson"${site.mapStyleUrl ? html` data-style="${site.mapStyleUrl}"` : ''}><p class="no-map">The map needs JavaScript and WebGL; the list does not.</p></div>
</section>
${dataBlock('application/json', { box: (place ?? market).box, attribution: shortAttribution, cities: cities.filter((city) => city.market === chosen.market).map(({ name, center }) => ({ name, ...center })) }, 'map-data')}`,
    })
  })

  app.get('/explore/points.json', async (request, reply) => {
    const points = await signalPoints(db, filterOf(chosenIn(request.query as Query)), mostPoints)
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'private, no-cache')
      .send(JSON.stringify(pointCollection(points)))
  })

  app.get('/map/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const market = marketIds.find((id) => `${id}.geojson` === file)
    if (!market) return reply.callNotFound()
    return reply
      .type('application/geo+json; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(landOf(market).text)
  })
}

const chosenIn = (query: Query): Chosen => {
  const market = oneOf(query, 'market', marketIds) ?? 'sf-peninsula'
  const city = textIn(query, 'city')
  return {
    market,
    city: cities.find(({ slug, market: its }) => slug === city && its === market)?.slug,
    status: statusesIn(query),
    minPrice: numberIn(query, 'minPrice', 0, 1e9),
    maxPrice: numberIn(query, 'maxPrice', 0, 1e9),
    minScore: numberIn(query, 'minScore', 0, 100),
    address: textIn(query, 'address', 100),
  }
}

const statusesIn = (query: Query): Chosen['status'] => {
  const given = someOf(query, 'status', shownStatuses)
  return given.length > 0 ? given : [...forSale]
}

const filterOf = ({ market, city, status, minPrice, maxPrice, minScore, address }: Chosen): SignalFilter => ({
  market,
  citySlug: city,
  status,
  minPrice,
  maxPrice,
  minScore,
  addressKey: address && (addressKey(address) || undefined),
})

const paramsOf = ({ market, status, ...rest }: Chosen) => ({
  market,
  ...rest,
  status: status.join() === forSale.join() ? undefined : status,
})

const filterForm = (chosen: Chosen): Html => html`<form class="filters" method="get" action="/explore" data-filters>
<fieldset class="market-choice"><legend>Market</legend>${markets.map(
  ({ id, name }) =>
    html`<label><input type="radio" name="market" value="${id}"${chosen.market === id ? html` checked` : ''}><span>${name}</span></label>`,
)}</fieldset>
<label>City<select name="city"><option value="">All</option>${cities
  .filter(({ market }) => market === chosen.market)
  .map(
    ({ slug, name }) => html`<option value="${slug}"${slug === chosen.city ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<label>Address<input name="address" type="search" value="${chosen.address}" maxlength="100" placeholder="Part of it"></label>
<label>Price from<input name="minPrice" inputmode="numeric" value="${chosen.minPrice}" placeholder="Any"></label>
<label>Price to<input name="maxPrice" inputmode="numeric" value="${chosen.maxPrice}" placeholder="Any"></label>
<label>Score from<input name="minScore" inputmode="numeric" value="${chosen.minScore}" placeholder="0"></label>
<fieldset class="status-choice"><legend>Status</legend>${shownStatuses.map(
  (status) =>
    html`<label><input type="checkbox" name="status" value="${status}"${chosen.status.includes(status) ? html` checked` : ''}><span>${statusWords[status]}</span></label>`,
)}</fieldset>
<div class="filter-buttons"><button class="button">Show</button> <a href="/explore?market=${chosen.market}">Clear</a></div>
</form>`

export const pager = (
  path: string,
  params: Parameters<typeof addressOf>[1],
  offset: number,
  shown: number,
  total: number,
): Html => {
  const at = (start: number) => addressOf(path, { ...params, offset: start > 0 ? start : undefined })
  const next = offset + shown
  const more = next < total && next <= maxOffset && shown > 0
  if (offset === 0 && !more) return html``
  return html`<nav class="pager" aria-label="Pages">${offset > 0 ? html`<a rel="prev" href="${at(Math.max(0, offset - publicPageResults))}">Previous</a>` : html`<span></span>`}
<span>${offset + 1}–${next} of ${total.toLocaleString('en-US')}</span>${more ? html`<a rel="next" href="${at(next)}">Next</a>` : html`<span></span>`}</nav>`
}

const pointCollection = (points: Awaited<ReturnType<typeof signalPoints>>) => ({
  type: 'FeatureCollection',
  features: points.map(({ lat, lng, rankScore, ...properties }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { ...properties, score: rankScore === undefined ? -1 : Math.round(rankScore) },
  })),
})
