// Reads each service's protocol from a local server.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { arcgis } from '../../src/sources/arcgis.ts'
import { ckan } from '../../src/sources/ckan.ts'
import { reso } from '../../src/sources/reso.ts'
import { socrata } from '../../src/sources/socrata.ts'
import { context, feedServer, json, readAll } from './server.ts'

const seven = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, changed: `2026-01-0${at + 1}T00:00:00Z` }))

const isPage = ({ url }: { url: URL }) =>
  !url.searchParams.has('returnCountOnly') && !url.searchParams.get('$select')?.includes('count')

test('Socrata is read page by page in a stable order, also when the server limits the page size', async () => {
  const { url, asked } = await feedServer(({ url: at }, response) => {
    const offset = Number(at.searchParams.get('$offset'))
    json(response, seven.slice(offset, offset + Math.min(3, Number(at.searchParams.get('$limit')))))
  })
  const rows = await readAll(
    socrata(
      { url: `${url}/resource/abcd-1234.json`, pageSize: 5, where: "status='issued'" },
      context({ token: 'app' }),
    ),
  )
  expect(rows.map(({ number, fields }) => [number, fields.id])).toEqual(seven.map(({ id }) => [id, id]))
  expect(asked.every(({ headers }) => headers['x-app-token'] === 'app')).toBe(true)
  expect(
    asked
      .filter(isPage)
      .every(
        ({ url: at }) =>
          at.searchParams.get('$order') === ':id' && at.searchParams.get('$where') === "(status='issued')",
      ),
  ).toBe(true)
})

test('Socrata requests only the rows that changed since the last run', async () => {
  const { url, asked } = await feedServer((_, response, nth) => json(response, nth === 2 ? seven.slice(5) : []))
  const reading = socrata(
    { url, updatedField: 'changed', select: 'id' },
    context({ previous: { highWater: '2026-01-05T00:00:01Z' } }),
  )
  await readAll(reading)
  // The rows are counted first.
  expect(asked[0]!.url.searchParams.get('$select')).toBe('count(*) as total')
  expect(asked[1]!.url.searchParams.get('$where')).toBe("changed > '2026-01-05T00:00:01Z'")
  // Without its own id and its time, a row that is repeated or was read before could not be told.
  expect(asked[1]!.url.searchParams.get('$select')).toBe(':id,changed,id')
  expect(reading.state.highWater).toBe('2026-01-07T00:00:00Z')
})

test('rows that are added later on the last day are read, and a time after the start of the run hides no row', async () => {
  const filterAfter = async (highWater: string, changed?: string) => {
    const { url, asked } = await feedServer((_, response, nth) => json(response, nth === 2 ? [{ changed }] : []))
    const reading = socrata({ url, updatedField: 'changed' }, context({ previous: { highWater } }))
    await readAll(reading)
    return [asked[1]!.url.searchParams.get('$where'), reading.state.highWater]
  }
  for (const day of ['2026-11-14', '2026-11-14T00:00:00', '2026-11-14T00:00:00.000', '2026-11-14T00:00:00-08:00'])
    expect(await filterAfter(day)).toEqual([`changed >= '${day}'`, day])
  const time = '2026-11-14T00:00:01.000'
  expect(await filterAfter(time)).toEqual([`changed > '${time}'`, time])
  // The run starts at 12:00.
  expect(await filterAfter(time, '2026-11-15T11:50:00.000')).toEqual([`changed > '${time}'`, '2026-11-15T11:50:00.000'])
  for (const late of ['2026-11-15T11:59:59.000', '2026-11-15T12:00:30.000Z', '2062-11-15T00:00:00.000', '2026-11-16'])
    expect(await filterAfter(time, late)).toEqual([`changed > '${time}'`, time])
})

test('ArcGIS requests changes by fields of days and of local times, and names a field that is no date', async () => {
  const changes = async (type: string, changed: unknown, reference?: object) => {
    const { url, asked } = await feedServer(({ url: at }, response) =>
      at.pathname.endsWith('/query')
        ? json(response, { features: [{ attributes: { FID: 1, EDITED: changed } }] })
        : json(response, {
            objectIdField: 'FID',
            fields: [
              { name: 'FID', type: 'esriFieldTypeOID' },
              { name: 'EDITED', type },
            ],
            dateFieldsTimeReference: reference,
          }),
    )
    const first = arcgis({ url, updatedField: 'EDITED', select: 'FID' }, context())
    await readAll(first)
    await readAll(arcgis({ url, updatedField: 'EDITED' }, context({ previous: first.state })))
    return asked.filter(isPage).at(-1)!.url.searchParams.get('where')
  }
  const time = Date.UTC(2026, 10, 14, 20, 30)
  expect(await changes('esriFieldTypeDate', time)).toBe("(1=1) and EDITED > timestamp '2026-11-14 20:30:00'")
  const local = { timeZone: 'Pacific Standard Time', respectsDaylightSaving: true }
  expect(await changes('esriFieldTypeDate', time, local)).toBe("(1=1) and EDITED > timestamp '2026-11-13 20:30:00'")
  expect(await changes('esriFieldTypeDateOnly', '2026-11-14')).toBe("(1=1) and EDITED >= date '2026-11-14'")
  expect(await changes('esriFieldTypeTimestampOffset', '2026-11-14T12:30:00-08:00')).toBe(
    "(1=1) and EDITED > timestamp '2026-11-14 20:30:00'",
  )
  await expect(changes('esriFieldTypeString', '11/14/2026')).rejects.toThrow(
    /no date "EDITED" \(where.updatedField\)\. Its dates: none/,
  )
})

test('saved JSON is read from the only list at its top, also an empty one, beside larger lists of columns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'))
  const count = async (saved: unknown) => {
    await writeFile(join(folder, 'a.json'), JSON.stringify(saved))
    return (await readAll(socrata({ url: 'a.json' }, context({ folder })))).length
  }
  const columns = Array.from({ length: 60 }, (_, id) => ({ id, name: 'a', type: 'text' }))
  expect(await count({ results: seven, schema: { fields: columns.slice(0, 8) } })).toBe(7)
  expect(await count({ results: seven, meta: { columns } })).toBe(7)
  expect(await count({ results: [], meta: { columns } })).toBe(0)
  expect(await count({ title: 'a', d: { results: columns, __count: '60' } })).toBe(60)
})

test.each<[string, unknown]>([
  [
    'columns of a portal',
    { meta: { view: { columns: [{ name: 'sid', fieldName: ':sid' }, { name: 'A' }] } }, data: [[9, 1]] },
  ],
  [
    'names beside the rows',
    {
      fields: ['A', 'B'],
      rows: [
        [1, 2],
        [1, 3],
      ],
    },
  ],
  [
    'names in the first row',
    [
      ['A', 'B'],
      [1, 2],
    ],
  ],
  ['a script', 'var day = new Date("May 1");\nvar rows = [{"A": 1}];\n'],
  ['rows on lines', '{"A": 1}\n{"A": 1}\n'],
  ['rows between commas', '{"A": 1}, {"A": 1},'],
  ['NaN', '[{"A": 1, "B": NaN}]'],
])('saved JSON is read in other forms: %s', async (_, saved) => {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'))
  await writeFile(join(folder, 'a.json'), typeof saved === 'string' ? saved : JSON.stringify(saved))
  const rows = await readAll(socrata({ url: 'a.json' }, context({ folder })))
  expect(rows.length).toBeGreaterThan(0)
  for (const { fields } of rows) expect(fields).toMatchObject({ A: 1 })
  expect(Object.keys(rows[0]!.fields)).not.toContain('sid')
})

const blankLines = '\n'.repeat(100_000)
test.each([
  ...['', ' \n', ',', 'var columns = [{"A": 1}];\nvar rows = [{"A": 1}, {"A": 2}, {"A"'],
  ...[`{"A": 1}${blankLines}"`, `var rows = [${blankLines}"`],
])('a saved file that was cut off is not read: %#', async (saved) => {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'))
  await writeFile(join(folder, 'a.json'), saved)
  await expect(readAll(socrata({ url: 'a.json' }, context({ folder })))).rejects.toThrow('a.json is not JSON.')
})

test('ArcGIS is read by object id, with timestamps as dates and shapes as point, area and sides', async () => {
  const ring = [
    [-122.2, 37.4],
    [-122.2, 37.401],
    [-122.199, 37.401],
    [-122.199, 37.4],
    [-122.2, 37.4],
  ]
  const { url, asked } = await feedServer(({ url: at }, response) => {
    if (!at.pathname.endsWith('/query'))
      return json(response, {
        objectIdField: 'FID',
        maxRecordCount: 2,
        fields: [
          { name: 'FID', type: 'esriFieldTypeOID' },
          { name: 'ISSUED', type: 'esriFieldTypeDate' },
        ],
      })
    const offset = Number(at.searchParams.get('resultOffset'))
    const features = [1, 2, 3]
      .slice(offset, offset + 2)
      .map((FID) => ({ attributes: { FID, ISSUED: 1_600_000_000_000 }, geometry: { rings: [ring] } }))
    json(response, { features, spatialReference: { wkid: 4326 }, exceededTransferLimit: offset + 2 < 3 })
  })
  const rows = await readAll(arcgis({ url: `${url}/arcgis/rest/services/P/FeatureServer/0` }, context()))
  expect(rows.map(({ fields }) => fields.FID)).toEqual([1, 2, 3])
  expect(rows[0]!.fields.ISSUED).toBe('2020-09-13T12:26:40.000Z')
  const shape = rows[0]!.fields.geometry as Record<string, number>
  expect(shape.lat).toBeCloseTo(37.4005, 5)
  // 0.001° by 0.001° at this latitude: 88.5 m by 111 m.
  expect(shape.areaSqft! / (88.6 * 111 * 10.7639)).toBeCloseTo(1, 2)
  expect(shape.widthFt! / (88.6 * 3.2808)).toBeCloseTo(1, 2)
  expect(shape.estimated).toBe(true)
  expect(shape.outline).toHaveLength(1)
  expect(asked[2]!.url.searchParams.get('orderByFields')).toBe('FID')
})

test('ArcGIS times are local where the server says of which time zone they are', async () => {
  const issued = async (dateFieldsTimeReference?: object | null) => {
    const { url } = await feedServer(({ url: at }, response) =>
      at.pathname.endsWith('/query')
        ? // 4:30 PM and midnight in California.
          json(response, {
            features: [Date.UTC(2026, 10, 14, 0, 30), Date.UTC(2026, 6, 14, 7)].map((ISSUED, FID) => ({
              attributes: { FID, ISSUED },
            })),
          })
        : json(response, {
            objectIdField: 'FID',
            fields: [
              { name: 'FID', type: 'esriFieldTypeOID' },
              { name: 'ISSUED', type: 'esriFieldTypeDate' },
            ],
            dateFieldsTimeReference,
          }),
    )
    return (await readAll(arcgis({ url }, context()))).map(({ fields }) => fields.ISSUED)
  }
  const local = ['2026-11-13T16:30:00', '2026-07-14T00:00:00']
  expect(await issued({ timeZone: 'Pacific Standard Time', respectsDaylightSaving: true })).toEqual(local)
  expect(await issued({ timeZone: 'x', timeZoneIANA: 'America/Los_Angeles' })).toEqual(local)
  const utc = ['2026-11-14T00:30:00.000Z', '2026-07-14T07:00:00.000Z']
  for (const other of [undefined, null, { timeZone: 'UTC' }, { timeZoneIANA: 'Mars/Base' }])
    expect(await issued(other)).toEqual(utc)
})

test('ArcGIS in State Plane feet has the same coordinates as in degrees', async () => {
  const { url } = await feedServer(({ url: at }, response) =>
    at.pathname.endsWith('/query')
      ? json(response, {
          features: [{ attributes: { FID: 1 }, geometry: { x: 6_095_000, y: 1_990_000 } }],
          spatialReference: { wkid: 102643, latestWkid: 2227 },
        })
      : json(response, { objectIdField: 'FID', fields: [{ name: 'FID', type: 'esriFieldTypeOID' }] }),
  )
  const [row] = await readAll(arcgis({ url }, context()))
  const { lat, lng } = row!.fields.geometry as { lat: number; lng: number }
  // A point in Menlo Park.
  expect(lat).toBeGreaterThan(37.4)
  expect(lat).toBeLessThan(37.5)
  expect(lng).toBeGreaterThan(-122.2)
  expect(lng).toBeLessThan(-122.0)
})

test('an empty ArcGIS page with more to come is not the end', async () => {
  const { url } = await feedServer(({ url: at }, response) =>
    at.pathname.endsWith('/query')
      ? json(response, {
          features: at.searchParams.get('resultOffset') === '0' ? [{ attributes: { FID: 1 } }] : [],
          exceededTransferLimit: true,
        })
      : json(response, { objectIdField: 'FID', fields: [{ name: 'FID', type: 'esriFieldTypeOID' }] }),
  )
  await expect(readAll(arcgis({ url }, context()))).rejects.toMatchObject({ code: 'empty_page' })
})

test('ArcGIS errors, which have status 200, fail the read', async () => {
  const { url } = await feedServer((_, response) => json(response, { error: { code: 499, message: 'Token Required' } }))
  await expect(readAll(arcgis({ url }, context()))).rejects.toThrow(/Token Required/)
})

test('an overloaded ArcGIS server, which answers with status 200, is asked again', async () => {
  const { url } = await feedServer(({ url: at }, response, nth) =>
    nth % 2 === 1
      ? json(response, { error: { code: nth === 1 ? 504 : 429, message: 'Wait' } })
      : at.pathname.endsWith('/query')
        ? json(response, { features: [{ attributes: { FID: 1 } }], count: 1 })
        : json(response, { objectIdField: 'FID', fields: [{ name: 'FID', type: 'esriFieldTypeOID' }] }),
  )
  expect(await readAll(arcgis({ url }, context()))).toHaveLength(1)
})

test('ArcGIS requests the selected fields in the spelling of the layer, and never all fields instead', async () => {
  const { url, asked } = await feedServer(({ url: at }, response) =>
    at.pathname.endsWith('/query')
      ? json(response, { features: [{ attributes: { objectid: 1, site_addr: '1 Elm St' } }] })
      : json(response, {
          objectIdField: 'objectid',
          fields: ['objectid', 'site_addr', 'owner1'].map((name) => ({ name, type: 'esriFieldTypeString' })),
        }),
  )
  const outFields = () => asked.filter((each) => each.url.pathname.endsWith('/query') && isPage(each)).map(outFieldsOf)
  await readAll(arcgis({ url, select: 'OBJECTID, SITE_ADDR, ZONING' }, context()))
  expect(outFields()).toEqual(['objectid,site_addr'])
  await expect(readAll(arcgis({ url, select: 'PARCEL,ADDRESS' }, context()))).rejects.toMatchObject({
    code: 'select',
    message: expect.stringMatching(/PARCEL,ADDRESS.*It has objectid, site_addr, owner1/),
  })
  expect(outFields()).toHaveLength(1)
  await readAll(arcgis({ url }, context()))
  expect(outFields()).toEqual(['objectid,site_addr', '*'])
})
const outFieldsOf = ({ url }: { url: URL }) => url.searchParams.get('outFields')

test('CKAN is read to its total, and fewer rows than the total fail the read', async () => {
  const serve = (total: number) =>
    feedServer(({ url: at }, response) => {
      const offset = Number(at.searchParams.get('offset'))
      json(response, {
        success: true,
        result: { total, fields: [{ id: 'id' }], records: seven.slice(offset, offset + 3) },
      })
    })
  const whole = await serve(7)
  expect((await readAll(ckan({ url: whole.url, resource: 'r', pageSize: 3 }, context()))).length).toBe(7)
  expect(whole.asked[0]!.url.searchParams.get('sort')).toBe('_id')
  // An estimate of the total is not the end.
  const estimated = await feedServer(({ url: at }, response) => {
    const records = seven.slice(Number(at.searchParams.get('offset'))).slice(0, 3)
    json(response, { success: true, result: { total: 5, total_was_estimated: true, records } })
  })
  expect(await readAll(ckan({ url: estimated.url, resource: 'r', pageSize: 3 }, context()))).toHaveLength(7)
  const short = await serve(9)
  await expect(readAll(ckan({ url: short.url, resource: 'r', pageSize: 3 }, context()))).rejects.toThrow(
    /reports 9 rows but returned 7/,
  )
})

test('RESO follows nextLink with the bearer token and stores the last modification time', async () => {
  const stamped = seven.map(({ id, changed }) => ({ ListingKey: id, ModificationTimestamp: changed }))
  const { url, asked } = await feedServer(({ url: at, headers }, response) => {
    const skip = Number(at.searchParams.get('$skip') ?? 0)
    const next = skip + 3 < 7 ? { '@odata.nextLink': `http://${headers.host}/odata/Property?$skip=${skip + 3}` } : {}
    json(response, { '@odata.count': 7, value: stamped.slice(skip, skip + 3), ...next })
  })
  const reading = reso(
    { url: `${url}/odata`, where: "City eq 'Palo Alto'" },
    context({ token: 'secret', previous: { highWater: '2025-12-31T08:15:00Z' } }),
  )
  expect((await readAll(reading)).length).toBe(7)
  expect(reading.state.highWater).toBe('2026-01-07T00:00:00Z')
  expect(asked[0]!.url.searchParams.get('$filter')).toBe(
    "(City eq 'Palo Alto') and ModificationTimestamp gt 2025-12-31T08:15:00Z",
  )
  expect(asked.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true)
})

test('the RESO token is never sent to another server, and a nextLink loop is rejected', async () => {
  const away = await feedServer((_, response) =>
    json(response, { value: [{}], '@odata.nextLink': 'http://example.org/Property' }),
  )
  await expect(readAll(reso({ url: away.url }, context({ token: 'secret' })))).rejects.toThrow(/another server/)
  const loop = await feedServer(({ url: at }, response) =>
    json(response, { value: [{}], '@odata.nextLink': `${at.pathname}?access_token=secret` }),
  )
  await expect(readAll(reso({ url: `${loop.url}/odata` }, context()))).rejects.toThrow(
    /links a page to itself: [^?]*\/Property$/,
  )
})

/** Services of seven rows that page by three: `page` gives the rows at an offset, `total` what the service counts. */
const services = {
  arcgis: (page: (offset: number) => object[], total?: number) =>
    feedServer(({ url: at }, response) => {
      if (!at.pathname.endsWith('/query'))
        return json(response, {
          objectIdField: 'id',
          maxRecordCount: 3,
          fields: [{ name: 'id', type: 'esriFieldTypeOID' }],
        })
      if (at.searchParams.has('returnCountOnly')) return json(response, { count: total })
      const rows = page(Number(at.searchParams.get('resultOffset')))
      json(response, { features: rows.map((attributes) => ({ attributes })), exceededTransferLimit: rows.length === 3 })
    }),
  socrata: (page: (offset: number) => object[], total?: number) =>
    feedServer(({ url: at }, response) => {
      if (at.searchParams.get('$select')?.includes('count')) return json(response, [{ total: String(total) }])
      json(
        response,
        page(Number(at.searchParams.get('$offset'))).map((row) => ({ ':id': `row-${'id' in row && row.id}`, ...row })),
      )
    }),
  ckan: (page: (offset: number) => object[], total?: number) =>
    feedServer(({ url: at }, response) => {
      const records = page(Number(at.searchParams.get('offset'))).map((row) => ({ _id: 'id' in row && row.id, ...row }))
      json(response, { success: true, result: { total, records } })
    }),
}
const readers = { arcgis, socrata, ckan }
const numbered = Array.from({ length: 7 }, (_, at) => ({ id: at + 1 }))
const pageAt = (rows: readonly object[]) => (offset: number) => rows.slice(offset, offset + 3)

test.each(['arcgis', 'socrata', 'ckan'] as const)(
  '%s fails when it returns fewer different rows than it counts',
  async (kind) => {
    const read = async (rows: readonly object[], total: number | undefined) => {
      const { url } = await services[kind](pageAt(rows), total)
      const reading = readers[kind]({ url, resource: 'r', pageSize: 3 }, context())
      return { rows: await readAll(reading), counted: reading.state.counted }
    }
    expect(await read(numbered, 7)).toMatchObject({ rows: { length: 7 }, counted: true })
    await expect(read(numbered.slice(0, 5), 7)).rejects.toThrow(/reports 7 rows but returned 5/)
    // The last row of the first page comes again at the start of the second, and another row is left out.
    const shifted = [1, 2, 3, 3, 4, 5, 6].map((id) => ({ id }))
    await expect(read(shifted, 7)).rejects.toThrow(/reports 7 rows but returned 6 different ones; 1 were repeated/)
    // A row that moved while it was read is repeated, and nothing is missing.
    const [first, ...rest] = numbered
    expect((await read([first!, ...rest, first!], 7)).rows).toHaveLength(8)
    if (kind !== 'ckan') expect(await read(numbered, undefined)).toMatchObject({ rows: { length: 7 }, counted: false })
  },
)

test.each(['arcgis', 'socrata', 'ckan'] as const)(
  '%s without paging fails instead of being read without end',
  async (kind) => {
    const { url } = await services[kind](() => numbered.slice(0, 3), 7)
    await expect(readAll(readers[kind]({ url, resource: 'r', pageSize: 3 }, context()))).rejects.toThrow(
      /returned the same 3 rows for two pages/,
    )
  },
)

test('a RESO server that ends before its count fails', async () => {
  const { url } = await feedServer((_, response) =>
    json(response, { '@odata.count': 7, value: [{ ListingKey: 1 }, { ListingKey: 2 }] }),
  )
  await expect(readAll(reso({ url }, context()))).rejects.toThrow(/reports 7 rows but returned 2/)
  await expect(readAll(reso({ url, pageSize: 2 }, context()))).rejects.toThrow(/returned the same 2 rows/)
})

test('a RESO server that takes the page size for that of the whole answer is read to its count', async () => {
  const { url } = await feedServer(({ url: at }, response) => {
    const [skip, top] = ['$skip', '$top'].map((name) => Number(at.searchParams.get(name)))
    json(response, { '@odata.count': 7, value: seven.slice(skip!, skip! + top!).map(({ id }) => ({ ListingKey: id })) })
  })
  const rows = await readAll(reso({ url, pageSize: 3 }, context()))
  expect(rows.map(({ fields }) => fields.ListingKey)).toEqual(seven.map(({ id }) => id))
})

test('Socrata names its columns in a header, because rows leave out empty fields', async () => {
  const { url } = await feedServer(({ url: at }, response) =>
    json(response, at.searchParams.get('$offset') === '0' ? [{ id: 1 }] : [], 200, {
      'x-soda2-fields': '["id","cost"]',
    }),
  )
  const reading = socrata({ url }, context())
  await readAll(reading)
  expect(reading.state.columns).toEqual(['id', 'cost', ':id', ':version', ':created_at', ':updated_at'])
})
