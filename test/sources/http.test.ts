// Feed servers that fail, are slow, or send invalid data.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openReading } from '../../src/ingest/run.ts'
import { csv } from '../../src/sources/csv.ts'
import { geojson } from '../../src/sources/geojson.ts'
import { createHttp } from '../../src/sources/http.ts'
import { socrata } from '../../src/sources/socrata.ts'
import { config } from '../ingest/feed.ts'
import { context, feedServer, json, readAll } from './server.ts'

test('a failing server is retried with longer waits until it recovers', async () => {
  const { url } = await feedServer((_, response, nth) =>
    nth < 4 ? json(response, {}, 500) : json(response, nth === 5 ? [{ id: 1 }] : []),
  )
  const given = context()
  expect((await readAll(socrata({ url }, given))).length).toBe(1)
  expect(given.waits.length).toBe(3)
  expect(given.waits[2]!).toBeGreaterThan(given.waits[0]!)
})

test('Retry-After is honored', async () => {
  const { url } = await feedServer((_, response, nth) =>
    nth === 1 ? json(response, {}, 429, { 'retry-after': '7' }) : json(response, nth === 2 ? [{ id: 1 }] : []),
  )
  const given = context()
  await readAll(socrata({ url }, given))
  expect(given.waits[0]!).toBeGreaterThanOrEqual(7000)
})

test('a Retry-After of hours fails without a retry', async () => {
  const { url, asked } = await feedServer((_, response) => json(response, {}, 429, { 'retry-after': '86400' }))
  await expect(readAll(socrata({ url }, context()))).rejects.toThrow(/returned 429/)
  expect(asked.length).toBe(1)
})

test('closing the client cancels the wait for the next attempt', async () => {
  const http = createHttp({ backoffMs: 600_000, maxWaitMs: 600_000 })
  const { url } = await feedServer((_, response) => {
    json(response, {}, 500)
    setImmediate(() => setImmediate(() => http.close()))
  })
  await expect(http.json(url)).rejects.toThrow()
})

test('a 403 is not retried', async () => {
  const { url, asked } = await feedServer((_, response) => json(response, { message: 'no' }, 403))
  await expect(readAll(socrata({ url }, context()))).rejects.toThrow(/returned 403.*no/)
  expect(asked.length).toBe(1)
})

test('a refused request names the variable of the token, or says where to name one', async () => {
  const { url } = await feedServer((_, response) => json(response, { message: 'no' }, 403))
  const refused = (where: object) =>
    readAll(openReading(config('permits', { kind: 'socrata', where: { url, ...where } }), context()))
  await expect(refused({ tokenEnv: 'CITY_TOKEN' })).rejects.toThrow(/returned 403.*Check the token in CITY_TOKEN\./)
  await expect(refused({})).rejects.toThrow(/name its environment variable in where\.tokenEnv/)
})

test.each([
  ['HTML instead of JSON', '<!doctype html><title>Down</title>', /HTML instead of JSON/],
  ['a truncated page', '[{"id":1},{"id"', /broken JSON/],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]), /not UTF-8/],
])('%s fails the read with a message', async (_, body, message) => {
  const { url } = await feedServer((__, response) => response.end(body))
  await expect(readAll(socrata({ url }, context()))).rejects.toThrow(message)
})

test('a connection lost in the middle of a file fails the read', async () => {
  const { url } = await feedServer((_, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write('id,city\n1,Palo Alto\n')
    setImmediate(() => response.destroy())
  })
  await expect(readAll(csv({ url }, context()))).rejects.toThrow()
})

test('a gzip bomb is rejected long before it is fully decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(300 * 2 ** 20, 'a'))
  const { url } = await feedServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(bomb)
  })
  await expect(readAll(csv({ url }, context()))).rejects.toThrow(/more than 200 times its size|longer than|record/i)
  await expect(readAll(socrata({ url }, context()))).rejects.toThrow(/more than 200 times its size|larger than/)
})

test('a response over the size limit is rejected', async () => {
  const { url } = await feedServer((_, response) => response.end(`id\n${'1\n'.repeat(10_000)}`))
  await expect(readAll(csv({ url, maxBytes: 1000 }, context()))).rejects.toThrow(/larger than 1000 bytes/)
  const page = await feedServer((_, response) => response.end(JSON.stringify(Array(200).fill({ id: 1 }))))
  await expect(readAll(socrata({ url: page.url, maxBytes: 1000 }, context()))).rejects.toThrow(/larger than 1000 bytes/)
})

test('a redirect is followed on the same server and rejected to another private one', async () => {
  const inside = await feedServer((_, response) => response.end('id\n1\n'))
  const { url } = await feedServer(({ url: at }, response) => {
    if (at.pathname === '/moved') return response.end('id\n1\n2\n')
    response.writeHead(302, { location: at.pathname === '/away' ? inside.url : '/moved' })
    response.end()
  })
  expect((await readAll(csv({ url: `${url}/here` }, context()))).length).toBe(2)
  await expect(readAll(csv({ url: `${url}/away` }, context()))).rejects.toThrow(/not a public address/)
  expect(inside.asked.length).toBe(0)
})

test('the token of a feed is sent to its own server, also after a redirect there, and to no other', async () => {
  const sent: string[] = []
  const note = (message: unknown) => {
    const { request } = message as { request: { origin: string; path: string; headers: readonly string[] } }
    sent.push(`${new URL(request.origin).hostname}${request.path} ${request.headers.includes('Bearer secret')}`)
  }
  subscribe('undici:request:create', note)
  try {
    const { url } = await feedServer(({ url: at }, response) => {
      // No server has a name that ends in .invalid: the request is made and then fails.
      response.writeHead(302, { location: at.pathname === '/moved' ? 'http://other.invalid/feed' : '/moved' }).end()
    })
    const { http } = context({}, { attempts: 1 })
    await expect(http.open(`${url}/feed`, { headers: { authorization: 'Bearer secret' } })).rejects.toThrow()
  } finally {
    unsubscribe('undici:request:create', note)
  }
  expect(sent).toEqual(['127.0.0.1/feed true', '127.0.0.1/moved true', 'other.invalid/feed false'])
})

test('an unchanged file is not read again', async () => {
  const { url } = await feedServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"v1"' }).end('id\n1\n')
  })
  const first = csv({ url }, context())
  expect((await readAll(first)).length).toBe(1)
  const second = csv({ url }, context({ previous: { etag: first.state.etag } }))
  expect(await readAll(second)).toEqual([])
  expect(second.state.notModified).toBe(true)
})

test('GeoJSON in Web Mercator that claims WGS 84 is read as Web Mercator, and invalid points become unknown', async () => {
  const feature = (coordinates: unknown) => ({
    type: 'Feature',
    properties: { name: 'a "quoted} name"' },
    geometry: { type: 'Point', coordinates },
  })
  const { url } = await feedServer((_, response) =>
    json(response, {
      type: 'FeatureCollection',
      crs: { properties: { name: 'CRS84' } },
      features: [
        feature([-13_600_370.494, 4_502_833.6576]),
        feature([-122.17, 37.45]),
        feature(['NaN', null]),
        feature(undefined),
      ],
    }),
  )
  const rows = await readAll(geojson({ url }, context()))
  const places = rows.map(({ fields }) => fields.geometry as { lat?: number; lng?: number })
  expect(places[0]!.lat).toBeCloseTo(37.4556, 3)
  expect(places[0]!.lng).toBeCloseTo(-122.1742, 3)
  expect(places[1]).toEqual({ lat: 37.45, lng: -122.17 })
  expect(places[2]!.lat).toBeUndefined()
  expect(places[3]!.lat).toBeUndefined()
})

test('a truncated GeoJSON file fails the read', async () => {
  const { url } = await feedServer((_, response) => response.end('{"features":[{"properties":{}},{"prop'))
  await expect(readAll(geojson({ url }, context()))).rejects.toThrow(/ends in the middle/)
})
