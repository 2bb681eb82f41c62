import { beforeAll, expect, test } from 'vitest'
import { saveHeat, saveModel } from '../../src/store/assessments/models.ts'
import { marketRanks, saveScoreDistributions } from '../../src/store/assessments/score-distributions.ts'
import { sql } from '../../src/store/engine/database.ts'
import { compsText } from '../../src/wire/comps-text.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import {
  adu,
  assessment,
  completedRun,
  condition,
  finding,
  flatPrices,
  listing,
  permit,
  proforma,
  property,
  sale,
} from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  await property(db, {
    id: 'p_001home',
    lat: 37.43,
    lng: -122.14,
    lot_sqft: 7000,
    zoning: 'R-1',
    overlays: { floodZone: 'no' },
  })
  await listing(db, { property_id: 'p_001home', price_usd: 2_500_000, living_sqft: 1500 })
  await assessment(db, 'p_001home', {
    teardown_score: 71.6,
    bidding_war: 40,
    recent_sales_count: 12,
    avg_price_per_sqft: 1501.25,
    proforma: proforma({ roiPct: 9.1, capital: 5_000_000 }),
    developer_roi: 4.449,
    explanation: { teardown: finding({ score: 72 }) },
    value_usd: 2_400_000,
  })
  const sold = { living_sqft: 3000, lot_sqft: 7000, lat: 37.431, lng: -122.141 }
  await sale(db, { ...sold, sale_id: 'near', sold_on: '2026-06-01', price_usd: 4_000_000, address: '5 Oak St' })
  await flatPrices(db)
  const heatRow = { citySlug: 'palo-alto', propertyType: 'all', asOf: '2026-11-14', parts: [], sales: 20 }
  await saveHeat(db, 'sf-peninsula', [
    { ...heatRow, heatIndex: 55.2 },
    { ...heatRow, citySlug: '', heatIndex: 40 },
    { ...heatRow, asOf: '2026-10-31', heatIndex: 30 },
  ])
  for (const [id, known_from] of [
    ['p_001parcel', 'parcel'],
    ['p_001listing-only', 'listing'],
  ] as const) {
    await property(db, { id, known_from })
    await listing(db, { property_id: id, status: 'sold', sold_on: '2026-10-15', sold_price_usd: 3_210_987 })
    await assessment(db, id, {
      teardown_score: 10,
      bidding_war: 63,
      proforma: proforma({ capital: 4_000_000 }),
      developer_roi: 3,
      flippability_score: 41,
      explanation: {
        flippability: finding({ parts: [{ name: 'rule', points: 1, because: 'the price is $3,210,987' }] }),
        condition: condition(),
      },
    })
  }
  await property(db, { id: 'p_001recent', known_from: 'listing' })
  await listing(db, { property_id: 'p_001recent', status: 'sold', sold_on: '2026-10-16' })
  await permit(db, { permit_id: 'NEW', property_id: 'p_001home', issued_on: '2026-11-01' })
  await permit(db, { permit_id: 'OLD', property_id: 'p_001home', issued_on: '2026-01-01' })
  await permit(db, {
    permit_id: 'APPLIED',
    property_id: 'p_001home',
    issued_on: null,
    applied_on: '2026-11-05',
    status: 'applied',
  })
})

const get = (id: string, key = pro, query = '') => ask(service(), `/v1/properties/${id}${query}`, { key })

test('a property has the documented fields', async () => {
  const { status, body } = await get('p_001home', free)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    success: true,
    data: {
      id: 'p_001home',
      city: 'Palo Alto',
      price: 2_500_000,
      status: 'active',
      intelligence: {
        teardownScore: 72,
        marketHeatIndex: 55,
        biddingWarPredictor: 40,
        developerROI: 4.4,
        proformaROI: 9.1,
      },
      comparables: { recentSalesCount: 12, avgPricePerSqft: 1501.25 },
    },
  })
  expect(body.asOf).toMatch(/^\d{4}-\d\d-\d\dT/)
  for (const part of ['explanation', 'proforma', 'comps', 'history', 'permits'])
    expect(body.data).not.toHaveProperty(part)
})

test('include adds one or several parts', async () => {
  const { body } = await get('p_001home', pro, '?include=explanation,proforma,comps,history,permits')
  expect(body.data.explanation.teardown).toMatchObject({ score: 72, parts: [], top: [], other: { points: 0 } })
  expect(body.data.proforma.capital).toBe(5_000_000)
  // Half the size at the same price per square foot.
  expect(body.data.comps).toMatchObject([
    {
      saleId: 'test:near',
      address: '5 Oak St',
      priceUsd: 4_000_000,
      adjustments: { time: 0, lot: 0, age: 0, quality: 0, condition: 0, type: 0 },
      unexplainedAdjustmentUsd: 0,
      weight: 1,
    },
  ])
  const [comp] = body.data.comps
  expect(comp.adjustedUsd).toBe(comp.priceUsd + comp.adjustments.size)
  expect(comp.unexplainedUsd).toBe(comp.adjustedUsd - 2_400_000)
  expect(body.data.history).toEqual([])
  expect(body.data.permits.map(({ permitId }: { permitId: string }) => permitId)).toEqual(['APPLIED', 'NEW', 'OLD'])
  const one = await get('p_001home', pro, '?include=comps')
  expect(one.body.data).toHaveProperty('comps')
  expect(one.body.data).not.toHaveProperty('proforma')
})

test('each overlay names its layer or feed and the day, and buildings their size', async () => {
  const { db } = service()
  await sql`
    update property set overlays = '{"floodZone": "yes", "septic": "no", "habitat": "unknown"}', overlay_sources = '{"floodZone": "fema"}',
      buildings = '[{"sqft": 1500, "toLinesFt": 5, "alongFt": [20, 60], "acrossFt": [5, 45]}]' where id = 'p_001parcel'`.execute(
    db,
  )
  await sql`insert into source (id, kind, holds, title, config) values ('fema', 'arcgis', 'layer', 'Flood zones', '{}')`.execute(
    db,
  )
  await completedRun(db, 'fema', new Date('2026-10-02T06:00:00Z'))
  const { facts } = (await get('p_001parcel', pro)).body.data
  expect(facts.overlaySources).toEqual({
    floodZone: { source: 'fema', title: 'Flood zones', asOf: '2026-10-02' },
    septic: { source: 'test', title: expect.any(String), asOf: expect.any(String) },
  })
  expect(facts.buildings).toEqual([{ sqft: 1500, toLinesFt: 5 }])
})

test('include=shape gives the outline of the parcel as GeoJSON, and nothing where it is unknown', async () => {
  const ring = [
    [-122.14, 37.44],
    [-122.139, 37.44],
    [-122.139, 37.441],
    [-122.14, 37.44],
  ]
  await sql`insert into parcel_outline (market, property_id, source_id, polygons, bounds)
    values ('sf-peninsula', 'p_001home', 'test', ${JSON.stringify([[ring]])}, '((-122.139,37.441),(-122.14,37.44))')`.execute(
    service().db,
  )
  const { body } = await get('p_001home', pro, '?include=shape')
  expect(body.data.shape).toEqual({ type: 'MultiPolygon', coordinates: [[ring]] })
  expect((await get('p_001parcel', pro, '?include=shape')).body.data).not.toHaveProperty('shape')
})

test('the permit timeline is limited to the history window of the key', async () => {
  const { body } = await get('p_001home', free, '?include=permits')
  expect(body.data.permits.map(({ permitId }: { permitId: string }) => permitId)).toEqual(['APPLIED', 'NEW'])
})

test('an unknown property is 404 for every plan', async () => {
  for (const key of [pro, free, demoKey]) expect((await get('nothing', key)).body.code).toBe('not_found')
})

test('a key with a history window sees an older sale as a parcel without price, status and sale', async () => {
  const { status, body } = await get('p_001parcel', free, '?include=explanation,proforma,comps,history')
  expect(status).toBe(200)
  for (const name of ['price', 'status', 'soldDate', 'soldPrice', 'proforma'])
    expect(body.data).not.toHaveProperty(name)
  expect(body.data.intelligence).not.toHaveProperty('developerROI')
  expect(JSON.stringify(body)).not.toMatch(/3210987|2000000|4000000/)
  expect((await get('p_001parcel')).body.data).toMatchObject({
    status: 'sold',
    soldDate: '2026-10-15',
    soldPrice: 3_210_987,
  })
})

test('a home known only from an older sale is 404 for a key with a history window and not for others', async () => {
  expect((await get('p_001listing-only', free)).status).toBe(404)
  expect((await get('p_001listing-only', pro)).status).toBe(200)
  expect((await get('p_001recent', free)).status).toBe(200)
})

test('every id of a signal resolves', async () => {
  for (const key of [pro, free]) {
    const { body } = await ask(service(), '/v1/market-signals?limit=500', { key })
    expect(body.count).toBeGreaterThan(1)
    for (const { id } of body.data) expect((await get(id, key)).status, id).toBe(200)
  }
})

test('no explanation reveals a hidden price', async () => {
  const whole = await ask(service(), '/v1/properties/p_001parcel?include=explanation,proforma', { key: pro })
  expect(JSON.stringify(whole.body)).toContain('3,210,987')
  const windowed = await ask(service(), '/v1/properties/p_001parcel?include=explanation,proforma', { key: free })
  expect(JSON.stringify(windowed.body)).not.toMatch(/3,?210,?987/)
  // The price went into each of these, so each tells about it.
  const fromPrice = ['flippabilityScore', 'biddingWarPredictor', 'expectedPrice', 'priceTension', 'returnPct']
  expect(whole.body.data.intelligence).toMatchObject({ flippabilityScore: 41, biddingWarPredictor: 63 })
  for (const name of fromPrice) expect(windowed.body.data.intelligence).not.toHaveProperty(name)
  expect(windowed.body.data.explanation).toHaveProperty('condition')
})

test('a key with a history window gets no text about older permits or hidden listings and no older score changes', async () => {
  const { db } = service()
  const quoting = condition({
    parts: [
      { name: 'permits', points: 5, because: 'Remodel permit in 2019 valued at $90,000' },
      { name: 'remarks', points: -5, because: 'The listing says “bring your contractor”' },
    ],
    landPhrases: ['bring your contractor'],
  })
  // A sum over the permits, and what an earlier sale said of the home.
  const spent = { name: 'recentPermits', points: -3, because: 'Permits valued at $394,600 in the last ten years' }
  const grown = { fact: 'livingSqft', why: 'It differs by 80% from the area at its last sale.' } as const
  const teardown = finding({ parts: [spent] })
  const value = {
    ...finding({}),
    parts: [],
    support: { nearestSaleMi: 0.1, salesWithinMile12m: 9, missing: [], doubtful: [grown] },
  }
  for (const [id, soldOn] of [
    ['p_001windowed-open', undefined],
    ['p_001windowed-sold', '2025-01-01'],
  ] as const) {
    await property(db, { id })
    await listing(db, { property_id: id, ...(soldOn ? { status: 'sold', sold_on: soldOn } : {}) })
    await assessment(db, id, { explanation: { condition: quoting, teardown, value } })
    await sql`insert into assessment_history (market, property_id, changed_at, flippability_score, previous, reason, model_version)
      values ('sf-peninsula', ${id}, '2025-02-01', 40, '{}', 'old change', 'test'),
        ('sf-peninsula', ${id}, '2026-11-10', 40, '{"flippabilityScore": 30}', 'Roof permit in 2018', 'test')`.execute(
      db,
    )
  }
  const text = async (id: string, key: string) =>
    JSON.stringify((await get(id, key, '?include=explanation,history')).body)
  expect(await text('p_001windowed-sold', pro)).toMatch(/Remodel permit.*bring your contractor.*old change/)
  expect(await text('p_001windowed-sold', free)).not.toMatch(/Remodel permit|bring your contractor|old change/)
  expect(await text('p_001windowed-open', free)).not.toMatch(/Remodel permit|old change/)
  expect(await text('p_001windowed-open', free)).toContain('bring your contractor')
  expect(await text('p_001windowed-open', pro)).toMatch(/394,600.*last sale|last sale.*394,600/)
  expect(await text('p_001windowed-open', free)).not.toMatch(/394,600|ten years|last sale/)
  const scores = async (id: string, key: string) => (await get(id, key, '?include=history')).body.data.history[0]
  expect(await scores('p_001windowed-sold', pro)).toMatchObject({
    flippabilityScore: 40,
    reason: 'Roof permit in 2018',
  })
  expect(JSON.stringify(await scores('p_001windowed-sold', free))).not.toMatch(/Roof|flippability/)
  expect(await scores('p_001windowed-open', free)).toMatchObject({
    flippabilityScore: 40,
    previous: { flippabilityScore: 30 },
    reason: 'The reason may quote records from before your history window.',
  })
})

test('a key with a history window gets a count of older comparables, not their prices', async () => {
  const { db } = service()
  const read = async (key: string) =>
    (await ask(service(), '/v1/properties/p_001home2?include=comps', { key })).body.data
  const at = { lat: 37.0, lng: -122.0, living_sqft: 1500 }
  await property(db, { id: 'p_001home2', ...at })
  await sale(db, { ...at, sale_id: 'new', sold_on: '2026-11-01', price_usd: 2_000_000 })
  await sale(db, { ...at, sale_id: 'old', sold_on: '2026-02-01', price_usd: 1_234_567 })
  await flatPrices(db)
  const [newer, older] = [
    { saleId: 'a:1', soldOn: '2026-11-01', priceUsd: 2_000_000, distanceKm: 0.5 },
    { saleId: 'a:2', soldOn: '2026-02-01', priceUsd: 1_234_568, distanceKm: 0.5 },
  ]
  const resale = { pricePerSqft: 987.65, timeAdjustedPerSqft: 987.66, adjustedPerSqft: 987.67, weight: 1 }
  const resaleComps = [newer, older].map(({ saleId, soldOn, priceUsd, distanceKm }) => ({
    ...resale,
    saleId,
    soldOn,
    priceUsd,
    distanceKm,
  }))
  await assessment(db, 'p_001home2', {
    value_usd: 2_000_000,
    assessed_at: new Date('2026-11-15T00:00:00Z'),
    explanation: { proforma: { ...finding(), resaleComps } },
  })
  const windowed = await read(free)
  const shown = windowed.comps.map(({ saleId }: { saleId: string }) => saleId)
  expect([shown, windowed.compsWithheld, windowed.resaleComps.length]).toEqual([['test:new'], 1, 1])
  expect(JSON.stringify(windowed)).not.toMatch(/1234567|1234568|2026-02-01|a:2|test:old/)
  expect(compsText(windowed)).toContain('1 older sale is before the history window of this key and not listed.')
  const whole = await read(pro)
  expect([whole.comps[1].saleId, whole.comps[1].soldOn, whole.compsWithheld]).toEqual([
    'test:old',
    '2026-02-01',
    undefined,
  ])
  expect(whole.resaleComps).toHaveLength(2)
})

test('a removed parcel and a removed permit have their removal dates, and the facts of the parcel stay', async () => {
  const { db } = service()
  const removed_at = new Date('2026-11-12T03:00:00Z')
  await property(db, { id: 'p_001merged-away', lot_sqft: 7000, removed_at })
  await permit(db, { property_id: 'p_001merged-away', permit_id: 'TAKEN-BACK', issued_on: '2026-11-01', removed_at })
  const { body } = await get('p_001merged-away', pro, '?include=permits')
  expect(body.data.goneAt).toBe('2026-11-12T03:00:00.000Z')
  expect(body.data.facts.lotSqft).toBe(7000)
  expect(body.data.facts).not.toHaveProperty('goneAt')
  expect(body.data.permits[0].goneAt).toBe('2026-11-12T03:00:00.000Z')
  expect((await get('p_001home', pro)).body.data).not.toHaveProperty('goneAt')
})

test('only fields of the contract are served; an unknown field of a stored finding is not', async () => {
  const { db } = service()
  const secret = { secret: 'not for the wire' }
  await property(db, { id: 'p_001extra', overlays: { floodZone: 'no', ...secret } })
  await listing(db, { property_id: 'p_001extra' })
  await assessment(db, 'p_001extra', {
    rank_score: 99,
    proforma: { ...proforma({ roiPct: 3 }), ...secret },
    explanation: { teardown: { ...finding({ score: 5 }), ...secret }, ...secret },
    adu: { ...adu(), ...secret },
    adu_score: 97,
  })
  for (const path of [
    '/v1/properties/p_001extra?include=explanation,proforma,comps,history,permits',
    '/v1/properties/p_001extra/proforma',
    '/v1/market-signals?limit=100',
    '/v1/adu-leads?limit=100',
  ]) {
    const { status, text } = await ask(service(), path, { key: pro })
    expect(status, path).toBe(200)
    expect(text, path).toContain('p_001extra')
    expect(text, path).not.toContain('secret')
  }
})

test('each score has its rank in the market, and one sentence sums them up', async () => {
  const { db } = service()
  expect((await get('p_001home')).body.data.intelligence).not.toHaveProperty('ranks')
  await saveScoreDistributions(db, 'sf-peninsula', { kind: 'fitted', rows: 5000, positives: 83 }, new Date())
  const few = (await get('p_001home', pro, '?include=proforma')).body.data
  expect(few.intelligence.ranks.teardownScore.of).toMatch(/^[1-9] homes? on the market$/)

  const { distributions, teardown } = (await marketRanks(db, 'sf-peninsula'))!
  const teardownScore = { ...distributions.teardownScore!, count: 20 }
  const ranks = { distributions: { teardownScore }, teardown }
  await saveModel(db, 'score-ranks', 'sf-peninsula', 'score-ranks', ranks, new Date())
  const { data } = (await get('p_001home', pro, '?include=explanation')).body
  expect(data.intelligence.ranks.teardownScore).toEqual({
    percentile: expect.any(Number),
    of: '20 homes on the market',
    grade: expect.stringMatching(/^[ABCDF]$/),
    horizonMonths: 24,
  })
  expect(data.verdict).toBe(data.decision.text)
  const { data: signals } = (await ask(service(), '/v1/market-signals', { key: pro })).body
  const signal = signals.find(({ id }: { id: string }) => id === 'p_001home')
  expect(signal.verdict).toBe(data.verdict)
  expect(signal.ranks.teardownScore).toEqual(data.intelligence.ranks.teardownScore)

  expect(signal.decision).toEqual(data.decision)
  // The window hides that it was sold: it is decided as a home that is not for sale.
  const hidden = (await get('p_001parcel', free)).body.data
  expect(hidden.verdict).toMatch(/^(If it could be bought at its estimated value|No estimate)/)
  expect((await get('p_001parcel', pro)).body.data.verdict).toMatch(/^Sold /)
})
