import { beforeAll, expect, test } from 'vitest'
import { ask } from '../setup/ask.ts'
import { permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  await permit(db, {
    permit_id: 'ADU-1',
    city: 'Palo Alto',
    address: '10 Oak St',
    project_type: 'Residential',
    description: 'New detached ADU over garage',
    contractor: 'Bluebird Builders',
    architect: 'Ada Lane',
    valuation_usd: 250_000,
    sqft: 750,
    issued_on: '2026-11-10',
  })
  await permit(db, {
    permit_id: 'X-2',
    city: 'East Palo Alto',
    description: '100% solar_array',
    issued_on: '2026-11-10',
  })
  await permit(db, {
    permit_id: 'X-1',
    city: 'Menlo Park',
    description: 'Reroof',
    valuation_usd: 500,
    issued_on: '2026-11-10',
  })
  await permit(db, { permit_id: 'X-1', city: 'Atherton', description: 'Pool', issued_on: '2026-11-10' })
  await permit(db, { permit_id: 'B/7 ü', city: 'Atherton', description: 'Gate', issued_on: '2026-10-16' })
  await permit(db, { permit_id: 'OLD', city: 'Atherton', description: 'Gate', issued_on: '2026-10-15' })
  await permit(db, {
    permit_id: 'WAITING',
    city: 'Atherton',
    issued_on: null,
    applied_on: '2026-11-01',
    status: 'applied',
  })
})

const search = async (query: Record<string, string>, key = pro) =>
  (await ask(service(), `/v1/permits?${new URLSearchParams(query)}`, { key })).body
const found = async (query: Record<string, string>, key = pro) =>
  (await search(query, key)).data.map(({ permitId, city }: { permitId: string; city: string }) => `${city} ${permitId}`)

test('issued permits are listed newest first, then by number, then by city', async () => {
  expect(await found({})).toEqual([
    'Palo Alto ADU-1',
    'Atherton X-1',
    'Menlo Park X-1',
    'East Palo Alto X-2',
    'Atherton B/7 ü',
    'Atherton OLD',
  ])
})

test('permits of an address are found as people type it, and no others', async () => {
  for (const address of ['10 oak street', '10 Oak St, Palo Alto, CA 94301', '10 oak', 'oak st', '10 Oak St #2'])
    expect([address, await found({ address })]).toEqual([address, ['Palo Alto ADU-1']])
  for (const address of ['10 Oak St, Menlo Park', '110 oak st', 'adu', '12 oak st'])
    expect([address, await found({ address })]).toEqual([address, []])
  expect(await found({ address: '10 oak st', q: 'garage', sort: '-valuation' })).toEqual(['Palo Alto ADU-1'])
  const { applied, funnel } = await search({ address: '10 oak st', minValuation: '300000', explain: 'funnel' })
  expect(applied).toMatchObject({ address: '10 oak st', minValuation: 300_000 })
  expect(funnel.map(({ remaining }: { remaining: number }) => remaining)).toEqual([1, 0])
})

test('a permit has the documented fields, and null only where documented', async () => {
  const [row] = (await search({ q: 'bluebird' })).data
  expect(row).toMatchObject({
    permitId: 'ADU-1',
    city: 'Palo Alto',
    address: '10 Oak St',
    projectType: 'Residential',
    valuation: 250_000,
    sqft: 750,
    psf: 333.33,
    contractor: 'Bluebird Builders',
    architect: 'Ada Lane',
    issuedDate: '2026-11-10',
    status: 'issued',
    permitUrl: 'http://lotline.test/permits/palo-alto/ADU-1',
  })
  const [bare] = (await search({ q: 'pool' })).data
  expect([bare.valuation, bare.architect]).toEqual([null, null])
  for (const name of ['address', 'projectType', 'sqft', 'psf', 'contractor']) expect(bare).not.toHaveProperty(name)
})

test('a word is found in each of the six fields, as any part, in any case', async () => {
  for (const q of ['10 oak', 'residENTial', 'detached', 'bluebird', 'ada lane', 'adu-1', 'etach'])
    expect(await found({ q }), q).toEqual(['Palo Alto ADU-1'])
})

test('several words must all match, each in any field', async () => {
  expect(await found({ q: 'garage bluebird oak' })).toEqual(['Palo Alto ADU-1'])
  expect(await found({ q: 'garage reroof' })).toEqual([])
  expect(await found({ q: '   ' })).toHaveLength(6)
})

test('% and _ are plain characters, and so is a backslash', async () => {
  expect(await found({ q: '100%' })).toEqual(['East Palo Alto X-2'])
  expect(await found({ q: 'solar_array' })).toEqual(['East Palo Alto X-2'])
  for (const q of ['1%', 's_lar', '\\', '%%']) expect(await found({ q }), q).toEqual([])
})

test('words under three letters are found too', async () => {
  expect(await found({ q: 'x-' })).toHaveLength(3)
})

test('a city matches by a part of its name, in any case, or by its slug', async () => {
  for (const city of ['palo', ' palo ', 'palo alto '])
    expect(await found({ city }), city).toEqual(['Palo Alto ADU-1', 'East Palo Alto X-2'])
  expect(await found({ city: 'palo-alto' })).toEqual(['Palo Alto ADU-1'])
  expect(await found({ city: 'palo-alto,menlo' })).toEqual(['Palo Alto ADU-1', 'Menlo Park X-1'])
  // A state is not a part of another city, such as San Carlos.
  expect(await found({ city: 'palo-alto, CA' })).toEqual(['Palo Alto ADU-1'])
  expect(await found({ city: 'Palo Alto, CA' })).toEqual(['Palo Alto ADU-1', 'East Palo Alto X-2'])
  expect(await found({ city: 'EAST palo' })).toEqual(['East Palo Alto X-2'])
  expect(await found({ city: 'menlo-park' })).toEqual(['Menlo Park X-1'])
  expect(await found({ city: 'p_lo' })).toEqual([])
  expect(await found({ city: 'Gotham' })).toEqual([])
})

test('a minimum valuation leaves out permits without one', async () => {
  expect(await found({ minValuation: '0' })).toEqual(['Palo Alto ADU-1', 'Menlo Park X-1'])
  expect(await found({ minValuation: '250000' })).toEqual(['Palo Alto ADU-1'])
  expect(await found({ minValuation: '250000.01' })).toEqual([])
})

test('the list of fields says which share of permits has each value', async () => {
  const { body } = await ask(service(), '/v1/fields', { key: pro })
  const { fields } = body.data.find(({ kind }: { kind: string }) => kind === 'permits')
  const share = (wanted: string) => fields.find(({ name }: { name: string }) => name === wanted).fillPct
  expect(['valuation', 'contractor', 'issuedDate', 'finaledDate'].map(share)).toEqual([33.3, 16.7, 100, 0])
})

test('a date range includes both ends, and a reversed range is an error that names both', async () => {
  expect(await found({ issuedFrom: '2026-10-16', issuedTo: '2026-10-16' })).toEqual(['Atherton B/7 ü'])
  expect((await search({ issuedFrom: '2026-11-10', issuedTo: '2026-10-01' })).error).toMatch(/issuedFrom.*issuedTo/)
})

test('a key with a history window reads 30 days, inclusive, and a wider date range does not extend them', async () => {
  expect(await found({}, free)).not.toContain('Atherton OLD')
  expect(await found({}, free)).toContain('Atherton B/7 ü')
  expect(await found({ issuedFrom: '2020-01-01' }, free)).not.toContain('Atherton OLD')
  expect((await search({}, free)).pagination.total).toBe(5)
})

test('total counts all matches, and truncated is present', async () => {
  expect((await search({ limit: '2' })).pagination).toMatchObject({
    total: 6,
    returned: 2,
    nextOffset: 2,
    truncated: false,
  })
})

test('one permit is read by city and number, odd characters included; numbers repeat between cities', async () => {
  const one = async (city: string, id: string) =>
    ask(service(), `/v1/permits/${city}/${encodeURIComponent(id)}`, { key: pro })
  expect((await one('atherton', 'X-1')).body.data.description).toBe('Pool')
  expect((await one('menlo-park', 'X-1')).body.data.description).toBe('Reroof')
  const odd = await one('atherton', 'B/7 ü')
  expect(odd.status).toBe(200)
  expect(new URL(odd.body.data.permitUrl).pathname).toBe(`/permits/atherton/${encodeURIComponent('B/7 ü')}`)
  for (const [city, id] of [
    ['atherton', 'WAITING'],
    ['atherton', 'NOPE'],
    ['gotham', 'X-1'],
  ] as const)
    expect((await one(city, id)).status, id).toBe(404)
})

test('a cursor is valid only for its own search', async () => {
  const first = await search({ city: 'palo', limit: '1' })
  const second = await search({ city: 'palo', limit: '1', cursor: first.pagination.nextCursor })
  expect(second.data[0].permitId).toBe('X-2')
  expect(second.pagination).toMatchObject({ nextCursor: null, nextOffset: null })
})

test('a permit removed from its feed has the removal date, in the list and by itself; other permits do not', async () => {
  const { db } = service()
  await permit(db, {
    permit_id: 'GONE-1',
    city: 'Colma',
    issued_on: '2026-11-01',
    removed_at: new Date('2026-11-12T03:00:00Z'),
  })
  await permit(db, { permit_id: 'STANDS-1', city: 'Colma', issued_on: '2026-11-01' })
  const { data } = await search({ city: 'colma' })
  expect(data.map(({ permitId, goneAt }: Record<string, unknown>) => [permitId, goneAt])).toEqual([
    ['GONE-1', '2026-11-12T03:00:00.000Z'],
    ['STANDS-1', undefined],
  ])
  const { body } = await ask(service(), '/v1/permits/colma/GONE-1', { key: pro })
  expect(body.data.goneAt).toBe('2026-11-12T03:00:00.000Z')
})
