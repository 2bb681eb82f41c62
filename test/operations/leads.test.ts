import { beforeAll, expect, test } from 'vitest'
import type { AduFinding } from '../../src/domain/findings/adu.ts'
import type { LotSplitFinding } from '../../src/domain/findings/lot-split.ts'
import type { RedevelopmentFinding } from '../../src/domain/findings/redevelopment.ts'
import { propertyIdPrefix } from '../../src/domain/property-id.ts'
import { ask } from '../setup/ask.ts'
import { adu, assessment, listing, manyLeads, property, redevelopment, sb9 } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let key: string
const prefix = propertyIdPrefix('sf-peninsula')
const reason = { code: 'HISTORIC', reason: 'A listed landmark', citation: 'Gov. Code 65852.21' }
const blocked = { ...reason, appliesTo: 'both' } as const

beforeAll(async () => {
  const { db } = service()
  key = await service().proKey()
  const forSale = async (name: string, finding: Partial<LotSplitFinding>, given: Record<string, unknown> = {}) => {
    const city = (given.city as string | undefined) ?? 'Palo Alto'
    const id = prefix + name
    await property(db, { id, city, zoning: 'R-1', lot_sqft: 9000 })
    await listing(db, { property_id: id, ...given, city })
    const full = sb9(finding)
    await assessment(db, id, {
      sb9: full,
      sb9_status: full.sb9Status,
      sb9_max_units: full.maxUnits,
      sb9_blocked: full.blockReasons.length > 0,
    })
  }
  await forSale(
    'likely',
    { sb9Status: 'likely', maxUnits: 4, warnings: ['unknown: floodZone'] },
    { city: 'Menlo Park' },
  )
  await forSale('eligible-2', { maxUnits: 2 })
  await forSale('eligible-4', { maxUnits: 4 }, { status: 'pending' })
  await forSale('soon', { maxUnits: 3 }, { status: 'coming_soon' })
  await forSale('blocked', { sb9Status: 'blocked', maxUnits: 1, blockReasons: [blocked] })
  await forSale('split-blocked', { sb9Status: 'eligible', maxUnits: 2, blockReasons: [blocked] })
  await forSale('no-rules', { sb9Status: 'unknown_zone', maxUnits: 0 })
  await forSale('sold', {}, { status: 'sold', sold_on: '2026-11-10' })
  await forSale('withdrawn', {}, { status: 'withdrawn' })

  const scored = async (
    name: string,
    given: { adu?: Partial<AduFinding>; redevelopment?: Partial<RedevelopmentFinding>; city?: string },
  ) => {
    const city = given.city ?? 'Palo Alto'
    const id = prefix + name
    await property(db, { id, city, zoning: 'R-1', lot_sqft: 8000 })
    const a = given.adu && adu(given.adu)
    const r = given.redevelopment && redevelopment(given.redevelopment)
    await assessment(db, id, {
      city_slug: city.toLowerCase().replace(' ', '-'),
      ...(a ? { adu: a, adu_score: a.aduScore, adu_blocked: a.blockers.length > 0 } : {}),
      ...(r
        ? {
            redevelopment: r,
            redevelopment_score: r.redevelopmentScore,
            redevelopment_class: r.class,
            redevelopment_blocked: r.blockers.length > 0,
          }
        : {}),
    })
  }
  await scored('s-90', { adu: { aduScore: 90 }, redevelopment: { redevelopmentScore: 90, class: 'expansion' } })
  await scored('s-60', { adu: { aduScore: 60 }, redevelopment: { redevelopmentScore: 60 }, city: 'Menlo Park' })
  await scored('s-60b', {
    adu: { aduScore: 60, blockers: [reason] },
    redevelopment: { redevelopmentScore: 60, blockers: [reason] },
  })
  await scored('s-59', { adu: { aduScore: 59 }, redevelopment: { redevelopmentScore: 59 } })
})

const ids = async (path: string) => {
  const { status, body } = await ask(service(), path, { key })
  expect(status, path).toBe(200)
  return body.data.map(({ id }: { id: string }) => id.slice(prefix.length))
}

test('SB 9 lists homes for sale, eligible before likely, and omits blocked ones by default', async () => {
  expect(await ids('/v1/sb9-inventory')).toEqual(['soon', 'eligible-2', 'split-blocked', 'likely'])
  expect(await ids('/v1/sb9-inventory?listingStatus=onMarket')).toEqual([
    'eligible-4',
    'soon',
    'eligible-2',
    'split-blocked',
    'likely',
  ])
})

test('the SB 9 status filter selects; "any" includes blocked homes with their reasons', async () => {
  expect(await ids('/v1/sb9-inventory?status=eligible')).toEqual(['soon', 'eligible-2', 'split-blocked'])
  expect(await ids('/v1/sb9-inventory?status=likely')).toEqual(['likely'])
  expect(await ids('/v1/sb9-inventory?status=blocked')).toEqual(['blocked'])
  expect(await ids('/v1/sb9-inventory?status=unknown_zone')).toEqual(['no-rules'])
  expect((await ids('/v1/sb9-inventory?status=any')).slice(-2)).toEqual(['no-rules', 'blocked'])
  // What was applied can be sent back.
  const { body: byDefault } = await ask(service(), '/v1/sb9-inventory', { key })
  expect(await ids(`/v1/sb9-inventory?status=${byDefault.applied.status.join()}`)).toEqual(
    await ids('/v1/sb9-inventory'),
  )
  const { body } = await ask(service(), '/v1/sb9-inventory?status=any', { key })
  expect(body.data.at(-1)).toMatchObject({
    id: 'p_001blocked',
    sb9Status: 'blocked',
    blockReasons: [blocked],
    lotSize: 9000,
    zoning: 'R-1',
  })
})

test('minUnits and city filter the list', async () => {
  expect(await ids('/v1/sb9-inventory?minUnits=3')).toEqual(['soon', 'likely'])
  expect(await ids('/v1/sb9-inventory?city=menlo%20park')).toEqual(['likely'])
  expect(await ids('/v1/adu-leads?city=menlo-park')).toEqual(['s-60'])
  expect(await ids('/v1/adu-leads?city=menlo')).toEqual([])
})

test('excludeBlockers drops rows with any reason, also under any', async () => {
  expect(await ids('/v1/sb9-inventory?excludeBlockers=true&status=any')).toEqual([
    'soon',
    'eligible-2',
    'likely',
    'no-rules',
  ])
  expect(await ids('/v1/adu-leads?excludeBlockers=true')).toEqual(['s-90', 's-60'])
  expect(await ids('/v1/redevelopment-leads?excludeBlockers=true')).toEqual(['s-90', 's-60'])
  expect(await ids('/v1/adu-leads?excludeBlockers=false')).toEqual(['s-90', 's-60', 's-60b'])
})

test('parcels with a score of 60 or more are listed by score, ties by id', async () => {
  expect(await ids('/v1/adu-leads')).toEqual(['s-90', 's-60', 's-60b'])
  expect(await ids('/v1/redevelopment-leads')).toEqual(['s-90', 's-60', 's-60b'])
  expect(await ids('/v1/adu-leads?minScore=0')).toEqual(['s-90', 's-60', 's-60b', 's-59'])
  expect(await ids('/v1/redevelopment-leads?minScore=61')).toEqual(['s-90'])
  for (const list of ['adu-leads', 'redevelopment-leads', 'sb9-inventory'])
    expect((await ask(service(), `/v1/${list}?limit=1`, { key })).body.data[0].asOf, list).toBe('2026-11-14')
})

test('redevelopment leads can be filtered by class', async () => {
  expect(await ids('/v1/redevelopment-leads?class=expansion')).toEqual(['s-90'])
  expect(await ids('/v1/redevelopment-leads?class=teardown_candidate')).toEqual(['s-60', 's-60b'])
})

test('leads contain no dated records, so no plan has a history window there', async () => {
  const free = await service().freeKey()
  for (const path of ['/v1/sb9-inventory', '/v1/adu-leads', '/v1/redevelopment-leads'])
    expect((await ask(service(), path, { key: free })).body.historyWindow).toBe(null)
})

test('lots by law: most homes first, found by use and by number of homes, in lists and searches', async () => {
  const { db } = service()
  const use = { scheme: 'transit', approval: 'unknown', conditions: [], untestedRules: [], because: [] }
  for (const [id, homes, allowed, most] of [
    ['t-5', 5, 'likely', 5],
    ['t-15', 15, 'likely', 15],
    ['t-0', undefined, 'conditional', undefined],
    // Another use has more homes there, which this list is not about.
    ['t-3', 3, 'likely', 40],
  ] as const) {
    await property(db, { id: prefix + id, city: 'Belmont', lot_sqft: 6000 })
    const lists = { blockReasons: [], warnings: [], used: [], missing: [] }
    const transit = { ...lists, uses: [{ ...use, allowed, ...(homes ? { homes } : {}) }], confidence: 'medium' }
    await assessment(db, prefix + id, { city_slug: 'belmont', homes: most, allowed_uses: 'transit', transit })
  }
  const of = (query: string) => ids(`/v1/use-leads?city=belmont&${query}`)
  expect(await of('use=transit')).toEqual(['t-15', 't-5', 't-3', 't-0'])
  expect(await of('use=transit&minHomes=6')).toEqual(['t-15'])
  expect(await of('use=small_lots')).toEqual([])
  const { body } = await ask(service(), '/v1/use-leads?use=transit&city=belmont', { key })
  expect(body.data[0]).toMatchObject({
    homes: 15,
    uses: [{ allowed: 'likely', homes: 15 }],
    law: { id: 'us-ca-transit' },
  })
  const found = await ask(service(), '/v1/search', {
    key,
    body: { kind: 'parcels', criteria: { city: 'belmont', allows: 'transit', minHomes: 5 }, sort: ['homes'] },
  })
  expect(found.body.data).toMatchObject([{ homes: 5, allows: ['transit'] }, { homes: 15 }, { homes: 40 }])
  expect((await ask(service(), '/v1/use-leads?use=castle', { key })).status).toBe(400)
  const island = await ask(service(), '/v1/use-leads?use=transit&market=nantucket', { key })
  expect(island.body.notApplicable).toMatch(
    /buildings near transit are tested by .*SB 79.*Nantucket is in Massachusetts/,
  )
})

test('every id of a lead resolves', async () => {
  for (const path of ['/v1/sb9-inventory?status=any', '/v1/adu-leads?minScore=0', '/v1/redevelopment-leads?minScore=0'])
    for (const id of await ids(path))
      expect((await ask(service(), `/v1/properties/${prefix}${id}`, { key })).status, id).toBe(200)
})

test('totals are counted up to 10,000 and say when they were capped', async () => {
  const { db } = service()
  // Each page size is a question of its own, which no cached answer covers.
  const pagination = async (limit: number) =>
    (await ask(service(), `/v1/adu-leads?minScore=90&limit=${limit}`, { key })).body.pagination
  expect(await pagination(1)).toMatchObject({ total: 1, totalCapped: false })
  await manyLeads(db, 9_999)
  expect(await pagination(2)).toMatchObject({ total: 10_000, totalCapped: false })
  await manyLeads(db, 1)
  expect(await pagination(3)).toMatchObject({ total: 10_000, totalCapped: true })
})
