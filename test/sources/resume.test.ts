// Interrupted downloads, from servers that support resuming and servers that do not.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { csv } from '../../src/sources/csv.ts'
import { geojson } from '../../src/sources/geojson.ts'
import { type Asked, context, feedServer, readAll } from './server.ts'

const rows = 20_000
const file = Buffer.from(`id,name\n${Array.from({ length: rows }, (_, at) => `${at},Ünit ${at}\n`).join('')}`)
const half = 100_001
const ranged = { 'accept-ranges': 'bytes', etag: '"v1"' }

/** Sends half of the announced length and closes the connection. */
const cut = (response: ServerResponse, body: Buffer, headers: Record<string, string> = {}, at = half) => {
  response.writeHead(200, { 'content-length': String(body.length), ...headers })
  response.write(body.subarray(0, at), () => response.destroy())
}

const part = (response: ServerResponse, body: Buffer, { headers }: Asked, more: Record<string, string> = {}) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1])
  response.writeHead(206, {
    'content-length': String(body.length - from),
    'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
    ...more,
  })
  response.end(body.subarray(from))
}

const idsOf = (read: Awaited<ReturnType<typeof readAll>>) => read.map(({ fields }) => fields.id)
const allIds = Array.from({ length: rows }, (_, at) => String(at))

test('an interrupted download resumes with a range request, and every row is read once', async () => {
  const { url, asked } = await feedServer((each, response, nth) =>
    nth === 1 ? cut(response, file, ranged) : part(response, file, each, ranged),
  )
  const given = context({ token: 'secret', previous: { etag: '"v0"' } })
  const reading = csv({ url }, given)
  expect(idsOf(await readAll(reading))).toEqual(allIds)
  expect(reading.state).toMatchObject({ etag: '"v1"', bytesRead: file.length })
  expect(asked.length).toBe(2)
  expect(asked[1]!.headers).toMatchObject({ 'if-range': '"v1"', authorization: 'Bearer secret' })
  expect(Number(/^bytes=(\d+)-$/.exec(asked[1]!.headers.range!)![1])).toBeLessThanOrEqual(half)
  // With If-None-Match the server could return 304 instead of the rest.
  expect(asked[1]!.headers['if-none-match']).toBeUndefined()
  expect(given.waits.length).toBe(1)
})

test('a gzip download resumes in the compressed bytes', async () => {
  const packed = gzipSync(file, { level: 1 })
  const headers = { ...ranged, 'content-encoding': 'gzip' }
  const { url } = await feedServer((each, response, nth) =>
    nth === 1 ? cut(response, packed, headers, packed.length >> 1) : part(response, packed, each, headers),
  )
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
})

test('a GeoJSON download resumes too, by Last-Modified when there is no ETag', async () => {
  const features = Array.from({ length: 5000 }, (_, id) => ({ type: 'Feature', id, properties: {} }))
  const body = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
  const dated = {
    'accept-ranges': 'bytes',
    'last-modified': 'Sun, 01 Nov 2026 00:00:00 GMT',
    date: 'Sun, 15 Nov 2026 00:00:00 GMT',
  }
  const { url, asked } = await feedServer((each, response, nth) =>
    nth === 1 ? cut(response, body, dated) : part(response, body, each, dated),
  )
  expect(idsOf(await readAll(geojson({ url }, context())))).toEqual(features.map(({ id }) => id))
  expect(asked[1]!.headers['if-range']).toBe(dated['last-modified'])
})

test('a server without range support sends the same file again, and the bytes already read are skipped', async () => {
  const { url, asked } = await feedServer((_, response, nth) => {
    if (nth === 1) return cut(response, file, { etag: '"v1"' })
    response.writeHead(200, { etag: '"v1"' }).end(file)
  })
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
  expect(asked[1]!.headers.range).toBeUndefined()
})

test('when a server announces ranges but ignores them, the bytes already read are skipped', async () => {
  const { url } = await feedServer((_, response, nth) =>
    nth === 1 ? cut(response, file, ranged) : response.writeHead(200, ranged).end(file),
  )
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
})

test('a different range than requested is not used', async () => {
  const { url, asked } = await feedServer((each, response, nth) => {
    if (nth === 1) return cut(response, file, ranged)
    if (each.headers.range)
      return part(response, file, each, { ...ranged, 'content-range': `bytes 0-${file.length - 1}/${file.length}` })
    response.writeHead(200, ranged).end(file)
  })
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
  expect(asked.length).toBe(3)
})

test.each([
  ['with another ETag', ranged, { ...ranged, etag: '"v2"' }],
  ['with a weak ETag', { ...ranged, etag: 'W/"v1"' }, { ...ranged, etag: 'W/"v1"' }],
  ['without an ETag or date', {}, {}],
])('a file sent again %s is never joined to the first half', async (_, before, after) => {
  const { url } = await feedServer((_asked, response, nth) =>
    nth === 1 ? cut(response, file, before) : response.writeHead(200, after).end(file),
  )
  await expect(readAll(csv({ url }, context()))).rejects.toMatchObject({ code: 'download_interrupted' })
})

test('a server that interrupts repeatedly fails after the maximum of attempts', async () => {
  const { url, asked } = await feedServer((each, response, nth) => {
    if (nth === 1) return cut(response, file, ranged)
    const from = Number(/\d+/.exec(each.headers.range!)![0])
    response.writeHead(206, { ...ranged, 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` })
    response.write(file.subarray(from, from + 10), () => response.destroy())
  })
  await expect(readAll(csv({ url }, context({}, { attempts: 4 })))).rejects.toMatchObject({ code: 'unreachable' })
  expect(asked.length).toBe(4)
})

test('the size limit applies to all parts together', async () => {
  const { url } = await feedServer((each, response, nth) =>
    nth === 1 ? cut(response, file, ranged) : part(response, file, each, ranged),
  )
  await expect(readAll(csv({ url, maxBytes: half + 1000 }, context()))).rejects.toThrow(/larger than/)
})

test('the response timeout applies to all parts together', async () => {
  const { url, asked } = await feedServer((_, response) => cut(response, file, ranged))
  const waiting = context({}, { answerTimeoutMs: 20_000, backoffMs: 30_000 })
  await expect(readAll(csv({ url }, waiting))).rejects.toMatchObject({ code: 'timed_out' })
  expect(asked.length).toBeLessThanOrEqual(2)
})

/** Sends half of the file without a Content-Length and closes the connection. */
const cutUnmeasured = (response: ServerResponse, headers: Record<string, string> = ranged) => {
  response.writeHead(200, headers)
  response.write(file.subarray(0, half), () => response.destroy())
}

test('a part that ends before the length in Content-Range is not the end of the file', async () => {
  const { url, asked } = await feedServer((each, response, nth) => {
    if (nth === 1) return cutUnmeasured(response)
    const from = Number(/\d+/.exec(each.headers.range!)![0])
    const to = Math.min(file.length, from + half)
    response.writeHead(206, { ...ranged, 'content-range': `bytes ${from}-${to - 1}/${file.length}` })
    response.end(file.subarray(from, to))
  })
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
  expect(asked.length).toBeGreaterThan(2)
})

test('a part of a file of unknown length is not taken as the rest of the file', async () => {
  const { url } = await feedServer((each, response, nth) => {
    if (nth === 1) return cutUnmeasured(response)
    if (!each.headers.range) return response.writeHead(200, ranged).end(file)
    const from = Number(/\d+/.exec(each.headers.range)![0])
    response.writeHead(206, { ...ranged, 'content-range': `bytes ${from}-${from + 99}/*` })
    response.end(file.subarray(from, from + 100))
  })
  expect(idsOf(await readAll(csv({ url }, context())))).toEqual(allIds)
})

test.each([
  ['of another length', Buffer.concat([file, Buffer.from('x,y\n')])],
  ['with another beginning', Buffer.concat([Buffer.from('id,NAME'), file.subarray(7)])],
])('a file sent again with the same ETag %s is never joined to the first half', async (_, other) => {
  const { url } = await feedServer((_asked, response, nth) => {
    if (nth === 1) return cut(response, file, { etag: '"v1"' })
    response.writeHead(200, { etag: '"v1"', 'content-length': String(other.length) }).end(other)
  })
  await expect(readAll(csv({ url }, context()))).rejects.toMatchObject({ code: 'download_interrupted' })
})

test.each([
  ['that could resume', ranged],
  ['without an ETag', {}],
])('a download %s that times out is not restarted and fails with timed_out', async (_, headers) => {
  const { url, asked } = await feedServer((_asked, response) => {
    response.writeHead(200, { 'content-length': String(file.length), ...headers })
    response.write(file.subarray(0, half))
  })
  await expect(readAll(csv({ url }, context({}, { answerTimeoutMs: 100 })))).rejects.toMatchObject({
    code: 'timed_out',
  })
  expect(asked.length).toBe(1)
})
