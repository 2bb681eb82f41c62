import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { ask } from '../setup/ask.ts'
import { assessment, completedRun, listing, proforma, property, sale, source } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  const scored = async (id: string, rank: number, given: Record<string, unknown> = {}) => {
    await property(db, { id, address: `${id} Elm Street`, ...given })
    await listing(db, { property_id: id, ...given })
    await assessment(db, id, { rank_score: rank, teardown_score: rank, market: given.market ?? 'sf-peninsula' })
  }
  await scored('b-tie', 70.5)
  await scored('a-tie', 70.5)
  await scored('top', 70.500001)
  await listing(db, { property_id: await property(db, { id: 'z-unscored' }) })
  await listing(db, { property_id: await property(db, { id: 'y-unscored' }) })
  await listing(db, { property_id: await property(db, { id: 'withdrawn' }), status: 'withdrawn' })
  await property(db, { id: 'not-listed' })
  await sale(db, { property_id: 'not-listed' })
  for (const [id, soldOn] of [
    ['sold-new', '2026-10-16'],
    ['sold-old', '2026-10-15'],
  ] as const) {
    await property(db, { id, address: `${id} Fir Ave` })
    await listing(db, {
      property_id: id,
      status: 'sold',
      sold_on: soldOn,
      sold_price_usd: 3_000_000,
      listed_on: '2026-09-01',
    })
    await assessment(db, id, { rank_score: 10, proforma: proforma({ roiPct: 9 }), developer_roi: 4.44 })
  }
  await listing(db, {
    property_id: await property(db, { id: 'ack', market: 'nantucket', city: 'Nantucket' }),
    market: 'nantucket',
    city: 'Nantucket',
    status: 'pending',
    pending_on: '2026-10-11',
  })
  await listing(db, {
    property_id: await property(db, { id: 'ack2', market: 'nantucket', city: 'Nantucket' }),
    market: 'nantucket',
    city: 'Nantucket',
    status: 'coming_soon',
  })
})

const signals = async (query: string, key = pro) => (await ask(service(), `/v1/market-signals?${query}`, { key })).body
const ids = async (query: string, key = pro) => (await signals(query, key)).data.map(({ id }: { id: string }) => id)

test('rows are ordered by unrounded score, ties by id, unscored last', async () => {
  expect(await ids('')).toEqual(['top', 'a-tie', 'b-tie', 'sold-new', 'sold-old', 'y-unscored', 'z-unscored'])
  // Served as 71, all three: homes with the same teardown score are ordered by the unrounded one, on every page.
  expect((await ids('sort=-teardownScore')).slice(0, 3)).toEqual(['top', 'a-tie', 'b-tie'])
  expect((await ids('sort=teardownScore')).slice(0, 3)).toEqual(['a-tie', 'b-tie', 'top'])
  const first = await signals('sort=-teardownScore&limit=1')
  expect(first.applied.sort).toEqual(['-teardownScore'])
  expect(await ids(`sort=-teardownScore&limit=1&cursor=${first.pagination.nextCursor}`)).toEqual(['a-tie'])
  const { data } = await signals('limit=2')
  expect(data.map((row: { teardownScore: number; rankScore: number }) => [row.teardownScore, row.rankScore])).toEqual([
    [71, 70.500001],
    [71, 70.5],
  ])
})

test('consecutive pages continue that order', async () => {
  const walked: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { data, pagination } = await signals(`limit=2&offset=${offset}`)
    walked.push(...data.map(({ id }: { id: string }) => id))
    offset = pagination.nextOffset
  }
  expect(walked).toEqual(await ids(''))
})

test('a withdrawn listing and a sale without a listing are not signals', async () => {
  const all = await ids('limit=100')
  expect(all).not.toContain('withdrawn')
  expect(all).not.toContain('not-listed')
})

test('a key with a history window sees sales of the last 30 days, inclusive, and every active listing', async () => {
  const all = await ids('', free)
  expect(all).toContain('sold-new')
  expect(all).not.toContain('sold-old')
  expect(all).toContain('top')
  expect((await signals('', free)).pagination.total).toBe(6)
  expect((await signals('', pro)).pagination.total).toBe(7)
})

test('sold rows carry their date of sale, others none', async () => {
  const { data } = await signals('address=sold-new')
  expect(data[0]).toMatchObject({ status: 'sold', soldDate: '2026-10-16' })
  expect((await signals('limit=1')).data[0]).not.toHaveProperty('soldDate')
})

test('unknown values are absent, never null or zero', async () => {
  const unscored = (await signals('limit=100')).data.find(({ id }: { id: string }) => id === 'z-unscored')
  for (const name of ['teardownScore', 'flippabilityScore', 'rankScore', 'developerROI', 'proforma', 'visionAnalysis'])
    expect(unscored).not.toHaveProperty(name)
  expect(unscored.metadata).not.toHaveProperty('sqft')
  expect(JSON.stringify(unscored)).not.toContain('null')
})

test('days on market run to today, or to pending, and are absent for coming soon', async () => {
  expect((await signals('address=top')).data[0].metadata.daysOnMarket).toBe(45)
  const island = (await signals('market=nantucket')).data
  const days = Object.fromEntries(
    island.map((row: { id: string; metadata: { daysOnMarket?: number } }) => [row.id, row.metadata.daysOnMarket]),
  )
  expect(days).toEqual({ ack: 10, ack2: undefined })
})

test('an address matches by any part, regardless of case, punctuation and suffix', async () => {
  for (const address of ['top elm street', 'TOP ELM ST.', 'Elm St', 'top'])
    expect(await ids(`address=${encodeURIComponent(address)}`), address).toContain('top')
  expect(await ids('address=o%25k')).toEqual([])
  expect(await ids('address=!!!')).toEqual([])
})

test('one market’s rows never show in another', async () => {
  expect((await ids('market=nantucket')).sort()).toEqual(['ack', 'ack2'])
  expect(await ids('market=nantucket&city=palo-alto')).toEqual([])
})

test('asOf is the end of the last run that the response depends on', async () => {
  await completedRun(
    service().db,
    await source(service().db, { id: 'runs', holds: 'listings' }),
    new Date('2026-11-14T06:00:00Z'),
  )
  await completedRun(service().db, await source(service().db, { id: 'permits-only' }), new Date('2026-11-15T06:00:00Z'))
  expect((await signals('limit=3')).asOf).toBe('2026-11-14T06:00:00.000Z')
})

test('an address is found as people type it, with commas, unit, city, state and ZIP', async () => {
  const { db } = service()
  const home = (id: string, address: string, city: string) => listing(db, { property_id: id, address, city })
  for (const [id, address, city] of [
    ['p_001belv', '9076 Belvedere Ave', 'Menlo Park'],
    ['p_001belv2', '9076 Belvedere Ave', 'Palo Alto'],
    ['p_001unit2', '55 Cedar St #2', 'Menlo Park'],
    ['p_001unit3', '55 Cedar St #3', 'Menlo Park'],
  ] as const) {
    await property(db, { id, address, city })
    await home(id, address, city)
  }
  const found = async (address: string) => {
    const { data } = await signals(`address=${encodeURIComponent(address)}`)
    return data.map(({ id }: { id: string }) => id).sort()
  }
  const inBoth = ['p_001belv', 'p_001belv2']
  for (const text of ['9076, Belvedere, Ave', '9076 belvedere avenue', '9076 Belvedere Ave #3', 'Belvedere, Ave'])
    expect([text, await found(text)]).toEqual([text, inBoth])
  for (const text of [
    '9076 belvedere ave menlo park ca 94025',
    '9076, Belvedere, Ave, Menlo Park',
    '9076 Belvedere Avenue, Apt 3, Menlo Park, CA',
    'Menlo Park, 9076 Belvedere Ave',
  ])
    expect([text, await found(text)]).toEqual([text, ['p_001belv']])
  expect(await found('55 cedar street unit 2, menlo park')).toEqual(['p_001unit2'])
  expect(await found('55 Cedar St, #4')).toEqual([])
  expect(await found('55 Cedar St, Menlo Park')).toEqual(['p_001unit2', 'p_001unit3'])
})

test('approval is that of the use in the decision: a sold home and a condominium have none', async () => {
  const { db } = service()
  const best = { kind: 'new_house', allowed: 'yes', approval: 'ministerial', confidence: 'medium', maximumOffer: 2e6 }
  const uses = JSON.stringify({ offers: [best], place: {}, best })
  await sql`update assessment set uses = ${uses}::jsonb where property_id in ('top', 'a-tie', 'sold-new')`.execute(db)
  await sql`update listing set property_type = 'condo' where property_id = 'a-tie'`.execute(db)
  await indexMarket(db, 'sf-peninsula')
  const { data } = await signals('approval=ministerial')
  expect(
    data.map(({ id, decision }: { id: string; decision: { approval: string } }) => [id, decision.approval]),
  ).toEqual([['top', 'ministerial']])
})
