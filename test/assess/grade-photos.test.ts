import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gradePhotos } from '../../src/assess/grade-photos.ts'
import { createVision } from '../../src/sources/vision.ts'
import { listedSubjects } from '../../src/store/assessments/subjects.ts'
import { visionCache } from '../../src/store/assessments/vision-cache.ts'
import { useDatabase } from '../setup/database.ts'
import { listing } from '../setup/rows.ts'

const store = useDatabase()
let server: Server
let base: string
let asked = 0
const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9,
])
/** One and the same photo everywhere but below /own/. */
const photoAt = (path: string) => (path.startsWith('/own/') ? Buffer.concat([jpeg, Buffer.from(path)]) : jpeg)
const answer = { choices: [{ message: { content: JSON.stringify({ condition: 'C5', analysis: 'A sagging roof.' }) } }] }

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') asked++
      response.setHeader('content-type', request.method === 'POST' ? 'application/json' : 'image/jpeg')
      response.end(request.method === 'POST' ? JSON.stringify(answer) : photoAt(request.url!))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const vision = (maxSpendUsd: number) =>
  createVision({ url: `${base}/v1`, model: 'eyes', maxSpendUsd, usdPerCall: 0.01 }, visionCache(store().db))

test('photos are graded once, identical photos are not paid for twice, and the assessment uses the grade', async () => {
  const { db } = store()
  for (const n of [1, 2]) await listing(db, { photo_urls: [`${base}/${n}.jpg`] })
  const look = () => gradePhotos(db, ['sf-peninsula'], vision(1), () => {}, { allowPrivate: true })
  expect(await look()).toMatchObject({ 'sf-peninsula': { listings: 2, graded: 2, fromCache: 1, failed: 0 } })
  expect(asked).toBe(1)
  expect(await look()).toMatchObject({ 'sf-peninsula': { listings: 0, graded: 0 } })
  const subjects = await listedSubjects(db, 'sf-peninsula', 10)
  expect(subjects.map(({ listing }) => listing?.visionCondition)).toEqual(['C5', 'C5'])
})

test('listings over the spend cap are left for another run', async () => {
  const { db } = store()
  await listing(db, { photo_urls: [`${base}/3.jpg`], vision_analysis: 'From the feed.' })
  await listing(db, { photo_urls: [`${base}/4.jpg`] })
  const broke = createVision({ url: `${base}/v1`, model: 'others', maxSpendUsd: 0, usdPerCall: 0.01 }, visionCache(db))
  expect(await gradePhotos(db, ['sf-peninsula'], broke, () => {}, { allowPrivate: true })).toMatchObject({
    'sf-peninsula': { listings: 1, graded: 0, capped: 1 },
  })
})

test('the cap applies to all markets together, and each reports what it spent', async () => {
  const { db } = store()
  for (const [market, n] of [
    ['sf-peninsula', 5],
    ['nantucket', 6],
    ['nantucket', 7],
  ] as const)
    await listing(db, { market, photo_urls: [`${base}/own/${n}.jpg`] })
  asked = 0
  const vision = createVision(
    { url: `${base}/v1`, model: 'eyes', maxSpendUsd: 0.03, usdPerCall: 0.01 },
    visionCache(db),
  )
  const runs = await gradePhotos(db, ['sf-peninsula', 'nantucket'], vision, () => {}, { allowPrivate: true })
  // The listing left ungraded by the previous test has the shared photo, which is cached.
  expect(runs).toMatchObject({
    'sf-peninsula': { listings: 2, graded: 2, fromCache: 1, capped: 0, spentUsd: 0.01 },
    nantucket: { listings: 2, graded: 2, capped: 0, spentUsd: 0.02 },
  })
  await listing(db, { market: 'nantucket', photo_urls: [`${base}/own/8.jpg`] })
  expect(await gradePhotos(db, ['nantucket'], vision, () => {}, { allowPrivate: true })).toMatchObject({
    nantucket: { listings: 1, graded: 0, capped: 1, spentUsd: 0 },
  })
  expect(asked).toBe(3)
})
