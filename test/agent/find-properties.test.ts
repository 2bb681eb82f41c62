// The question "three teardown lots for sale in Menlo Park under $3M with positive return, not in a flood zone, SB 9 checked",
// answered by one tool call with the demo key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { assessment, listing, proforma, property, sb9 } from '../setup/rows.ts'
import { type Service, startService } from '../setup/service.ts'
import { type Connection, connectAgent } from './connection.ts'

const question = {
  kind: 'teardown',
  city: 'Menlo Park',
  maxPrice: 3_000_000,
  minReturnPct: 0.1,
  exclude: ['floodZone'],
}

interface Home {
  id: string
  address: string
  price?: number
  returnPct?: number
  teardown?: number
  flood?: 'yes' | 'no'
  status?: string
  sb9Status?: 'eligible' | 'likely' | 'unknown_zone' | 'blocked'
}

const untestedRules = ['Tenant-occupied', 'Owner-occupied'].map((rule) => ({
  code: 'X',
  rule,
  reason: 'Not on record',
  citation: '',
  appliesTo: 'both' as const,
}))

const addHome = async ({ db }: Service, home: Home) => {
  const { id, address, price = 2_500_000, returnPct = 8, teardown = 80, flood = 'no', status = 'active' } = home
  const sb9Status = home.sb9Status ?? 'likely'
  await property(db, {
    id,
    address,
    city: 'Menlo Park',
    lot_sqft: 7_500,
    zoning: 'R-1',
    overlays: { floodZone: flood },
  })
  await listing(db, { property_id: id, city: 'Menlo Park', price_usd: price, status })
  await assessment(db, id, {
    city_slug: 'menlo-park',
    teardown_score: teardown,
    rank_score: teardown,
    proforma: proforma({ returnPct }),
    sb9: sb9({ sb9Status, untestedRules }),
    sb9_status: sb9Status,
    sb9_max_units: 4,
  })
}

const open = async (homes: readonly Home[]): Promise<{ service: Service; agent: Connection; baseUrl: string }> => {
  const service = await startService()
  for (const home of homes) await addHome(service, home)
  await sql`update source set sample = true`.execute(service.db)
  const baseUrl = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/api`
  return { service, baseUrl, agent: await connectAgent(baseUrl, { apiKey: 'demo' }) }
}

const others: Home[] = [
  { id: 'p_001dear', address: '10 Oak St', price: 3_100_000 },
  { id: 'p_001loss', address: '11 Oak St', returnPct: -2 },
  { id: 'p_001flood', address: '12 Oak St', flood: 'yes' },
  { id: 'p_001sold', address: '13 Oak St', status: 'pending', teardown: 95 },
  { id: 'p_001new', address: '14 Oak St', teardown: 5 },
]
const three: Home[] = [1, 2, 3].map((n) => ({ id: `p_001fit${n}`, address: `${n} Elm St`, teardown: 90 + n }))

let some: Awaited<ReturnType<typeof open>>
let none: Awaited<ReturnType<typeof open>>
let many: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  some = await open([...others, ...three])
  none = await open(others)
  // Ranked first to last: six blocked, six of unknown zone, six likely, six eligible.
  many = await open([
    { id: 'p_001sold', address: '1 Sold St', status: 'sold', sb9Status: 'eligible' },
    ...(['eligible', 'likely', 'unknown_zone', 'blocked'] as const).flatMap((sb9Status, group) =>
      [1, 2, 3, 4, 5, 6].map((n) => ({
        id: `p_001${sb9Status.replace('_', '')}${n}`,
        address: `${n} ${sb9Status} St`,
        teardown: 50 + group * 10 + n,
        sb9Status,
      })),
    ),
  ])
})
afterAll(async () => {
  for (const each of [some, none, many]) {
    await each?.agent.close()
    await each?.service.close()
  }
})

// Ranks are measured by the assessor, so these homes are asked for by score.
const asked = { ...question, kind: undefined, minTeardownScore: 50 }

test('three homes qualify: one call gives them with price, return, SB 9 and links', async () => {
  const { text, answer, raw } = await some.agent.call('find_properties', asked)
  expect(answer.items!.map(({ id }) => id)).toEqual(['p_001fit3', 'p_001fit2', 'p_001fit1'])
  for (const item of answer.items!) expect(item).toMatchObject({ returnPct: 8, sb9: { status: 'likely', maxUnits: 4 } })
  expect(answer).not.toHaveProperty('nearMisses')
  expect(text).toContain('3 homes meet all criteria')
  expect(text).toContain('as a new house earns 8% at the asking price')
  expect(text).toContain('SB 9 likely, up to 4 units, split eligible (not tested: Tenant-occupied and 1 more)')
  expect(text).toContain('generated sample data')
  expect(raw).toContain('"uri":"lotline://property/p_001fit3"')
  expect(raw.length).toBeLessThan(6_000)
})

test('none qualifies: the answer says what each condition drops and lists near misses', async () => {
  const { text, answer } = await none.agent.call('find_properties', asked)
  expect(answer.outcome).toBe('nothing_matched')
  expect(text).toContain('No home meets all criteria')
  expect(text).toContain('maxPrice=3000000')
  const misses = answer.nearMisses as { id: string; misses: { condition: string; by: number } }[]
  expect(misses.map(({ id, misses: { condition, by } }) => [id, condition, by])).toEqual(
    expect.arrayContaining([
      ['p_001dear', 'maxPrice', 100_000],
      ['p_001loss', 'minReturnPct', 2.1],
    ]),
  )
  expect(text).toContain('misses maxPrice by $100,000')
  for (const miss of answer.nearMisses as object[]) expect(miss).toMatchObject({ sb9: { status: 'likely' } })
  // With its decision: what it would be worth.
  expect(text).toMatch(/misses maxPrice by .*; SB 9 likely\. id p_001dear\n {2}\S.*\./)
  expect(text).not.toContain('not checked')
})

test('at most 20 homes are returned, and there is no next page', async () => {
  const { isError, text } = await some.agent.call('find_properties', { city: 'Menlo Park', limit: 21 })
  expect([isError, text]).toEqual([true, expect.stringContaining('limit must be a whole number from 1 to 20')])
  const { answer, text: told } = await some.agent.call('find_properties', { city: 'Menlo Park', limit: 2 })
  expect(answer.page).toEqual({ returned: 2, total: 7, next: null })
  expect(told).toContain('7 homes meet all criteria; the first 2 follow. Set limit (up to 5) for more.')
})

test('every home found by its SB 9 status is checked, whichever statuses are requested', async () => {
  const agent = await connectAgent(many.baseUrl, { apiKey: await many.service.proKey() })
  for (const sb9Status of [
    ['eligible', 'likely'],
    ['likely', 'eligible'],
    ['eligible', 'unknown_zone'],
    ['eligible', 'likely', 'unknown_zone'],
    ['eligible'],
    ['blocked', 'eligible', 'unknown_zone', 'likely'],
  ]) {
    const { answer, text } = await agent.call('find_properties', { city: 'Menlo Park', sb9Status, limit: 3 })
    expect(answer.items).toHaveLength(3)
    for (const item of answer.items!) expect(sb9Status).toContain((item.sb9 as { status?: string } | undefined)?.status)
    expect(text).not.toContain('SB 9 not checked')
  }
  await agent.close()
})

test('sold homes, which the inventory does not list, have their SB 9 status too', async () => {
  const { answer, text } = await many.agent.call('find_properties', { city: 'Menlo Park', status: ['sold'] })
  expect(answer.items).toMatchObject([{ id: 'p_001sold', status: 'sold', sb9: { status: 'eligible' } }])
  expect(text).toContain('SB 9 eligible')
})

test('where SB 9 does not apply, the answer says so once and no home is called unchecked', async () => {
  const { db } = many.service
  const id = await property(db, { market: 'nantucket', city: 'Nantucket', address: '901 Main St' })
  await listing(db, { property_id: id, market: 'nantucket', city: 'Nantucket', price_usd: 2_000_000 })
  const { answer, text } = await many.agent.call('find_properties', { market: 'nantucket' })
  expect(answer.items).toMatchObject([{ id }])
  expect(text).toMatch(/SB 9 .*California/)
  expect(text).not.toMatch(/SB 9 not checked|SB 9 does not apply or/)
})

test('an answer that is not complete says how to get the rest, within the limits of the plan', async () => {
  const city = 'Menlo Park'
  const pro = await connectAgent(many.baseUrl, { apiKey: await many.service.proKey() })
  const said = async (agent: Connection, args: object) =>
    (await agent.call('find_properties', { city, ...args })).text.split('\n')[0]
  expect(await said(pro, { limit: 5 })).toBe(
    '24 homes meet all criteria; the first 5 follow. Set limit (up to 20) for more.',
  )
  expect(await said(pro, { limit: 20 })).toBe(
    '24 homes meet all criteria; the first 20 follow. For the rest, call list_market_signals with the same criteria and offset=20.',
  )
  const capped =
    '24 homes meet all criteria; the first 5 follow. Your plan returns at most 5 per call. For the rest, call list_market_signals with the same criteria and offset=5.'
  expect(await said(many.agent, { limit: 5 })).toBe(capped)
  expect(await said(many.agent, { limit: 20 })).toBe(capped)
  const rest = await pro.call('list_market_signals', { city, offset: 20 })
  expect(rest.answer.page).toMatchObject({ returned: 4, total: 24, next: null })
  await pro.close()
})

test('five homes take less than 6,000 characters', async () => {
  const { answer, raw } = await some.agent.call('find_properties', { city: 'Menlo Park', limit: 5 })
  expect(answer.items).toHaveLength(5)
  expect(raw.length).toBeLessThan(6_000)
})

test('a link leads to the property', async () => {
  const { contents } = await some.agent.client.readResource({ uri: 'lotline://property/p_001fit1' })
  expect(JSON.stringify(contents)).toContain('1 Elm St')
})

test('look_up_address grades the match and links the candidates', async () => {
  const { answer, raw } = await some.agent.call('look_up_address', { address: '1 elm street menlo park' })
  expect(answer).toMatchObject({ outcome: 'ok', match: 'exact', items: [{ id: 'p_001fit1' }] })
  expect(raw).toContain('lotline://property/p_001fit1')
  expect((await some.agent.call('look_up_address', { address: '1 Elm St, Reno, NV' })).answer.outcome).toBe(
    'not_covered',
  )
})

test('homes by room are one call under 1,500 tokens that shows the room', async () => {
  const { db } = none.service
  const offer = { kind: 'new_house', allowed: 'yes', approval: 'ministerial', confidence: 'medium' }
  for (const [id, room] of [
    ['p_001loss', 91_000],
    ['p_001new', 93_000],
  ] as const) {
    const best = { ...offer, maximumOffer: 2_500_000 + room, maximumOfferLow: 2_400_000 }
    const uses = JSON.stringify({ offers: [best], place: {}, best })
    await sql`update assessment set uses = ${uses}::jsonb where property_id = ${id}`.execute(db.withSchema('g00'))
  }
  await indexMarket(db, 'sf-peninsula')
  const asking = { city: 'Menlo Park', minRoom: 90_000, sort: '-room.usd' }
  const { text, answer } = await none.agent.call('find_properties', asking)
  expect(answer.items!.map(({ id }) => id)).toEqual(['p_001new', 'p_001loss'])
  expect(text).toContain('room $93,000, low case −$100,000')
  expect((text.length + JSON.stringify(answer).length) / 4).toBeLessThan(1_500)
})
