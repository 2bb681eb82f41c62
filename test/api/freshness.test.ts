import { expect, test } from 'vitest'
import { runIngest } from '../../src/ingest/run.ts'
import { config, csvOf, highValueUsd, permitRow } from '../ingest/feed.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'
import { context, feedServer } from '../sources/server.ts'

const service = useService()
const at = (hour: number) => new Date(Date.UTC(2026, 10, 15, hour))

/** A feed with one permit that returns 304 when the request has its ETag. */
const feed = async (tag?: string) => {
  const { url } = await feedServer(({ headers }, response) => {
    if (tag && headers['if-none-match'] === tag) return response.writeHead(304).end()
    response.writeHead(200, tag ? { etag: tag } : {}).end(csvOf([permitRow()]))
  })
  const source = config('permits', { schedule: '0 * * * *', where: { url: `${url}/feed.csv` } })
  const store = { db: service().db, pool: service().pool, queue: service().services.queue }
  return (now: Date) => runIngest(store, source, { now, folder: '/nowhere', highValueUsd, http: context().http })
}

const asOf = async (key: string) => (await ask(service(), '/v1/permits', { key })).body.asOf

test('a completed run advances asOf, even when it changed nothing or its feed returned 304', async () => {
  service().setNow(at(12))
  const key = await service().proKey()
  const [whole, tagged] = [await feed(), await feed('"v1"')]
  await whole(at(1))
  await expect.poll(() => asOf(key)).toBe(at(1).toISOString())
  expect((await whole(at(2))).counts).toMatchObject({ read: 1, changed: 0 })
  await expect.poll(() => asOf(key)).toBe(at(2).toISOString())
  await tagged(at(3))
  await expect.poll(() => asOf(key)).toBe(at(3).toISOString())
  expect((await tagged(at(4))).notModified).toBe(true)
  await expect.poll(() => asOf(key)).toBe(at(4).toISOString())
})

test('coverage becomes stale as time passes without a data change', async () => {
  await (await feed())(at(4))
  const key = await service().proKey()
  const stale = async () => (await ask(service(), '/v1/coverage', { key })).body.data[0].stale
  service().setNow(at(5))
  expect(await stale()).toBe(false)
  service().setNow(at(7))
  expect(await stale()).toBe(true)
})
