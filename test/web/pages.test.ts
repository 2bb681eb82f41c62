import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeHtml } from '../../src/common/escape-html.ts'
import { type Criterion, criteria } from '../../src/criteria/table.ts'
import { marketsInWords } from '../../src/domain/packs/markets.ts'
import { recordAccuracy } from '../../src/store/assessments/accuracy.ts'
import { sql } from '../../src/store/engine/database.ts'
import { referenceUrlOf } from '../../src/web/docs/reference.ts'
import { downloadsPerMinute } from '../../src/web/list-csv.ts'
import { pageTable } from '../../src/web/page-table.ts'
import { readExplore } from '../../src/web/pages/explore-filter.ts'
import { webhookEvents } from '../../src/wire/events.ts'
import { operationList } from '../../src/wire/operations/list.ts'
import { plans, publicPageResults } from '../../src/wire/plans.ts'
import { openBrowser, signInWithKey } from './account.ts'
import { addPermit, addProperty, planted, startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  await addProperty(site.db, 'p_001p1', { address: '9100 Alma St', rankScore: 81 })
  await addProperty(site.db, 'p_001p2', { price: 900_000, rankScore: 12, status: 'pending' })
  await addProperty(site.db, 'p_002n1', {
    market: 'nantucket',
    city: 'Nantucket',
    citySlug: 'nantucket',
    lat: 41.28,
    lng: -70.1,
  })
  await addPermit(site.db, 'B/26 1', { propertyId: 'p_001p1' })
  await addPermit(site.db, 'B-2', { valuation: 10_000, description: 'Reroof', contractor: '=SUM(A1)' })
})
afterAll(() => site?.close())

const get = async (url: string, headers: Record<string, string> = { accept: 'text/html' }) => {
  const { statusCode, body, headers: sent } = await site.app.inject({ url, headers })
  return { statusCode, body, headers: sent }
}

/** Every page of the table, and one of each family. */
const everyPage = [
  ...pageTable.flatMap(({ path }) => (path.includes(':') || path === '/account' ? [] : [path])),
  '/explore?market=nantucket',
  '/properties/p_001p1',
  '/permits/palo-alto/B%2F26%201',
  '/docs/reference',
  '/leads/sb9',
  '/leads/vacant-lots',
  '/docs/reference/permits',
  '/docs/reference/events',
  '/docs/methods',
  '/docs/webhooks',
  '/docs/exports',
]

test.each(everyPage)('%s is a page with a title, a description, one main heading and strict headers', async (url) => {
  const { statusCode, body, headers } = await get(url)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toMatch(/<title>[^<]{5,}<\/title>/)
  expect(body).toMatch(/<meta name="description" content="[^"]{10,}"/)
  expect(body.match(/<h1[ >]/g)).toHaveLength(1)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(body).not.toMatch(/ style="| on\w+="/)
  // Scripts are files; an inline script element holds only data.
  for (const [tag] of body.matchAll(/<script[^>]*>/g)) expect(tag).toMatch(/ src="\/assets\/|application\/(ld\+)?json/)
})

test('the home page names each market above its listings, and no page shows source code', async () => {
  const { body } = await get('/')
  expect(body).toContain('<h2>San Francisco Peninsula</h2><p class="sub">For sale, ranked by teardown score</p>')
  for (const url of everyPage.filter((each) => !each.startsWith('/docs')))
    expect((await get(url)).body).not.toMatch(/^import /m)
})

test('no page loads anything from another host', async () => {
  for (const url of everyPage) {
    const { body } = await get(url)
    for (const [, address] of body.matchAll(/<(?:script|link|img|source|iframe)[^>]+(?:src|href)="([^"]+)"/g))
      expect(address).toMatch(/^(\/|http:\/\/lotline\.test)/)
  }
})

test('filters narrow the list and are kept in the links to the next page and the map', async () => {
  const all = await get('/explore')
  expect(all.body).toContain('1 home for sale')
  const few = await get('/explore?minScore=50&status=active&address=Alma')
  expect(few.body).toContain('1 listing,')
  expect(few.body).toContain('9100 Alma St')
  expect(few.body).not.toContain('p2 Oak St')
  expect(few.body).toContain('minScore=50')
  const csv = await get('/explore.csv?minScore=50')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.body).toMatch(/^id,address,city,zip,price,/)
  expect(
    csv.body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]),
  ).toEqual(['p_001p1'])
  const zip = await get('/explore?zip=94301, 99999')
  expect(zip.body).toContain('No listings match')
  expect(zip.body).toContain('ZIP code 94301, 99999')
  expect((await get('/explore/points.json')).statusCode).toBe(404)
})

test('prices are read as people type them', async () => {
  for (const price of ['$3M', '3m', '3,000,000', '$3.0 million', '3000k', '3000000']) {
    const { body } = await get(`/explore?maxPrice=${encodeURIComponent(price)}`)
    expect(body, price).toContain('Max price $3M')
    expect(body, price).not.toContain('was ignored')
  }
})

test('a mistyped city has no homes, and gets a suggestion that keeps the other filters', async () => {
  const { body } = await get('/explore?city=Menlo+Prk&maxPrice=3M')
  expect(body).toContain('Did you mean <a href="/explore?city=menlo-park&amp;maxPrice=3M">Menlo Park</a>?')
  expect(body).toContain('No listings match.')
  expect(body).not.toMatch(/Watch this search|explore\.csv/)
  expect((await get('/explore?city=Menlo+Park')).body).toContain('<h1>Menlo Park</h1>')
  expect((await get('/explore?city=Menlo+Park,Palo+Alto')).body).not.toContain('There is no city')
})

test('homes for sale come first: pending ones only when asked for', async () => {
  expect((await get('/explore')).body).toContain('for sale, ranked by')
  expect((await get('/explore')).body).not.toContain('data-status="pending"')
  expect((await get('/explore?status=onMarket')).body).toContain('data-status="pending"')
})

test('an empty list shows which filter leaves nothing', async () => {
  const { body } = await get('/explore?minScore=100&status=active')
  expect(body).toContain('How many homes remain after each filter')
  expect(body).toContain('<th scope="row">Min score 100</th>')
})

test('the list can be limited to a box, a circle or a drawn area, each in the URL', async () => {
  for (const area of [
    'bbox=-122.2,37.4,-122.1,37.5',
    'lat=37.43&lng=-122.14&radiusMi=1',
    'area=-122.2,37.4;-122.1,37.4;-122.1,37.5;-122.2,37.5',
  ])
    expect((await get(`/explore?status=onMarket&${area}`)).body, area).toContain('<ol class="signals homes"')
  expect((await get('/explore?bbox=-121,36,-120.9,36.1')).body).toContain('No listings match')
  for (const wrong of ['bbox=1,2,3', 'area=1,2', 'bbox=a,b,c,d', 'area=%00'])
    expect((await get(`/explore?${wrong}`)).statusCode, wrong).toBe(200)
})

test('up to six homes are compared side by side, from the URL', async () => {
  const { body } = await get('/explore/compare?pick=p_001p1,p_001p2,nowhere')
  expect(body).toContain('9100 Alma St')
  expect(body.match(/<th scope="col"><a/g)).toHaveLength(2)
  expect((await get('/explore/compare')).body).toContain('Nothing is selected.')
})

test('map moves have an allowance of their own: 120 a minute', async () => {
  const own = await startSite({ pagesPerMinute: 1 })
  try {
    const ask = async () => (await own.app.inject({ url: '/explore/results' })).statusCode
    for (let at = 0; at < 120; at++) expect(await ask()).toBe(200)
    expect(await ask()).toBe(429)
  } finally {
    await own.close()
  }
})

test('a list and a comparison print their full URL and the day, and a list names the URL without filters as canonical', async () => {
  const printed = async (url: string) => /<span data-page-url>(.*?)<\/span>/.exec((await get(url)).body)?.[1]
  const filtered = '/permits?city=palo-alto&q=adu&offset=50'
  expect(await printed(filtered)).toBe('http://lotline.test/permits?city=palo-alto&amp;q=adu&amp;offset=50')
  expect(await printed('/permits?apiKey=ll_pro_x&q=adu')).toBe('http://lotline.test/permits?q=adu')
  expect((await get(filtered)).body).toContain('<link rel="canonical" href="http://lotline.test/permits">')
  expect((await get(filtered)).body).toMatch(/offset=50<\/span> · [A-Z][a-z]+ \d+, \d{4}<\/p>/)
  expect(await printed('/permits')).toBe('http://lotline.test/permits')
  const compared = 'http://lotline.test/explore/compare?pick=p_1%2Cp_2&amp;price.p_1=2000000'
  expect(await printed('/explore/compare?pick=p_1,p_2&price.p_1=2000000&key=ll_pro_x')).toBe(compared)
  expect(await printed('/nowhere?token=x')).toBe('http://lotline.test/nowhere')
})

test('the documentation of search ends with every criterion, what it means and what it applies to', async () => {
  const { body } = await get('/docs/criteria')
  for (const [name, { schema }] of Object.entries<Criterion>(criteria)) {
    const entry = body.slice(body.indexOf('id="all-criteria"')).split(`<dt><code>${name}</code>`)[1]?.split('</div>')[0]
    expect(entry, name).toContain(escapeHtml((schema as { description?: string }).description!))
    expect(entry).toMatch(/\((listings|parcels|permits|sales|SB 9|POST)[^)]*\)<\/dd>/)
  }
})

test('an invalid filter is ignored and never an error', async () => {
  for (const query of [
    'market=mars',
    'minPrice=abc',
    'offset=-5',
    'offset=99999',
    'city=%00',
    'status=x&status=y',
    'address=%25%5F',
  ])
    expect((await get(`/explore?${query}`)).statusCode).toBe(200)
  for (const query of ['issuedFrom=2026-02-31', 'minValuation=x', 'q=%00', 'city=_', 'offset=1e9'])
    expect((await get(`/permits?${query}`)).statusCode).toBe(200)
})

test('an invalid filter is explained, and the other filters apply', async () => {
  const messages = async (url: string) => {
    const { body } = await get(url)
    const [, list = ''] = /<div role="status"><ul class="problems">(.*?)<\/ul>/.exec(body) ?? []
    return [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)
  }
  expect(await messages('/explore?minScore=50&city=&minPrice=%241%2C000&status=active')).toEqual([])
  const { body } = await get('/explore?minScore=200&status=pending')
  expect(body).toContain('Min score must be a number from 0 to 100; “200” was ignored.')
  expect(body).toContain('1 listing,')
  expect(
    await messages('/explore?minScore=200&minPrice=cheap&status=burnt&city=nantucket&zip=9402&market=mars'),
  ).toEqual([
    'Market must be sf-peninsula or nantucket; “mars” was ignored.',
    'Status must be one of active, coming_soon, pending, sold; “burnt” was ignored.',
    'ZIP code must be ZIP codes of five digits, separated by commas, for example 94025,94301; “9402” was ignored.',
    'Min price must be dollars, for example 1,500,000 or $1.5M; “cheap” was ignored.',
    'Min score must be a number from 0 to 100; “200” was ignored.',
    'There is no city “nantucket” on the San Francisco Peninsula. Did you mean <a href="/explore?minScore=200&amp;minPrice=cheap&amp;status=burnt&amp;city=nantucket&amp;zip=9402&amp;market=nantucket">Nantucket</a>?',
  ])
  expect(await messages('/explore?minPrice=2&maxPrice=1')).toEqual([
    'Min price is higher than max price, so max price was ignored.',
  ])
  // And the list is that of the minimum: one of the two homes costs $900,000.
  const inverted = '/explore?minPrice=1000000&maxPrice=1&status=active&status=pending'
  expect((await get(inverted)).body).toContain('1 listing,')
  expect((await get(inverted.replace('1000000', '800000'))).body).toContain('2 listings,')
  expect(await messages(`/explore?minScore=${planted.slice(0, 8)}`)).toEqual([
    'Min score must be a number from 0 to 100; “&lt;script&gt;” was ignored.',
  ])
  expect(await messages('/permits?issuedFrom=2026-02-31&minValuation=x&q=roof')).toEqual([
    'Min valuation must be dollars, for example 1,500,000 or $1.5M; “x” was ignored.',
    'Issued from must be a date, YYYY-MM-DD, for example 2026-11-15; “2026-02-31” was ignored.',
  ])
  expect(await messages('/permits?city=a&city=b&q=%00&offset=-1')).toEqual([
    'City must be one text of at most 80 characters; “a, b” was ignored.',
    'Keywords must be text of at most 200 characters, for example new house; “␀” was ignored.',
    'offset must be a whole number from 0 to 9,999; “-1” was ignored.',
  ])
  expect(await messages('/explore?offset=1e9')).toEqual([
    'offset must be a whole number from 0 to 9,999; “1e9” was ignored.',
  ])
})

test('a shortlist has at most six homes, each once', () => {
  const ids = Array.from({ length: 7 }, (_, at) => `p_001x${at}`)
  expect(readExplore({ pick: `${ids[0]},${ids.join()}` }).picks).toEqual(ids.slice(0, 6))
})

test('a filter without matches and missing data give different messages', async () => {
  expect((await get('/explore?minScore=100')).body).toContain('No listings match. Try removing a filter.')
  expect((await get('/permits?q=zeppelin')).body).toContain('No permits match. Try removing a filter.')
  const empty = await startSite()
  try {
    const { body } = await empty.app.inject({ url: '/explore?minScore=100' })
    expect(body).not.toContain('No listings match')
    expect(body).toContain('No listings are loaded for San Francisco Peninsula yet')
    expect(body).toContain('npx lotline ingest')
    expect((await empty.app.inject({ url: '/permits' })).body).toContain(
      'No permits are loaded on the San Francisco Peninsula yet.',
    )
    expect((await empty.app.inject({ url: '/' })).body).toContain('No listings are loaded yet.')
  } finally {
    await empty.close()
  }
})

test('a page past the last result links to the first page', async () => {
  const { body } = await get('/explore?offset=500&status=active')
  expect(body).toContain('This page is past the last result. <a href="/explore?market=sf-peninsula&amp;status=active">')
})

test('model accuracy shows labels and units, with a column for each market', async () => {
  const figure = { name: 'value-held-out', measuredAt: new Date('2026-11-10'), data: '90 sales', modelVersion: '2/x' }
  const measures = { mdape: 6.598, prb: -0.01, odd: 3 }
  await recordAccuracy(site.db, { ...figure, market: 'sf-peninsula', measures })
  const deciles = [{ n: 9, predicted: 0.1, observed: 0.2 }]
  await recordAccuracy(site.db, { ...figure, market: 'nantucket', measures: { mdape: 9.48, deciles } })
  const { body } = await get('/coverage')
  expect(body).toContain('Value estimate, tested on held-out sales')
  expect(body).toMatch(/Median error<small>.*?<\/small><\/th><td class="num">6\.6%<\/td><td class="num">9\.5%<\/td>/)
  expect(body).toMatch(/\(PRB\)<small>.*?<\/small><\/th><td class="num">−0\.01<\/td><td class="num">–<\/td>/)
  expect(body).not.toMatch(/mdape|deciles|Odd</i)
})

test('a permit has a page at its permitUrl, with structured data', async () => {
  const list = await site.app.inject({ url: '/api/v1/permits?q=two-story', headers: { 'x-api-key': 'demo' } })
  const { permitUrl } = list.json().data[0]
  const { body, statusCode } = await get(permitUrl.replace('http://lotline.test', ''))
  expect(statusCode).toBe(200)
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)!
  expect(JSON.parse(data!)).toMatchObject({ '@type': 'GovernmentPermit', identifier: 'B/26 1', url: permitUrl })
  expect((await get('/permits/palo-alto/none')).statusCode).toBe(404)
})

test('the CSV hands out no more rows a minute than the demo key', async () => {
  const download = () => site.app.inject({ url: '/permits.csv?q=reroof', remoteAddress: '192.0.2.66' })
  const statuses = []
  for (let i = 0; i < downloadsPerMinute + 1; i++) statuses.push((await download()).statusCode)
  expect(downloadsPerMinute * publicPageResults).toBeLessThanOrEqual(
    plans.demo.maxResults * plans.demo.requestsPerMinute,
  )
  expect(statuses).toEqual([...Array(downloadsPerMinute).fill(200), 429])
  expect((await download()).body).toMatch(/downloads without a key in a minute. Try again in \d+ s/)
  // A comparison has at most six homes, so it is not counted as a download.
  const comparison = { url: '/explore/compare.csv?pick=p_001p1', remoteAddress: '192.0.2.66' }
  expect((await site.app.inject(comparison)).statusCode).toBe(200)
})

test('the CSV contains the current page and no spreadsheet formulas', async () => {
  const { body, headers } = await get('/permits.csv?q=reroof')
  expect(headers['content-disposition']).toContain('permits.csv')
  const lines = body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain("'=SUM(A1)")
})

test('the pro forma on the page has the return that the API serves', async () => {
  const { body } = await get('/properties/p_001p1')
  const served = await site.app.inject({
    url: '/api/v1/properties/p_001p1/proforma',
    headers: { 'x-api-key': 'demo' },
  })
  const { roiPct } = served.json().data.proforma
  expect(body).toContain(`<dd data-out="before-financing">${String(roiPct.toFixed(1)).replace('-', '−')}%</dd>`)
  expect(body).toContain('land is 84% of the value')
  expect(body).toContain('Missing data: condition.')
  expect(body).not.toMatch(/<p[^>]*>\W*<\/p>/)
})

test('a sold home shows its sale price and the list price that the pro forma uses', async () => {
  const own = await startSite()
  try {
    await addProperty(own.db, 'p_001gone', { status: 'sold', price: 2_000_000 })
    await sql`update listing set sold_price_usd = 1900000, sold_on = current_date - 5`.execute(own.db)
    const { body } = await own.app.inject({ url: '/properties/p_001gone' })
    expect(body).toContain('<b class="num">$1,900,000</b>')
    expect(body).toContain('Last list price $2,000,000')
  } finally {
    await own.close()
  }
})

test('markup from a feed is escaped on every page', async () => {
  const hostile = await startSite()
  try {
    await addProperty(hostile.db, 'p_001evil', { address: planted, city: planted, remarks: planted })
    await addPermit(hostile.db, 'E-1', {
      address: planted,
      description: planted,
      contractor: planted,
      propertyId: 'p_001evil',
    })
    await sql`update source set title = ${planted}, license = ${planted}, url = 'javascript:alert(1)'`.execute(
      hostile.db,
    )
    for (const url of ['/', '/explore', '/properties/p_001evil', '/permits', '/permits/palo-alto/E-1', '/coverage']) {
      const { body, statusCode } = await hostile.app.inject({ url })
      expect(statusCode).toBe(200)
      expect(body).not.toMatch(/<script>window|<img src=x|javascript:/)
      expect(body).toContain('&lt;script&gt;window.planted')
    }
  } finally {
    await hostile.close()
  }
})

test('an unknown URL returns a page to a browser and JSON to other clients', async () => {
  const page = await get('/nowhere')
  expect(page.statusCode).toBe(404)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['x-content-type-options']).toBe('nosniff')
  expect(page.body).toContain('Page not found')
  const client = await get('/nowhere', { accept: 'application/json' })
  expect(JSON.parse(client.body)).toMatchObject({ success: false, code: 'not_found' })
  const api = await get('/api/v1/nowhere')
  expect(JSON.parse(api.body)).toMatchObject({ success: false, code: 'not_found' })
  expect((await get('/properties/none')).body).toContain('There is no property')
})

test('robots.txt, sitemap.xml and llms.txt list the pages', async () => {
  expect((await get('/robots.txt')).body).toContain('Sitemap: http://lotline.test/sitemap.xml')
  const { body } = await get('/sitemap.xml')
  expect(body).toContain('<loc>http://lotline.test/properties/p_001p1</loc>')
  expect(body).toContain('<loc>http://lotline.test/permits/palo-alto/B%2F26%201</loc>')
  for (const { path, sitemap } of pageTable)
    for (const listed of sitemap === true ? [path] : (sitemap?.() ?? []))
      expect(body).toContain(`<loc>http://lotline.test${listed}</loc>`)
  const text = await get('/llms.txt')
  for (const { path, navigation, summary } of pageTable)
    if (summary) expect(text.body).toContain(`- [${navigation}](http://lotline.test${path}): ${summary}\n`)
  expect(text.body).toContain(`Real-estate intelligence ${marketsInWords()}: `)
  for (const { path } of operationList) expect(text.body).toContain(path)
})

test('the reference shows every operation with all its fields', async () => {
  for (const operation of operationList) {
    const { name, input } = operation
    const { body } = await get(referenceUrlOf(operation).split('#')[0]!)
    expect((await get('/docs/reference')).body).toContain(`href="${referenceUrlOf(operation)}"`)
    expect(body).toContain(`id="${name}"`)
    for (const field of Object.keys(input.properties)) expect(body).toContain(`<code>${field}</code>`)
  }
  const { body } = await get('/docs/reference/events')
  for (const name of Object.keys(webhookEvents)) expect(body).toContain(`id="event-${name}"`)
})

test('the documentation search finds sections by all words, otherwise by at least half of them, titles first', async () => {
  const { body } = await get('/docs/search?q=retry-after')
  expect(body).toContain('href="/docs/limits#requests-per-minute"')
  const results = (await get('/docs/search?q=webhooks')).body.split('class="docs-results"')[1]!
  const [, first] = /<a href="([^"]+)"/.exec(results)!
  expect(first).toBe('/docs/webhooks')
  const partly = (await get('/docs/search?q=zebra+limits')).body
  expect(partly).toContain('No section contains all words of “zebra limits”')
  expect(/class="docs-results"><li><a href="([^"]+)"/.exec(partly)![1]).toBe('/docs/limits')
  expect((await get('/docs/search?q=zebra+limits+giraffe')).body).toContain('class="docs-results"></ol>')
  expect((await get(`/docs/search?q=${encodeURIComponent('<b>')}`)).body).not.toContain('“<b>')
})

test('every section of the search index leads to an existing page and anchor', async () => {
  const sections = JSON.parse((await get('/docs/search-index.json')).body) as { url: string }[]
  const bodies = new Map<string, string>()
  for (const { url } of sections) {
    const [path, anchor] = url.split('#') as [string, string?]
    if (!bodies.has(path)) bodies.set(path, (await get(path)).body)
    if (anchor) expect(bodies.get(path), url).toContain(`id="${anchor}"`)
  }
  expect(sections.length).toBeGreaterThan(100)
})

test('llms-full.txt contains every guide and an example of every operation', async () => {
  const { body } = await get('/llms-full.txt')
  for (const { path } of operationList) expect(body).toContain(path)
  expect(body).toContain('# Limits and plans')
  expect(body).not.toContain('localhost:3000')
})

test('a shared playground link fills in the form', async () => {
  const { body } = await get('/playground?op=search_permits&q=solar+roof&minValuation=5000')
  expect(body).toContain('value="solar roof"')
  expect(body).toContain('q=solar+roof&amp;minValuation=5000')
  const types = [...body.matchAll(/<input id="field-(\w+)"[^>]* type="(\w+)"/g)].map(([, name, type]) => [name, type])
  expect(Object.fromEntries(types)).toMatchObject({ q: 'text', minValuation: 'number', issuedFrom: 'date' })
})

test('the playground sends from the top: rare parameters are folded, filled ones are not', async () => {
  const { body } = await get('/playground?op=search_permits&minValuation=5000')
  const [shown, folded] = body.split('<details class="rare">')
  expect(shown!.indexOf('Send request')).toBeLessThan(shown!.indexOf('name="q"'))
  expect(shown).toContain('name="minValuation"')
  expect(folded).toContain('name="maxValuation"')
  expect((await get('/playground')).body).toMatch(/value="for_sale" checked|<option selected>for_sale/)
})

test('pages are compressed with the encoding that the client prefers', async () => {
  const { headers } = await get('/', { accept: 'text/html', 'accept-encoding': 'gzip, br' })
  expect(headers['content-encoding']).toBe('br')
  const encodings = ['gzip;q=1, br;q=0.5', 'br;q=0, gzip', 'gzip;q=0, br;q=0', 'identity']
  const chosen = await Promise.all(encodings.map((accepted) => get('/', { 'accept-encoding': accepted })))
  expect(chosen.map(({ headers: { 'content-encoding': encoding } }) => encoding)).toEqual([
    'gzip',
    'gzip',
    undefined,
    undefined,
  ])
  const asset = /\/assets\/site[\w-]+\.css/.exec((await get('/')).body)![0]
  const style = await get(asset, { 'accept-encoding': 'br' })
  expect(style.headers).toMatchObject({ 'content-encoding': 'br' })
  expect(style.headers['cache-control']).toContain('immutable')
})

test('an invalid request for a file returns 4xx, never 500', async () => {
  const asset = /\/assets\/site[\w-]+\.css/.exec((await get('/')).body)![0]
  const cases: [string, Record<string, string>, number][] = [
    ['/assets//x', {}, 404],
    ['/assets/%00', {}, 404],
    ['/assets/a%5c..%5cb', {}, 404],
    [asset, { range: 'bytes=99999999-' }, 416],
    [asset, { 'if-match': '"x"' }, 412],
  ]
  for (const [url, headers, status] of cases) {
    const answer = await get(url, headers)
    expect(answer.statusCode, url).toBe(status)
    expect(JSON.parse(answer.body), url).toMatchObject({
      success: false,
      code: status === 404 ? 'not_found' : 'bad_request',
    })
  }
})

test('the sample notice is shown when a sample source is loaded', async () => {
  const own = await startSite()
  try {
    const before = await own.app.inject({ url: '/docs' })
    expect(before.body).not.toContain('Sample data.')
  } finally {
    await own.close()
  }
  const sampled = await startSite()
  try {
    await sql`insert into source (id, kind, holds, title, sample, config) values ('s', 'csv', 'sales', 'S', true, '{}')`.execute(
      sampled.db,
    )
    const partsAfter = async (cookie?: string) => {
      const { body } = await sampled.app.inject({ url: '/docs', headers: cookie ? { cookie } : {} })
      expect(body.match(/Sample data\./g)).toHaveLength(1)
      return body.indexOf('Sample data.') > body.indexOf('</main>')
    }
    expect(await partsAfter()).toBe(false)
    // A visitor who has closed it still finds it at the end, and in print.
    expect(await partsAfter('theme=dark; notice=closed')).toBe(true)
  } finally {
    await sampled.close()
  }
})

test('while data is loading, pages say so and reload', async () => {
  let loading = true
  const own = await startSite({ loading: async () => loading })
  try {
    const during = await own.app.inject({ url: '/explore' })
    expect(during.body).toContain('<b>Loading.</b>')
    expect(during.headers.refresh).toBe('5')
    loading = false
    const after = await own.app.inject({ url: '/explore' })
    expect(after.body).not.toContain('<b>Loading.</b>')
    expect(after.headers.refresh).toBeUndefined()
  } finally {
    await own.close()
  }
})

test('a database that does not answer is not reported as loading', async () => {
  const own = await startSite({ loading: () => Promise.reject(new Error('no answer')) })
  try {
    const { statusCode, body, headers } = await own.app.inject({ url: '/explore' })
    expect(statusCode).toBe(200)
    expect(body).not.toContain('<b>Loading.</b>')
    expect(headers.refresh).toBeUndefined()
  } finally {
    await own.close()
  }
})

test('a property without a pro forma says whether zoning is unknown or allows no larger house', async () => {
  await addProperty(site.db, 'p_001full')
  await sql`update property set living_sqft = 9000 where id = 'p_001full'`.execute(site.db)
  expect((await get('/properties/p_001full')).body).toMatch(/No larger house is allowed: [\d,]+ sq ft can/)
  await sql`update property set zoning = null where id = 'p_001full'`.execute(site.db)
  expect((await get('/properties/p_001full')).body).toMatch(/<b>No pro forma.<\/b> [^<]*zoning/i)
  await sql`delete from listing where property_id = 'p_001full'`.execute(site.db)
  for (const query of ['', '?price=400000']) {
    const { body } = await get(`/properties/p_001full${query}`)
    expect(body, query).toMatch(/<b>No pro forma.<\/b> [^<]*zoning/i)
    expect(body, query).toMatch(/No pro forma<\/a>: [^<]*zoning/i)
    expect(body, query).not.toMatch(/Enter (a|the) price/)
  }
})

test('pages promise an email only when mail is sent', async () => {
  const own = await startSite({ sendsMail: false })
  const form = { method: 'POST', url: '/sign-up', payload: 'email=a%40example.com' } as const
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const home = (await own.app.inject({ url: '/' })).body
    expect(home).not.toMatch(/email you the key|Check your email/)
    expect(home).toContain('data-subscribe="Your subscription starts when you confirm it.')
    expect((await site.app.inject({ url: '/' })).body).toContain('data-subscribe="Check your email')
    const signedUp = (await own.app.inject({ ...form, headers })).body
    expect(signedUp).not.toContain('sent it to your email')
    const browser = openBrowser(() => own)
    await signInWithKey(browser, /ll_free_\w+/.exec(signedUp)![0])
    const account = (await browser.get('/account')).body
    expect(account).toContain('npx lotline sign-in a@example.com')
    expect(account).not.toContain('Email the confirmation link')
    const watch = (await browser.get('/account/watches?kind=listings&criteria=%7B%7D')).body
    expect(watch).toMatch(/name="atom" value="1" checked/)
    expect(watch).toContain('this server sends no mail')
    expect((await site.app.inject({ url: '/' })).body).toContain('email you the key')
  } finally {
    await own.close()
  }
})

test('requests over the page limit return 429, and the API is not affected', async () => {
  const strict = await startSite({ pagesPerMinute: 2 })
  try {
    for (const expected of [200, 200, 429])
      expect((await strict.app.inject({ url: '/docs' })).statusCode).toBe(expected)
    const limited = await strict.app.inject({ url: '/docs' })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await strict.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': 'demo' } })).statusCode).toBe(200)
  } finally {
    await strict.close()
  }
})

test('a custom map style is allowed by the content security policy; by default nothing outside is', async () => {
  const mapped = await startSite({
    mapStyleUrl: 'https://tiles.example.com/style.json',
    mapAerial: { url: 'https://photos.example.com/{z}/{x}/{y}.jpg', attribution: '© Example' },
  })
  try {
    const { body, headers } = await mapped.app.inject({ url: '/explore' })
    expect(body).toContain('data-style="https://tiles.example.com/style.json"')
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https: https://tiles.example.com https://photos.example.com",
    )
    expect(body).toContain(
      'data-aerial="https://photos.example.com/{z}/{x}/{y}.jpg" data-aerial-attribution="© Example"',
    )
    expect(/data-overlays="([^"]*)"/.exec(body)![1]).toContain('aerial')
  } finally {
    await mapped.close()
  }
  const { body, headers } = await get('/explore')
  expect(String(headers['content-security-policy'])).toContain("connect-src 'self';")
  expect(body).not.toContain('aerial')
})

test('a record that its feed removed says so, with the date, on its page, in lists and on the property', async () => {
  const { db } = site
  await addProperty(db, 'p_001p9', { rankScore: 3 })
  await addPermit(db, 'B-9', { propertyId: 'p_001p9', city: 'Colma', citySlug: 'colma' })
  expect((await get('/properties/p_001p9')).body).not.toContain('removed')
  await sql`update permit set removed_at = '2026-11-03' where permit_id = 'B-9'`.execute(db)
  await sql`update property set removed_at = '2026-11-04' where id = 'p_001p9'`.execute(db)
  expect((await get('/permits/colma/B-9')).body).toContain('removed this permit from its feed on Nov 3, 2026')
  expect((await get('/permits?city=colma')).body).toContain('removed from the feed Nov 3, 2026')
  const { body } = await get('/properties/p_001p9')
  expect(body).toContain('has not contained this parcel since Nov 4, 2026')
  expect(body).toContain('Removed from the city’s feed on Nov 3, 2026')
  expect((await get('/properties/p_001p1')).body).not.toMatch(/removed (this|from)/i)
})
