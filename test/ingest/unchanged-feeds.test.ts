// Feeds whose server reports no change, while something that they belong to has changed.
import { expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { feedServer } from '../sources/server.ts'
import { csvOf, ingest, parcelRow, permitRow, type Row } from './feed.ts'

const store = useDatabaseWithQueue()

/** A server whose file never changes. */
const unchanged = async (text: string) => {
  const { url } = await feedServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"1"' }).end(text)
  })
  return { where: { url } } satisfies Partial<SourceConfig>
}

test.each([
  ['permits', (at: number) => permitRow({ permitId: `B-${at}`, address: `${at} Oak St`, apn: undefined })],
  ['parcels', (at: number) => parcelRow({ apn: `123-45-${100 + at}`, address: `${at} Oak St` })],
] as const)('%s that one source drops are taken over from another whose file has not changed', async (holds, rowOf) => {
  const rows = Array.from({ length: 6 }, (_, at) => rowOf(at + 1) as Row)
  const other = { id: `other-${holds}`, ...(await unchanged(csvOf(rows.slice(4)))) }
  const load = (many: number) => ingest(store(), holds, rows.slice(0, many), { complete: true })
  const again = () => ingest(store(), holds, [], other)
  await load(6)
  await again()
  expect(await again()).toMatchObject({ notModified: true })
  await load(6)
  expect(await again()).toMatchObject({ notModified: true })
  const apart = { id: `apart-${holds}`, ...(await unchanged(csvOf([rowOf(50)]))) }
  await ingest(store(), holds, [], apart)
  expect(await load(5)).toMatchObject({ removed: 1 })
  // A source that has none of these permits need not be read again.
  expect(await ingest(store(), holds, [], apart)).toMatchObject({ notModified: holds === 'permits' })
  expect(await again()).toMatchObject({ notModified: false, returned: 1 })
  const table = sql.raw(holds === 'permits' ? 'permit' : 'property')
  const { rows: held } = await sql`
    select source_id from ${table} where address = '6 Oak St' and removed_at is null`.execute(store().db)
  expect(held).toEqual([{ sourceId: other.id }])
  expect(await again()).toMatchObject({ notModified: true })
})

test('a source that another drops permits during a run of changes is read in whole by the next run', async () => {
  const rows = [1, 2].map((at) => ({
    ...permitRow({ permitId: `C-${at}`, address: `${at} Ash St`, apn: undefined }),
    changed: `2026-11-0${at}`,
  }))
  const asked: (string | null)[] = []
  const { url } = await feedServer(({ url: at }, response) => {
    const where = at.searchParams.get('$where')
    if (at.searchParams.get('$offset') === '0') asked.push(where)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(at.searchParams.get('$offset') === '0' ? rows : []))
  })
  const changing: Partial<SourceConfig> = { id: 'changing', kind: 'socrata', where: { url, updatedField: 'changed' } }
  const dropping = (many: number) =>
    ingest(store(), 'permits', rows.slice(0, many), { complete: true, maxGonePct: 100 })
  await dropping(2)
  await ingest(store(), 'permits', [], changing)
  await ingest(store(), 'permits', [], changing, { beforeLoad: async () => void (await dropping(1)) })
  await ingest(store(), 'permits', [], changing)
  expect(asked).toEqual([null, expect.stringContaining('changed >='), null])
})

test('a changed extent is used although the layer has not changed', async () => {
  const [west, south, side] = [-122.15, 37.44, 0.0003]
  const box = (at: number, many = 1) => {
    const [from, to] = [west + at * side, west + (at + many) * side]
    return [
      [
        [from, south],
        [to, south],
        [to, south + side],
        [from, south + side],
        [from, south],
      ],
    ]
  }
  const collection = (...shapes: unknown[]) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: shapes.map((coordinates) => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates },
      })),
    })
  await ingest(
    store(),
    'parcels',
    [0, 1, 2].map((at) =>
      parcelRow({
        ...{ apn: `123-46-00${at}`, address: `${at + 1} Elm St`, lat: south + side / 2, lng: west + (at + 0.5) * side },
        outline: JSON.stringify(box(at)),
      }),
    ),
  )
  let mapped = box(0, 3)
  const { url: extent } = await feedServer((_asked, response) => response.writeHead(200).end(collection(mapped)))
  const load = async (where: Partial<SourceConfig>) => {
    await ingest(store(), 'layer', [], {
      ...{ id: 'flood', kind: 'geojson', market: 'sf-peninsula', sameNames: false, ...where },
      sets: { overlay: 'floodZone', extent },
    })
    const { rows } = await sql<{ value: string | null }>`
      select overlays->>'floodZone' as value from property where apn like '123-46%' order by apn`.execute(store().db)
    return rows.map(({ value }) => value)
  }
  const layer = await unchanged(collection(box(0)))
  expect(await load(layer)).toEqual(['yes', 'no', 'no'])
  mapped = box(0, 2)
  expect(await load(layer)).toEqual(['yes', 'no', null])
})
