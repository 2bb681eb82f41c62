import { afterAll, beforeAll, expect, test } from 'vitest'
import { planBudgets, poolOptions } from '../../src/api/budgets.ts'
import { ask } from '../setup/ask.ts'
import { newDatabase } from '../setup/database.ts'
import { type StallingProxy, stallingProxy } from '../setup/stalling-proxy.ts'
import { startSite, type TestSite } from './site.ts'

let proxy: StallingProxy
let site: TestSite
beforeAll(async () => {
  proxy = await stallingProxy(await newDatabase())
  site = await startSite({ service: { database: proxy.address, pools: poolOptions, budgets: planBudgets } })
}, 60_000)
afterAll(async () => {
  proxy?.resume()
  await site?.close()
  await proxy?.close()
})

test('a page that the database does not answer says so with 503 within two seconds and is logged', async () => {
  expect((await ask(site, '/permits')).status).toBe(200)
  expect((await ask(site, '/permits/palo-alto/none')).status).toBe(404)
  proxy.stall()
  const begun = performance.now()
  const pages = await Promise.all(
    ['/permits?q=kitchen', '/explore', '/', '/permits.csv'].map((path, i) =>
      ask(site, path, { ip: `192.0.2.${i}`, headers: { accept: 'text/html' } }),
    ),
  )
  // 1.8 seconds, and time for a busy machine. A query would be given up after 11.
  expect(performance.now() - begun).toBeLessThan(8_000)
  for (const { status, headers, text } of pages) {
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(text).toContain('Temporarily unavailable')
    expect(text).toContain('The data could not be read in time.')
    expect(text).toContain('>Try again</a>')
  }
  expect(site.logs.filter((line) => line.includes('page failed'))).toHaveLength(pages.length)
  proxy.resume()
  await expect.poll(async () => (await ask(site, '/permits')).status, { timeout: 30_000 }).toBe(200)
})
