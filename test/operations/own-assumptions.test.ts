import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import type { Proforma, StressRow } from '../../src/domain/findings/proforma.ts'
import { openMailWorker } from '../../src/events/mail-worker.ts'
import { biddingWarPrior } from '../../src/intelligence/bidding-war/bidding-war.ts'
import type { Context } from '../../src/operations/context.ts'
import { decisionTexts } from '../../src/operations/deal-homes.ts'
import { mailboxOf } from '../../src/operations/mailbox.ts'
import { runExport } from '../../src/operations/run-export.ts'
import { endSubscription } from '../../src/operations/subscriptions.ts'
import {
  compareDeals,
  numbersText,
  queueTodayMails,
  type Today,
  todayMailOf,
  todayOf,
} from '../../src/operations/today.ts'
import { unsubscribeUrl } from '../../src/secrets/unsubscribe-links.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { sql } from '../../src/store/engine/database.ts'
import { hashOf, insertKey, keyByHash, rotateKey } from '../../src/store/keys/keys.ts'
import type { Mail } from '../../src/store/keys/mails.ts'
import { hasTodayMail, startTodayMail } from '../../src/store/keys/today.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { limitsOf } from '../../src/wire/plans.ts'
import type { PropertySignal } from '../../src/wire/property.ts'
import { assessedAsOf, listing, property } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'
import { countyRents, smallMarket, today } from '../setup/small-market.ts'

const service = useService()
let pro: string
let free: string

type Scores = 'teardownScore' | 'flippabilityScore' | 'rankScore'
type Row = {
  id: string
  price?: number
  status?: string
  expectedPrice?: { p50: number }
  returnPct?: number
  returnAtExpectedPct?: number
  developerROI?: number
  proformaROI?: number
  verdict?: string
  proforma?: object
  ranks?: object
} & Partial<Record<Scores, number>>

const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, key = pro, payload?: object) => {
  const answer = await service().app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { 'x-api-key': key },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const newSet = async (key: string, values: object, rest: object = {}) =>
  ask('POST', '/assumption-sets', key, { name: 'My builder', values, ...rest })

beforeAll(async () => {
  service().setNow(today)
  await smallMarket(service().db, 90)
  await countyRents(service().db)
  // As some feeds of parcels write it.
  await sql`update property set county = 'SANTA CLARA COUNTY'`.execute(service().db)
  const saleToList = { logOdds: [-2, 2], p10: [-0.1, 0], p50: [-0.03, 0.08], p90: [0.02, 0.2] }
  const model = { ...biddingWarPrior, version: 'expected-1', saleToList }
  await saveModel(
    service().db,
    'bidding-war',
    'sf-peninsula',
    'expected-1',
    model,
    new Date(today.getTime() - 3_600_000),
  )
  await assessMarket(service().db, 'sf-peninsula', { now: today })
  pro = await service().proKey()
  free = await service().freeKey()
}, 120_000)

describe('assumption sets', () => {
  test('GET /v1/assumptions has the value of the market, bounds, reason and source of each', async () => {
    const { data } = (await ask('GET', '/assumptions?market=sf-peninsula', 'demo')).body
    const cost = data.find(({ name }: { name: string }) => name === 'costPerSqft')
    expect(cost).toMatchObject({ unit: 'usd/sqft', min: 0, isDefault: false })
    for (const each of data) {
      expect(each.value).toBeGreaterThanOrEqual(each.min)
      expect(each.value).toBeLessThanOrEqual(each.max)
      expect(each.reason.length * each.source.length).toBeGreaterThan(0)
    }
    expect(data.map(({ name }: { name: string }) => name)).not.toContain('minComps')
  })

  test('a free key has one, the demo key none, and another key’s set is not found', async () => {
    const made = await newSet(free, { costPerSqft: 650 })
    expect(made.body).toMatchObject({ success: true, data: { name: 'My builder', values: { costPerSqft: 650 } } })
    expect((await newSet(free, {})).body.error).toContain('may have 1 assumption set')
    expect((await newSet('demo', {})).status).toBe(403)
    const { id } = made.body.data
    expect((await ask('GET', `/assumption-sets/${id}`)).status).toBe(404)
    expect((await ask('PUT', `/assumption-sets/${id}`, pro, { name: 'x', values: {} })).status).toBe(404)
    expect((await ask('DELETE', `/assumption-sets/${id}`)).status).toBe(404)
    const foreign = await ask('GET', `/market-signals?assumptionSet=${id}`)
    expect(foreign.status).toBe(400)
    expect(foreign.body.error).toContain(id)
    const changed = await ask('PUT', `/assumption-sets/${id}`, free, { name: 'Other', values: { months: 30 } })
    expect(changed.body.data).toMatchObject({ id, name: 'Other', values: { months: 30 } })
    expect((await ask('DELETE', `/assumption-sets/${id}`, free)).body).toEqual({ success: true })
    expect((await ask('GET', '/assumption-sets', free)).body.data).toEqual([])
  })

  test('unknown names, values out of bounds and two different targets are refused with what to do', async () => {
    const message = async (values: object) => (await newSet(pro, values)).body.error
    expect(await message({ costPerSqf: 650 })).toContain('Did you mean costPerSqft?')
    expect(await message({ months: 0 })).toContain('from 1 to 120')
    expect(await message({ costPerSqft: '650' })).toContain('must be a number')
    expect(await message({ targetReturnPct: 15, targetRoiPct: 12 })).toContain('two names of one value')
    const both = await ask('GET', '/properties/p_001home_0005/proforma?targetReturnPct=15&targetRoiPct=12')
    expect(both.status).toBe(400)
    const { data } = (await ask('GET', '/properties/p_001home_0005/proforma?targetReturnPct=12')).body
    expect(data.maximumOffer.targetRoiPct).toBe(12)
  })

  test('numbers for a city apply there on every surface; a PUT without them removes them', async () => {
    const body = { name: 'Cities', values: { costPerSqft: 400 }, byCity: { 'palo-alto': { costPerSqft: 700 } } }
    const made = (await ask('POST', '/assumption-sets', pro, body)).body.data
    expect(made).toMatchObject({ values: { costPerSqft: 400 }, byCity: body.byCity })
    const query = `assumptionSet=${made.id}`
    const answer = (await ask('GET', `/market-signals?${query}`)).body
    expect(answer.assumptions.changed).toEqual([
      { name: 'costPerSqft', value: 400 },
      { name: 'costPerSqft', value: 700, city: 'palo-alto' },
    ])
    const row = (answer.data as Row[]).find(({ returnPct }) => returnPct !== undefined)!
    expect((row.proforma as Proforma).assumptions.costPerSqft).toBe(700)
    const whatIf = (await ask('GET', `/properties/${row.id}/proforma?${query}`)).body.data
    expect(whatIf.proforma.assumptions.costPerSqft).toBe(700)
    expect(whatIf.returnPct).toBe(row.returnPct)
    const sorted = (await ask('GET', `/market-signals?${query}&sort=-returnPct`)).body.data as Row[]
    expect(sorted.find(({ id }) => id === row.id)!.returnPct).toBe(row.returnPct)
    // A number of the request replaces both.
    const asked = (await ask('GET', `/properties/${row.id}/proforma?${query}&assumptions={"costPerSqft":500}`)).body
      .data
    expect(asked.proforma.assumptions.costPerSqft).toBe(500)
    const wrong = await ask('POST', '/assumption-sets', pro, { ...body, byCity: { 'palo-alta': { months: 1 } } })
    expect(wrong.body.error).toContain('Did you mean palo-alto?')
    const { data } = (await ask('PUT', `/assumption-sets/${made.id}`, pro, { name: 'Cities', values: { drawPct: 50 } }))
      .body
    expect(data).not.toHaveProperty('byCity')
    expect(data.retired).toEqual([{ name: 'drawPct', text: expect.stringContaining('schedule') }])
    await ask('DELETE', `/assumption-sets/${made.id}`)
  })

  test('a set passes to the key that replaces its key', async () => {
    const old = await service().proKey()
    const { id } = (await newSet(old, { months: 30 })).body.data
    const { db } = service()
    const next = await rotateKey(db, (await keyByHash(db, hashOf(old)))!.id, new Date(today.getTime() + 86_400_000))
    expect((await ask('GET', `/assumption-sets/${id}`, next.key)).status).toBe(200)
  })
})

describe('returns with own assumptions', () => {
  const values = { costPerSqft: 400, ratePct: 6, months: 18, buildSizeMultiple: 1.5 }
  const inline = encodeURIComponent(JSON.stringify(values))

  test('lists, one property and the what-if pro forma give the same figures; scores and the default order stay', async () => {
    const { id: set } = (await newSet(pro, values)).body.data
    const usual = (await ask('GET', '/market-signals')).body.data as Row[]
    const { body } = await ask('GET', `/market-signals?assumptionSet=${set}`)
    const own = body.data as Row[]
    expect(body.assumptions).toEqual({
      id: set,
      name: 'My builder',
      changed: Object.entries(values).map(([name, value]) => ({ name, value })),
      atMarket: ['bestUse'],
    })
    const stored = '&minFlipProfit=-1000000&minReturnPct=-100&sort=-hold.capRatePct,price'
    expect((await ask('GET', `/market-signals?assumptionSet=${set}${stored}`)).body.assumptions.atMarket).toEqual([
      'bestUse',
      'minFlipProfit',
      'sort=-capRatePct',
    ])
    const leads = await ask('GET', `/adu-leads?sort=-adu.economics.gainUsd&assumptionSet=${set}`)
    expect(leads.body.assumptions.atMarket).toEqual(['bestUse', 'sort=-adu.economics.gainUsd'])
    expect(own.map(({ id, ranks }) => [id, ranks])).toEqual(usual.map(({ id, ranks }) => [id, ranks]))
    const modeled = own.filter(({ returnPct }) => returnPct !== undefined)
    expect(modeled.length).toBeGreaterThan(5)
    for (const row of modeled) {
      const before = usual.find(({ id }) => id === row.id)!
      expect(row.returnPct).not.toBe(before.returnPct)
      for (const score of ['teardownScore', 'flippabilityScore', 'rankScore'] as const)
        expect(row[score]).toBe(before[score])
      const one = await ask('GET', `/properties/${row.id}?include=proforma,explanation&assumptionSet=${set}`)
      const { ranks = {} } = one.body.data.intelligence
      expect(ranks.flippabilityScore).toEqual((before.ranks as typeof ranks)?.flippabilityScore)
      const what = await ask('GET', `/properties/${row.id}/proforma?assumptionSet=${set}`)
      expect(one.body.assumptions.id).toBe(set)
      expect(one.body.data.proforma).toEqual(row.proforma)
      expect(one.body.data.intelligence.returnPct).toBe(row.returnPct)
      const { buildSizeBasis: _now, ...inWhatIf } = what.body.data.proforma.assumptions
      const { buildSizeBasis: _stored, ...inList } = one.body.data.proforma.assumptions
      expect(inList).toEqual(inWhatIf)
      expect(one.body.data.intelligence.returnAtExpectedPct).toBe(row.returnAtExpectedPct)
      expect(what.body.data).toMatchObject({
        returnPct: row.returnPct,
        ...(row.returnAtExpectedPct === undefined ? {} : { returnAtExpectedPct: row.returnAtExpectedPct }),
        developerROI: row.developerROI,
        proformaROI: row.proformaROI,
      })
    }
  })

  test('order, bounds, cursor, funnel and near misses follow', async () => {
    const all = (await ask('GET', `/market-signals?assumptions=${inline}&limit=500`)).body.data as Row[]
    const known = all.filter(({ returnPct }) => returnPct !== undefined)
    const expected = known.toSorted((a, b) => b.returnPct! - a.returnPct! || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
    const found: string[] = []
    let cursor = ''
    for (let page = 0; page < 9 && found.length < known.length; page++) {
      const { body } = await ask('GET', `/market-signals?assumptions=${inline}&sort=-returnPct&limit=4${cursor}`)
      found.push(...body.data.map(({ id }: Row) => id))
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    expect(found.slice(0, known.length)).toEqual(expected)
    const least = known.find(({ id }) => id === expected[3])!.returnPct! + 0.05
    const { body } = await ask('POST', '/search', 'demo', {
      kind: 'listings',
      criteria: { minReturnPct: least },
      assumptions: values,
      explain: ['funnel', 'nearMisses'],
    })
    const above = known.filter(({ returnPct }) => returnPct! >= least)
    expect(body.pagination.total).toBe(above.length)
    expect(body.funnel).toMatchObject([{ remaining: above.length, unknown: all.length - known.length }])
    expect(body.nearMisses[0].item.id).toBe(expected[above.length])
    expect(body.assumptions.changed).toHaveLength(4)
  })

  test('never come from the shared cache or enter it: a second key gets its own', async () => {
    const second = await service().proKey()
    const mine = (await newSet(pro, { costPerSqft: 300 })).body.data.id
    const url = `/market-signals?sort=-returnPct&assumptionSet=${mine}`
    const first = await ask('GET', url)
    expect(first.status).toBe(200)
    expect((await ask('GET', url, second)).status).toBe(400)
    await ask('PUT', `/assumption-sets/${mine}`, pro, { name: 'My builder', values: { costPerSqft: 900 } })
    const again = await ask('GET', url)
    expect(again.body.data[0].returnPct).toBeLessThan(first.body.data[0].returnPct)
    const one = `/properties/${first.body.data[0].id}`
    expect((await ask('GET', `${one}?assumptionSet=${mine}`)).status).toBe(200)
    expect((await ask('GET', `${one}?assumptionSet=${mine}`, second)).status).toBe(400)
    expect((await ask('GET', `${one}/proforma?assumptionSet=${mine}`, second)).status).toBe(400)
  })

  test('a set for one market is refused for another', async () => {
    const { id } = (await newSet(pro, values, { market: 'nantucket' })).body.data
    expect((await ask('GET', `/market-signals?assumptionSet=${id}`)).body.error).toContain('nantucket')
    expect((await ask('GET', `/market-signals?assumptionSet=${id}&market=nantucket`)).status).toBe(200)
  })
})

test('every home on the market has an expected price; the return at it can be searched, sorted and computed again', async () => {
  const all = (await ask('GET', '/market-signals?limit=500')).body.data as Row[]
  const onMarket = all.filter(({ status }) => status !== 'sold')
  expect(onMarket.length).toBeGreaterThan(5)
  for (const { price, expectedPrice } of onMarket) expect(expectedPrice!.p50).not.toBe(price)
  for (const sold of all.filter(({ status }) => status === 'sold')) expect(sold.expectedPrice).toBeUndefined()
  const known = all.filter(({ returnAtExpectedPct }) => returnAtExpectedPct !== undefined)
  const order = known.map((row) => row.returnAtExpectedPct!).sort((a, b) => b - a)
  const least = order[2]!
  const found = (await ask('GET', `/market-signals?sort=-returnAtExpectedPct&minReturnAtExpectedPct=${least}`)).body
  expect(found.data.map((row: Row) => row.returnAtExpectedPct)).toEqual(order.filter((value) => value >= least))
  const home = known.find(({ flippabilityScore }) => flippabilityScore !== undefined)
  const path = `/properties/${home!.id}`
  const at = (await ask('GET', `${path}/proforma?price=${home!.expectedPrice!.p50}`)).body.data
  expect(at.returnPct).toBe(home!.returnAtExpectedPct)
  expect(at.returnAtExpectedPct).toBe(at.returnPct)
  const { intelligence, explanation } = (await ask('GET', `${path}?include=explanation`)).body.data
  expect(intelligence.expectedPrice).toEqual(home!.expectedPrice)
  const { deal } = explanation.flippability
  expect(deal.priceBasis).toBe('expected')
  const cost = home!.expectedPrice!.p50 + deal.renovationUsd + (deal.softUsd ?? 0) + deal.buyingUsd + deal.carryUsd
  expect(Math.abs(deal.totalCostUsd - cost)).toBeLessThan(1)
})

test('an export has the returns of the assumption set; other kinds and the sets of other keys are a 400', async () => {
  const { id: set } = (await newSet(pro, { costPerSqft: 400 })).body.data
  const request = { kind: 'listings', format: 'ndjson', criteria: { market: 'sf-peninsula' }, assumptionSet: set }
  const made = await ask('POST', '/exports', pro, request)
  expect(made.status).toBe(202)
  await runExport(service().services, made.body.data.id, () => today)
  const { body: file } = await service().app.inject({
    url: `/api/v1/exports/${made.body.data.id}/file`,
    headers: { 'x-api-key': pro },
  })
  const exported = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  const listed = (await ask('GET', `/market-signals?assumptionSet=${set}&limit=500`)).body.data as Row[]
  const returns = (rows: Row[]) => Object.fromEntries(rows.map(({ id, returnPct }) => [id, returnPct]))
  expect(returns(exported)).toEqual(returns(listed))
  // One page of few rows is an export too: no home is decided otherwise than in a large file.
  const own = (rows: Row[]) =>
    rows.flatMap(({ verdict = '' }) => (verdict.startsWith('At your assumptions') ? verdict : []))
  expect(own(exported).length).toBeGreaterThan(5)
  for (const verdict of own(exported)) expect(verdict).toContain('comparing only')
  for (const verdict of own(listed)) expect(verdict).not.toContain('comparing only')
  expect(Object.values(returns(exported)).filter((each) => each !== undefined).length).toBeGreaterThan(5)
  expect((await ask('POST', '/exports', pro, { ...request, kind: 'permits' })).body.error).toContain('not to permits')
  expect((await ask('POST', '/exports', await service().proKey(), request)).body.error).toContain(set)
})

test('the months of a pro forma follow the permits of the city: one basis on every surface, and no events', async () => {
  const { db } = service()
  const before = (await ask('GET', '/market-signals')).body.data as Row[]
  expect((before[0]!.proforma as Proforma).assumptions).toMatchObject({
    months: 22.6,
    monthsBasis:
      'San Francisco Peninsula: 8 months of design and permit, the assumption of the market, because too few permits for new houses with an application date are known in this city; 12.1 to build 3,300 sq ft, 2.5 to sell',
  })
  // 40 new houses issued after 20, 40, … 800 days: p50 400 days, p90 720.
  await sql`
    insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, applied_on,
      issued_on, status, permit_class, collected_at)
    select 'palo-alto', 'T-' || n, (select source_id from permit limit 1), 'sf-peninsula', 'CA', 'Palo Alto', 'none', 'low',
      '2024-01-01'::date, '2024-01-01'::date + 20 * n, 'issued', 'new_house', now()
    from generate_series(1, 40) n`.execute(db)
  await indexPermits(db)
  // The market is valued again on the same day, so that only the permit times differ.
  await sql`delete from valuation`.execute(db)
  const announced: boolean[] = []
  await assessMarket(db, 'sf-peninsula', {
    now: today,
    announce: async (_tx, { moves }) => {
      announced.push(...moves.map(({ silent }) => silent))
      return 0
    },
  })
  expect(announced.length).toBeGreaterThan(5)
  expect(announced).not.toContain(false)

  const rows = (await ask('GET', '/market-signals')).body.data as Row[]
  const answer = (await ask('GET', '/market-signals?assumptions={"designMonths":2,"drawPct":50}')).body
  const own = answer.data as Row[]
  // A name of an earlier version is reported and has no effect.
  expect(answer.assumptions).toEqual({
    changed: [{ name: 'designMonths', value: 2 }],
    atMarket: ['bestUse'],
    retired: [{ name: 'drawPct', text: 'Interest comes from the monthly schedule.' }],
  })
  const basis =
    'Palo Alto, new house: 13.1 months to permit, median of 40 applied for since 2021-11-14 (nine of ten within 23.7), and 4 of design; 12.1 to build 3,300 sq ft, 2.5 to sell'
  const modeled = rows.find(({ returnPct }) => returnPct !== undefined)!
  expect((modeled.proforma as Proforma).assumptions).toMatchObject({ months: 31.7, monthsBasis: basis })
  expect((own.find(({ id }) => id === modeled.id)!.proforma as Proforma).assumptions).toMatchObject({
    months: 29.7,
    monthsBasis: basis.replace('4 of design', '2 of design'),
  })
  const { data } = (await ask('GET', `/properties/${modeled.id}/proforma`)).body
  expect(data.proforma.assumptions).toMatchObject({ months: 31.7, monthsBasis: basis })
  expect(data.returnPct).toBe(modeled.returnPct)
  // The delay of the stress table is that of a permit slower than nine of ten: 10.6 months more, rounded up.
  expect([...new Set(data.stress.map((row: StressRow) => row.extraMonths))]).toEqual([0, 11, 17])
})

describe('rent and holding', () => {
  const detail = async (id: string, own = '') => (await ask('GET', `/properties/${id}${own}`)).body.data

  test('a home for sale has a rent with its basis and what it earns; own assumptions change it, and no score', async () => {
    const { data } = (await ask('GET', '/market-signals?status=for_sale&limit=1')).body
    const { id, price } = data[0]
    const before = await detail(id)
    expect(before.monthlyRent).toEqual({
      amount: 5_450,
      low: 5_090,
      high: 5_810,
      basis: 'Median of 10 rents of homes with 3 bedrooms in Santa Clara County.',
      asOf: '2026-10-10',
      source: 'Test source',
    })
    const { noi, terms, defaults } = before.hold
    expect(terms).toMatchObject({ price, rent: 5_450, vacancyPct: 5, propertyTaxPct: 1.2 })
    expect(defaults).toEqual(['vacancyPct', 'operatingCostPct', 'landlordInsurancePct', 'holdLoanPct', 'holdRatePct'])
    const after = await detail(id, `?assumptions=${JSON.stringify({ vacancyPct: 15 })}`)
    expect(noi - after.hold.noi).toBeCloseTo(0.1 * 12 * 5_450 * 0.82, -1)
    expect(after.hold.defaults).not.toContain('vacancyPct')
    expect(after.intelligence).toEqual(before.intelligence)
    const unit = await detail(id, `?assumptions=${JSON.stringify({ aduCostPerSqft: 1_050 })}`)
    const large = (adu: typeof unit.adu) =>
      adu.units.find((each: { unit: { kind: string; sqft: number } }) => each.unit.kind === 'detached')
    expect(large(unit.adu).economics.costUsd).toBe(1_050 * large(unit.adu).unit.sqft)
    expect(before.adu.economics).toEqual(before.adu.units[0].economics)
    expect(before.adu.bestSet.gainUsd).toBeGreaterThanOrEqual(before.adu.economics.gainUsd)
    // The leads follow own assumptions too, with the figures of the property.
    const own = `assumptions=${JSON.stringify({ aduCostPerSqft: 1_050 })}`
    const leads = (await ask('GET', `/adu-leads?minScore=0&limit=200&${own}`)).body
    expect(leads.assumptions.changed).toEqual([{ name: 'aduCostPerSqft', value: 1_050 }])
    const lead = leads.data.find((each: { id: string }) => each.id === id)
    if (lead) expect(lead.adu.economics).toEqual(unit.adu.economics)
    expect(before.adu.economics.monthlyRent.basis).toContain('in Santa Clara County.')
  })

  test('ADU leads are sorted by money, and the property serves the same figures', async () => {
    const leads = async (sort: string) =>
      (await ask('GET', `/adu-leads?minScore=0&limit=200&sort=${sort}`)).body.data as {
        id: string
        adu: { economics?: { gainUsd: number; returnPct: number; paybackYears: number } }
      }[]
    const found = await leads('-adu.economics.gainUsd')
    const gains = found.map(({ adu }) => adu.economics!.gainUsd)
    expect(new Set(gains).size).toBeGreaterThan(1)
    expect(gains).toEqual(gains.toSorted((a, b) => b - a))
    const returns = (await leads('-adu.economics.returnPct')).map(({ adu }) => adu.economics!.returnPct)
    expect(returns).toEqual(returns.toSorted((a, b) => b - a))
    const years = (await leads('adu.economics.paybackYears')).map(({ adu }) => adu.economics!.paybackYears)
    expect(years).toEqual(years.toSorted((a, b) => a - b))
    expect((await detail(found[0]!.id)).adu).toEqual(found[0]!.adu)
  })

  test('without rents or bedrooms the figures are absent, with the reason', async () => {
    const lot = await property(service().db, { city: 'Palo Alto', address: '1 Elm St' })
    expect(await detail(lot)).toMatchObject({ rentUnavailable: { reason: 'BEDROOMS_UNKNOWN' } })
    const large = await property(service().db, { city: 'Palo Alto', address: '2 Elm St', beds: 5, living_sqft: 3_000 })
    await listing(service().db, { property_id: large, price_usd: 3_000_000 })
    const answer = await detail(large)
    expect(answer).toMatchObject({ rentUnavailable: { reason: 'NO_RENTS' }, holdUnavailable: { reason: 'NO_RENTS' } })
    expect(answer.monthlyRent ?? answer.hold ?? answer.adu).toBeUndefined()
  })
})

describe('deals', () => {
  const listed = 'p_001home_0005'
  const other = 'p_001home_0010'
  const offMarket = 'p_001home_0001'
  const made = async (body: object, key = pro) => (await ask('POST', '/deals', key, body)).body

  test('a deal has a saved home, stays with it, and is found by its key alone', async () => {
    const mine = await service().proKey()
    const { data } = await made(
      { propertyId: listed, stage: 'offered', scheme: 'new_house', price: 1_200_000, note: 'Ask\u0007 \u202Efirst' },
      mine,
    )
    expect(data).toMatchObject({ propertyId: listed, stage: 'offered', price: 1_200_000, note: 'Ask first' })
    expect(data.now).toMatchObject({ status: 'active', changedSince: [] })
    expect(data.now.decision.text.length).toBeGreaterThan(10)
    const watch = (await ask('GET', `/watches/${data.watchId}`, mine)).body.data
    expect(watch).toMatchObject({ savedHome: true, criteria: { id: [listed] }, note: 'Ask first' })
    expect((await made({ propertyId: listed }, mine)).error).toContain(`PUT /v1/deals/${data.id}`)
    // A home that was saved first: its deal has nothing but the note, and is taken over.
    const home = { name: 'Home', kind: 'parcels', criteria: { id: [other] }, note: 'Near the park' }
    const watchId = (await ask('POST', '/watches', mine, home)).body.data.id
    const taken = (await made({ propertyId: other, stage: 'offered', price: 900_000 }, mine)).data
    expect(taken).toMatchObject({ watchId, stage: 'offered', price: 900_000, note: 'Near the park' })
    expect((await made({ propertyId: other }, mine)).error).toContain(`PUT /v1/deals/${taken.id}`)
    await ask('DELETE', `/watches/${watchId}`, mine)
    for (const key of [pro, free]) {
      expect((await ask('GET', `/deals/${data.id}`, key)).status).toBe(404)
      expect((await ask('PUT', `/deals/${data.id}`, key, { stage: 'sold' })).status).toBe(404)
      expect((await ask('DELETE', `/deals/${data.id}`, key)).status).toBe(404)
      expect((await ask('GET', '/deals', key)).body.data).toEqual([])
    }
    const changed = (await ask('PUT', `/deals/${data.id}`, mine, { stage: 'under_contract' })).body.data
    expect(changed).toMatchObject({ stage: 'under_contract', watchId: data.watchId })
    expect([changed.price, changed.scheme, changed.note]).toEqual([undefined, undefined, undefined])
    // Deleting the deal keeps the saved home; deleting that deletes a deal.
    expect((await ask('DELETE', `/deals/${data.id}`, mine)).body).toEqual({ success: true })
    expect((await ask('GET', '/watches', mine)).body.data).toHaveLength(1)
    const again = (await made({ propertyId: listed }, mine)).data
    expect(again.watchId).toBe(data.watchId)
    // The home keeps its note when it gets a deal again; numbers by city, which earlier versions took, are left out.
    await ask('PUT', `/deals/${again.id}`, mine, { note: 'Keep me' })
    await ask('DELETE', `/deals/${again.id}`, mine)
    expect((await made({ propertyId: listed, stage: 'offered' }, mine)).data.note).toBe('Keep me')
    await sql`update deal set assumptions = '{"months":30,"byCity":{}}' where watch_id = ${data.watchId}`.execute(
      service().db,
    )
    expect((await ask('GET', '/deals', mine)).body.data[0].assumptions).toEqual({ months: 30 })
    await ask('DELETE', `/watches/${data.watchId}`, mine)
    expect((await ask('GET', '/deals', mine)).body.data).toEqual([])
  })

  test('every saved home gets a deal in the stage looking; one with content keeps its home', async () => {
    const mine = await service().proKey()
    const saved = { name: '110 Oak St', kind: 'parcels', criteria: { id: [other] } }
    const watchId = (await ask('POST', '/watches', mine, saved)).body.data.id
    const [deal] = (await ask('GET', '/deals', mine)).body.data
    expect(deal).toMatchObject({ propertyId: other, watchId, stage: 'looking', now: { status: 'active' } })
    const elsewhere = { ...saved, criteria: { id: [listed] } }
    await ask('PUT', `/watches/${watchId}`, mine, elsewhere)
    const [moved] = (await ask('GET', '/deals', mine)).body.data
    expect(moved).toMatchObject({ propertyId: listed, stage: 'looking' })
    await ask('PUT', `/deals/${moved.id}`, mine, { price: 900_000 })
    expect((await ask('PUT', `/watches/${watchId}`, mine, saved)).body.error).toContain(moved.id)
    // Homes that were saved before there were deals.
    const migration = await readFile(new URL('../../migrations/shared/0038_deals.sql', import.meta.url), 'utf8')
    await sql`delete from deal where id = ${moved.id}`.execute(service().db)
    await sql.raw(migration.slice(migration.indexOf('-- Every saved home'))).execute(service().db)
    const [migrated] = (await ask('GET', '/deals', mine)).body.data
    expect(migrated).toMatchObject({ propertyId: listed, watchId, stage: 'looking', now: { changedSince: [] } })
    // Removing the deal does not bring it back with the next change of the saved home.
    await ask('DELETE', `/deals/${migrated.id}`, mine)
    await ask('PUT', `/watches/${watchId}`, mine, { ...elsewhere, note: 'x' })
    expect((await ask('GET', '/deals', mine)).body.data).toEqual([])
  })

  test('five deals beyond looking on free, none for the demo key; unknown homes, names and values say what to do', async () => {
    const mine = (await insertKey(service().db, { plan: 'free', email: `five${Math.random()}@example.com` })).key
    const stages = ['offered', 'under_contract', 'building', 'sold', 'dropped']
    for (const [at, stage] of stages.entries())
      expect((await made({ propertyId: `p_001home_00${at + 1}5`, stage }, mine)).error).toBeUndefined()
    expect((await made({ propertyId: listed, stage: 'offered' }, mine)).error).toContain('5 deals beyond')
    expect((await ask('GET', '/watches', mine)).body.data).toHaveLength(5)
    const looking = (await made({ propertyId: listed }, mine)).data
    expect((await ask('PUT', `/deals/${looking.id}`, mine, { stage: 'offered' })).status).toBe(400)
    const all: { id: string; stage: string }[] = (await ask('GET', '/deals', mine)).body.data
    const offered = all.find(({ stage }) => stage === 'offered')!
    expect((await ask('PUT', `/deals/${offered.id}`, mine, { stage: 'sold' })).status).toBe(200)
    expect((await ask('POST', '/deals', 'demo', { propertyId: listed })).status).toBe(403)
    expect((await ask('GET', '/deals', 'demo')).status).toBe(403)
    expect((await made({ propertyId: 'p_001none' })).error).toContain('no property')
    expect((await made({ propertyId: listed, stge: 'sold' })).error).toContain('did you mean stage?')
    expect((await made({ propertyId: listed, facts: { livingSqf: 1 } })).error).toContain('facts.livingSqft')
    expect((await made({ propertyId: listed, facts: { livingSqft: 1 } })).error).toContain('50')
    expect((await made({ propertyId: listed, assumptions: { costPerSqf: 1 } })).error).toContain('costPerSqft')
    for (const byCity of [{}, { 'palo-alto': { costPerSqft: 700 } }])
      expect((await made({ propertyId: listed, assumptions: { byCity } })).error).toContain('without byCity')
    expect((await ask('GET', '/deals')).body.data).toEqual([])
  })

  test('deals pass to the key that replaces theirs; the old key still reads them and changes none', async () => {
    const { db } = service()
    const old = await service().proKey()
    const { data } = await made({ propertyId: listed, stage: 'offered' }, old)
    const { id } = (await keyByHash(db, hashOf(old)))!
    const { key } = await rotateKey(db, id, new Date(today.getTime() + 86_400_000))
    await expect.poll(async () => (await ask('PUT', `/deals/${data.id}`, old, {})).status).toBe(403)
    for (const each of [old, key]) expect((await ask('GET', `/deals/${data.id}`, each)).body.data.stage).toBe('offered')
    expect((await ask('PUT', `/deals/${data.id}`, key, { stage: 'sold' })).body.data.stage).toBe('sold')
  })

  test('what changed since it was saved: price, status and decision; nothing that the window hides', async () => {
    const { db } = service()
    const windowed = await service().freeKey()
    const id = 'p_001home_0030'
    const { data } = await made({ propertyId: id }, windowed)
    const price = data.now.price
    await sql`update listing set price_usd = ${price - 100_000}, status = 'pending' where property_id = ${id}`.execute(
      db,
    )
    const read = async (key = windowed) => (await ask('GET', '/deals', key)).body.data[0]
    const now = (await read()).now
    expect(now).toMatchObject({ price: price - 100_000, status: 'pending' })
    expect(now.changedSince).toEqual([
      { what: 'price', text: expect.stringContaining('Price cut'), fromUsd: price, toUsd: price - 100_000 },
      { what: 'status', text: expect.any(String), from: 'active', to: 'pending' },
    ])
    await sql`update listing set status = 'sold', sold_on = '2026-08-01' where property_id = ${id}`.execute(db)
    const single = (await ask('GET', `/deals/${data.id}`, windowed)).body.data.now
    expect((await read()).now).toEqual({ changedSince: [], decision: single.decision })
    expect(single).toMatchObject({
      changedSince: [],
      decision: { text: expect.stringContaining('If it could be bought') },
    })
    expect([single.price, single.status]).toEqual([undefined, undefined])
    await sql`update listing set status = 'active', sold_on = null, price_usd = ${price} where property_id = ${id}`.execute(
      db,
    )
  })

  test('a home that is not for sale has its decision in the single deal and in lists', async () => {
    const mine = await service().proKey()
    const { data } = await made({ propertyId: offMarket }, mine)
    expect(data.now.decision.text).toContain('If it could be bought at its estimated value')
    const { decision } = data.now
    expect((await ask('GET', '/deals', mine)).body.data[0].now).toEqual({ decision, changedSince: [] })
  })

  test('mails say the decision that the key would read: at the set of its watch, and with nothing that its window hides', async () => {
    const { db } = service()
    const mine = await service().proKey()
    const set = (await newSet(mine, { costPerSqft: 900, targetRoiPct: 20 })).body.data
    const numbers = { costPerSqft: 900, targetRoiPct: 20 }
    const signalOf = async (query: string) =>
      (await ask('GET', `/market-signals?id=${listed}${query}`, mine)).body.data[0]
    const rowOf = async (query: string) => (await signalOf(query)).decision.text
    const ids = [listed, offMarket, 'p_001home_0000nowhere']
    const plain = await decisionTexts(db, ids, { since: undefined })
    expect([...plain.keys()].sort()).toEqual([listed, offMarket].sort())
    expect(plain.get(listed)).toBe(await rowOf(''))
    const own = await decisionTexts(db, ids, { since: undefined, set: { market: null, numbers } })
    const read = await ask('GET', `/properties/${listed}?assumptionSet=${set.id}`, mine)
    expect(own.get(listed)).toBe(read.body.data.decision.text)
    expect(own.get(listed)).toContain('At your assumptions: ')
    // A row compares the same uses.
    expect(await rowOf(`&assumptionSet=${set.id}`)).toBe(own.get(listed))
    expect((await signalOf(`&assumptionSet=${set.id}`)).bestUse).toEqual((await signalOf('')).bestUse)
    expect(own.get(offMarket)).toBe(plain.get(offMarket))
    // The set of another market does not apply.
    expect(await decisionTexts(db, ids, { since: undefined, set: { market: 'nantucket', numbers } })).toEqual(plain)
    await sql`update listing set status = 'sold', sold_on = '2026-08-01' where property_id = ${other}`.execute(db)
    const windowed = async (since: string | undefined) => (await decisionTexts(db, [other], { since })).get(other)
    expect(await windowed(undefined)).toBe('Sold Aug 1, 2026.')
    expect(await windowed('2026-10-16')).toContain('If it could be bought at its estimated value')
    await sql`update listing set status = 'active', sold_on = null where property_id = ${other}`.execute(db)
  })

  describe('own facts', () => {
    const parts = 'include=explanation,proforma,comps'
    const read = async (id: string, key: string, query = parts) =>
      (await ask('GET', `/properties/${id}?${query}`, key)).body
    const withFacts = async (id: string, facts: object, key: string, rest: object = {}) => {
      const { data } = await made({ propertyId: id, facts, ...rest }, key)
      // The other process that serves answers hears of it.
      await expect.poll(async () => (await read(id, key)).ownFacts?.length).toBe(Object.keys(facts).length)
      return data
    }

    test('equal to the recorded ones change no figure: the same functions compute both', async () => {
      for (const [at, id] of [listed, other, 'p_001home_0020', offMarket].entries()) {
        const mine = await service().proKey()
        const { ownFacts: _none, ...before } = await read(id, mine)
        const { livingSqft, lotSqft, beds, baths, yearBuilt } = before.data.facts
        await withFacts(id, { livingSqft, lotSqft, beds, baths, yearBuilt }, mine)
        const { ownFacts, ...after } = await read(id, mine)
        expect(ownFacts[0]).toEqual({ fact: 'livingSqft', value: livingSqft, recorded: livingSqft })
        // What the arithmetic of a new house is made of is shown in its lines.
        for (const { data } of [before, after]) if (data.explanation.proforma) data.explanation.proforma.parts = []
        for (const name of ['decision', 'proforma', 'intelligence', 'hold', 'adu', 'comps'])
          expect(after.data[name], `${name} of home ${at}`).toEqual(before.data[name])
        expect(after.data.explanation.value).toEqual(before.data.explanation.value)
        expect(after.data.explanation.flippability?.deal).toEqual(before.data.explanation.flippability?.deal)
        expect(after.data.explanation.proforma).toEqual(before.data.explanation.proforma)
        expect(after.data.explanation.redevelopment).toEqual(before.data.explanation.redevelopment)
      }
    })

    test('change value, costs, rent and decision for their key, and nothing for another, the demo key or a list', async () => {
      const mine = await service().proKey()
      const [before, demo] = [await read(listed, pro), await read(listed, 'demo')]
      const { livingSqft, lotSqft } = before.data.facts
      const facts = { livingSqft: livingSqft + 500, lotSqft: lotSqft + 2_000, condition: 20 }
      const deal = await withFacts(listed, facts, mine, { assumptions: { costPerSqft: 500 } })
      const after = await read(listed, mine)
      expect(after.ownFacts).toEqual([
        { fact: 'livingSqft', value: livingSqft + 500, recorded: livingSqft },
        { fact: 'lotSqft', value: lotSqft + 2_000, recorded: lotSqft },
        { fact: 'condition', value: 20 },
      ])
      expect(after.data.facts).toMatchObject(facts)
      const value = ({ data }: { data: { intelligence: { valueEstimate: { value: number } } } }) =>
        data.intelligence.valueEstimate.value
      expect(value(after)).not.toBe(value(before))
      expect(after.data.intelligence.conditionScore).toBe(20)
      // No source rates it: the sentence must not name the owner's figure as that of a source.
      expect(after.data.explanation.value.parts.at(-1).because).toMatch(
        /^Condition 20, where \d+ is usual for such homes$/,
      )
      expect(after.data.proforma.buildSqft).toBeGreaterThan(before.data.proforma.buildSqft)
      expect(after.data.decision).not.toEqual(before.data.decision)
      // The pro forma stands on the same house, with the assumptions of the deal too.
      const own = `assumptions=${encodeURIComponent('{"costPerSqft":500}')}`
      const [detail, whatIf] = [
        await read(listed, mine, `${parts}&${own}`),
        await read(`${listed}/proforma`, mine, own),
      ]
      expect(whatIf.ownFacts).toEqual(after.ownFacts)
      expect(whatIf.data.proforma.returnPct).toBe(detail.data.proforma.returnPct)
      expect(whatIf.data.proforma.buildSqft).toBe(detail.data.proforma.buildSqft)
      expect(detail.data.proforma.assumptions.costPerSqft).toBe(500)
      expect(deal.now.decision).toEqual(detail.data.decision)
      // Asked after the answer with own facts was made, and from the cache.
      for (const [key, was] of [
        [pro, before],
        ['demo', demo],
      ] as const)
        for (const _ of [1, 2]) expect(await read(listed, key)).toEqual(was)
      const rows = (await ask('GET', `/market-signals?id=${listed}`, mine)).body.data
      expect(rows[0].metadata.sqft).toBe(livingSqft)
      // Without the corrections the shared answer is back.
      await ask('PUT', `/deals/${deal.id}`, mine, {})
      await expect.poll(async () => (await read(listed, mine)).ownFacts).toBeUndefined()
      expect(await read(listed, mine)).toEqual(before)
    })

    test('show a windowed key nothing that the window hides', async () => {
      const { db } = service()
      const windowed = await service().freeKey()
      await sql`update listing set status = 'sold', sold_on = '2026-08-01', sold_price_usd = 1234567 where property_id = ${other}`.execute(
        db,
      )
      const deal = await withFacts(other, { livingSqft: 3_000 }, windowed, { note: 'x' })
      const text = JSON.stringify([await read(other, windowed), await ask('GET', `/deals/${deal.id}`, windowed)])
      expect(text).not.toContain('1234567')
      expect(text).not.toContain('askingUsd')
      const { data } = await read(other, windowed)
      expect([data.price, data.status, data.proforma, data.intelligence.expectedPrice]).toEqual(
        Array(4).fill(undefined),
      )
      expect(data.decision.text).toContain('If it could be bought')
      await sql`update listing set status = 'active', sold_on = null, sold_price_usd = null where property_id = ${other}`.execute(
        db,
      )
    })
  })
})

describe('Today', () => {
  const mails: Mail[] = []
  const send = async (now: Date): Promise<number> => {
    const { db, services } = service()
    const queued = await queueTodayMails(services, now)
    const mailer = { send: async (_id: string, mail: Mail) => void mails.push(mail), close: () => {} }
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    await openMailWorker({
      ...services,
      decisionsOf: decisionTexts,
      todayMail: todayMailOf(services),
      db,
      mailer,
      log: log as never,
      now: () => now,
    }).poll()
    return queued
  }
  const later = (days: number) => new Date(today.getTime() + days * 86_400_000)
  const readerWith = async (plan: 'free' | 'pro', confirmedAt: Date | undefined) => {
    const email = `today${Math.random()}@example.com`
    const { id, key } = await insertKey(service().db, { plan, email, ...(confirmedAt ? { confirmedAt } : {}) })
    const made = await ask('POST', '/deals', key, { propertyId: 'p_001home_0035' })
    await startTodayMail(service().db, { keyId: id, mailbox: mailboxOf(email), confirmed: true }, today)
    return { id, key, email, dealId: made.body.data.id as string }
  }
  const changed = async (
    id: string,
    row: { status: string; previousStatus?: string; previousPrice?: number; at?: Date },
  ) =>
    sql`insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, price_usd, status, previous_price_usd, previous_status)
      select market, source_id, listing_id, ${row.at ?? later(0.5)}, '2026-11-15', property_id, price_usd, ${row.status}, ${row.previousPrice ?? null}, ${row.previousStatus ?? null}
      from listing where property_id = ${id}`.execute(service().db)

  test('own numbers compare every use of the homes that are shown, however many changes there are', async () => {
    const { db, services } = service()
    const listed = (await ask('GET', '/market-signals?status=for_sale&limit=500')).body.data as PropertySignal[]
    const homes = listed.map(({ id }) => id)
    for (let n = 0; n * homes.length <= 25; n++)
      for (const id of homes) await changed(id, { status: 'active', at: later(0.1 * (n + 1)) })
    const key = (await keyByHash(db, hashOf(pro)))!
    const caller = { plan: 'pro', limits: limitsOf(key, today), key: { ...key, currentKeyId: key.id } }
    const context = { ...services, now: later(1), surface: 'page', caller } as unknown as Context
    const { sections } = await todayOf(context, { market: null, values: { costPerSqft: 400 } }, today)
    const said = sections.fresh.homes.map(({ decision }) => decision)
    expect(said).toHaveLength(Math.min(25, homes.length))
    expect(said.filter((text) => text.startsWith('At your assumptions: ')).length).toBeGreaterThan(5)
    expect(said.join()).not.toContain('comparing only')
    // A set for another market is not used here, one for this market is.
    const by = async (market: string) =>
      (await todayOf(context, { market, values: { costPerSqft: 400 } }, today)).sections.fresh.homes
    expect((await by('nantucket')).map(({ decision }) => decision).join()).not.toContain('At your assumptions')
    expect((await by('sf-peninsula')).map(({ decision }) => decision)).toEqual(said)
    // At the numbers of the market, the largest room is first.
    const rooms = new Map(
      listed.map(({ id, decision }) => [id, decision?.room?.low ?? decision?.room?.usd ?? -Infinity]),
    )
    const shown = (await todayOf(context, undefined, today)).sections.fresh.homes.map(({ id }) => id)
    expect(new Set(shown.map((id) => rooms.get(id))).size).toBeGreaterThan(2)
    expect(shown).toEqual(shown.toSorted((a, b) => rooms.get(b)! - rooms.get(a)! || a.localeCompare(b)))
    const saysOf = (market: string | null, ...markets: string[]) =>
      numbersText({ markets } as unknown as Today, { name: 'Mine', market })
    expect([
      saysOf(null, 'sf-peninsula', 'nantucket'),
      saysOf('nantucket', 'sf-peninsula', 'nantucket'),
      saysOf('nantucket', 'nantucket'),
      saysOf('nantucket', 'sf-peninsula'),
    ]).toEqual(['at your numbers “Mine”', 'at your numbers “Mine” in Nantucket', 'at your numbers “Mine”', undefined])
    await sql`delete from listing_change where changed_at > ${today}`.execute(db)
  })

  test('one mail a day to those who asked for it: changes, sales beside what we said, deals whose decision moved', async () => {
    const { db, services } = service()
    expect(await send(later(1))).toBe(0)
    await changed('p_001home_0040', { status: 'active' })
    await changed('p_001home_0045', { status: 'active', previousStatus: 'active', previousPrice: 9_000_000 })
    await changed('p_001home_0050', { status: 'active', previousStatus: 'pending' })
    await sql`update listing set status = 'sold', sold_on = '2026-11-14', sold_price_usd = 1230000 where property_id = 'p_001home_0055'`.execute(
      db,
    )
    await changed('p_001home_0055', { status: 'sold', previousStatus: 'pending' })
    await sql`delete from forecast where property_id = 'p_001home_0055'`.execute(db)
    await sql`insert into forecast (market, property_id, model, made_on, listing_id, value_usd, low_usd, high_usd, model_version)
      select market, property_id, 'value', '2026-10-01', listing_id, 1000000, 900000, 1300000, 'x' from listing where property_id = 'p_001home_0055'`.execute(
      db,
    )
    await sql`update listing set status = 'sold', sold_on = '2026-09-01', sold_price_usd = 7654321 where property_id = 'p_001home_0060'`.execute(
      db,
    )
    await changed('p_001home_0060', { status: 'sold', previousStatus: 'pending' })
    const [pro, windowed] = [await readerWith('pro', today), await readerWith('free', today)]
    await readerWith('pro', undefined)
    const told = { on: '2026-11-01', status: 'active', scheme: 'rent', worthUpTo: 1, roomUsd: 1 }
    await sql`update deal set told = ${JSON.stringify(told)}::jsonb where id = ${pro.dealId}`.execute(db)
    expect(await compareDeals(services, later(0.9))).toBe(1)
    expect(await compareDeals(services, later(0.95))).toBe(0)

    await assessedAsOf(db, 'sf-peninsula', '2026-08-31')
    expect(await send(later(1))).toBe(2)
    await assessedAsOf(db, 'sf-peninsula')
    expect(await send(later(1.01))).toBe(0)
    const textTo = (email: string) => mails.find(({ to }) => to === email)!.text
    const text = textTo(pro.email)
    expect(text).toMatch(/YOUR DEALS\n[\s\S]*135 Oak St[\s\S]*The best use is/)
    expect(text).toMatch(/NEW FOR SALE\n[\s\S]*140 Oak St[\s\S]*PRICE CUTS\n[\s\S]*145 Oak St[\s\S]*\$9,000,000 →/)
    expect(text).toMatch(/BACK ON THE MARKET\n[\s\S]*150 Oak St/)
    expect(text).toContain(
      'Sold for $1,230,000; we said $1,000,000 ($900,000 to $1,300,000) on Oct 1, 2026; the sale is 23.0% above it',
    )
    expect(text).toContain('are those of Aug 31, 2026.')
    expect(text).toContain('7,654,321')
    expect(textTo(windowed.email)).not.toContain('7,654,321')
    expect(textTo(windowed.email)).not.toContain('160 Oak St')
    expect(textTo(windowed.email)).not.toContain('YOUR DEALS')

    // Its own unsubscribe link, within the mailbox's limits, and nothing to say is no mail.
    const [, id, token] = /unsubscribe\/(today_\w+)\/(\S+)>/.exec(
      mails.find(({ to }) => to === pro.email)!.headers!['List-Unsubscribe']!,
    )!
    await endSubscription(services, { id: id!, token: token! }, today)
    await sql`update listing_change set changed_at = ${later(1.9)} where property_id = 'p_001home_0040'`.execute(db)
    for (let n = 0; n < 20; n++)
      await sql`insert into mail (id, kind, recipient, mailbox, queued_at, sent_at) values (${`m${n}`}, 'watch', 'x', ${mailboxOf(windowed.email)}, ${later(1.8)}, ${later(1.8)})`.execute(
        db,
      )
    expect(await send(later(2))).toBe(0)
    await sql`delete from mail where kind = 'watch'`.execute(db)
    expect(await send(later(2.02))).toBe(1)
    expect(await send(later(9))).toBe(0)
  })

  test('every change is in one mail, whenever in the day the mails are sent and also after days without one', async () => {
    const { services } = service()
    const at = (day: number, time: string) => new Date(`2026-12-${String(day).padStart(2, '0')}T${time}:00Z`)
    const reader = await readerWith('pro', today)
    const told = async (day: number, time: string) => {
      mails.splice(0)
      await send(at(day, time))
      return [...(mails.find(({ to }) => to === reader.email)?.text ?? '').matchAll(/1\d\d Oak St/g)].map(String)
    }
    await changed('p_001home_0040', { status: 'active', at: at(1, '12:30') })
    await changed('p_001home_0045', { status: 'active', at: at(1, '13:30') })
    await changed('p_001home_0050', { status: 'active', at: at(3, '09:00') })
    const moved = { on: '2026-11-01', status: 'active', scheme: 'rent', worthUpTo: 1, roomUsd: 1 }
    await sql`update deal set told = ${JSON.stringify(moved)}::jsonb where id = ${reader.dealId}`.execute(service().db)
    expect(await told(1, '14:30')).toEqual(['140 Oak St'])
    // What is noticed while the mails are sent is in those of the next day.
    await compareDeals(services, at(1, '14:45'))
    expect(await told(2, '13:00')).toEqual(['135 Oak St', '145 Oak St'])
    expect(await told(5, '13:00')).toEqual(['150 Oak St'])
    expect(await told(6, '13:00')).toEqual([])
  })

  test('the link of a mail ends the mails of the key that replaced its key, and of no other', async () => {
    const { db, services } = service()
    const [reader, other] = [await readerWith('pro', today), await readerWith('pro', today)]
    const { id } = await rotateKey(db, reader.id, later(1))
    const url = unsubscribeUrl(services.sealer, '', `today_${reader.id}`)
    await endSubscription(services, { id: `today_${reader.id}`, token: url.split('/').at(-1)! }, today)
    expect([await hasTodayMail(db, id), await hasTodayMail(db, other.id)]).toEqual([false, true])
  })

  test('what a deal remembers of a home that it could not see when it was saved is what every window shows', async () => {
    const { db, services } = service()
    const [id, windowed] = ['p_001home_0065', await service().freeKey()]
    await sql`update listing set status = 'sold', sold_on = '2026-08-01', price_usd = 7654321 where property_id = ${id}`.execute(
      db,
    )
    const dealId = (await ask('POST', '/deals', windowed, { propertyId: id })).body.data.id
    await sql`update deal set saved = null, told = null where id = ${dealId}`.execute(db)
    await compareDeals(services, today)
    await sql`update listing set status = 'active', sold_on = null, price_usd = 1000000 where property_id = ${id}`.execute(
      db,
    )
    const { changedSince } = (await ask('GET', '/deals', windowed)).body.data[0].now
    expect(changedSince.map(({ text }: { text: string }) => text)).toEqual(['Status changed from not listed to active'])
  })
})

test('a vacant lot with facts of its own keeps the reason why it has no value', async () => {
  const { db } = service()
  const [id, mine] = ['p_001home_0080', await service().proKey()]
  await sql`update property set property_type = 'land', living_sqft = null, lot_sqft = null, beds = null, baths = null,
    year_built = null, zoning = null where id = ${id}`.execute(db)
  // Without a zone the decision says why it has no value.
  await sql`update listing set property_type = 'land', living_sqft = null, lot_sqft = null, beds = null, baths = null,
    year_built = null where property_id = ${id}`.execute(db)
  await assessMarket(db, 'sf-peninsula', { now: today })
  const read = async () => (await ask('GET', `/properties/${id}`, mine)).body
  expect((await read()).data.intelligence.valueUnavailable?.text).toBe('No value without a recorded lot size.')
  await ask('POST', '/deals', mine, { propertyId: id, facts: { lotSqft: 8_000 } })
  await expect.poll(async () => (await read()).ownFacts?.length).toBe(1)
  expect((await read()).data.decision.text).toBe('No estimate: no value without a recorded lot size.')
})
