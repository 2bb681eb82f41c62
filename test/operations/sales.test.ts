import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addressPatterns } from '../../src/criteria/address-condition.ts'
import { type Condition, meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { type SortKey, sortNames } from '../../src/criteria/fields.ts'
import { boxArea, circleArea } from '../../src/criteria/geometry.ts'
import { saleCriteria } from '../../src/criteria/vocabulary.ts'
import type { Overlays } from '../../src/domain/facts.ts'
import { sql } from '../../src/store/engine/database.ts'
import { indexSales } from '../../src/store/search/sale-upkeep.ts'
import { countSales, saleFunnel, salePage } from '../../src/store/search/sales.ts'
import { ask } from '../setup/ask.ts'
import { listing, property, sale } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const today = '2026-11-15'
let pro: string
const rows = new Map<string, SearchRow>()
const total = 80
const pick = <T>(at: number, ...values: T[]): T => values[at % values.length]!

beforeAll(async () => {
  const { db } = service()
  service().setNow(new Date(`${today}T12:00:00Z`))
  pro = await service().proKey()
  for (let at = 0; at < total; at++) {
    const saleId = `S${String(at).padStart(3, '0')}`
    const city = pick(at, 'Menlo Park', 'Palo Alto', 'Atherton')
    const soldOn = pick(at, '2026-11-05', '2026-06-01', '2026-10-20', '2024-03-01', '2026-10-16')
    const overlays: Overlays = at % 3 === 0 ? {} : { floodZone: at % 3 === 1 ? 'yes' : 'no' }
    // Some sales match no parcel, some know only what the parcel knows, and some parcels have a newer house than was sold.
    const matched = at % 4 !== 3
    const parcel = {
      lat: 37.4 + (at % 10) * 0.01,
      lng: -122.25 + Math.floor(at / 10) * 0.01,
      lot_sqft: at % 7 === 0 ? null : 4_000 + at * 60,
      living_sqft: 1_000 + at * 20,
      year_built: at % 6 === 0 ? 2025 : 1940 + at,
      zip: pick(at, '94025', '94301'),
    }
    const own = {
      living_sqft: at % 5 === 0 ? null : 1_500 + at * 10,
      lot_sqft: 5_000,
      beds: pick(at, 2, 3, null, 4),
      ...(at % 2 === 0 ? { lat: 37.6, lng: -122.1 } : {}),
    }
    const propertyId = `p_001v${String(at).padStart(3, '0')}`
    const knownFrom = at % 8 === 2 ? 'listing' : 'parcel'
    if (matched)
      await property(db, { id: propertyId, city, address: `${at} Elm St`, overlays, known_from: knownFrom, ...parcel })
    // Known only through a sale before the history window of a free key.
    if (matched && knownFrom === 'listing')
      await listing(db, {
        property_id: propertyId,
        city,
        status: 'sold',
        // A sale of an unknown day is also outside the window.
        sold_on: at % 16 === 2 ? null : '2026-01-02',
        listed_on: '2025-11-01',
      })
    // One deed names a token price, which gives no price per square foot.
    const price = at === 6 ? 1 : 1_000_000 + ((at * 37) % total) * 30_000
    await sale(db, {
      sale_id: saleId,
      city,
      address: `${at} Oak St`,
      sold_on: soldOn,
      price_usd: price,
      property_id: matched ? propertyId : null,
      removed_at: at % 20 === 13 ? new Date('2026-11-10') : null,
      ...own,
    })
    if (at % 20 === 13) continue
    const stood = matched && parcel.year_built <= Number(soldOn.slice(0, 4))
    const sqft = own.living_sqft ?? (stood ? parcel.living_sqft : null)
    const lotSize = (matched ? parcel.lot_sqft : null) ?? own.lot_sqft
    const place = matched ? parcel : own
    rows.set(`test:${saleId}`, {
      market: 'sf-peninsula',
      citySlug: city.toLowerCase().replace(' ', '-'),
      // The parcel's address is the one that is served.
      addressKey: matched ? `${at} ELM ST` : `${at} OAK ST`,
      ...(matched ? { zip: parcel.zip, overlays } : {}),
      ...('lat' in place ? { lat: place.lat!, lng: place.lng! } : {}),
      numbers: {
        price,
        lotSize,
        ...(sqft === null ? {} : { sqft }),
        ...(sqft === null || price === 1 ? {} : { pricePerSqft: Math.round((price / sqft) * 100) / 100 }),
        ...(own.beds === null ? {} : { beds: own.beds }),
        ...(stood ? { yearBuilt: parcel.year_built } : {}),
      },
      texts: { soldOn },
    })
  }
})

const bound = (field: 'price' | 'sqft' | 'lotSize' | 'beds' | 'yearBuilt', least: number, most: number) =>
  fc.record({
    name: fc.constant(field),
    type: fc.constantFrom('atLeast' as const, 'atMost' as const),
    field: fc.constant(field),
    value: fc.integer({ min: least, max: most }),
  })

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  bound('price', 900_000, 3_500_000),
  bound('sqft', 900, 2_700),
  bound('lotSize', 3_900, 9_000),
  bound('beds', 1, 5),
  bound('yearBuilt', 1935, 2026),
  fc.constantFrom<Condition>(
    { name: 'city', type: 'city', slugs: ['menlo-park'] },
    { name: 'city', type: 'city', slugs: ['palo-alto', 'atherton'] },
    { name: 'zip', type: 'zip', values: ['94025'] },
    { name: 'soldFrom', type: 'from', field: 'soldOn', value: '2026-06-01' },
    { name: 'soldTo', type: 'to', field: 'soldOn', value: '2026-10-20' },
    { name: 'exclude', type: 'overlay', overlay: 'floodZone', accepted: ['no', 'unknown'] },
    { name: 'exclude', type: 'overlay', overlay: 'floodZone', accepted: ['no'] },
    { name: 'require', type: 'overlay', overlay: 'floodZone', accepted: ['yes'] },
    { name: 'bbox', type: 'area', area: boxArea([-122.235, 37.42, -122.19, 37.47]) },
    { name: 'radiusMi', type: 'area', area: circleArea({ lat: 37.6, lng: -122.1 }, 2) },
    ...['1', '12 elm street', '7 Oak St, Palo Alto, CA'].map(
      (text): Condition => ({ name: 'address', type: 'address', text, patterns: addressPatterns(text) }),
    ),
  ),
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
        area: circleArea({ lat, lng }, radiusMi),
      }),
    ),
)

test('SQL, the in-memory check and the funnel agree on random criteria', async () => {
  const { db } = service()
  await fc.assert(
    fc.asyncProperty(fc.array(anyCondition, { minLength: 1, maxLength: 4 }), async (conditions) => {
      const query = { markets: ['sf-peninsula'], conditions, sort: [] }
      const all = [...rows]
      const expected = all.filter(([, row]) => meets(conditions, row)).map(([id]) => id)
      const page = await salePage(db, query, { limit: 500, offset: 0 })
      expect(page.rows.map(({ saleId }) => saleId)).toEqual(expected)
      expect(await countSales(db, query, 1_000)).toBe(expected.length)
      const funnel = await saleFunnel(db, query)
      expect(funnel.map(({ remaining }) => remaining)).toEqual(
        conditions.map((_, at) => all.filter(([, row]) => meets(conditions.slice(0, at + 1), row)).length),
      )
    }),
    { numRuns: 80 },
  )
})

const sales = async (query: string, key = pro) => (await ask(service(), `/v1/sales?${query}`, { key })).body

test('sales come newest first, with the price per square foot of the house that was sold', async () => {
  const { data, pagination, applied, historyWindow } = await sales('limit=200')
  expect(pagination).toMatchObject({ total: rows.size, totalCapped: false, nextCursor: null })
  expect(applied.sort).toEqual(['-soldDate'])
  expect(historyWindow).toBeNull()
  const days = data.map(({ soldDate }: { soldDate: string }) => soldDate)
  expect(days).toEqual([...days].sort().reverse())
  for (const row of data) {
    const { numbers } = rows.get(row.saleId)!
    expect([row.sqft, row.pricePerSqft, row.yearBuilt]).toEqual([numbers.sqft, numbers.pricePerSqft, numbers.yearBuilt])
    expect(row.source.source).toBe('test')
  }
})

test('paging by cursor returns every sale once in every order', async () => {
  const orders = new Set([...sortNames('sales')].flatMap(([name, field]) => (field === 'distanceMi' ? [] : [name])))
  for (const order of [...orders].flatMap((name) => [name, `-${name}`])) {
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const page = new URLSearchParams({ sort: order, limit: '30', ...(cursor ? { cursor } : {}) })
      const { data, pagination } = await sales(String(page), await service().proKey())
      walked.push(...data.map(({ saleId }: { saleId: string }) => saleId))
      cursor = pagination.nextCursor ?? undefined
    } while (cursor)
    expect([order, [...walked].sort()]).toEqual([order, [...rows.keys()].sort()])
  }
})

test('a price tie is ordered by sale, and a missing value comes last', async () => {
  const sort: SortKey[] = [{ field: 'sqft', descending: true }]
  const page = await salePage(
    service().db,
    { markets: ['sf-peninsula'], conditions: [], sort },
    { limit: 500, offset: 0 },
  )
  const sizes = page.rows.map(({ livingSqft }) => livingSqft ?? -1)
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
  expect(sizes.at(-1)).toBe(-1)
})

test('every criterion of the list is read', async () => {
  const given: Record<string, string> = {
    market: 'all',
    city: 'menlo-park',
    address: '12 elm street',
    zip: '94025',
    bbox: '-122.3,37.3,-122.0,37.7',
    minPrice: '1',
    maxPrice: '9000000',
    soldFrom: '2020-01-01',
    soldTo: '2026-11-15',
    minBeds: '1',
    maxBeds: '9',
    minBaths: '1',
    maxBaths: '9',
    minSqft: '1',
    maxSqft: '99999',
    minLotSize: '1',
    maxLotSize: '99999',
    minYearBuilt: '1900',
    maxYearBuilt: '2026',
    propertyType: 'single_family',
    exclude: 'floodZone',
    require: 'historicListed',
    unknown: 'keep',
  }
  const circle = ['lat', 'lng', 'radiusMi']
  expect(Object.keys(saleCriteria).filter((name) => !circle.includes(name) && !(name in given))).toEqual([])
  const { applied, ignored } = await sales(new URLSearchParams(given).toString())
  expect(ignored).toBeUndefined()
  expect(Object.keys(applied).sort()).toEqual([...Object.keys(given), 'sort'].sort())
})

test('a key with a history window gets the results of a database without the older sales', async () => {
  const { db } = service()
  // Answers are not cached while changes cannot be heard of.
  service().setListening(false)
  const near = 'lat=37.45&lng=-122.2&radiusMi=5'
  const asked = [
    'explain=funnel&minPrice=1200000&maxYearBuilt=2000',
    `sort=distanceMi&${near}`,
    'sort=-pricePerSqft&explain=funnel&zip=94025',
    'exclude=floodZone&unknown=drop&explain=funnel',
    'soldTo=2026-10-31&explain=funnel&f=csv',
    'address=elm&explain=funnel',
    'address=oak&explain=funnel',
    'f=geojson&market=all',
  ]
  const answers = async () => {
    const key = await service().freeKey()
    return Promise.all(
      asked.map(async (query) => {
        const { body, text } = await ask(service(), `/v1/sales?${query}`, { key })
        return body === undefined ? text : { ...body, asOf: undefined }
      }),
    )
  }
  const before = await answers()
  expect(before[0]).toMatchObject({ historyWindow: { days: 30, oldestDate: '2026-10-16' } })
  expect(before[0].pagination.total).toBeGreaterThan(0)
  expect(before[0].pagination.total).toBeLessThan((await sales(asked[0]!)).pagination.total)
  await db.transaction().execute(async (tx) => {
    await sql`delete from sale where sold_on < '2026-10-16'`.execute(tx)
    await sql`update sale s set property_id = null from property p
      where p.id = s.property_id and p.known_from = 'listing'`.execute(tx)
    await sql`delete from listing where status = 'sold' and coalesce(sold_on < '2026-10-16', true)`.execute(tx)
    await sql`delete from property where known_from = 'listing'`.execute(tx)
    await indexSales(tx)
  })
  expect(await answers()).toEqual(before)
})
