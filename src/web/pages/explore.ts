// Map and ranked list side by side. The filters live in the address; without scripts the list stands alone.
import type { FastifyInstance } from 'fastify'
import { type MarketId, marketIds } from '../../contract/facts.ts'
import { cities, markets } from '../../contract/markets.ts'
import { publicPageResults } from '../../contract/plans.ts'
import { countListings, type ListingPoint, listingPoints, searchListings } from '../../operations/search-listings.ts'
import { plural } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { landOf } from '../land.ts'
import { addressOf, type Query } from '../query.ts'
import { sendPage } from '../send-page.ts'
import { signalList } from '../signal-table.ts'
import type { Site } from '../site.ts'
import { chosenIn, filterForm, filterOf, nameOf, paramsOf } from './explore-filter.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

/** The map shows where things are, not what they are: the best of these, in full at their pages. */
const mostPoints = 2_000

/** The whole notice stands on the coverage page. */
const shortAttribution = '© OpenStreetMap contributors'

export const mountExplore = (app: FastifyInstance, site: Site): void => {
  const { services } = site

  app.get('/explore', async (request, reply) => {
    const query = request.query as Query
    const problems: string[] = []
    const chosen = chosenIn(query, problems)
    const offset = offsetIn(query, problems) ?? 0
    const filter = filterOf(chosen)
    const [listings, total] = await Promise.all([
      searchListings(services, filter, { limit: publicPageResults, offset }, site.clock()),
      countListings(services, filter),
    ])
    const held = total > 0 || (await countListings(services, { market: chosen.market })) > 0
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
${problemList(problems)}
${held ? html`<p class="result-line">${total === 0 ? 'Nothing matches. Loosen a filter.' : `${plural(total, 'listing')}, best first`}</p>` : nothingHeld(chosen.market)}
${listings.length > 0 ? signalList(listings, offset + 1) : ''}
${pager('/explore', paramsOf(chosen), offset, listings.length, total)}
</div>
<div class="map-panel" id="map" data-points="${addressOf('/explore/points.json', paramsOf(chosen))}" data-land="/map/${chosen.market}.geojson"${site.mapStyleUrl ? html` data-style="${site.mapStyleUrl}"` : ''}><p class="no-map">The map needs JavaScript and WebGL; the list does not.</p></div>
</section>
${dataBlock('application/json', { box: (place ?? market).box, attribution: shortAttribution, cities: cities.filter((city) => city.market === chosen.market).map(({ name, center }) => ({ name, ...center })) }, 'map-data')}`,
    })
  })

  app.get('/explore/points.json', async (request, reply) => {
    const points = await listingPoints(services, filterOf(chosenIn(request.query as Query)), mostPoints)
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

/** Whoever runs the service reads this first; everyone else learns that it is no fault of their filters. */
const nothingHeld = (market: MarketId): Html =>
  html`<div class="empty"><p>No listings of ${nameOf(market)} are held yet, so there is nothing to filter.</p>
<p>Whoever runs this service loads them with <code>npx lotline ingest</code> and a source of listings, or looks around in generated ones with <code>npx lotline sample load</code>. <a href="/coverage">What is held</a></p></div>`

const pointCollection = (points: readonly ListingPoint[]) => ({
  type: 'FeatureCollection',
  features: points.map(({ lat, lng, rankScore, ...properties }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { ...properties, score: rankScore === undefined ? -1 : Math.round(rankScore) },
  })),
})
