import { beforeAll, expect, test } from 'vitest'
import { ask } from '../setup/ask.ts'
import { listing, permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
let home: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  await permit(db, { permit_id: 'U-12', city: 'Redwood City', units: 12 })
  await permit(db, { permit_id: 'U-1', city: 'Redwood City', units: 1 })
  await permit(db, { permit_id: 'OLD', city: 'Atherton', issued_on: '2026-10-15' })
  home = await listing(db, { city: 'Menlo Park' })
  await permit(db, { permit_id: 'FIRST', city: 'Menlo Park', issued_on: '2026-10-16', property_id: home })
  const waiting = { issued_on: null, status: 'applied' }
  await permit(db, { permit_id: 'WAITING', city: 'Atherton', applied_on: '2026-11-01', ...waiting })
  await permit(db, { permit_id: 'LATE', city: 'Woodside', applied_on: '2026-10-01', ...waiting, status: 'cancelled' })
  await permit(db, { permit_id: 'UNDATED', city: 'Woodside', ...waiting, status: 'unknown' })
})

const search = async (query: Record<string, string>, key = pro) =>
  (await ask(service(), `/v1/permits?${new URLSearchParams(query)}`, { key })).body
const found = async (query: Record<string, string>, key = pro) =>
  (await search(query, key)).data.map(({ permitId, city }: { permitId: string; city: string }) => `${city} ${permitId}`)

test('issued=false and issued=any serve permits that are not issued, last and without an issue date', async () => {
  const all = await search({ issued: 'any' })
  expect(all.data.map(({ permitId }: { permitId: string }) => permitId).slice(-4)).toEqual([
    'OLD',
    'WAITING',
    'LATE',
    'UNDATED',
  ])
  expect(all.data.at(-3)).toMatchObject({ permitId: 'WAITING', appliedDate: '2026-11-01', status: 'applied' })
  expect(all.data.at(-3)).not.toHaveProperty('issuedDate')
  expect(all.applied.issued).toBe('any')
  expect(await found({ issued: 'false' })).toEqual(['Atherton WAITING', 'Woodside LATE', 'Woodside UNDATED'])
  expect(await found({ status: 'applied' })).toEqual(['Atherton WAITING'])
  expect(await found({ status: 'applied', issued: 'true' })).toEqual([])
  expect(await found({ issued: 'any', sort: 'issuedDate', city: 'atherton' })).toEqual([
    'Atherton OLD',
    'Atherton WAITING',
  ])
})

test('every permit list says how many permits are not issued', async () => {
  expect(await search({})).toMatchObject({ notIssued: 3 })
  expect((await search({})).applied).not.toHaveProperty('issued')
  expect(await search({ city: 'Menlo Park' })).toMatchObject({ notIssued: 0 })
  expect(await search({ issuedFrom: '2026-11-01' })).toMatchObject({ notIssued: 0 })
})

test('a windowed key sees permits that are not issued by the day of application, and none without a day', async () => {
  expect(await found({ issued: 'false' })).toEqual(['Atherton WAITING', 'Woodside LATE', 'Woodside UNDATED'])
  expect(await found({ issued: 'false' }, free)).toEqual(['Atherton WAITING'])
  expect(await search({}, free)).toMatchObject({ notIssued: 1 })
  expect((await search({ city: 'atherton,menlo-park' }, free)).data).toMatchObject([
    { permitId: 'FIRST', propertyId: home },
  ])
  const status = async (id: string, key: string) => (await ask(service(), `/v1/permits/${id}`, { key })).status
  const late = 'woodside/LATE?issued=any'
  expect([await status('woodside/LATE', pro), await status(late, pro), await status(late, free)]).toEqual([
    404, 200, 404,
  ])
  expect([await status('menlo-park/FIRST', free), await status('atherton/OLD', free)]).toEqual([200, 404])
})

test('a cursor reads issued and not issued permits once each, in order', async () => {
  const whole = await found({ issued: 'any' })
  const read: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await search({ issued: 'any', limit: '2', ...(cursor ? { cursor } : {}) })
    for (const { permitId, city } of page.data) read.push(`${city} ${permitId}`)
    cursor = page.pagination.nextCursor
    if (!cursor) break
  }
  expect(read).toEqual(whole)
})

test('permits are found by the dwelling units they add', async () => {
  const { data } = await search({ city: 'Redwood City', minUnitsAdded: '5' })
  expect(data.map(({ permitId, units }: { permitId: string; units: number }) => [permitId, units])).toEqual([
    ['U-12', 12],
  ])
})
