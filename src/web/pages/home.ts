import type { FastifyInstance } from 'fastify'
import { forSaleStatuses, type MarketId } from '../../contract/facts.ts'
import { cities, type Market, markets } from '../../contract/markets.ts'
import type { Services } from '../../operations/context.ts'
import { dataCoverage } from '../../operations/data-status.ts'
import { type Listing, type ListingPoint, listingPoints, searchListings } from '../../operations/search-listings.ts'
import { cached } from '../cached.ts'
import { marketMap } from '../charts/market-map.ts'
import { count, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { landOf } from '../land.ts'
import { sendPage } from '../send-page.ts'
import { signalList } from '../signal-table.ts'
import type { Site } from '../site.ts'
import { newsletterForm, signUpForm } from './sign-up.ts'

export const mountHome = (app: FastifyInstance, site: Site): void => {
  const { services } = site
  const totals = cached(60_000, () => totalsOf(services, site.clock()))
  app.get('/', async (request, reply) => {
    const { publicUrl } = services
    const [signals, dots, held] = await Promise.all([
      Promise.all(
        markets.map(({ id }) =>
          searchListings(services, { market: id, status: forSaleStatuses }, { limit: 5, offset: 0 }, site.clock()),
        ),
      ),
      Promise.all(markets.map(({ id }) => listingPoints(services, { market: id, status: forSaleStatuses }, 60))),
      totals(),
    ])
    return sendPage(site, request, reply, {
      title: 'Lotline: what each lot could become',
      description:
        'Real-estate intelligence you run yourself: teardowns, flips, permits and lot splits for the San Francisco Peninsula and Nantucket, as an API, webhooks, agent tools and pages.',
      path: '/',
      body: html`
<section class="hero">
<div class="pitch">
<h1>What every lot could become, and what that would earn.</h1>
<p class="lede">Lotline reads listings, sales, parcels, zoning and building permits for the San Francisco Peninsula and Nantucket, and works out teardown, flip, lot-split and accessory-unit potential with every step shown.</p>
${signUpForm(site)}
${held.rows > 0 ? facts(held) : ''}
</div>
<div class="maps"><div class="map-frame">${markets.map((market, index) => homeMap(market, dots[index]!))}</div><p class="attribution">Best signals of each market. Land © OpenStreetMap contributors, ODbL.</p></div>
</section>
<section class="tops">${markets.map((market, index) => topOf(market, signals[index]!))}</section>
<section class="call">
<div><h2>One call away</h2><p>No sign-up needed to try: the key <code>demo</code> answers five rows a page. Every list shares one envelope; every score explains itself.</p>
<p><a class="button" href="/playground">Open the playground</a> <a href="/docs">Quick start</a></p></div>
<div><pre class="code" data-copy><code>${curlExample(publicUrl)}</code></pre>${excerpt(signals[markets.findIndex(({ id }) => id === 'nantucket')]?.[0])}</div>
</section>
<section class="ways">
<div><h3>HTTP API</h3><p>Signals, property intelligence, permits, SB 9, accessory-unit and redevelopment leads. <a href="/docs/reference">Reference</a></p></div>
<div><h3>Signed webhooks</h3><p>New high-value permits and changed scores, signed and retried for days. <a href="/docs/webhooks">Webhooks</a></p></div>
<div><h3>Agent tools</h3><p>Eight read-only tools over the Model Context Protocol. <a href="/docs/agents">Set-up</a></p></div>
<div><h3>Numbers with working</h3><p>Every score lists its parts, what was missing and how well it has done. <a href="/docs/methods">Methods</a></p></div>
</section>
<section class="letter"><div><h2>The week in your market</h2><p>Top new signals, high-value permits and how hot it is. One mail a week, one click to stop.</p></div>${newsletterForm()}</section>`,
    })
  })
}

export const curlExample = (publicUrl: string): string =>
  `curl -H "x-api-key: demo" \\\n  "${publicUrl}/api/v1/market-signals?market=nantucket&limit=1"`

const topOf = (market: Market, signals: readonly Listing[]): Html => html`
<div><h2>${market.name}</h2><p class="sub">${rankedBy[market.id]}</p>
${signals.length > 0 ? signalList(signals) : html`<p class="empty">No listings yet.</p>`}
<p><a class="more" href="/explore?market=${market.id}">All of ${market.name} on the map</a></p></div>`

const rankedBy: Record<MarketId, string> = {
  'sf-peninsula': 'For sale now, by teardown score',
  nantucket: 'For sale now, by flip potential and historic charm',
}

/** Labels that fit beside the dots without crowding; the explore page names every city. */
const namedOnHome = new Set([
  'daly-city',
  'pacifica',
  'san-mateo',
  'half-moon-bay',
  'redwood-city',
  'palo-alto',
  'nantucket',
])

const homeMap = ({ id, name, box }: Market, points: readonly ListingPoint[]): Html =>
  marketMap({
    title: `Best signals in ${name}`,
    box: { south: box.south - 0.02, north: box.north + 0.02, west: box.west - 0.03, east: box.east + 0.03 },
    width: 400,
    land: landOf(id).rings,
    labels: cities
      .filter((city) => city.market === id && namedOnHome.has(city.slug))
      .map((city) => ({ name: city.name, ...city.center })),
    dots: points.map(({ id: property, address, lat, lng, price, rankScore }) => ({
      lat,
      lng,
      href: `/properties/${encodeURIComponent(property)}`,
      title: `${address}, ${usdShort(price)}`,
      score: rankScore,
    })),
  })

const facts = (held: Totals): Html => html`<dl class="facts">
<div><dt>Parcels</dt><dd>${count(held.parcels)}</dd></div><div><dt>Listings</dt><dd>${count(held.listings)}</dd></div>
<div><dt>Sales</dt><dd>${count(held.sales)}</dd></div><div><dt>Permits</dt><dd>${count(held.permits)}</dd></div></dl>`

type Totals = Record<'rows' | 'parcels' | 'listings' | 'sales' | 'permits', number>

const totalsOf = async (services: Services, now: Date): Promise<Totals> => {
  const sums = { rows: 0, parcels: 0, listings: 0, sales: 0, permits: 0 }
  for (const { dataset, rows } of await dataCoverage(services, now)) {
    sums[dataset] += rows
    sums.rows += rows
  }
  return sums
}

const excerpt = (signal: Listing | undefined): Html | '' => {
  if (!signal) return ''
  const { id, address, city, price, status, teardownScore, flippabilityScore, developerROI } = signal
  const shown = { id, address, city, price, status, teardownScore, flippabilityScore, developerROI }
  return html`<pre class="code answer"><code>${JSON.stringify({ success: true, count: 1, data: [shown] }, null, 2)}</code></pre>`
}
