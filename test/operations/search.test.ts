import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addressPatterns } from '../../src/criteria/address-condition.ts'
import { type Condition, meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { type Overlays, overlayNames } from '../../src/domain/facts.ts'
import { checkPolygonCost } from '../../src/operations/polygon-budget.ts'
import { sql } from '../../src/store/engine/database.ts'
import { countPermits } from '../../src/store/permits/permits.ts'
import { countProperties, propertyFunnel, propertyKeys, propertyNearMisses } from '../../src/store/search/properties.ts'
import { searchRowsOf } from '../../src/store/search/search-rows.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { ask } from '../setup/ask.ts'
import { adu, assessment, listing, permit, proforma, property, redevelopment, sb9 } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const today = '2026-11-15'
let pro: string
let free: string
const rows = new Map<string, SearchRow>()

const homes = 90
const pick = <T>(at: number, ...values: T[]): T => values[at % values.length]!

beforeAll(async () => {
  const { db } = service()
  service().setNow(new Date(`${today}T12:00:00Z`))
  pro = await service().proKey()
  free = await service().freeKey()
  for (let at = 0; at < homes; at++) {
    const id = `p_001s${String(at).padStart(3, '0')}`
    const city = pick(at, 'Menlo Park', 'Palo Alto', 'Atherton')
    const overlays: Overlays = {
      ...(at % 3 === 0 ? {} : { floodZone: at % 3 === 1 ? 'yes' : 'no' }),
      ...(at % 5 === 0 ? {} : { historicListed: at % 5 === 1 ? 'yes' : 'no' }),
    }
    const place = at % 11 === 0 ? {} : { lat: 37.4 + (at % 10) * 0.01, lng: -122.25 + Math.floor(at / 10) * 0.01 }
    const home = {
      zip: pick(at, '94025', '94301', null, '02554'),
      beds: pick(at, 2, 3, null, 4),
      lot_sqft: at % 7 === 0 ? null : 4_000 + at * 60,
      year_built: 1930 + at,
    }
    await property(db, {
      id,
      city,
      address: `${at} Elm St`,
      zoning: pick(at, 'R-1', 'R-2', 'RM'),
      overlays,
      known_from: at % 9 === 4 ? 'listing' : 'parcel',
      ...place,
      ...home,
    })
    const status = pick(at, 'active', 'sold', 'pending', 'coming_soon', 'sold', undefined)
    const price = 1_000_000 + ((at * 37) % homes) * 30_000
    // Half of the sales are before the history window of a free key.
    const soldOn = status === 'sold' ? (at % 2 === 0 ? '2026-11-05' : '2026-06-01') : undefined
    if (status)
      await listing(db, {
        property_id: id,
        city,
        status,
        price_usd: price,
        original_price_usd: at % 4 === 0 ? price * 1.1 : price,
        listed_on: '2026-05-01',
        beds: at % 2 === 0 ? 5 : null,
        ...(soldOn ? { sold_on: soldOn, sold_price_usd: price } : {}),
      })
    const scores = {
      teardown: (at * 7) % 101,
      flip: (at * 13) % 101,
      adu: (at * 3) % 101,
      redevelopment: (at * 5) % 101,
    }
    const returnPct = -10 + (at % 30)
    await assessment(db, id, {
      city_slug: city.toLowerCase().replace(' ', '-'),
      rank_score: scores.teardown,
      teardown_score: scores.teardown,
      flippability_score: scores.flip,
      condition_score: at % 6 === 0 ? null : 50,
      developer_roi: returnPct / 2,
      proforma: proforma({ returnPct, roiPct: returnPct + 8 }),
      sb9_status: pick(at, 'eligible', 'likely', 'blocked'),
      sb9_max_units: pick(at, 4, 2, 0),
      sb9_blocked: at % 3 === 2,
      sb9: sb9(),
      adu_score: scores.adu,
      adu: adu({ aduScore: scores.adu }),
      redevelopment_score: scores.redevelopment,
      redevelopment: redevelopment({ redevelopmentScore: scores.redevelopment }),
    })
    const listed = status !== undefined
    rows.set(id, {
      market: 'sf-peninsula',
      citySlug: city.toLowerCase().replace(' ', '-'),
      ...(home.zip ? { zip: home.zip } : {}),
      addressKey: `${at} ELM ST`,
      ...place,
      overlays,
      blocked: at % 3 === 2,
      numbers: {
        ...(listed ? { price, priceCutPct: at % 4 === 0 ? 9.1 : 0 } : {}),
        ...known('beds', listed && at % 2 === 0 ? 5 : home.beds),
        ...known('lotSize', home.lot_sqft),
        yearBuilt: home.year_built,
        teardownScore: scores.teardown,
        flippabilityScore: scores.flip,
        ...known('conditionScore', at % 6 === 0 ? null : 50),
        developerRoi: Math.round(returnPct * 5) / 10,
        returnPct,
        proformaRoi: returnPct + 8,
        maxUnits: pick(at, 4, 2, 0),
        aduScore: scores.adu,
        redevelopmentScore: scores.redevelopment,
      },
      texts: {
        ...(listed ? { status, listedOn: '2026-05-01' } : {}),
        ...(soldOn ? { soldOn } : {}),
        zoning: pick(at, 'R-1', 'R-2', 'RM'),
        sb9Status: pick(at, 'eligible', 'likely', 'blocked'),
      },
    })
  }
  for (let at = 0; at < 20; at++)
    await permit(db, {
      permit_id: `B-${at}`,
      property_id: `p_001s${String(at).padStart(3, '0')}`,
      address: `${at} Elm St`,
      city: pick(at, 'Menlo Park', 'Palo Alto'),
      issued_on: at % 2 === 0 ? '2026-11-10' : '2026-02-01',
      permit_class: pick(at, 'new_house', 'adu', 'roof'),
      valuation_usd: at % 4 === 0 ? null : at * 50_000,
      contractor: pick(at, 'Acme Builders', 'Oak & Sons', null),
      lat: 37.4 + at * 0.005,
      lng: -122.2,
    })
  await permit(db, { permit_id: 'B-hidden', property_id: hiddenHome, city: 'Palo Alto', issued_on: '2026-11-10' })
})

/** A recent permit of a home that is known only through a sale before the history window. */
const hiddenHome = 'p_001s013'

const known = (name: string, value: number | null) => (value === null ? {} : { [name]: value })

const bound = (field: 'price' | 'lotSize' | 'beds' | 'teardownScore' | 'returnPct' | 'aduScore', most: number) =>
  fc.record({
    name: fc.constant(field),
    type: fc.constantFrom('atLeast' as const, 'atMost' as const),
    field: fc.constant(field),
    value: fc.integer({ min: -20, max: most }),
  })

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  bound('price', 4_000_000),
  bound('lotSize', 10_000),
  bound('beds', 6),
  bound('teardownScore', 100),
  bound('returnPct', 30),
  bound('aduScore', 100),
  fc.constantFrom<Condition>(
    { name: 'city', type: 'city', slugs: ['menlo-park'] },
    { name: 'city', type: 'city', slugs: ['palo-alto', 'atherton'] },
    { name: 'zip', type: 'zip', values: ['02554', '94301'] },
    { name: 'zoning', type: 'oneOf', field: 'zoning', values: ['r-1', 'RM'] },
    { name: 'status', type: 'oneOf', field: 'status', values: ['active', 'coming_soon'] },
    { name: 'sb9Status', type: 'oneOf', field: 'sb9Status', values: ['eligible'] },
    { name: 'excludeBlockers', type: 'notBlocked' },
    { name: 'soldFrom', type: 'from', field: 'soldOn', value: '2026-07-01' },
    ...['1', '12 elm street', '7 Elm St, Palo Alto, CA', '9 elm st #4'].map(
      (text): Condition => ({ name: 'address', type: 'address', text, patterns: addressPatterns(text) }),
    ),
  ),
  fc
    .tuple(
      fc.constantFrom(...overlayNames.slice(0, 5)),
      fc.constantFrom<('yes' | 'no' | 'unknown')[]>(['yes'], ['no'], ['no', 'unknown'], ['yes', 'unknown']),
    )
    .map(([overlay, accepted]): Condition => ({ name: 'exclude', type: 'overlay', overlay, accepted })),
  fc
    .tuple(
      fc.double({ min: 37.38, max: 37.52, noNaN: true }),
      fc.double({ min: -122.27, max: -122.1, noNaN: true }),
      fc.double({ min: 0.1, max: 6, noNaN: true }),
    )
    .map(
      ([lat, lng, radiusMi]): Condition => ({
        name: 'radiusMi',
        type: 'area',
        area: {
          type: 'circle',
          center: { lat, lng },
          radiusMi,
          boxes: [{ west: lng - 0.3, east: lng + 0.3, south: lat - 0.2, north: lat + 0.2 }],
        },
      }),
    ),
  fc
    .tuple(fc.double({ min: -122.3, max: -122.1, noNaN: true }), fc.double({ min: 37.3, max: 37.5, noNaN: true }))
    .map(([lng, lat]): Condition => {
      const square = (half: number) =>
        [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
          [-1, -1],
        ].map(([x, y]) => [lng + x! * half, lat + y! * half] as const)
      return { name: 'within', type: 'area', area: { type: 'polygons', polygons: [[square(0.05), square(0.013)]] } }
    }),
)

test('SQL, the in-memory check and the funnel agree on random criteria, also on rows read from the database', async () => {
  const { db } = service()
  const read = await searchRowsOf(db, 'sf-peninsula', [...rows.keys()], today)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCondition, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('listings' as const, 'parcels' as const),
      async (conditions, base) => {
        const query = { base, markets: ['sf-peninsula'], conditions, sort: [], today }
        const all = [...rows]
          .filter(([, row]) => base === 'parcels' || row.texts.status !== undefined)
          .map(([id, row]): [string, typeof row] => [id, base === 'parcels' ? withoutSoldPrice(row) : row])
        const expected = all.filter(([, row]) => meets(conditions, row)).map(([id]) => id)
        const keys = await propertyKeys(db, query, { limit: 500, offset: 0 })
        // The same page and the next one, read in the order of an index, also where the rows tested do not fill it, or sorted.
        const ordered = { ...query, sort: [{ field: 'redevelopmentScore' as const, descending: true }] }
        const page = await propertyKeys(db, ordered, { limit: 3, offset: 1 })
        const next = { limit: 3, offset: 0, after: page.at(-1)?.position }
        const nextPage = await propertyKeys(db, ordered, next)
        for (const [matches, rowsTested] of [[0], [1_001], [1_001, 1]] as const) {
          expect(await propertyKeys(db, ordered, { limit: 3, offset: 1 }, matches, rowsTested)).toEqual(page)
          expect(await propertyKeys(db, ordered, next, matches, rowsTested)).toEqual(nextPage)
        }
        expect(keys.map(({ id }) => id)).toEqual(expected)
        if (base === 'listings')
          expect(all.map(([id]) => id).filter((id) => meets(conditions, read.get(id)!))).toEqual(expected)
        expect(await countProperties(db, query)).toBe(expected.length)
        const funnel = await propertyFunnel(db, query)
        expect(funnel.map(({ remaining }) => remaining)).toEqual(
          conditions.map((_, at) => all.filter(([, row]) => meets(conditions.slice(0, at + 1), row)).length),
        )
        expect(funnel.map(({ wouldRemainWithout }) => wouldRemainWithout)).toEqual(
          conditions.map(
            (_, at) =>
              all.filter(([, row]) =>
                meets(
                  conditions.filter((_, i) => i !== at),
                  row,
                ),
              ).length,
          ),
        )
        expect(funnel.map(({ unknown }) => unknown)).toEqual(
          conditions.map((condition, at) => {
            const others = conditions.filter((_, i) => i !== at)
            return all.filter(([, row]) => meets(others, row) && lacks(condition, row)).length
          }),
        )
      },
    ),
    { numRuns: 70 },
  )
})

/** Whether a row has no value for a condition. */
const lacks = (condition: Condition, row: SearchRow): boolean => {
  if (condition.type === 'area') return row.lat === undefined
  if (condition.type === 'zip') return row.zip === undefined
  if (condition.type === 'overlay') return (row.overlays?.[condition.overlay] ?? 'unknown') === 'unknown'
  if (!('field' in condition)) return false
  return { ...row.texts, ...row.numbers }[condition.field] === undefined
}

/** A parcel that is not for sale has no price. */
const withoutSoldPrice = (row: SearchRow): SearchRow => {
  const { price: _, ...numbers } = row.numbers
  return row.texts.status === 'sold' ? { ...row, numbers } : row
}

test('a parcel that is not for sale has no price', async () => {
  const { data } = await search({ kind: 'parcels', criteria: { market: 'sf-peninsula' }, limit: 100 })
  expect(data.some(({ onMarket }: { onMarket: boolean }) => !onMarket)).toBe(true)
  for (const { onMarket, price } of data) expect(price !== undefined).toBe(onMarket)
})

const search = async (body: object, key = pro) => (await ask(service(), '/v1/search', { key, body })).body
const ids = ({ data }: { data: { id?: string; permitId?: string }[] }) => data.map(({ id, permitId }) => id ?? permitId)

test('city and ZIP code take lists in a body, and a price cut is compared before it is rounded', async () => {
  const total = async (criteria: object) =>
    (await search({ kind: 'listings', criteria: { market: 'sf-peninsula', ...criteria }, limit: 1 })).pagination.total
  const menlo = await total({ city: 'menlo-park' })
  expect(await total({ city: ['menlo-park', 'palo-alto'] })).toBe(menlo + (await total({ city: 'palo-alto' })))
  expect(await total({ zip: ['94025', '94301'] })).toBe(
    (await total({ zip: '94025' })) + (await total({ zip: '94301' })),
  )
  // From 1.1 times the price: a cut of 9.09%.
  expect(await total({ minPriceCutPct: 9.09 })).toBeGreaterThan(0)
  expect(await total({ minPriceCutPct: 9.1 })).toBe(0)
})

test('paging by cursor returns every row of a sorted list once, rows without the value last', async () => {
  const walked: string[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ sort: '-lotSize,city', limit: '13', ...(cursor ? { cursor } : {}) })
    const { body } = await ask(service(), `/v1/market-signals?${query}`, { key: pro })
    walked.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.nextCursor ?? undefined
  } while (cursor)
  expect(new Set(walked).size).toBe([...rows.values()].filter(({ texts }) => texts.status).length)
  const sizes = walked.map((id) => rows.get(id)!.numbers.lotSize ?? -1)
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
})

test('paging by cursor gives the order of one long page, for every list and search', async () => {
  const key = await service().proKey()
  const walk = async (
    read: (cursor?: string) => Promise<{ data: unknown[]; pagination: { nextCursor: string | null } }>,
  ) => {
    const walked: unknown[] = []
    let cursor: string | undefined
    do {
      const { data, pagination } = await read(cursor)
      walked.push(...data)
      cursor = pagination.nextCursor ?? undefined
    } while (cursor)
    return walked
  }
  for (const list of [
    'market-signals?x=1',
    'market-signals?sort=-price,city',
    'sb9-inventory?status=any',
    'sb9-inventory?status=any&sort=distanceMi&lat=37.45&lng=-122.2&radiusMi=9',
    'adu-leads?minScore=0',
    'redevelopment-leads?minScore=0&sort=yearBuilt',
    'permits?x=1',
    'permits?sort=-valuation',
    'permits?sort=city,-issuedDate',
  ]) {
    const read = async (more: object) => {
      const query = new URLSearchParams({ limit: '19', ...more })
      const { body } = await ask(service(), `/v1/${list}&${query}`, { key: pro })
      // Only the first page of a walk by cursor has an offset to continue from.
      if ('cursor' in more) expect([list, body.pagination.nextOffset]).toEqual([list, null])
      return body
    }
    const whole = await read({ limit: '500' })
    expect([list, whole.data.length > 19]).toEqual([list, true])
    expect([list, whole.pagination.nextCursor]).toEqual([list, null])
    // A page that ends with the last row has no next one either.
    const exact = await read({ limit: String(whole.data.length) })
    expect([list, exact.pagination.nextCursor]).toEqual([list, null])
    expect([list, await walk((cursor) => read(cursor ? { cursor } : {}))]).toEqual([list, whole.data])
  }
  const covered = async (more: object) =>
    (await ask(service(), `/v1/coverage?${new URLSearchParams({ ...more })}`, { key })).body
  const held = (await covered({ limit: '500' })).data
  expect(held.length).toBeGreaterThan(4)
  expect(await walk((cursor) => covered({ limit: '2', ...(cursor ? { cursor } : {}) }))).toEqual(held)
  for (const list of ['coverage', 'accuracy', 'webhooks'])
    expect((await ask(service(), `/v1/${list}?cursor=mine`, { key })).body.error).toMatch(
      /cursor must be pagination.nextCursor of the previous page of this list/,
    )
  for (const kind of ['listings', 'parcels', 'permits']) {
    const whole = await search({ kind, limit: 500 }, key)
    const walked = await walk((cursor) => search({ kind, limit: 19, ...(cursor ? { cursor } : {}) }, key))
    expect([kind, walked]).toEqual([kind, whole.data])
    // As the guide says for every list: until nextOffset is null.
    const byOffset: unknown[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { data, pagination } = await search({ kind, limit: 19, offset }, key)
      byOffset.push(...data)
      expect([kind, pagination.offset, byOffset.length <= whole.data.length]).toEqual([kind, offset, true])
      offset = pagination.nextOffset
    }
    expect([kind, byOffset]).toEqual([kind, whole.data])
  }
})

test('near misses fail one condition by the least, and say by how much', async () => {
  const body = { kind: 'listings', criteria: { city: 'Menlo Park', status: ['for_sale'], maxPrice: 999_999 } }
  const { data, nearMisses, funnel } = await search({ ...body, explain: ['nearMisses', 'funnel'] })
  expect(data).toEqual([])
  expect(funnel.at(-1)).toMatchObject({ condition: 'maxPrice=999999', remaining: 0 })
  const cheapest = [...rows.values()]
    .filter(({ citySlug, texts }) => citySlug === 'menlo-park' && ['active', 'coming_soon'].includes(texts.status!))
    .map(({ numbers }) => numbers.price!)
    .sort((a, b) => a - b)
  expect(nearMisses.map(({ value }: { value: number }) => value)).toEqual(cheapest.slice(0, 3))
  expect(nearMisses[0]).toMatchObject({ condition: 'maxPrice=999999', by: cheapest[0]! - 999_999 })
})

test('near misses are ordered by the share of the bound they miss; for a date, by the share of a year', async () => {
  const sold = [...rows].filter(([, { texts }]) => texts.status === 'sold')
  const middle = <T>(values: T[]): T => values.sort((a, b) => (a < b ? -1 : 1))[Math.floor(values.length / 2)]!
  const day = '2026-11-01'
  const price = middle(sold.map(([, { numbers }]) => numbers.price!)) + 1
  const conditions: Condition[] = [
    { name: 'status', type: 'oneOf', field: 'status', values: ['sold'] },
    { name: 'soldFrom', type: 'from', field: 'soldOn', value: day },
    { name: 'minPrice', type: 'atLeast', field: 'price', value: price },
  ]
  const shares = sold.flatMap(([id, { texts, numbers }]): [string, number][] => {
    const early = (Date.parse(day) - Date.parse(texts.soldOn!)) / 86_400_000
    const cheap = price - numbers.price!
    return early > 0 === cheap > 0 ? [] : [[id, early > 0 ? early / 365 : cheap / price]]
  })
  const expected = shares.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id)
  const query = { base: 'listings' as const, markets: ['sf-peninsula'], conditions, sort: [], today }
  const misses = await propertyNearMisses(service().db, query, 1_000)
  expect(new Set(misses.map(({ name }) => name)).size).toBe(2)
  expect(misses.map(({ id }) => id)).toEqual(expected)
})

test('a ZIP code is served as text, with its leading zero, by every list that filters by it', async () => {
  const paths = [
    'market-signals?status=for_sale',
    'sb9-inventory?status=any',
    'adu-leads?minScore=0',
    'redevelopment-leads?minScore=0',
  ]
  for (const path of paths) {
    const { data } = (await ask(service(), `/v1/${path}&zip=02554`, { key: pro })).body
    expect([path, new Set(data.map(({ zip }: { zip: string }) => zip))]).toEqual([path, new Set(['02554'])])
  }
  const parcels = await search({ kind: 'parcels', criteria: { zip: '02554' } })
  expect(parcels.pagination.total).toBe([...rows.values()].filter(({ zip }) => zip === '02554').length)
  const { suggestions } = (await ask(service(), '/v1/sales?zip=94025,02554', { key: pro })).body
  expect(suggestions).toEqual(['zip: 02554 is in the market nantucket; did you mean market=nantucket?'])
  const kinds = (await ask(service(), '/v1/fields', { key: pro })).body.data as {
    kind: string
    fields: { name: string; fillPct?: number }[]
  }[]
  const filled = kinds.find(({ kind }) => kind === 'parcels')!.fields.find(({ name }) => name === 'zip')!.fillPct
  expect(filled).toBeCloseTo((100 * [...rows.values()].filter(({ zip }) => zip).length) / rows.size, 1)
  const csv = await ask(service(), '/v1/market-signals?zip=02554&fields=zip&limit=1&f=csv', { key: pro })
  expect(csv.text).toMatch(/^id,zip\r\np_001s\d+,02554\r\n/)
  const { body } = await ask(service(), '/v1/properties/p_001s003', { key: pro })
  expect([body.data.zip, body.data.facts.zip]).toEqual(['02554', '02554'])
})

test('a key with a history window gets the results of a database without the older sales and permits', async () => {
  const { db } = service()
  // Answers are not cached while changes cannot be heard of.
  service().setListening(false)
  const near = { lat: 37.45, lng: -122.2, radiusMi: 5 }
  const asked = [
    { kind: 'listings', explain: ['funnel', 'nearMisses'], criteria: { minReturnPct: -5, maxPrice: 3_000_000 } },
    { kind: 'listings', sort: ['distanceMi'], criteria: near },
    { kind: 'parcels', explain: ['funnel'], criteria: { minBeds: 4 } },
    { kind: 'parcels', sort: ['-price', 'lotSize'], criteria: { ...near, minFlippabilityScore: 20 } },
    { kind: 'permits', explain: ['funnel'], criteria: { builder: 'acme' } },
    { kind: 'permits', sort: ['distanceMi'], criteria: near },
  ]
  const paths = [
    '/v1/market-signals?status=sold&explain=funnel',
    '/v1/market-signals?address=elm&explain=funnel&f=geojson',
    '/v1/market-signals?f=csv&sort=-price',
    '/v1/sb9-inventory?status=any&explain=funnel',
    '/v1/adu-leads?minScore=0&minBeds=4&explain=funnel',
    '/v1/redevelopment-leads?minScore=0&city=menlo-park&maxYearBuilt=1990&explain=funnel',
    '/v1/permits?permitClass=new_house,adu&city=park&explain=funnel',
    '/v1/permits?permitClass=adu&sort=-valuation&f=csv',
    '/v1/permits?address=elm&explain=funnel',
    '/v1/permits?zip=94025,94301&explain=funnel',
    '/v1/permits?explain=funnel',
  ]
  const answers = async () => {
    const key = await service().freeKey()
    const posted = await Promise.all(asked.map((body) => search({ ...body, limit: 25 }, key)))
    const got = await Promise.all(
      paths.map(async (path) => {
        const { body, text } = await ask(service(), path, { key })
        return body ?? { success: true, pagination: { total: text.split('\r\n').length - 2 }, text }
      }),
    )
    return [...posted, ...got].map(({ asOf: _, ...answer }) => answer)
  }
  const before = await answers()
  for (const { pagination } of before) expect(pagination.total).toBeGreaterThan(0)
  expect(JSON.stringify(before)).not.toEqual(
    JSON.stringify(await Promise.all(asked.map((body) => search({ ...body, limit: 25 })))),
  )
  await db.transaction().execute(async (tx) => {
    await sql`delete from permit where issued_on < '2026-10-16'`.execute(tx)
    await sql`delete from permit_search where issued_on < '2026-10-16'`.execute(tx)
    await sql`update permit set property_id = null where property_id = ${hiddenHome}`.execute(tx)
    await sql`update permit_search set property_id = null where property_id = ${hiddenHome}`.execute(tx)
    await sql`delete from listing where status = 'sold' and sold_on < '2026-10-16'`.execute(tx)
    await sql`delete from property p where known_from = 'listing' and not exists (
      select from listing l where l.property_id = p.id) and p.id in (
      select property_id from property_search where status = 'sold' and sold_on < '2026-10-16')`.execute(tx)
    // What a parcel's assessment found from the price of a sale is not served either.
    await sql`update assessment a set flippability_score = null, developer_roi = null, proforma = null
      where not exists (select from listing l where l.property_id = a.property_id) and exists (
        select from property_search s where s.property_id = a.property_id and s.status = 'sold')`.execute(tx)
    await indexMarket(tx, 'sf-peninsula')
  })
  expect(await answers()).toEqual(before)
})

test('every 400 names the parameter, what is accepted and an example', async () => {
  const rejected: [string, RegExp][] = [
    ['bbox=37.41,-122.26,37.50,-122.12', /bbox looks swapped.*for example bbox=-122/],
    ['bbox=1,2,3', /bbox must be a list/],
    ['lat=37.4', /lat, lng and radiusMi go together, for example/],
    ['lat=-122.18&lng=37.45&radiusMi=1', /lat must be a number from -90 to 90/],
    ['zip=abc', /zip must be ZIP codes of five digits.*for example 94025/],
    ['sort=-beauty', /sort must be up to 3 of .*for example/],
    ['sort=-prise', /sort must be .*; it is "-prise"\. Did you mean price\?/],
    ['sort=distanceMi', /sort=distanceMi needs a point, for example/],
    ['fields=prise', /fields must be names.*Did you mean price\?/],
    ['exclude=floodZone&require=floodZone', /exclude and require must not both name floodZone/],
    ['unknown=drop', /unknown needs exclude or require, for example/],
    ['maxPrice=cheap', /maxPrice must be a number of at least 0, for example 3000000; it is "cheap"/],
    ['minprice=5&strict=true', /minprice is not a parameter.*did you mean minPrice\?/],
    ['cursor=mine', /cursor must be pagination.nextCursor of the previous page of this list, copied unchanged/],
    ['offset=ten', /offset must be a whole number from 0 to 9999, for example 50; it is "ten"/],
  ]
  const key = await service().proKey()
  for (const [query, message] of rejected) {
    const { status, body } = await ask(service(), `/v1/market-signals?${query}`, { key })
    expect([query, status]).toEqual([query, 400])
    expect(body.error).toMatch(message)
  }
  const polygons: [unknown, RegExp][] = [
    [{ type: 'Point', coordinates: [1, 2] }, /within must be a GeoJSON Polygon/],
    [
      'Menlo Park',
      /within must be a GeoJSON Polygon or MultiPolygon, for example \{"type":"Polygon".*it is "Menlo Park"/,
    ],
    [null, /within must be a GeoJSON Polygon or MultiPolygon, for example .*it is null/],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [37, -122],
            [38, -122],
            [38, -121],
            [37, -122],
          ],
        ],
      },
      /within looks swapped/,
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [-122, 37],
            [-121, 37],
            [-121, 38],
            [-122, 38],
          ],
        ],
      },
      /closed rings.* Example: \{"type":"Polygon"/,
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [-122, 37],
            [-121, 38],
            [-121, 37],
            [-122, 38],
            [-122, 37],
          ],
        ],
      },
      /not cross itself/,
    ],
  ]
  for (const [within, message] of polygons)
    expect((await search({ kind: 'listings', criteria: { within } }, key)).error).toMatch(message)
  expect((await search({ criteria: null })).error).toMatch(/criteria must be an object, for example/)
  const { error } = (await ask(service(), '/v1/adu-leads?sort=-aduReturnPct', { key: pro })).body
  expect(error).toMatch(/sort must be .*adu\.economics\.returnPct/)
})

test('unknown names are reported with a suggestion, in the answer and in a header', async () => {
  const { headers, body } = await ask(service(), '/v1/market-signals?minprice=5&limit=1', { key: free })
  expect(headers['x-ignored-parameters']).toBe('minprice')
  expect(body).toMatchObject({ ignored: ['minprice'], suggestions: ['minprice: did you mean minPrice?'] })
  const cut = await ask(service(), '/v1/market-signals?listMinPrice=5&limit=5000', { key: free })
  expect(cut.body.suggestions).toEqual([
    'listMinPrice: did you mean minPrice?',
    expect.stringMatching(/^limit: this plan has at most \d+ rows per page/),
  ])
  const posted = await search({ kind: 'permits', criteria: { minPrice: 5, maxvaluation: 7 } })
  expect(posted.ignored).toContain('criteria.minPrice')
  expect(await search({ kind: 'permits', market: 'nantucket' })).toMatchObject({
    ignored: ['market'],
    suggestions: ['market: did you mean criteria.market?'],
  })
})

test('rows come as GeoJSON, as CSV, and with only the fields asked for', async () => {
  const query = '/v1/market-signals?city=menlo-park,atherton&limit=2&fields=price,metadata.lotSize'
  const json = (await ask(service(), query, { key: pro })).body
  for (const row of json.data) expect(Object.keys(row)).toEqual(['id', 'price', 'metadata'])
  const geo = await ask(service(), query, { key: pro, headers: { accept: 'application/geo+json' } })
  expect(geo.headers['content-type']).toContain('application/geo+json')
  expect(geo.body).toMatchObject({ type: 'FeatureCollection', numberMatched: json.pagination.total })
  expect(ids({ data: geo.body.features })).toEqual(ids(json))
  const csv = await ask(service(), `${query}&f=csv`, { key: pro })
  expect(csv.text.split('\r\n')[0]).toBe('id,price,metadata.lotSize')
})

test('every filter of a field is a criterion of its kind, and each criterion of the place filters a field', async () => {
  const { data } = (await ask(service(), '/v1/fields', { key: pro })).body as {
    data: { kind: string; criteria: string[]; fields: { name: string; filters: string[] }[] }[]
  }
  for (const { kind, criteria, fields } of data) {
    const filters = new Set(fields.flatMap((field) => field.filters))
    expect([kind, [...filters].filter((name) => !criteria.includes(name))]).toEqual([kind, []])
    const place = ['market', 'city', 'address', 'zip', 'bbox', 'lat', 'lng', 'radiusMi']
    expect([kind, place.filter((name) => !filters.has(name))]).toEqual([kind, []])
  }
})

test('a city that is not in the markets searched gets a correction, in every list', async () => {
  const key = await service().proKey()
  const hints = async (path: string) => (await ask(service(), path, { key })).body.suggestions
  for (const list of ['market-signals', 'sales', 'permits', 'sb9-inventory', 'adu-leads', 'redevelopment-leads']) {
    expect([list, await hints(`/v1/${list}?city=Menlo%20Prak`)]).toEqual([
      list,
      ['city: "Menlo Prak" is not a city of the markets searched; did you mean Menlo Park?'],
    ])
    expect([list, await hints(`/v1/${list}?city=menlo-park,Palo%20Alto`)]).toEqual([list, undefined])
  }
  expect(await hints('/v1/permits?city=menlo')).toBeUndefined()
  expect(await hints('/v1/market-signals?city=Nantucket')).toEqual([
    'city: Nantucket is in the market nantucket; did you mean market=nantucket?',
  ])
  expect(await hints('/v1/market-signals?city=Nantucket&market=all')).toBeUndefined()
  expect(await hints('/v1/market-signals?city=Menlo%20Park,Springfield&minprice=5')).toEqual([
    'minprice: did you mean minPrice?',
    'city: "Springfield" is not a city of the markets searched; GET /v1/markets lists them.',
  ])
  expect(await hints('/v1/market-signals?zip=10001')).toEqual([
    'zip: no city of the loaded markets has 10001; GET /v1/markets lists the cities.',
  ])
  expect(await hints('/v1/market-signals?city=Atherten&f=geojson')).toHaveLength(1)
  expect((await search({ kind: 'parcels', criteria: { city: 'Atherten' } })).suggestions).toHaveLength(1)
  // The default market may be empty where another one is loaded.
  const empty = (market?: string) =>
    search({ kind: 'parcels', criteria: { minLotSize: 9e9, ...(market ? { market } : {}) } })
  expect((await empty()).suggestions).toEqual([
    'market: only sf-peninsula was searched, the default; market=all searches every market.',
  ])
  expect(await empty('sf-peninsula')).not.toHaveProperty('suggestions')
})

test('a polygon that cannot be searched in time is a 400 that says what to reduce', async () => {
  const ring = (positions: number) => {
    const round = Array.from({ length: positions - 1 }, (_, at) => {
      const angle = (2 * Math.PI * at) / (positions - 1)
      return [-122.2 + 0.2 * Math.cos(angle), 37.45 + 0.2 * Math.sin(angle)] as const
    })
    return [...round, round[0]!]
  }
  const area = { type: 'polygons' as const, polygons: [[ring(2_000)]] }
  const conditions = [{ name: 'within', type: 'area' as const, area }]
  const check = (rows: number, most: number) =>
    checkPolygonCost(conditions, ['funnel'], most, async (_, cap) => Math.min(rows, cap + 1))
  // The page, its total and the two counts of the funnel.
  await expect(check(1_000, 2_000 * 4 * 1_000)).resolves.toBeUndefined()
  await expect(check(1_000, 2_000 * 4 * 1_000 - 1)).rejects.toMatchObject({ status: 400 })
  await expect(check(1_000, 2_000 * 4 * 10)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/2,000 positions and more than 10 rows .* fewer positions .* leave out explain/),
  })
  for (const kind of ['parcels', 'permits']) {
    const within = { type: 'Polygon', coordinates: [ring(2_000)] }
    const body = { kind, criteria: { within }, explain: kind === 'parcels' ? ['funnel', 'nearMisses'] : ['funnel'] }
    expect(JSON.stringify(body).length).toBeGreaterThan(64 * 1024)
    const { status, text } = await ask(service(), '/v1/search', { key: pro, body })
    expect(status, text.slice(0, 300)).toBe(200)
    const refused = await ask(service(), '/v1/search', { key: free, body })
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/at most 500 positions .* Pro keys may send 2,000\.$/),
    ])
  }
  const within = { type: 'Polygon', coordinates: [ring(2_001)] }
  const tooMany = await ask(service(), '/v1/search', { key: pro, body: { kind: 'parcels', criteria: { within } } })
  expect(tooMany.body.error).toMatch(/at most 2,000 positions on this key's plan; simplify the polygon\.$/)
})

test('the rows of a polygon’s bounding box are counted up to a cap, among the permits that meet the other conditions', async () => {
  const { db } = service()
  const bounds = { west: -122.9, south: 37.9, east: -122.8, north: 38 }
  const boxes = { name: 'within', type: 'area' as const, area: { type: 'boxes' as const, boxes: [bounds] } }
  for (const [at, description] of ['Remodel kitchen', 'Remodel bath', 'Reroof'].entries())
    await permit(db, { description, lat: at === 2 ? 38.5 : 37.95, lng: -122.85 })
  const count = (cap: number, words: string[] = []) => countPermits(db, { words, others: [boxes] }, cap)
  expect([await count(9), await count(1), await count(9, ['kitchen'])]).toEqual([2, 2, 1])
})
