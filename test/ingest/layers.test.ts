import { beforeEach, expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import type { RunOptions } from '../../src/ingest/run.ts'
import { sql } from '../../src/store/engine/database.ts'
import { removeSource } from '../../src/store/ingest/remove-source.ts'
import { salePage } from '../../src/store/search/sales.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { feedServer, json } from '../sources/server.ts'
import { count, ingest, listingRow, parcelRow, type Row, saleRow, tableRows, today } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property', 'layer_shape', 'parcel_layer')
})

const [west, south, side] = [-122.15, 37.44, 0.0003]
const ring = (x: number, y: number, width: number, height: number) => [
  ...[
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
    [x, y],
  ],
]
/** Ten lots in a row from west to east. */
const lotBox = (at: number) => ring(west + at * side, south, side, side)
const lots = (many = 10): Row[] =>
  Array.from({ length: many }, (_, at) =>
    parcelRow({
      ...{ apn: `123-45-${String(at).padStart(3, '0')}`, address: `${at + 1} Oak St` },
      ...{ lat: south + side / 2, lng: west + (at + 0.5) * side, outline: JSON.stringify([lotBox(at)]) },
    }),
  )
const loadLots = (rows = lots()) => ingest(store(), 'parcels', rows)

const polygon = (coordinates: unknown, properties: Record<string, unknown> = {}, type = 'Polygon') => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})
const layer = (
  features: unknown[],
  sets: SourceConfig['sets'],
  given: Partial<SourceConfig> = {},
  options: Partial<RunOptions> = {},
) =>
  ingest(
    store(),
    'layer',
    JSON.stringify({ type: 'FeatureCollection', features }),
    { id: 'zones', kind: 'geojson', market: 'sf-peninsula', sameNames: false, sets, ...given },
    options,
  )
const flood = { overlay: 'floodZone' } as const
const values = async (overlay = 'floodZone') => {
  const { rows } = await sql<{ value: string | null }>`
    select overlays->>${overlay} as value from property order by lng`.execute(store().db)
  return rows.map(({ value }) => ({ yes: 'y', no: 'n' })[value ?? ''] ?? '?').join('')
}

/** Homes that a search finds by the overlay; "sold" if a search of sales does, too. */
const searched = async () => {
  const conditions = [
    { name: 'require', type: 'overlay' as const, overlay: 'floodZone' as const, accepted: ['yes' as const] },
  ]
  const query = { markets: ['sf-peninsula'], conditions, sort: [] }
  const { rows: sold } = await salePage(store().db, query, { limit: 100, offset: 0 })
  const { rows } = await sql<{ id: string; address: string }>`
    select p.id, p.address from property_search h join property p on p.id = h.property_id
    where 'floodZone' = any(h.overlays_yes) order by 2`.execute(store().db)
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(sold.map(({ propertyId }) => propertyId)))
  return rows.map(({ id, address }) => (sold.some(({ propertyId }) => propertyId === id) ? `${address} sold` : address))
}

test('a polygon sets the overlay of the lots it covers, and of no others', async () => {
  await loadLots()
  // Covers lots 0 and 1, half of 2 and 4% of 3 as a second part, with a hole over lot 0.
  const zone = [
    [ring(west, south, 2.5 * side, side), ring(west, south, side, side).reverse()],
    [ring(west + 3 * side, south, 0.04 * side, side)],
  ]
  const run = await layer([polygon(zone, {}, 'MultiPolygon')], flood)
  expect(run).toMatchObject({ counts: { read: 1, inserted: 1 }, touched: 2 })
  expect(await values()).toBe('?yy???????')
  const { rows } = await sql`select share_pct from parcel_layer order by share_pct`.execute(store().db)
  expect(rows).toEqual([{ sharePct: 50 }, { sharePct: 100 }])
  await layer([polygon(zone, {}, 'MultiPolygon')], { ...flood, extent: 'market', minSharePct: 3 })
  expect(await values()).toBe('nyyynnnnnn')
})

test('a layer of several markets that has no shape in one of them any more changes nothing', async () => {
  await loadLots()
  const [here, away] = [polygon([lotBox(1)]), polygon([ring(-70.1, 41.28, side, side)])]
  const read = (features: unknown[], accept?: string) =>
    layer(features, { fact: 'buildings' }, { market: undefined }, { accept })
  await read([here, away])
  await expect(read([here])).rejects.toThrow(/no shape in nantucket any more; it had 1\. Nothing was changed/)
  expect(await count(store(), 'layer_shape')).toBe(2)
  expect(await read([here], 'it is gone')).toMatchObject({ removed: 1 })
  await read([here])
})

test('a changed layer and new parcels touch only what changes; removal undoes it', async () => {
  await ingest(
    store(),
    'parcels',
    lots().map((row, at) => (at === 9 ? { ...row, 'overlay.floodZone': 'no' } : row)),
  )
  await ingest(
    store(),
    'sales',
    [2, 3, 9].map((at) => saleRow({ saleId: `S${at}`, address: `${at + 1} Oak St` })),
  )
  const zones = [1, 2, 5].map((at) => polygon([lotBox(at)]))
  expect(await layer(zones, flood)).toMatchObject({ touched: 3 })
  expect(await searched()).toEqual(['2 Oak St', '3 Oak St sold', '6 Oak St'])
  expect(await layer(zones, flood)).toMatchObject({ touched: 0, counts: { changed: 0 } })
  expect(await layer([...zones.slice(1), polygon([lotBox(9)])], flood)).toMatchObject({
    touched: 2,
    removed: 1,
    counts: { inserted: 1 },
  })
  expect(await values()).toBe('??y??y???y')
  expect(await searched()).toEqual(['10 Oak St sold', '3 Oak St sold', '6 Oak St'])
  // The feed says something else; the layer still counts, and a new lot is joined in the run that loads it.
  const changed = lots(6).map((row, at) => (at === 5 ? { ...row, yearBuilt: 1960 } : row))
  await loadLots([...changed, { ...lots()[2]!, apn: '123-45-999', address: '77 Elm St' }])
  expect(await count(store(), `property where overlays->>'floodZone' = 'yes'`)).toBe(4)
  await removeSource(store().db, 'zones', today)
  expect(await count(store(), 'layer_shape')).toBe(0)
  expect(await count(store(), 'parcel_layer')).toBe(0)
  expect(await values()).toMatch(/^\?+n$/)
  expect(await count(store(), 'property where feed_overlays is not null or overlay_sources is not null')).toBe(0)
})

test('the sources of overlays: hazards any yes, else priority, else the feed', async () => {
  await loadLots(lots(2).map((row) => ({ ...row, 'overlay.coastalZone': 'yes', 'overlay.floodZone': 'yes' })))
  await layer([polygon([lotBox(0)])], { overlay: 'coastalZone', extent: 'market' }, { id: 'coast-a' })
  await layer([polygon([lotBox(1)])], { overlay: 'coastalZone', extent: 'market', priority: 5 }, { id: 'coast-b' })
  await layer([polygon([lotBox(1)])], { overlay: 'floodZone', extent: 'market' }, { id: 'flood' })
  const { rows } = await sql`select overlays, overlay_sources from property order by lng`.execute(store().db)
  expect(rows).toEqual([
    { overlays: { coastalZone: 'no', floodZone: 'yes' }, overlaySources: { coastalZone: 'coast-b' } },
    {
      overlays: { coastalZone: 'yes', floodZone: 'yes' },
      overlaySources: { coastalZone: 'coast-b', floodZone: 'flood' },
    },
  ])
})

test('points, lines and the mapped area; homes without a parcel are joined by their point', async () => {
  await loadLots()
  await ingest(store(), 'listings', [
    listingRow({ address: '500 Elm St', lat: south + side / 2, lng: west + 12.5 * side }),
  ])
  const at = (x: number) => [west + x * side, south + side / 2]
  await layer([polygon(at(0.5), {}, 'Point'), polygon([at(2.2), at(4.8)], {}, 'LineString')], {
    overlay: 'hazardousWaste',
  })
  expect(await values('hazardousWaste')).toBe('y?yyy??????')
  const csv = `name,lat,lng\nTank,${south + side / 2},${west + 6.5 * side}\n`
  await ingest(store(), 'layer', csv, {
    ...{ id: 'tanks', kind: 'csv', market: 'sf-peninsula', sameNames: false, fields: { lat: 'lat', lng: 'lng' } },
    sets: { overlay: 'landslide', withinFt: 60 },
  })
  expect(await values('landslide')).toBe('?????yyy???')
  await layer(
    [
      polygon([ring(west + 11 * side, south, 3 * side, side)], { SFHA: 'T' }),
      polygon([ring(west, south, 8 * side, side)], { SFHA: 'F' }),
    ],
    {
      ...flood,
      value: { field: 'SFHA', words: { T: 'yes', F: 'no' } },
    },
    { id: 'fema' },
  )
  expect(await values()).toBe('nnnnnnnn??y')
})

test('bad layers are refused with the figures, and nothing changes', async () => {
  await loadLots(lots(60))
  const good = Array.from({ length: 30 }, (_, at) => polygon([lotBox(at)]))
  await layer(good, flood)
  const state = () => Promise.all(['property', 'layer_shape', 'parcel_layer'].map((table) => tableRows(store(), table)))
  const before = await state()
  const bow = [
    [west, south],
    [west + side, south + side],
    [west + side, south],
    [west, south + side],
    [west, south],
  ]
  for (const [features, message] of [
    [[], /no shape in the market/],
    [good.slice(0, 12), /12 rows can be loaded, 30 in the last run/],
    [
      [polygon([ring(west - 0.1, south - 0.1, 0.3, 0.3)]), ...good],
      /"yes" for 60 of 60 parcels of sf-peninsula, more than 90%/,
    ],
    [
      good.map((each, at) => (at < 10 ? each : polygon([ring(west - 0.05, south, side, side + at * 1e-6)]))),
      /fall from 30 to 10/,
    ],
    [good.map(() => polygon([bow])), /30 of 30 shapes have a ring that crosses itself/],
    [
      good.map(() =>
        polygon([
          [
            [6.07e6, 1.98e6],
            [6.08e6, 1.98e6],
            [6.08e6, 1.99e6],
            [6.07e6, 1.98e6],
          ],
        ]),
      ),
      /None of the 30 shapes lies in .*spatialReference/,
    ],
  ] as const) {
    await expect(layer([...features], flood)).rejects.toThrow(message)
    expect(await state()).toEqual(before)
  }
  await layer(good.slice(0, 12), flood, {}, { accept: 'the county drew it again' })
  expect(await values()).toBe('y'.repeat(12) + '?'.repeat(48))
})

test('a shape whose ring crosses itself leaves the lots in its box unknown and is counted', async () => {
  await loadLots(lots(30))
  const bow = [
    [west, south],
    [west + 2 * side, south + side],
    [west + 2 * side, south],
    [west, south + side],
    [west, south],
  ]
  const run = await layer([polygon([bow]), ...[5, 6, 7].map((at) => polygon([lotBox(at)]))], {
    ...flood,
    extent: 'market',
  })
  expect(run.leftOut).toEqual({ 'shape: a ring crosses itself; lots in the box around it stay unknown': 1 })
  expect(await values()).toBe(`??nnnyyy${'n'.repeat(22)}`)
})

test('footprints give buildings, and a real layer replaces the sample one', async () => {
  await ingest(store(), 'parcels', lots(3), { sample: true })
  const house = ring(west + 0.2 * side, south + 0.1 * side, 0.5 * side, 0.3 * side)
  await layer([polygon([house])], { fact: 'buildings', extent: 'market' }, { id: 'sample-houses', sample: true })
  const buildings = async () => {
    const { rows } = await sql<{ buildings: { sqft: number; toLinesFt: number }[] | null }>`
      select buildings from property order by lng`.execute(store().db)
    return rows.map((row) => row.buildings)
  }
  const [first, second] = await buildings()
  // 0.0003 degrees are about 87 ft from west to east and 109 ft from south to north.
  expect(first).toMatchObject([{ sqft: 1427, toLinesFt: 10.9 }])
  expect(second).toEqual([])
  await ingest(store(), 'layer', JSON.stringify({ type: 'FeatureCollection', features: [polygon([lotBox(1)])] }), {
    ...{ id: 'houses', kind: 'geojson', market: 'sf-peninsula', sameNames: false, sets: { fact: 'buildings' } },
  })
  expect((await buildings()).map((each) => each?.length)).toEqual([undefined, 1, undefined])
  expect(await count(store(), `layer_shape where source_id = 'sample-houses'`)).toBe(0)
})

test('a zone that reaches a building counts, however little of the lot it covers, and follows the map of buildings', async () => {
  await loadLots()
  const at = (lot: number, from: number, to: number) =>
    ring(west + (lot + from) * side, south + 0.3 * side, (to - from) * side, 0.4 * side)
  // 4% of lots 1 and 2 along their western line, and 4.97% of lot 4. Lot 1 has a house at that line, lot 2 farther east.
  const zones = [1, 2].map((lot) => polygon([ring(west + lot * side, south, 0.04 * side, side)]))
  const nearly = polygon([ring(west + 4 * side, south, 0.0497 * side, side)])
  await layer([...zones, nearly], { ...flood, extent: 'market' })
  expect(await values()).toBe('nnnnnnnnnn')
  const houses = [polygon([at(1, 0.01, 0.6)]), polygon([at(2, 0.3, 0.9)])]
  const sets = { fact: 'buildings' } as const
  expect(await layer(houses, sets, { id: 'houses' })).toMatchObject({ touched: 2 })
  expect(await values()).toBe('nynnnnnnnn')
  // A zone that is loaded later knows the buildings too.
  await layer(
    [...zones, nearly].map((zone) => ({ ...zone, properties: { n: 1 } })),
    { ...flood, extent: 'market', minSharePct: 4.99 },
  )
  expect(await values()).toBe('nynnnnnnnn')
  await removeSource(store().db, 'houses', today)
  expect(await values()).toBe('nnnnnnnnnn')
})

test('a layer of a service that loses shapes while it is read is read again; one without a count is refused', async () => {
  await loadLots()
  const features = Array.from({ length: 10 }, (_, at) => ({
    attributes: { id: at },
    geometry: { rings: [lotBox(at)] },
  }))
  const held = { features, counts: true, whilePaging: () => {} }
  const { url } = await feedServer(({ url: { pathname, searchParams } }, response) => {
    if (!pathname.endsWith('/query'))
      return json(response, { objectIdField: 'id', maxRecordCount: 2, fields: [{ name: 'id' }] })
    const offset = Number(searchParams.get('resultOffset'))
    if (offset > 0) held.whilePaging()
    const [left = 0, , right = 0] = searchParams.get('geometry')!.split(',').map(Number)
    const all = left < west && right > west ? held.features : []
    if (searchParams.has('returnCountOnly')) return json(response, held.counts ? { count: all.length } : {})
    json(response, { features: all.slice(offset, offset + 2), spatialReference: { wkid: 4326 } })
  })
  // The markets that are read after this one have no shapes.
  for (const market of ['sf-peninsula', undefined]) {
    held.features = features
    const load = () => layer([], { ...flood, extent: 'market' }, { kind: 'arcgis', where: { url }, market })
    await load()
    expect(await values()).toBe('yyyyyyyyyy')
    held.whilePaging = () => Object.assign(held, { features: features.slice(1), whilePaging: () => {} })
    await load()
    expect(await values()).toBe('nyyyyyyyyy')
    held.counts = false
    await expect(load()).rejects.toThrow(/does not say how many rows.*Nothing was changed.*from a file/)
    held.counts = true
  }
})
