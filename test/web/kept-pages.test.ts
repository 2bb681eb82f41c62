// Whole pages and answers about one town, kept as text: a change of any figure, link, field or sentence is seen in review.
// `npx vitest run test/web/kept-pages.test.ts -u` writes them again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { searchRowsOf } from '../../src/store/search/search-rows.ts'
import { recordEvents } from '../../src/store/webhooks/events.ts'
import { accountPages } from '../../src/web/account/mount-account.ts'
import { dealStages } from '../../src/wire/deals.ts'
import { events } from '../../src/wire/events/table.ts'
import type { EventName } from '../../src/wire/events.ts'
import { permit, permitCreated } from '../setup/rows.ts'
import { today } from '../setup/small-market.ts'
import { type Browser, openBrowser, signInByMail, signInWithKey } from './account.ts'
import { homeId, homes, startTown } from './kept-town.ts'
import { onlyNew, outline } from './outline.ts'
import type { TestSite } from './site.ts'

let site: TestSite
let key: string
let windowed: string
let visitor: Browser
beforeAll(async () => {
  site = await startTown()
  key = await site.proKey()
  windowed = await site.freeKey()
  visitor = openBrowser(() => site)
}, 120_000)
afterAll(() => site?.close())

/** What differs between two runs. */
const settled = (text: string) =>
  text
    .replace(/\/assets\/[\w.-]+/g, '/assets/…')
    .replace(/((?<![a-z])(?:wat|deal|as|wh|whk|dlv|evt|key|ses)|exp)_[\w-]{6,}/g, '$1_…')
    .replace(/(?<=name=(?:token|key) value=)[\w.-]+|\bll_(pro|free)_\w+|(?<=…)\w{4}\b/g, '')

/** `known`: texts whose lines need not be shown again. */
const kept = async (name: string, texts: readonly string[], known: readonly string[] = []) =>
  expect(`${settled(onlyNew(texts, known))}\n`).toMatchFileSnapshot(`__snapshots__/kept/${name}.txt`)

const read = async (url: string, browser = visitor) => {
  const { status, headers, body } = await browser.get(url, { accept: 'text/html' })
  const answer = String(headers['content-type']).includes('html') ? outline(body) : body.trim()
  return `=== ${url}\n${status}${headers.location ? ` to ${headers.location}` : ''}\n${answer}\n`
}

const api = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, used = key) => {
  const headers = { 'x-api-key': used }
  const answer = await site.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) })
  const isJson = String(answer.headers['content-type']).includes('json')
  const body = isJson ? answer.json() : undefined
  return { status: answer.statusCode, body, text: isJson ? lines(body) : `\n${answer.body}` }
}

const inTown = Object.keys(homes).map((name) => `/properties/${homeId(name)}`)
const pages: Readonly<Record<string, readonly string[]>> = {
  explore: [
    '/',
    '/explore',
    '/explore?market=nantucket',
    '/explore?status=active,pending,sold&sort=-price&minBeds=3&maxPrice=2.1M',
    '/explore?sort=-returnPct&city=palo-alto',
    '/explore?sort=-flip.profitUsd&pick=p_001plain,p_001large&follow=0',
    '/explore?sort=-hold.capRatePct&costPerSqft=700',
    '/explore?sort=priceToValue&minPrice=1,700,000&maxPrice=1700000',
    '/explore?sort=-room.low&lat=37.43&lng=-122.13&radiusMi=0.2',
    '/explore?sort=price&bbox=-122.2,37.42,-122.1,37.431&zip=94301',
    '/explore?minReturnPct=60&minScore=101&sort=up&city=Palo+Altoo',
    '/explore?minReturnPct=-30&minLotSize=14000&maxPrice=3M',
    '/explore?minLotSize=14000&maxPrice=3150000&maxBeds=9',
    '/explore?minLotSize=20000&minYearBuilt=2020',
    '/explore/results?sort=-listedDate&maxLotSize=6000',
    '/explore/drawing?sort=-lotSize',
    '/explore/drawing?market=nantucket',
    '/explore.csv?sort=-lotSize',
  ],
  compare: [
    '/explore/compare',
    '/explore/compare?pick=p_001plain,p_001lot,p_001sold,p_001unzoned,nowhere',
    '/explore/compare?pick=p_001plain,p_001costly&price.p_001plain=1500000&months=30&add=999+Nowhere+St',
    '/explore/compare?pick=p_001plain&add=plain',
    '/explore/compare.csv?pick=p_001plain,p_001large,p_001lot',
  ],
  find: [
    '/find',
    '/find?address=200+plain+Ave,+Palo+Alto',
    '/find?address=plain',
    '/find?address=1+Nowhere+Rd',
    '/today',
    '/find.json?q=2',
  ],
  homes: [
    ...inTown,
    '/properties/p_002cottage',
    '/properties/p_001nowhere',
    '/properties/p_001plain?price=1200000&months=30&costPerSqft=450&ratePct=7.5',
    '/properties/p_001plain?price=abc&months=999',
    '/properties/p_001plain/figures?targetRoiPct=5',
    '/properties/p_001empty?price=900000',
    '/properties/p_001large/card',
    '/properties/p_001lot/card',
    '/properties/p_001built/card',
    '/properties/p_001plain/memo?scheme=new_house',
    '/properties/p_001plain/memo?scheme=nothing',
  ],
  leads: [
    '/leads',
    ...['sb9', 'adu', 'redevelopment', 'vacant-lots', 'transit', 'small-lots', 'nothing'].map(
      (kind) => `/leads/${kind}`,
    ),
    '/leads/sb9?status=any&listingStatus=sold&minUnits=4',
    '/leads/adu?minScore=70&excludeBlockers=true&sort=-adu.economics.returnPct&offset=25',
    '/leads/adu?minScore=200&sort=down&city=menlo-park',
    '/leads/adu?market=nantucket',
    '/leads/redevelopment.csv',
  ],
  permits: [
    '/permits',
    '/permits?issued=any&sort=issuedDate',
    '/permits?city=menlo-park&permitClass=roof&minValuation=20000&maxValuation=20000',
    '/permits?q=fence&status=expired&issuedFrom=2026-09-09&issuedTo=2026-09-09',
    '/permits?near=216+built+Ave&radiusMi=0.1&sort=distanceMi',
    '/permits?near=1+Nowhere&sort=up&minValuation=x&city=Menlo+Prk',
    '/permits?market=nantucket',
    '/permits?permitClass=pool',
    ...['NEW', 'ADU', 'WAITS', 'A%2FB%201', 'NONE'].map((id) => `/permits/palo-alto/${id}`),
    '/permits/menlo-park/WAITS',
    '/builders',
    '/builders?q=acme&city=palo-alto&permitClass=new_house',
    '/builders?q=nobody&city=Palo+Altoo',
  ],
  markets: [
    '/markets',
    '/markets/sf-peninsula',
    '/markets/nantucket',
    '/markets/sf-peninsula/palo-alto',
    '/markets/sf-peninsula/menlo-park',
    '/markets/mars',
    '/coverage',
    '/plans',
  ],
  documents: [
    '/playground?op=get_property_intelligence',
    '/robots.txt',
    '/sitemap.xml',
    '/tiles/signals.json',
    '/nowhere',
  ],
}

test.each(Object.entries(pages))('the pages of %s are as kept', async (name, urls) => {
  const texts = []
  for (const url of urls) texts.push(await read(url))
  await kept(name, texts)
})

test('the pages of an owner of deals, numbers, watches, webhooks and exports are as kept', async () => {
  const email = 'owner@example.com'
  const { key: used, id: keyId } = await insertKey(site.db, { plan: 'pro', email, confirmedAt: today })
  const own = async (method: 'POST' | 'PUT', url: string, payload: object) =>
    (await api(method, url, payload, used)).body
  // Lists are in the order of time.
  let minute = 0
  const later = () => site.setNow(new Date(today.getTime() + 60_000 * ++minute))
  const set = await own('POST', '/assumption-sets', {
    ...{ name: 'My builder', values: { costPerSqft: 700, months: 30 }, byCity: { 'menlo-park': { costPerSqft: 800 } } },
  })
  later()
  await own('POST', '/assumption-sets', { name: 'Island', market: 'nantucket', values: { ratePct: 8 } })
  const deals = []
  for (const [at, stage] of dealStages.entries()) {
    later()
    const name = ['plain', 'costly', 'pending', 'sold', 'lot', 'built'][at]!
    const more = [
      { price: 1_500_000, note: 'Ask first', scheme: 'new_house' },
      { facts: { lotSqft: 8_000, yearBuilt: 1960 } },
      {},
    ]
    deals.push((await own('POST', '/deals', { propertyId: homeId(name), stage, ...more[at] })).data)
  }
  for (const watch of [
    {
      name: 'Large lots',
      kind: 'listings',
      criteria: { minLotSize: 8_000 },
      cadence: 'weekly',
      channels: { email: true, atom: true },
    },
    { name: 'New houses', kind: 'permits', criteria: { permitClass: ['new_house'] }, on: ['entered'], note: 'Often' },
    { name: 'One home', kind: 'parcels', criteria: { id: ['p_001large'] }, on: ['price', 'status'], channels: {} },
  ]) {
    later()
    await own('POST', '/watches', watch)
  }
  const hook = {
    url: 'https://example.com/hook',
    filter: { maxPrice: 3_000_000 },
    everyChange: true,
    onMarketOnly: true,
  }
  await own('POST', '/webhooks/register', hook)
  await own('POST', '/exports', { kind: 'listings', format: 'csv', criteria: { minBeds: 4 } })
  site.setNow(today)
  await sql`update api_key set created_at = ${today}`.execute(site.db)
  const owner = openBrowser(() => site, '192.0.2.7')
  await signInWithKey(owner, used)
  await site.usage.flush()
  const criteria = encodeURIComponent(JSON.stringify({ minLotSize: 8_000 }))
  const texts = []
  for (const url of [
    ...accountPages.map(({ path }) => (path === '' ? '/account' : `/account/${path}`)),
    ...deals.slice(0, 2).map(({ id }) => `/account/saved?deal=${id}&key=${keyId}`),
    `/account/saved?name=Large&criteria=${encodeURIComponent('{"market":"sf-peninsula","id":["p_001large"]}')}&price=2M&own=${encodeURIComponent('{"months":24}')}`,
    `/account/assumption-sets?set=${set.data.id}`,
    `/account/assumption-sets?set=${set.data.id}&city=menlo-park`,
    `/account/watches?kind=listings&criteria=${criteria}&sort=-hold.capRatePct`,
    `/account/watches?kind=permits&criteria=${encodeURIComponent('{"issued":"any"}')}&name=Permits`,
    `/account/watches?kind=parcels&criteria=${encodeURIComponent('{"id":["p_001plain"]}')}`,
    `/account/watches?criteria=none`,
    `/account/exports?kind=parcels&criteria=${criteria}`,
    '/today?days=30',
    '/properties/p_001costly',
  ])
    texts.push(await read(url, owner))
  // A cut price, a permit and a sale after the deals were made.
  await sql`update listing set price_usd = 1700000 where property_id = 'p_001costly'`.execute(site.db)
  for (const [from, action, fields] of [
    [
      '/account/saved',
      'saved/change',
      { key: keyId, item: deals[2]!.id, stage: 'dropped', price: '1.9M', lotSqft: '6,500', note: 'Later' },
    ],
    ['/account/saved', 'saved/change', { key: keyId, item: deals[2]!.id, yearBuilt: '3000' }],
    ['/account/saved', 'saved/change', { key: keyId, item: deals[2]!.id, price: 'much' }],
    ['/account/saved', 'saved/note', { key: keyId, item: deals[0]!.watchId, note: 'Asked' }],
    [
      '/account/saved',
      'saved/add',
      {
        key: keyId,
        criteria: '{"market":"sf-peninsula","id":["p_001historic"]}',
        name: 'Historic',
        own: '{"months":24}',
        price: '',
      },
    ],
    [
      '/account/saved',
      'saved/add',
      {
        key: keyId,
        criteria: '{"market":"sf-peninsula","id":["p_001flooded"]}',
        name: 'Flooded',
        note: 'Wet',
        price: '',
      },
    ],
    ['/account/saved', 'saved/add', { key: keyId, criteria: 'none', name: 'None' }],
    ['/account', 'assumption-sets/save', { item: '', name: 'Fast', market: 'nantucket', months: '12', ratePct: 'x' }],
    ['/account', 'assumption-sets/save', { item: '', name: 'Fast', market: 'nantucket', months: '12', use: '1' }],
    ['/account', 'assumption-sets/save', { item: set.data.id, city: 'palo-alto', costPerSqft: '650' }],
    [
      '/account',
      'watches/preview',
      {
        key: keyId,
        name: 'P',
        kind: 'permits',
        criteria: '{}',
        'on-entered': '1',
        cadence: 'weekly',
        atom: '1',
        note: 'N',
      },
    ],
    ['/account', 'watches/create', { key: keyId, name: 'P', kind: 'permits', criteria: '{}', cadence: 'weekly' }],
    ['/account', 'exports/create', { key: keyId, kind: 'parcels', criteria: '{"minLotSize":8000}', format: 'ndjson' }],
    ['/account', 'watches/pause', { key: keyId, item: deals[0]!.watchId }],
    ['/account', 'watches/test', { key: keyId, item: deals[0]!.watchId }],
    ['/account', 'saved/mail', { key: keyId, on: 'yes' }],
    ['/account', 'keys/revoke', { key: 'key_unknown' }],
    ['/account', 'sessions/revoke', { session: 'ses_unknown' }],
  ] as const) {
    later()
    const { status, headers, body } = await owner.submit(from, `/account/${action}`, fields)
    const shown = status === 303 ? ` to ${headers.location}` : `\n${outline(body)}`
    texts.push(`=== POST ${action} ${JSON.stringify({ ...fields, key: '', item: '' })}\n${status}${shown}\n`)
  }
  for (const url of [
    '/account/saved',
    '/account/watches',
    '/account/assumption-sets',
    '/today?days=7',
    `/account/saved?deal=${deals[2]!.id}&key=${keyId}`,
  ])
    texts.push(await read(url, owner))
  const token = { back: '/explore?numbers=market&minBeds=4', item: set.data.id }
  const chosen = await owner.submit('/account', '/account/assumption-sets/use', token)
  texts.push(`=== use the set\n${chosen.status} to ${chosen.headers.location}\n`)
  for (const url of [
    '/account/assumption-sets',
    '/explore?minBeds=4',
    '/explore?minBeds=4&numbers=market',
    '/properties/p_001plain',
    '/properties/p_001plain/memo?scheme=new_house',
    '/explore/compare?pick=p_001plain,p_001costly',
    '/leads/adu',
    `/account/watches?kind=listings&criteria=${criteria}`,
  ])
    texts.push(await read(url, owner))
  const shared = ['/properties/p_001plain', '/explore', '/explore/compare?pick=p_001plain,p_001costly', '/leads/adu']
  const known = []
  for (const url of shared) known.push(await read(url))
  await kept('owner', texts, known)
})

test('the account of an address with several keys is as kept', async () => {
  const email = 'many@example.com'
  const made = [
    { plan: 'free' as const },
    { plan: 'pro' as const, confirmedAt: today },
    { plan: 'free' as const, confirmedAt: today },
  ]
  const keys = []
  for (const [at, each] of made.entries()) {
    keys.push(await insertKey(site.db, { email, ...each }))
    await sql`update api_key set created_at = ${new Date(today.getTime() - 60_000 * (at + 1))} where id = ${keys[at]!.id}`.execute(
      site.db,
    )
  }
  const until = new Date(today.getTime() + 86_400_000)
  await sql`update api_key set promotion_until = ${until} where id = ${keys[2]!.id}`.execute(site.db)
  await sql`update api_key set revoked_at = ${today} where id = ${keys[0]!.id}`.execute(site.db)
  await insertKey(site.db, { email, plan: 'free' })
  await sql`update api_key set created_at = ${today} where created_at > ${until}`.execute(site.db)
  await api(
    'POST',
    '/watches',
    { name: 'Both', kind: 'listings', criteria: {}, channels: { email: true } },
    keys[1]!.key,
  )
  await api('POST', '/watches', { name: 'Free', kind: 'listings', criteria: { minBeds: 4 } }, keys[2]!.key)
  await api('POST', '/deals', { propertyId: 'p_001lot', stage: 'building' }, keys[2]!.key)
  const owner = openBrowser(() => site, '192.0.2.9')
  await signInByMail(site, owner, email)
  // Usage is written some time after the requests.
  await site.usage.flush()
  const texts = []
  for (const url of [
    ...accountPages.map(({ path }) => (path === '' ? '/account' : `/account/${path}`)),
    `/account/watches?kind=listings&criteria=${encodeURIComponent('{"minBeds":4}')}`,
    `/account/exports?kind=listings&criteria=${encodeURIComponent('{"minBeds":4}')}`,
    '/today',
  ])
    texts.push(await read(url, owner))
  await kept('several-keys', texts)
})

/** An answer as lines: short values on one. */
const lines = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value)
  if (value === null || typeof value !== 'object' || flat.length < 200) return flat
  const entries = Object.entries(value).map(
    ([name, each]) => `${indent}  ${Array.isArray(value) ? '-' : `${name}:`} ${lines(each, `${indent}  `)}`,
  )
  return `\n${entries.join('\n')}`
}

type Row = Record<string, unknown>
const at = (row: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Row | undefined)?.[name], row)
const short = (row: Row) => String(row.saleId ?? row.permitId ?? row.id).replace(/^(p_001(home_)?|test:)/, '')

/** Conditions that the fields of a row do not give. */
const others: Readonly<Record<string, readonly Row[]>> = {
  listings: [
    {},
    { status: ['for_sale'], exclude: ['floodZone'] },
    { status: ['for_sale'], exclude: ['floodZone'], unknown: 'drop' },
    { status: ['sold', 'pending'] },
    { require: ['historicListed'] },
    { bbox: [-122.13, 37.43, -122.1288, 37.4316] },
    { lat: 37.43, lng: -122.13, radiusMi: 0.1 },
    { city: 'Palo Alto', propertyType: ['land', 'condo'] },
    { city: 'menlo-park' },
    { market: 'all', minPrice: 2_600_000 },
    { market: 'nantucket' },
    { allows: 'split', sb9Status: ['likely'] },
    { address: '20 ave', maxPrice: 2_000_000, minYearBuilt: 1951 },
    { zip: '94301', minUnits: 2, excludeBlockers: true },
    { listedFrom: '2026-10-01', listedTo: '2026-10-01' },
    { minTeardownPercentile: 50, minFlippabilityPercentile: 50 },
    { id: ['p_001plain', 'p_001built', 'p_001nowhere'] },
    { minReturnPct: 1, minCapRatePct: 2, maxPrice: 1_000_000 },
  ],
  parcels: [
    {},
    { minLotSize: 7_000, maxLotSize: 7_000, unknown: 'drop', exclude: ['fireZone'] },
    { redevelopmentClass: ['vacant_lot'] },
    { lat: 37.43, lng: -122.13, radiusMi: 0.3, sb9Status: ['eligible', 'likely'] },
    { minAduScore: 1, allows: 'add_unit' },
    { zoning: 'r-1', onMarket: true },
    { zoning: 'R-1', onMarket: false, address: 'ave' },
  ],
  permits: [
    {},
    { issued: 'any' },
    { issued: 'false' },
    { q: 'house story' },
    { q: 'acme' },
    { builder: 'bright', city: 'palo' },
    { city: 'Menlo' },
    { permitClass: ['roof', 'adu'] },
    { appliedFrom: '2022-06-01', appliedTo: '2022-06-01' },
    { finaledFrom: '2024-11-20', finaledTo: '2024-11-20' },
    { issuedFrom: '2026-10-01', issuedTo: '2026-10-20' },
    { lat: 37.434, lng: -122.127, radiusMi: 0.1 },
    { market: 'nantucket' },
  ],
  sales: [
    {},
    { soldFrom: '2025-02-03', soldTo: '2025-02-15' },
    { minPrice: 1_600_000, maxPrice: 1_600_000 },
    { city: 'palo-alto', minLotSize: 9_000 },
    { lat: 37.434, lng: -122.127, radiusMi: 0.05 },
    { zip: '94301' },
    { exclude: 'floodZone', unknown: 'drop', minBeds: 3 },
  ],
}

/** A question and which rows answer it, in order. */
const ask = async (kind: string, wanted: Row, sort?: string) => {
  const more = { ...(sort && { sort: [sort] }), limit: 100 }
  const { status, body } =
    kind === 'sales'
      ? await api(
          'GET',
          `/sales?${new URLSearchParams({ ...wanted, limit: '100', explain: 'funnel', ...(sort && { sort }) } as Record<string, string>)}`,
        )
      : await api('POST', '/search', { kind, criteria: wanted, explain: sort ? [] : ['funnel', 'nearMisses'], ...more })
  const { data = [], pagination, funnel, nearMisses, error } = body
  const rows = data.map(short).join(' ')
  const steps = funnel && `\n  funnel ${JSON.stringify(funnel)}`
  const misses = nearMisses?.length
    ? `\n  misses ${nearMisses.map((each: Row) => `${short(each.item as Row)} ${each.condition} by ${each.by}`).join(', ')}`
    : ''
  const question = sort ?? JSON.stringify(wanted)
  return {
    data: data as Row[],
    text: `${question}\n  ${error ?? `${pagination.total}: ${rows}`}${steps ?? ''}${misses}`,
    status,
  }
}

test('every criterion and every order finds the rows as kept, and counts what each condition leaves', async () => {
  const { body } = await api('GET', '/fields')
  for (const { kind, fields } of body.data) {
    const texts = []
    const { data } = await ask(kind, {})
    for (const { name, type, filters = [] } of fields) {
      const values = data.map((row) => at(row, name)).filter((value) => value !== undefined && value !== null)
      // One in the middle, so that a row is at the limit.
      const value = values.sort((a, b) => (type === 'number' ? Number(a) - Number(b) : String(a) < String(b) ? -1 : 1))[
        values.length >> 1
      ]
      for (const filter of filters)
        if (/^(min|max)(?!.*(Percentile|CutPct))/.test(filter) && type === 'number' && value !== undefined)
          texts.push((await ask(kind, { [filter]: value })).text)
    }
    for (const wanted of others[kind]!) texts.push((await ask(kind, wanted)).text)
    for (const { name, sortable } of fields)
      if (sortable) for (const sort of [name, `-${name}`]) texts.push((await ask(kind, { market: 'all' }, sort)).text)
    await kept(`search-${kind}`, [...new Set(texts)])
  }
})

test('answers of the API about the town are as kept', async () => {
  const texts = []
  const parts = 'comps,history,permits,timeline,shape'
  const own = 'costPerSqft=500&months=24'
  for (const url of [
    '/coverage',
    '/coverage?city=menlo-park&dataset=permits',
    '/markets',
    '/accuracy',
    '/market-series?market=sf-peninsula&city=palo-alto&interval=month&from=2025-06-01&to=2025-12-01',
    '/market-series?interval=quarter&zip=94301',
    '/permit-timelines?groupBy=permitClass,city',
    '/permit-timelines?city=palo-alto&permitClass=new_house,adu',
    '/builders?limit=1',
    '/builders?q=bright&permitClass=roof&city=menlo-park',
    ...['address=200+plain+Ave', 'lat=37.4301&lng=-122.1299', 'id=p_001sold', 'address=2+plain', 'apn=1'].map(
      (query) => `/lookup?${query}`,
    ),
    ...['listing', 'scores', 'listing,scores'].flatMap((include) =>
      ['plain', 'sold', 'built'].map((name) => `/lookup?id=${homeId(name)}&include=${include}`),
    ),
    ...['plain', 'sold', 'built'].map((name) => `/properties/${homeId(name)}?include=${parts}`),
    `/properties/p_001plain?include=proforma&${own}`,
    ...['plain?price=1500000', 'lot?', 'condo?', 'unzoned?', 'lotless?price=1', 'built?price=3000000'].map(
      (query) => `/properties/p_001${query.replace('?', '/proforma?')}&${own}&targetRoiPct=20`,
    ),
    '/properties/p_001plain/schemes?scheme=new_house&include=cashFlow,risk',
    '/properties/p_001plain/schemes?scheme=rent&price=400000',
    '/properties/p_001plain/built-nearby',
    '/sb9-inventory?limit=2',
    '/sb9-inventory?status=blocked&fields=id,sb9Status&sort=price',
    '/adu-leads?minScore=0&limit=2',
    '/adu-leads?market=nantucket',
    '/redevelopment-leads?class=vacant_lot&minScore=0',
    '/redevelopment-leads?class=underbuilt&listingStatus=for_sale&limit=1',
    '/use-leads?use=small_lots&limit=1',
    '/use-leads?use=transit',
    '/market-signals?limit=2&explain=funnel',
    '/market-signals?limit=1&offset=25&status=onMarket&city=Palo+Alto,menlo-park',
    '/market-signals?format=geojson&limit=1',
    '/market-signals?format=csv&limit=3&fields=id,price,metadata.lotSize',
    '/market-signals?minPrice=5&maxPrice=4',
    '/market-signals?lat=37.43&lng=-122.13&radiusMi=0.1&sort=distanceMi&limit=2',
    `/market-signals?${own}&sort=-returnPct&limit=2&minReturnPct=-50`,
    '/sales?limit=2&sort=-price',
    '/sales?status=sold&limit=1',
    '/permits?limit=3',
    '/permits/palo-alto/NEW',
    '/permits/palo-alto/A%2FB%201',
    '/permits/palo-alto/NONE',
    '/events?limit=2',
    '/keys/current',
    '/webhooks',
    '/watches',
    '/deals',
    '/exports',
    '/assumption-sets',
    '/nothing',
  ])
    for (const used of /include=comps|built-nearby|^.(sales|permits|market-s|permit-t|builders|lookup|events)/.test(url)
      ? [key, windowed]
      : [key]) {
      const { status, text } = await api('GET', url, undefined, used)
      texts.push(`=== ${url}${used === windowed ? ' with a free key' : ''}\n${status}${text}\n`)
    }
  for (const [url, payload] of [
    ['/lookup/batch', { items: [{ ref: 'a', address: '200 plain Ave' }, { id: 'p_001nowhere' }, { lat: 37.43 }] }],
    [
      '/search',
      {
        kind: 'listings',
        criteria: { id: ['p_001plain'] },
        explain: ['why', 'overlays'],
        values: { costPerSqft: 500 },
      },
    ],
    ['/search', { kind: 'parcels', criteria: { minLotSiz: 5 } }],
    [
      '/search',
      {
        kind: 'listings',
        criteria: {
          within: {
            type: 'Polygon',
            coordinates: [
              [
                [-122.13, 37.43],
                [-122.129, 37.43],
                [-122.129, 37.431],
                [-122.13, 37.43],
              ],
            ],
          },
        },
        fields: ['id', 'metadata.lat'],
      },
    ],
    [
      '/watches',
      { name: 'Try', kind: 'listings', criteria: { minLotSize: 8_000 }, on: ['entered', 'price'], dryRun: true },
    ],
    ['/watches', { name: 'Try', kind: 'permits', criteria: { permitClass: ['adu'] }, dryRun: true }],
    ['/deals', { propertyId: 'p_001nowhere' }],
    ['/exports', { kind: 'sales', format: 'csv', criteria: { minPrice: 'x' } }],
  ] as const) {
    const { status, text } = await api('POST', url, payload)
    texts.push(`=== POST ${url} ${JSON.stringify(payload)}\n${status}${text}\n`)
  }
  // The rows of every page of a list, one after another.
  let cursor = ''
  const walked: string[] = []
  do {
    const { body } = await api(
      'GET',
      `/market-signals?status=for_sale&sort=price&limit=7${cursor && `&cursor=${cursor}`}`,
    )
    walked.push(body.data.map(short).join(' '))
    cursor = body.pagination.nextCursor && encodeURIComponent(body.pagination.nextCursor)
  } while (cursor)
  texts.push(`=== by cursor\n${walked.join('\n')}\n`)
  await kept('answers', texts)
})

test('what happened to homes, permits and endpoints is shown as kept', async () => {
  const { db } = site
  site.setNow(today)
  const at = (daysAgo: number, minutes = 0) => new Date(today.getTime() - daysAgo * 86_400_000 + minutes * 60_000)
  const dayAt = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10)
  const { key: used, id: keyId } = await insertKey(db, { plan: 'pro', email: 'moves@example.com', confirmedAt: today })
  const { key: free } = await insertKey(db, { plan: 'free', email: 'free-moves@example.com', confirmedAt: today })
  for (const name of ['plain', 'sold', 'empty', 'unplaced'])
    await api('POST', '/deals', { propertyId: homeId(name), stage: name === 'empty' ? 'dropped' : 'looking' }, used)
  const moved = ['plain', 'sold', 'built']
  const known = []
  for (const name of moved) {
    known.push(await read(`/properties/${homeId(name)}`))
    for (const each of [used, free]) known.push((await api('GET', `/properties/${homeId(name)}`, undefined, each)).text)
  }
  // A change of neither price nor status is none.
  for (const [name, daysAgo, price, before, status, previous] of [
    ['plain', 5, 1_900_000, 2_000_000, 'active', 'active'],
    ['plain', 2, 1_900_000, 1_850_000, 'active', 'active'],
    ['plain', 1, 1_900_000, 1_990_000, 'active', 'pending'],
    ['costly', 3, 3_900_000, 4_200_000, 'active', 'active'],
    ['flooded', 3, 1_700_000, null, 'active', null],
    ['historic', 3, 2_300_000, 2_300_000, 'active', 'active'],
    ['sold', 4, 2_150_000, 2_150_000, 'sold', 'pending'],
    ['pending', 6, 2_100_000, 2_100_000, 'pending', 'active'],
    ['unzoned', 8, 1_950_000, null, 'active', null],
  ] as const)
    await sql`insert into listing_change (market, source_id, listing_id, property_id, changed_on, changed_at, price_usd, status,
        previous_price_usd, previous_status)
      select market, source_id, listing_id, property_id, ${dayAt(daysAgo)}, ${at(daysAgo)}, ${price}, ${status}, ${before}, ${previous}
      from listing where property_id = ${homeId(name)}`.execute(db)
  for (const [id, name, daysAgo] of [
    ['NEW', 'built', 700],
    ['NEW', 'built', 3],
    ['ADU', 'plain', 2],
  ] as const)
    await sql`insert into permit_change (market, city_slug, permit_id, changed_at, changed_on, property_id, status, previous_status)
      values ('sf-peninsula', 'palo-alto', ${id}, ${at(daysAgo)}, ${dayAt(daysAgo)}, ${homeId(name)}, 'finaled', 'issued')`.execute(
      db,
    )
  const inputs = JSON.stringify([{ input: 'comparablesValue', from: 2_000_000, to: 2_100_000 }])
  for (const [daysAgo, value, before, returnPct, previous] of [
    [9, 2_100_000, 2_000_000, 4.5, 2.5],
    [7, 2_101_000, 2_100_000, 4.5, 4.5],
    [2, null, 2_101_000, null, 4.5],
  ] as const)
    await sql`insert into value_change (market, property_id, changed_at, changed_on, value_usd, value_low_usd, value_high_usd,
        return_pct, previous_value_usd, previous_return_pct, moved)
      values ('sf-peninsula', 'p_001plain', ${at(daysAgo)}, ${dayAt(daysAgo)}, ${value}, ${value}, ${value}, ${returnPct}, ${before},
        ${previous}, ${inputs}::jsonb)`.execute(db)
  const hooks: string[] = []
  for (const [url, more] of [
    ['https://example.com/all', { events: Object.keys(events), everyChange: true }],
    [
      'https://example.com/cheap',
      { events: ['listing.created', 'listing.price_changed'], filter: { maxPrice: 2_000_000 } },
    ],
    ['https://example.com/off', { events: ['permit.created'] }],
  ] as const) {
    // Lists are in the order of time.
    site.setNow(at(20, hooks.length))
    hooks.push((await api('POST', '/webhooks/register', { url, ...more }, used)).body.id)
  }
  site.setNow(today)
  await sql`update webhook_endpoint set disabled_at = ${at(1)}, disabled_reason = 'It failed for a week.', failing_since = ${at(8)}
    where id = ${hooks[2]}`.execute(db)
  const queue = site.services.queue
  const {
    lat: _lat,
    lng: _lng,
    ...nowhere
  } = (await searchRowsOf(db, 'sf-peninsula', [homeId('unplaced')], dayAt(0))).get(homeId('unplaced'))!
  const rows = await searchRowsOf(db, 'sf-peninsula', [homeId('plain'), homeId('costly')], dayAt(0))
  const places = { plain: rows.get(homeId('plain'))!, costly: rows.get(homeId('costly'))!, nowhere }
  for (const [index, [type, { example }]] of Object.entries(events).entries())
    for (const [minute, place] of Object.values(places).entries()) {
      const data = {
        ...example,
        propertyId: place.id,
        permitId: minute === 0 ? 'ADU' : 'ROOF',
        citySlug: place.citySlug,
      }
      const event = { type: type as EventName, market: 'sf-peninsula', data, searchRow: place, minor: minute === 1 }
      await recordEvents(db, queue, [event], at(6 - index / 4, minute))
    }
  // Within half a mile of a deal, at its edge, and farther.
  for (const [minute, lat] of [37.4345, 37.4371, 37.4374, 37.47].entries()) {
    const data = {
      ...permitCreated(`P${minute}`),
      ...(minute === 1 ? {} : { address: `${minute} Near St` }),
      ...{ city: 'Palo Alto', citySlug: 'palo-alto', permitClass: 'new_house' },
    }
    const searchRow = { ...places.plain, lat, lng: -122.13 }
    const { city, address, permitClass } = { address: null, ...data }
    const added = { permit_id: `P${minute}`, city, address, permit_class: permitClass, lat, lng: -122.13 }
    await permit(db, { ...added, issued_on: dayAt(2), valuation_usd: 40_000 * (minute + 1) })
    await sql`insert into permit_change (market, city_slug, permit_id, changed_at, changed_on, status)
      values ('sf-peninsula', 'palo-alto', ${added.permit_id}, ${at(1, minute)}, ${dayAt(1)}, 'issued')`.execute(db)
    await recordEvents(db, queue, [{ type: 'permit.created', market: 'sf-peninsula', data, searchRow }], at(1, minute))
  }
  const { rows: sent } = await sql<{ id: string }>`select d.id from delivery d join event e on e.id = d.event_id
    where d.endpoint_id = ${hooks[0]} order by e.seq`.execute(db)
  for (const [index, [state, note, status, error]] of (
    [
      ['delivered', null, 204, null],
      ['failed', null, 500, null],
      ['waiting', null, null, 'timed out'],
      ['discarded', 'The endpoint is disabled.', null, null],
    ] as const
  ).entries()) {
    const { id } = sent[index]!
    await sql`update delivery set state = ${state}, note = ${note}, attempts = ${index}, delivered_at = ${state === 'delivered' ? at(1) : null},
      next_attempt_at = ${state === 'waiting' ? at(-1) : null} where id = ${id}`.execute(db)
    for (let attempt = 1; attempt <= index && status !== undefined; attempt++)
      await sql`insert into delivery_attempt (delivery_id, attempt, started_at, duration_ms, status, error, response)
        values (${id}, ${attempt}, ${at(1, attempt)}, ${100 * attempt}, ${status}, ${error}, 'no')`.execute(db)
  }
  await sql`update delivery set created_at = (select created_at from event where event.id = delivery.event_id)`.execute(
    db,
  )
  const builders: { id: string }[] = (await api('GET', '/builders')).body.data
  const owner = openBrowser(() => site, '192.0.2.11')
  await signInWithKey(owner, used)
  const texts = []
  for (const url of [
    '/today',
    '/today?days=1',
    '/today?days=30',
    '/account/webhooks',
    ...hooks.map((id) => `/account/webhooks?key=${keyId}&endpoint=${id}`),
    ...builders.map(({ id }) => `/builders/${id}`),
  ])
    texts.push(await read(url, owner))
  for (const name of moved) texts.push(await read(`/properties/${homeId(name)}`))
  // A match of a watch is sent to its endpoint only.
  const fed = Object.keys(events).filter((type) => type !== 'watch.matched')
  const all = `types=${fed.join(',')}`
  for (const url of [
    '/events?limit=3',
    `/events?${all}&limit=100`,
    `/events?${all}&since=${dayAt(3)}&limit=4`,
    `/events?${all}&maxPrice=2000000&limit=2`,
    '/events?types=permit.created&lat=37.43&lng=-122.13&radiusMi=0.4',
    '/events?types=permit.created&permitClass=roof',
    `/events?${all}&market=nantucket`,
    '/events?since=2026-01-01',
    '/events?after=wrong',
    ...hooks.flatMap((id) => [`/webhooks/${id}`, `/webhooks/${id}/deliveries?limit=3`]),
    ...['delivered', 'failed', 'waiting'].map(
      (state) => `/webhooks/${hooks[0]}/deliveries?status=${state}&limit=2&offset=1`,
    ),
    ...moved.map((name) => `/properties/${homeId(name)}?include=timeline`),
  ])
    for (const each of [used, free]) texts.push(`=== ${url}\n${(await api('GET', url, undefined, each)).text}\n`)
  // Every page of the feed, one after another.
  let after = ''
  for (let page = 0; page < 10; page++) {
    const { body } = await api('GET', `/events?${all}&limit=5${after && `&after=${after}`}`, undefined, used)
    const told = body.data?.map(
      ({ event, data }: { event: string; data: Row }) => `${event} ${data.propertyId ?? data.permitId}`,
    )
    texts.push(`${told?.join(', ')} of ${body.pagination?.total}\n`)
    if (told.length === 0) break
    after = encodeURIComponent(body.nextCursor)
  }
  await kept('moves', texts, known)
})
