// The Explore page: filters, a list and a map that follow each other. Everything is in the URL; without JavaScript the list
// still works.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../common/errors.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type City, cities, cityBySlug, type Market, marketById, markets } from '../../domain/packs/markets.ts'
import { dataCoverage } from '../../operations/data-status.ts'
import { type FoundListings, findListings, lawLeadsOf, parcelCells } from '../../operations/map-listings.ts'
import { type MapLayer, mapLayers } from '../../operations/map-tiles.ts'
import { pageNumbersIn } from '../account/visit.ts'
import { drawnMarket } from '../drawn-market.ts'
import { count } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { landOf } from '../land.ts'
import { downloadContext, sendCsv } from '../list-csv.ts'
import { mapPanel, type Overlay, viewSwitch } from '../map-panel.ts'
import { pathWithQuery, queryOf } from '../query.ts'
import { sendPage, sendPart } from '../send-page.ts'
import { contextOf, type Site, servicesOf } from '../site.ts'
import { type Explore, queryParamsOf, readExplore } from './explore-filter.ts'
import { filterForm } from './explore-form.ts'
import { resultsOf } from './explore-results.ts'
import { valuedHomes } from './markets.ts'
import { findNearMisses } from './near-misses.ts'
import { marketOnly } from './numbers-line.ts'
import { offsetIn } from './search-list.ts'

/** Requests of the map after it has moved, counted apart from pages. */
const mapMoves = { ownLimit: { bucket: 'map-moves', perMinute: 120 } }

/** A list with fewer homes also shows those that almost match. */
const shortList = 5

export const mountExplore = (app: FastifyInstance, site: Site): void => {
  const search = async (request: FastifyRequest, context = contextOf(site, request)) => {
    const query = queryOf(request)
    const problems: HtmlValue[] = []
    const requested = readExplore(query, problems, await pageNumbersIn(site, request))
    const offset = offsetIn(query, problems) ?? 0
    const limit = context.caller.limits.maxResults
    const find = ({ input, pageOnly }: Explore) =>
      findListings(context, { ...input, limit, offset, explain: ['funnel'] }, pageOnly)
    let explore = requested
    const found = await find(requested).catch((error) => {
      // A search of too many homes for own numbers: the list itself is not refused.
      if (!requested.numbers.set || !(error instanceof ApiError) || error.status !== 400) throw error
      problems.push(`Market numbers are used: ${error.message}`)
      explore = readExplore(query)
      return find(explore)
    })
    const isShort = found.total < shortList && (found.total === 0 || Object.keys(explore.criteria).length > 0)
    const misses = isShort ? await findNearMisses(context, explore) : []
    return { explore, found, offset, problems, misses }
  }

  app.get('/explore', async (request, reply) => {
    const { explore, found, offset, problems, misses } = await search(request)
    const anyListings = () => findListings(contextOf(site, request), { market: explore.market, limit: 1 })
    const hasListings = found.total > 0 || (await anyListings()).total > 0
    const market = marketById(explore.market)!
    const city = cities().find(({ slug }) => slug === explore.city)
    const area = city ?? market
    const layers = await mapLayers(contextOf(site, request).db, market.id)
    return sendPage(site, request, reply, {
      title: `Explore ${area.name}`,
      description: `Homes for sale in ${area.name} ranked by teardown or flip potential, as a list and on a map.`,
      path: '/explore',
      layout: 'wide',
      script: 'explore',
      body: html`
<section class="explore" data-explore>
<div class="panel">
<h1>${area.name}</h1>
${viewSwitch}
${filterForm(explore)}
<div data-results>${
        hasListings
          ? resultsOf(explore, { ...found, misses }, offset, problems, site.photoHosts)
          : await noListings(site, request, market, city)
      }</div>
<form id="compare" method="get" action="/explore/compare" class="compare-bar">${Object.entries({ ...explore.assumptions, ...(explore.numbers.instead && { numbers: marketOnly }) }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button">Compare selected</button></form>
</div>
${mapPanel(site, { id: 'map', box: area.box, city: cityBySlug(explore.city ?? '')?.slug, overlays: overlaysOf(market, site, layers), layers })}
</section>`,
    })
  })

  app.get('/explore/results', { config: mapMoves }, async (request, reply) => {
    const { explore, found, offset, problems, misses } = await search(request)
    reply.header('x-page', pathWithQuery('/explore', queryParamsOf(explore)))
    return sendPart(reply, resultsOf(explore, { ...found, misses }, offset, problems, site.photoHosts))
  })

  // What the map panel shows where the browser has no WebGL.
  app.get('/explore/drawing', { config: mapMoves }, async (request, reply) => {
    const { explore, found } = await search(request)
    const points = found.listings.flatMap(pointOf)
    return sendPart(reply, await drawnMarket(site, marketById(explore.market)!, points, 'Homes of the list'))
  })

  app.get('/explore.csv', async (request, reply) => {
    const context = await downloadContext(site, request, reply)
    const { found, offset } = await search(request, context)
    return sendCsv(reply, context, 'listings', csvColumns, found.listings.map(csvRow), { offset, total: found.total })
  })

  app.get<{ Params: { file: string } }>('/map/:file', async (request, reply) => {
    const { file } = request.params
    const market = markets().find(({ id }) => `${id}.geojson` === file)
    const land = market && (await landOf(site, market.id))
    if (!land) return reply.callNotFound()
    return reply
      .type('application/geo+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send({ type: 'FeatureCollection', features: land.features })
  })
}

/** Leads that a law of the market gives, and what every market has. */
const overlaysOf = (market: Market, { mapAerial }: Site, layers: readonly MapLayer[]): Overlay[] => {
  const given = lawLeadsOf(market)
  return [
    ...(given.includes('accessory_unit') ? (['adu'] as const) : []),
    'redevelopment',
    ...(given.includes('lot_split') ? (['sb9'] as const) : []),
    'permits',
    'zoning',
    ...(mapAerial ? (['aerial'] as const) : []),
    ...layers.map(({ id }) => `map:${id}` as const),
  ]
}

const pointOf = ({ id, address, price, rankScore, metadata: { lat, lng } }: FoundListings['listings'][number]) =>
  lat === undefined || lng === undefined ? [] : [{ id, address, price, rankScore, lat, lng }]

const csvColumns = [
  'id',
  'address',
  'city',
  'zip',
  'price',
  'status',
  'beds',
  'baths',
  'sqft',
  'lotSize',
  'yearBuilt',
  'daysOnMarket',
  'teardownScore',
  'flippabilityScore',
  'returnPct',
  'lat',
  'lng',
  'verdict',
] as const

const csvRow = ({ metadata, ...listing }: FoundListings['listings'][number]) => ({ ...metadata, ...listing })

/** For the operator of a new installation. It also tells a visitor that the filters are not the reason. */
const noListings = async (site: Site, request: FastifyRequest, market: Market, city?: City): Promise<Html> => {
  const parcels = await parcelsIn(site, request, market.id)
  const context = contextOf(site, request)
  const isDrawn = parcels > 0 && (await parcelCells(context, market.id, market.box, 1)).length > 0
  return html`<div class="empty"><p>No listings are loaded for ${market.name} yet.</p>
${
  parcels > 0
    ? html`<p>${count(parcels)} parcels are loaded. ${isDrawn ? 'Click a lot on the map, or' : 'None has coordinates, so the map is empty:'} <a href="/find">find a property by address</a>, or look at the <a href="/leads?market=${market.id}">leads</a>.</p>`
    : html`<p>To load listings from your own source, run <code>npx lotline ingest</code>. To try Lotline with generated data, run <code>npx lotline sample load</code>.</p>`
}
<p><a href="/coverage">See what is loaded</a></p></div>${parcels > 0 ? await valuedHomes(context, market, city, 25) : ''}`
}

const parcelsIn = async (site: Site, request: FastifyRequest, market: MarketId): Promise<number> =>
  (await dataCoverage(servicesOf(site, request).db, site.clock()))
    .filter((row) => row.market === market && row.dataset === 'parcels')
    .reduce((sum, { rows }) => sum + rows, 0)
