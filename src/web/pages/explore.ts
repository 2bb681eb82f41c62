// The Explore page: filters, a ranked list and a map. The filters are in the URL; without JavaScript the list still works.
import type { FastifyInstance } from 'fastify'
import type { MarketId } from '../../contract/facts.ts'
import { cities, marketIds, markets } from '../../contract/markets.ts'
import { publicPageResults } from '../../contract/plans.ts'
import { countListings, type ListingPoint, listingPoints, searchListings } from '../../operations/search-listings.ts'
import { plural } from '../formats.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { landOf } from '../land.ts'
import { pathWithQuery, type Query } from '../query.ts'
import { sendPage } from '../send-page.ts'
import { rankingScore, signalList } from '../signal-list.ts'
import { type Site, servicesOf } from '../site.ts'
import { filterForm, listingFilterOf, marketName, queryParamsOf, readFilter } from './explore-filter.ts'
import { offsetIn, pager, problemList } from './search-list.ts'

/** The best-ranked listings only: more points would slow the map down and overlap. */
const maxPoints = 2_000

/** The full attribution is on the Coverage page. */
const shortAttribution = '© OpenStreetMap contributors'

export const mountExplore = (app: FastifyInstance, site: Site): void => {
  app.get('/explore', async (request, reply) => {
    const services = servicesOf(site, request)
    const query = request.query as Query
    const problems: string[] = []
    const filter = readFilter(query, problems)
    const offset = offsetIn(query, problems) ?? 0
    const search = listingFilterOf(filter)
    const [listings, total] = await Promise.all([
      searchListings(services, search, { limit: publicPageResults, offset }, site.clock()),
      countListings(services, search),
    ])
    const hasListings = total > 0 || (await countListings(services, { market: filter.market })) > 0
    const market = markets.find(({ id }) => id === filter.market)!
    const city = cities.find(({ slug }) => slug === filter.city)
    const area = city ?? market
    return sendPage(site, request, reply, {
      title: `Explore ${area.name}`,
      description: `Listings in ${area.name} ranked by teardown or flip potential, as a list and on a map.`,
      path: '/explore',
      layout: 'wide',
      script: 'explore',
      body: html`
<section class="explore">
<div class="panel">
<h1>${area.name}</h1>
${filterForm(filter)}
${problemList(problems)}
${hasListings ? html`<p class="result-line">${total === 0 ? 'No listings match. Try removing a filter.' : `${plural(total, 'listing')}, ranked by ${rankingScore(filter.market)}`}</p>` : noListings(filter.market)}
${listings.length > 0 ? signalList(listings, offset + 1) : ''}
${pager('/explore', queryParamsOf(filter), offset, listings.length, total)}
</div>
<div class="map-panel" id="map" data-points="${pathWithQuery('/explore/points.json', queryParamsOf(filter))}" data-land="/map/${filter.market}.geojson"${site.mapStyleUrl ? html` data-style="${site.mapStyleUrl}"` : ''}><p class="no-map">The map needs JavaScript and WebGL.</p></div>
</section>
${dataBlock('application/json', { box: area.box, attribution: shortAttribution, scoreName: rankingScore(filter.market), cities: cities.filter((each) => each.market === filter.market).map(({ name, center }) => ({ name, ...center })) }, 'map-data')}`,
    })
  })

  app.get('/explore/points.json', async (request, reply) => {
    const points = await listingPoints(
      servicesOf(site, request),
      listingFilterOf(readFilter(request.query as Query)),
      maxPoints,
    )
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'private, no-cache')
      .send(JSON.stringify(pointCollection(points)))
  })

  app.get('/map/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const market = marketIds.find((id) => `${id}.geojson` === file)
    const land = market && landOf(market)
    if (!land) return reply.callNotFound()
    return reply
      .type('application/geo+json; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(land.text)
  })
}

/** Written for the operator of a new installation; a visitor learns that the filters are not the reason. */
const noListings = (market: MarketId): Html =>
  html`<div class="empty"><p>No listings are loaded for ${marketName(market)} yet.</p>
<p>To load listings from your own source, run <code>npx lotline ingest</code>. To try Lotline with generated data, run <code>npx lotline sample load</code>. <a href="/coverage">See what is loaded</a></p></div>`

const pointCollection = (points: readonly ListingPoint[]) => ({
  type: 'FeatureCollection',
  features: points.map(({ lat, lng, rankScore, ...properties }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { ...properties, score: rankScore === undefined ? -1 : Math.round(rankScore) },
  })),
})
