// The home page: a map and the best-ranked listings of each market, sign-up and newsletter forms, a first API call.
import type { FastifyInstance } from 'fastify'
import { tableOf } from '../../common/typed.ts'
import { type Dataset, datasets, type MarketId } from '../../domain/facts.ts'
import { defaultMarket, type Market, marketById, markets, marketsInWords } from '../../domain/packs/markets.ts'
import type { Services } from '../../operations/context.ts'
import { dataCoverage } from '../../operations/data-status.ts'
import { findListings, type Listing, listingPoints } from '../../operations/map-listings.ts'
import { plans } from '../../wire/plans.ts'
import { pageNumbersIn } from '../account/visit.ts'
import { cached } from '../cached.ts'
import { drawnMarket } from '../drawn-market.ts'
import { count } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { mapPanel } from '../map-panel.ts'
import { sendPage } from '../send-page.ts'
import { rankingScore, signalList } from '../signal-list.ts'
import { contextOf, type Site, servicesOf } from '../site.ts'
import { findForm } from './find.ts'
import { leadsSection, valuedHomes } from './markets.ts'
import { assumptionsIn } from './scenario.ts'
import { newsletterForm, signUpForm } from './sign-up.ts'

export const mountHome = (app: FastifyInstance, site: Site): void => {
  const cachedTotals = cached(60_000, () => totalsOf(site.services, site.clock()))
  app.get('/', async (request, reply) => {
    const services = servicesOf(site, request)
    const { publicUrl } = services
    const context = contextOf(site, request)
    const numbersIn = await pageNumbersIn(site, request)
    const bestForSale = async (market: MarketId, limit: number, earning = {}): Promise<Listing[]> =>
      (await findListings(context, { market, status: ['for_sale'], limit, ...earning })).listings
    const [totals, [first]] = await Promise.all([
      cachedTotals(),
      // The same row that the curl command on the page returns. It has the time limit of a page, which the totals have not.
      bestForSale(defaultMarket(), 1),
    ])
    const loaded = markets().filter(({ id }) => totals.rows === 0 || totals.parcelsOf.has(id))
    const tops = loaded.slice(0, mostMarkets)
    const [listings, points] = await Promise.all([
      Promise.all(
        tops.map(async (market): Promise<Top> => {
          const earning = await bestForSale(market.id, 5, {
            ...assumptionsIn({}, numbersIn(market.id).set?.values),
            minReturnAtExpectedPct: 0,
            sort: ['-returnAtExpectedPct'],
            sureNewHouse: true,
          })
          if (earning.length > 0) return { by: 'return', listings: earning }
          const ranked = await bestForSale(market.id, 5)
          if (ranked.length > 0) return { listings: ranked }
          const [homes, leads] = await Promise.all([valuedHomes(context, market), leadsSection(context, market)])
          return { listings: [], instead: html`${homes}${leads}` }
        }),
      ),
      Promise.all(tops.map(({ id }) => listingPoints(context, { market: id, status: ['for_sale'] }, 60))),
    ])
    const panels = tops.map((market, index) => ({ market, top: listings[index]!, points: points[index]! }))
    const drawings = await Promise.all(
      panels
        .filter((each) => totals.rows === 0 || each.points.length > 0)
        .slice(0, mapsShown)
        .map((each) => drawnMarket(site, each.market, each.points, `Best-ranked listings in ${each.market.name}`)),
    )
    const places = inWords(loaded)
    return sendPage(site, request, reply, {
      title: 'Lotline: what each lot could become',
      description: `Real-estate intelligence you run yourself: every lawful use of a lot with its cost and return, and building permits ${places}, through an API, webhooks, agent tools and pages.`,
      path: '/',
      script: 'places',
      body: html`
<section class="hero">
<div class="pitch">
<h1>See what every lot could become, and what it would earn.</h1>
<p class="lede">Lotline combines listings, sales, parcels, zoning and building permits ${places}. For each property it finds every lawful use, what it would cost and earn, and shows how each number was computed.</p>
${findForm()}
${entries}
${totals.rows > 0 ? totalsList(totals) : ''}
</div>
<div class="maps"><div class="map-frame">${drawings}${homeMapPanel(site, panels[0]?.market)}</div><p class="attribution">Each dot is one of up to 60 homes for sale with the highest rank. Map data © OpenStreetMap contributors, ODbL.</p></div>
</section>
<section class="tops">${panels.map((each) => topListings(each.market, each.top, totals.parcelsOf.get(each.market.id) ?? 0))}</section>
${loaded.length > panels.length ? html`<p><a class="more" href="/markets">All ${loaded.length} markets</a></p>` : ''}
<section class="call">
<div><h2>Try the API</h2><p>You can try it without signing up: the key <code>demo</code> returns up to ${plans.demo.maxResults} results per page. Every list has the same response format, and every score comes with its explanation.</p>
<p><a class="button" href="/playground">Open the playground</a> <a href="/docs">Quick start</a></p>${signUpForm(site)}</div>
<div><pre class="code" data-copy tabindex="0"><code>${curlExample(publicUrl)}</code></pre>${excerpt(first)}</div>
</section>
<section class="ways">
<div><h3>HTTP API</h3><p>Ranked listings, property details, permits, and leads for lots where more could be built. <a href="/docs/reference">API reference</a></p></div>
<div><h3>Signed webhooks</h3><p>Your server is notified of new high-value permits and changed scores. Deliveries are signed and retried for three days. <a href="/docs/webhooks">Webhooks</a></p></div>
<div><h3>Agent tools</h3><p>Read-only tools for AI agents over the Model Context Protocol (MCP). <a href="/docs/agents">Set up</a></p></div>
<div><h3>Explained scores</h3><p>Every score lists its parts, the data that was missing, and its measured accuracy. <a href="/docs/methods">Methods</a></p></div>
</section>
<section class="letter"><div><h2>Weekly newsletter</h2><p>The best new listings, high-value permits and the market heat index. One email per week; unsubscribe with one click.</p></div>${newsletterForm(site)}</section>`,
    })
  })
}

/** One entry for each kind of visitor. */
const entries = html`<ul class="entries"><li><a href="/explore?sort=-returnAtExpectedPct"><b>I build</b> Homes for sale, highest return of a new house first</a></li>
<li><a href="/explore?sort=-flip.profitUsd"><b>I flip</b> Homes for sale, highest flip profit first</a></li>
<li><a href="/find"><b>I own a home</b> What may be built on my lot</a></li>
<li><a href="/leads/vacant-lots"><b>I buy land</b> Vacant lots</a></li></ul>`

export const curlExample = (publicUrl: string): string =>
  `curl -H "x-api-key: demo" \\\n  "${publicUrl}/api/v1/market-signals?status=for_sale&limit=1"`

/** The drawings share one frame: the second is an inset of the first, and a third would cover it. */
const mapsShown = 2

/** More markets than this are on the Markets page. */
const mostMarkets = 4

const inWords = (of: readonly Market[]): string =>
  of.length > mostMarkets ? `in ${of.length} markets` : marketsInWords(of)

interface Top {
  /** Ordered by return, because some homes earn something; else by rank. */
  by?: 'return'
  listings: readonly Listing[]
  /** Valued homes and leads of a market without listings. */
  instead?: Html
}

const topListings = (market: Market, { by, listings, instead }: Top, parcels: number): Html =>
  listings.length === 0 && parcels > 0
    ? html`
<div><h2>${market.name}</h2><p class="sub">No listings are loaded. ${count(parcels)} parcels are: find one by its address above.</p>
${instead}
<p><a class="more" href="/markets/${market.id}">See ${market.name}</a></p></div>`
    : html`
<div><h2>${market.name}</h2><p class="sub">For sale, ${by ? 'highest return first' : `ranked by ${rankingScore(market.id)}`}</p>
${listings.length > 0 ? signalList(listings) : html`<p class="empty">No listings are loaded yet.</p>`}
<p><a class="more" href="/explore?market=${market.id}${by ? html`&amp;sort=-returnAtExpectedPct` : ''}">See all ${market.name} listings</a></p></div>`

/** Replaces the drawing when the visitor asks for it, so that the page stays small. */
const homeMapPanel = (site: Site, market = marketById(defaultMarket())): Html =>
  mapPanel(site, {
    className: 'home-map',
    places: '.tops > :first-child',
    box: market?.box,
    fallback: html`<button type="button" class="button quiet" hidden data-open-map=".tops > :first-child">Open the map</button>`,
  })

const totalsList = ({ parcels, listings, sales, permits, notIssued }: Totals): Html => html`<dl class="facts">
<div><dt>Parcels</dt><dd>${count(parcels)}</dd></div><div><dt>Listings</dt><dd>${count(listings)}</dd></div>
<div><dt>Sales</dt><dd>${count(sales)}</dd></div><div><dt>Permits issued</dt><dd>${count(permits - notIssued)}</dd></div>${notIssued > 0 ? html`<div><dt>Permits not issued</dt><dd>${count(notIssued)}</dd></div>` : ''}</dl>`

type Totals = Record<'rows' | 'notIssued' | Dataset, number> & {
  /** Parcels by market, for every market with data. */
  parcelsOf: Map<MarketId, number>
}

const totalsOf = async (services: Services, now: Date): Promise<Totals> => {
  const totals: Totals = { ...tableOf([...datasets, 'rows', 'notIssued'], () => 0), parcelsOf: new Map() }
  for (const { market, dataset, rows, notIssued = 0 } of await dataCoverage(services.db, now)) {
    totals[dataset] += rows
    totals.rows += rows
    totals.notIssued += notIssued
    totals.parcelsOf.set(market, (totals.parcelsOf.get(market) ?? 0) + (dataset === 'parcels' ? rows : 0))
  }
  return totals
}

const excerpt = (listing: Listing | undefined): Html | '' => {
  if (!listing) return ''
  const { id, address, city, price, status, teardownScore, flippabilityScore, developerROI } = listing
  const shown = { id, address, city, price, status, teardownScore, flippabilityScore, developerROI }
  return html`<pre class="code response" tabindex="0"><code>${JSON.stringify({ success: true, count: 1, data: [shown] }, null, 2)}</code></pre><p class="hint">Response, with some fields left out.</p>`
}
