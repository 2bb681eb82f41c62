// What a key with a history window can learn from counts and sums: nothing about records before the window.
import { beforeAll, expect, test } from 'vitest'
import { permitClasses } from '../../src/domain/facts.ts'
import { writeExport } from '../../src/operations/run-export.ts'
import { saveSeries } from '../../src/store/assessments/market-series.ts'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { builderKey } from '../../src/wire/builders.ts'
import { exportKinds } from '../../src/wire/operations/exports.ts'
import { plans } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { listing, permit, permitCreated, property, sale } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const now = new Date('2026-11-15T12:00:00Z')
const license = 'B777000'
const otherClasses = permitClasses.filter((each) => each !== 'multifamily').join(',')
const by = (given: object) =>
  permit(service().db, {
    contractor: 'Delta Homes',
    contractor_key: builderKey('Delta Homes')!,
    contractor_license: license,
    permit_class: 'new_house',
    ...given,
  })

/** A new key for each use: a free key has 30 requests a minute. */
const freeKey = async () => (await insertKey(service().db, { plan: 'free', email: 'a@example.com' })).key
let pro: string
beforeAll(async () => {
  service().setNow(now)
  pro = await service().proKey()
  for (let at = 0; at < 6; at += 1)
    await by({ issued_on: '2026-11-05', applied_on: '2026-11-01', valuation_usd: 200_000 })
  await indexBuilders(service().db, 'sf-peninsula')
})

/** Every operation that counts or sums permits, with the filters and orders it takes. */
const questions = [
  '/v1/builders',
  '/v1/builders?sort=permits',
  '/v1/builders?sort=valuation',
  '/v1/builders?sort=lastIssued',
  `/v1/builders?q=${license}`,
  '/v1/builders?q=Old%20Delta',
  `/v1/builders?q=${license}&permitClass=multifamily`,
  `/v1/builders?q=${license}&permitClass=${otherClasses}`,
  '/v1/builders?city=Menlo%20Park',
  '/v1/permits?issued=any',
  '/v1/permits?q=delta&explain=funnel',
  '/v1/permit-timelines',
  '/v1/permit-timelines?groupBy=city,permitClass,year&minValuation=1',
]
const answers = async (key: string, more: string) => {
  const found: Record<string, unknown> = {}
  for (const path of questions) {
    // The last parameter is ignored; it keeps the answer out of the cache.
    const { status, body } = await ask(service(), `${path}${path.includes('?') ? '&' : '?'}x${more}=1`, { key })
    const { ignored: _, suggestions: _none, asOf: _asOf, ...rest } = body
    expect([path, status]).toEqual([path, 200])
    found[path] = rest
  }
  const [builder] = (await ask(service(), `/v1/builders?q=${license}&y${more}=1`, { key })).body.data
  for (const path of ['', '/permits']) {
    const { body } = await ask(service(), `/v1/builders/${builder.id}${path}?x${more}=1`, { key })
    found[`one${path}`] = [body.data, body.pagination]
  }
  return found
}

test('records before the window change no count, sum, share, order or name that a windowed key gets', async () => {
  const [before, beforePro] = [await answers(await freeKey(), 'a'), await answers(pro, 'a')]
  for (const valuation of [22_197_400, 8_833_500, 5]) {
    await by({
      permit_class: 'multifamily',
      city: 'Menlo Park',
      issued_on: '2024-03-01',
      valuation_usd: valuation,
      units: 9,
    })
    await by({
      contractor: 'Old Delta',
      contractor_key: 'OLD DELTA',
      issued_on: '2023-03-01',
      finaled_on: '2024-01-01',
    })
    await by({ contractor: 'Gone Co', contractor_key: 'GONE', contractor_license: null, issued_on: '2022-03-01' })
  }
  await indexBuilders(service().db, 'sf-peninsula')
  expect(await answers(await freeKey(), 'b')).toEqual(before)
  expect(await answers(pro, 'b')).not.toEqual(beforePro)
})

test('the sum of a class cannot be found by subtraction: whole valuation less that of the other classes', async () => {
  const free = await freeKey()
  const sum = async (key: string, classes: string) => {
    const { data } = (await ask(service(), `/v1/builders?q=${license}${classes}`, { key })).body
    return data[0]?.valuation
  }
  const others = `&permitClass=${otherClasses}`
  // A Pro key may read each of these permits.
  expect((await sum(pro, '')) - (await sum(pro, others))).toBe(22_197_400 + 8_833_500 + 5)
  expect((await sum(free, '')) - (await sum(free, others))).toBe(0)
  expect(await sum(free, '&permitClass=multifamily')).toBeUndefined()
})

test('figures over a longer time are absent for a windowed key, and a sort by one is a 400', async () => {
  const free = await freeKey()
  const { data, historyWindow } = (await ask(service(), '/v1/builders?limit=3', { key: free })).body
  expect(historyWindow).toMatchObject({ days: 30 })
  expect(data).toMatchObject([{ permits: 6, valuation: 1_200_000, lastIssued: '2026-11-05' }])
  for (const name of ['permits12m', 'units12m', 'toFinal', 'finaledPct']) expect(data[0]).not.toHaveProperty(name)
  for (const sort of ['permits12m', 'units12m'])
    expect(await ask(service(), `/v1/builders?sort=${sort}`, { key: free })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Use permits, valuation or lastIssued') },
    })
  expect((await ask(service(), '/v1/builders?limit=3', { key: pro })).body.data[0]).toHaveProperty('permits12m')
})

test('a builder without permits in the window is not there for a windowed key', async () => {
  const free = await freeKey()
  const [gone] = (await ask(service(), '/v1/builders?q=Gone', { key: pro })).body.data
  expect((await ask(service(), `/v1/builders/${gone.id}`, { key: free })).status).toBe(404)
})

// Exports need the plan Pro, which has no window today. A plan with both must not need a change in the exports.
test('records before the window change no byte of any export of a windowed caller', async () => {
  const { db } = service()
  const files = async (plan: 'free' | 'pro') => {
    const limits = { ...plans.pro, historyDays: plans[plan].historyDays }
    const caller = { plan: 'pro' as const, limits, client: '', remaining: 0, windowResetsInSeconds: 0 }
    const made: Record<string, string> = {}
    for (const kind of exportKinds) {
      const pieces: Buffer[] = []
      const criteria =
        kind === 'marketSeries' ? { interval: 'month' } : kind === 'listings' ? { status: ['active', 'sold'] } : {}
      await writeExport({ ...service().services, caller, now }, { kind, format: 'ndjson', criteria }, async (bytes) => {
        pieces.push(bytes)
      })
      made[kind] = Buffer.concat(pieces).toString()
    }
    return made
  }
  const [young, old] = [await property(db), await property(db)]
  const add = async (day: string, id: string) => {
    await by({ issued_on: day, applied_on: day, property_id: id })
    await sale(db, { sold_on: day, property_id: id })
    await listing(db, { property_id: id, status: 'sold', listed_on: day, sold_on: day, price_usd: 1_900_000 })
    const data = { ...permitCreated(`P${day}`), issuedDate: day }
    const body = { event: 'permit.created', market: 'sf-peninsula', data, timestamp: now.toISOString() }
    await sql`insert into event (id, type, market, body, created_at)
      values (${`evt_${day}`}, 'permit.created', 'sf-peninsula', ${JSON.stringify(body)}, ${now})`.execute(db)
    const month = { citySlug: '', zip: '', interval: 'month' as const, n: 41, partial: false, suppressed: false }
    const row = { ...month, period: `${day.slice(0, 7)}-01`, figures: { homesSold: 41 } }
    await saveSeries(db, 'sf-peninsula', Number(day.slice(0, 4)), [row], now)
    await indexBuilders(db, 'sf-peninsula')
  }
  await add('2026-11-10', young)
  const [before, beforePro] = [await files('free'), await files('pro')]
  await add('2024-05-01', old)
  const [after, afterPro] = [await files('free'), await files('pro')]
  for (const kind of ['listings', 'permits', 'sales', 'builders', 'marketSeries', 'events'] as const) {
    expect([kind, after[kind]]).toEqual([kind, before[kind]])
    expect([kind, afterPro[kind]]).not.toEqual([kind, beforePro[kind]])
  }
  expect(Object.keys(after).filter((kind) => after[kind] !== before[kind])).toEqual([])
})
