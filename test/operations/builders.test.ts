import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { changedNames, hideBuilder, indexBuilders } from '../../src/store/permits/builders.ts'
import { builderIds, builderKey } from '../../src/wire/builders.ts'
import { ask } from '../setup/ask.ts'
import { permit, property, sale } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  const by = (contractor: string, given: object = {}) =>
    permit(db, { contractor, contractor_key: builderKey(contractor) ?? null, permit_class: 'new_house', ...given })
  for (let at = 0; at < 5; at += 1)
    await by('Acme Builders, Inc.', {
      units: 2,
      valuation_usd: 100_000,
      issued_on: '2026-10-01',
      finaled_on: '2026-10-11',
    })
  await by('ACME BUILDERS', { contractor_license: 'B123456', issued_on: '2020-01-01' })
  await by('Acme Homes', { contractor_license: 'B123456', city: 'Menlo Park' })
  await by('Birch Construction', { valuation_usd: 900_000, units: 90 })
  await by('OWNER-BUILDER')
  await indexBuilders(db, 'sf-peninsula')
})

const get = async (path: string) => (await ask(service(), path, { key: pro })).body

test('names that are equal when normalized or share a license are one builder, similar names are not', async () => {
  expect(['Acme Builders, Inc.', 'ACME BUILDERS  JO DOE', "Acme Builder's"].map(builderKey)).toEqual([
    'ACME BUILDERS',
    'ACME BUILDERS',
    'ACME BUILDERS',
  ])
  for (const nobody of ['Owner', 'owner-builder', 'Self', 'N/A', '', undefined, 'Homeowner'])
    expect(builderKey(nobody)).toBeUndefined()
  const { data } = await get('/v1/builders')
  expect(data.map(({ name, permits }: { name: string; permits: number }) => [name, permits])).toEqual([
    ['Acme Builders, Inc.', 7],
    ['Birch Construction', 1],
  ])
  expect(data[0]).toMatchObject({
    aliases: ['Acme Homes'],
    license: 'B123456',
    permits12m: 6,
    units12m: 10,
    valuation: 500_000,
  })
  expect(data[1]).not.toHaveProperty('finaledPct')
  expect(await get('/v1/builders?offset=5')).toMatchObject({ data: [], pagination: { total: 2 } })
  const first = await get('/v1/builders?limit=1')
  const last = await get(`/v1/builders?limit=1&cursor=${first.pagination.nextCursor}`)
  expect([...first.data, ...last.data]).toEqual(data)
  expect(last.pagination.nextCursor).toBeNull()
})

test('a builder keeps its id when another name joins it', () => {
  const name = (nameKey: string, licenses: string[]) => ({ nameKey, name: nameKey, licenses, permits: 1 })
  const known = [{ nameKey: 'ZETA', builderId: 'kept', hidden: true }]
  const rows = builderIds([name('ALPHA', ['1']), name('ZETA', ['1']), name('OTHER', [])], known, (key) => key)
  expect(rows.map(({ nameKey, builderId, hidden }) => [nameKey, builderId, hidden])).toEqual([
    ['ALPHA', 'kept', true],
    ['ZETA', 'kept', true],
    ['OTHER', 'OTHER', false],
  ])
})

test('a builder of the same name in another market is another builder', async () => {
  const { db } = service()
  const acme = { contractor: 'Acme Builders', contractor_key: 'ACME BUILDERS', permit_class: 'new_house' }
  await permit(db, { market: 'nantucket', city: 'Nantucket', ...acme })
  await indexBuilders(db, 'nantucket')
  const { data } = await get('/v1/builders?market=nantucket')
  expect(data).toMatchObject([{ id: expect.stringMatching(/^nantucket-/), permits: 1 }])
})

test('the permits of a builder are listed, and each permit names its builder', async () => {
  const [builder] = (await get('/v1/builders?q=acme')).data
  const { data } = await get(`/v1/builders/${builder.id}/permits`)
  expect(data).toHaveLength(7)
  expect(new Set(data.map(({ builderId }: { builderId: string }) => builderId))).toEqual(new Set([builder.id]))
  expect((await get(`/v1/permits?builderId=${builder.id}`)).pagination.total).toBe(7)
})

test('the order does not show sums that are not served, and days to final are of the permits asked for', async () => {
  for (const sort of ['valuation', 'units12m']) {
    const { data } = await get(`/v1/builders?sort=${sort}`)
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Acme Builders, Inc.', 'Birch Construction'])
  }
  const { db } = service()
  for (let at = 0; at < 5; at += 1)
    await permit(db, {
      contractor: 'Acme Homes',
      contractor_key: 'ACME HOMES',
      permit_class: 'solar',
      issued_on: '2026-09-01',
      finaled_on: '2026-09-06',
      contractor_license: 'B123456',
    })
  const [solar] = (await get('/v1/builders?permitClass=solar')).data
  expect(solar).toMatchObject({ permits: 5, toFinal: { p50: 5, p90: 5 } })
  await sql`delete from permit where permit_class = 'solar'`.execute(db)
  await sql`delete from permit_search where permit_class = 'solar'`.execute(db)
})

test('a hidden builder is not served', async () => {
  const [builder] = (await get('/v1/builders?q=birch')).data
  expect(await hideBuilder(service().db, builder.id, true)).toBe(1)
  await indexBuilders(service().db, 'sf-peninsula')
  expect((await ask(service(), `/v1/builders/${builder.id}?x=1`, { key: pro })).status).toBe(404)
})

test('a builder stays hidden when its permits are removed and loaded again', async () => {
  const { db } = service()
  const contractor = 'Cedar Works'
  const load = async () => {
    await permit(db, { contractor, contractor_key: 'CEDAR WORKS', permit_class: 'new_house' })
    await indexBuilders(db, 'sf-peninsula')
  }
  await load()
  const [builder] = (await get('/v1/builders?q=cedar')).data
  await hideBuilder(db, builder.id, true)
  await sql`delete from permit where contractor_key = 'CEDAR WORKS'`.execute(db)
  await indexBuilders(db, 'sf-peninsula')
  await load()
  expect((await get('/v1/builders?q=cedar&limit=9')).data).toEqual([])
})

test('the changes of a load give the same builders, names and licenses as counting all permits', async () => {
  const tx = await service().db.startTransaction().execute()
  try {
    for (let at = 0; at < 30; at += 1) await permit(tx, { permit_id: `R${at}` })
    const contractor = fc.constantFrom(null, ...Array.from({ length: 12 }, (_, at) => `NAME ${at}`))
    const given = fc.record({ at: fc.nat(29), contractor, license: fc.constantFrom(null, 'A1001', 'A1002', 'A1003') })
    const rows = async () =>
      (await sql<object>`select name_key, builder_id, name, licenses, hidden from builder order by 1, 2`.execute(tx))
        .rows
    const merged: number[] = []
    for (const [round, changes] of fc.sample(fc.array(given, { minLength: 1, maxLength: 4 }), 40).entries()) {
      for (const { at, contractor, license } of changes)
        await sql`update permit set contractor = ${contractor}, contractor_key = ${contractor},
            contractor_license = case when contractor = ${contractor} then coalesce(contractor_license, ${license}) else ${license} end
          where permit_id = ${`R${at}`}`.execute(tx)
      const keys = sql`select market, city_slug, permit_id from permit
        where permit_id = any(${changes.map(({ at }) => `R${at}`)}::text[])`
      const changed = (await changedNames(tx, keys)).map(({ name }) => name)
      await indexPermits(tx, keys)
      await indexBuilders(tx, 'sf-peninsula', changed)
      if (round === 20)
        await sql`update builder set hidden = true
          where builder_id = (select builder_id from builder where name_key = 'NAME 3')`.execute(tx)
      const found = await rows()
      await sql`savepoint whole`.execute(tx)
      await indexBuilders(tx, 'sf-peninsula')
      expect(found).toEqual(await rows())
      await sql`rollback to savepoint whole`.execute(tx)
      merged.push(found.length - new Set(found.map((row) => (row as { builderId: string }).builderId)).size)
    }
    expect(Math.max(...merged)).toBeGreaterThan(1)
  } finally {
    await tx.rollback().execute()
  }
})

test('built nearby: a sale before the permit, the permit and a sale after it, all visible to the key', async () => {
  const { db } = service()
  const at = { lat: 37.44, lng: -122.16 }
  const home = await property(db, { address: '1 Home St', ...at })
  const built = async (address: string, given: { before?: string; after?: string; lat?: number }) => {
    const place = { lat: given.lat ?? 37.445, lng: -122.16 }
    const id = await property(db, { address, ...place })
    const { before = '2022-01-10', after = '2025-03-01' } = given
    await permit(db, {
      ...{
        property_id: id,
        address,
        ...place,
        permit_class: 'new_house',
        applied_on: '2022-03-01',
        issued_on: '2023-01-15',
      },
      ...{ finaled_on: '2024-12-01', contractor: 'Elm Homes', contractor_key: 'ELM HOMES' },
    })
    if (before) await sale(db, { property_id: id, address, sold_on: before, price_usd: 2_000_000 })
    if (after) await sale(db, { property_id: id, address, sold_on: after, price_usd: 5_000_000, living_sqft: 3_100 })
    return id
  }
  const whole = await built('2 Whole St', {})
  await built('3 Never Resold St', { after: '' })
  await built('4 Sold Before Built St', { after: '2023-02-01' })
  await built('5 No Sale Before St', { before: '' })
  await built('6 Bought Long Ago St', { before: '2012-01-10' })
  await built('7 Far St', { lat: 37.47 })
  await indexBuilders(db, 'sf-peninsula')
  const path = `/v1/properties/${home}/built-nearby`
  const { data } = await get(path)
  expect(data).toEqual([
    {
      ...{
        propertyId: whole,
        address: '2 Whole St',
        city: 'Palo Alto',
        distanceMi: 0.35,
        permitId: expect.any(String),
      },
      ...{ lotPriceUsd: 2_000_000, lotSoldOn: '2022-01-10', issuedOn: '2023-01-15', finaledOn: '2024-12-01' },
      ...{ sqft: 3_100, resaleUsd: 5_000_000, resoldOn: '2025-03-01', months: 38, differenceUsd: 3_000_000 },
      builder: 'Elm Homes',
    },
  ])
  const windowed = await ask(service(), path, { key: await service().freeKey() })
  expect(windowed.body).toMatchObject({ data: [], historyWindow: { days: 30 } })

  const [builder] = (await get('/v1/builders?q=elm')).data
  await hideBuilder(db, builder.id, true)
  expect((await get(`${path}?`)).data[0]).not.toHaveProperty('builder')
  await sql`update source set config = jsonb_set(config, '{uses}', '["export"]')`.execute(db)
  expect((await get(`${path}?&`)).data).toEqual([])
  await sql`update source set config = config - 'uses'`.execute(db)
})

test('builders of generated permits say so', async () => {
  const { db } = service()
  expect((await get('/v1/builders?limit=8')).data[0]).not.toHaveProperty('sample')
  await sql`update source set sample = true`.execute(db)
  await recountMarket(db, 'sf-peninsula')
  expect((await get('/v1/builders?limit=9')).data[0]).toMatchObject({ sample: true })
  expect((await get('/v1/permit-timelines?limit=9')).data[0]).toMatchObject({ sample: true })
})
