// One meaning of every list: for the same criteria, page, API and agent count the same rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListingStatus, listingStatuses, type MarketId } from '../../src/domain/facts.ts'
import { redevelopmentClasses } from '../../src/domain/findings/redevelopment.ts'
import { propertyIdPrefix } from '../../src/domain/property-id.ts'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { builderKey } from '../../src/wire/builders.ts'
import { type Connection, connectAgent } from '../agent/connection.ts'
import { adu, assessment, listing, permit, property, redevelopment, sb9 } from '../setup/rows.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
let agent: Connection
let key: string

const places = { 'sf-peninsula': 'Menlo Park', nantucket: 'Nantucket' } as const

beforeAll(async () => {
  site = await startSite({ listening: true })
  key = await site.proKey()
  agent = await connectAgent(`${site.url}/api`, { apiKey: await site.proKey() })
  for (const [market, city] of Object.entries(places)) await addHomes(market, city, [undefined, ...listingStatuses])
  // So that a list which ignores the city, or the market, has another total.
  await addHomes('sf-peninsula', 'Palo Alto', [undefined, 'active'])
  for (const market of Object.keys(places)) await indexBuilders(site.db, market)
})
afterAll(async () => {
  await agent.close()
  await site.close()
})

/** A home of each listing status, for each kind of lead. */
const addHomes = async (market: MarketId, city: string, statuses: readonly (ListingStatus | undefined)[]) => {
  for (const [at, status] of statuses.entries())
    for (const [nth, kind] of redevelopmentClasses.entries()) {
      const id = `${propertyIdPrefix(market)}${city[0]}${at}${nth}`
      await property(site.db, { id, market, city, address: `${at}${nth} Elm St`, lot_sqft: 9_000 })
      if (status)
        await listing(site.db, { property_id: id, market, city, status, ...(status === 'sold' && { sold_on: today }) })
      const status9 = nth === 0 ? 'eligible' : nth === 1 ? 'likely' : 'blocked'
      await assessment(site.db, id, {
        city_slug: city.toLowerCase().replace(' ', '-'),
        sb9: sb9({ sb9Status: status9, maxUnits: 4 }),
        sb9_status: status9,
        sb9_max_units: 4,
        adu: adu({ aduScore: 50 + 10 * nth }),
        adu_score: 50 + 10 * nth,
        redevelopment: redevelopment({ redevelopmentScore: 55 + at, class: kind }),
        redevelopment_score: 55 + at,
        redevelopment_class: kind,
      })
      const contractor = `Builder ${city} ${at}`
      const builder = { contractor, contractor_key: builderKey(contractor) ?? null }
      await permit(site.db, { market, city, address: `${at}${nth} Elm St`, ...builder })
    }
}
const today = new Date().toJSON().slice(0, 10)

/** `asked` is what the page is about; the rest is the same question everywhere. */
interface List {
  page: string
  path: string
  tool: string
  asked?: string
  /** Which list of the tool. */
  about?: string
  questions: readonly string[]
}
const lists: readonly List[] = [
  {
    page: '/explore',
    path: '/market-signals',
    tool: 'list_market_signals',
    questions: ['status=for_sale', 'status=onMarket', 'status=sold', 'status=for_sale&maxPrice=1000'],
  },
  {
    page: '/leads/sb9',
    path: '/sb9-inventory',
    tool: 'list_sb9_inventory',
    questions: ['status=any', 'status=eligible', 'status=any&listingStatus=onMarket', 'status=likely&minUnits=4'],
  },
  { page: '/leads/adu', path: '/adu-leads', tool: 'list_adu_leads', questions: ['', 'minScore=0', 'minScore=70'] },
  {
    page: '/leads/redevelopment',
    path: '/redevelopment-leads',
    tool: 'list_redevelopment_leads',
    asked: 'class=underbuilt',
    questions: ['', 'minScore=0'],
  },
  {
    page: '/leads/vacant-lots',
    path: '/redevelopment-leads',
    tool: 'list_redevelopment_leads',
    asked: 'class=vacant_lot',
    questions: ['minScore=0', 'minScore=58'],
  },
  { page: '/permits', path: '/permits', tool: 'search_permits', questions: ['', 'q=elm'] },
  {
    page: '/builders',
    path: '/builders',
    tool: 'get_market_statistics',
    about: 'builders',
    questions: ['', 'q=Builder'],
  },
]

const queryOf = (...parts: (string | undefined)[]) => new URLSearchParams(parts.filter(Boolean).join('&'))

const onPage = async (list: List, query: URLSearchParams): Promise<number> => {
  const { body } = await site.app.inject({ url: `${list.page}?${query}`, headers: { accept: 'text/html' } })
  const line = /<(?:p|div) class="result-line"[^>]*>([^<]*)/.exec(body)?.[1]
  expect(line, `${list.page}?${query}`).toMatch(/^([\d,]+|No|.* not) /)
  return Number(/^[\d,]+/.exec(line!)?.[0].replaceAll(',', '') ?? 0)
}
const inApi = async (list: List, query: URLSearchParams): Promise<number> => {
  const answer = await site.app.inject({ url: `/api/v1${list.path}?${query}`, headers: { 'x-api-key': key } })
  expect(answer.statusCode, `${list.path}?${query}`).toBe(200)
  return answer.json().pagination.total
}
const arrays = ['listingStatus']
const asArguments = (list: List, query: URLSearchParams) =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      const isList = arrays.includes(name) || (name === 'status' && list.path === '/market-signals')
      return [name, isList ? [value] : Number.isNaN(Number(value)) ? value : Number(value)]
    }),
  )
const inAgent = async (list: List, query: URLSearchParams): Promise<number> => {
  const about = list.about ? { about: list.about } : {}
  const { answer, text, isError } = await agent.call(list.tool, { ...asArguments(list, query), ...about })
  expect(isError, text).toBe(false)
  return Number(answer.page?.total ?? 0)
}

test('page, API and agent count the same rows, for every list and market', async () => {
  const wrong: string[] = []
  const totals = new Set<number>()
  for (const list of lists)
    for (const [market, city] of Object.entries(places))
      for (const question of list.questions)
        for (const place of [`market=${market}`, `market=${market}&city=${city}`]) {
          const query = queryOf(place, question)
          const [page, api, told] = [
            await onPage(list, query),
            await inApi(list, queryOf(place, question, list.asked)),
            await inAgent(list, queryOf(place, question, list.asked)),
          ]
          totals.add(api)
          if (page !== api || told !== api) wrong.push(`${list.page} ${query}: page ${page}, API ${api}, agent ${told}`)
        }
  expect(wrong).toEqual([])
  expect(totals.size).toBeGreaterThan(4)
})

test('homes for sale are the default of the SB 9 list, and every row of a lead list has its listing status', async () => {
  const rows = async (path: string) =>
    (await site.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': key } })).json().data as {
      id: string
      listingStatus?: string
    }[]
  expect(new Set((await rows('/sb9-inventory')).map(({ listingStatus }) => listingStatus))).toEqual(
    new Set(['active', 'coming_soon']),
  )
  const pending = await rows('/sb9-inventory?listingStatus=onMarket')
  expect(pending.filter(({ listingStatus }) => listingStatus === 'pending')).toHaveLength(2)
  for (const path of ['/adu-leads?minScore=0', '/redevelopment-leads?minScore=0']) {
    const found = new Map((await rows(path)).map(({ id, listingStatus }) => [id.slice(-2), listingStatus]))
    // Neither a home without a listing nor one whose listing was withdrawn is listed.
    expect([0, 1, 2, 3, 4, 5].map((at) => found.get(`${at}0`))).toEqual([
      undefined,
      'active',
      'coming_soon',
      'pending',
      'sold',
      undefined,
    ])
  }
  const page = (await site.app.inject({ url: '/leads/adu?minScore=0' })).body
  for (const words of ['Active', 'Coming soon', 'Pending', 'Sold', 'Not for sale'])
    expect(page).toMatch(new RegExp(`<span class="tag[^"]*">${words}</span>`))
})
