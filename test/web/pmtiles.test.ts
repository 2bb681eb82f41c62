import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPmtiles } from '../../src/web/tiles/pmtiles-file.ts'
import { chromiumPath, openChromium, watchedPage } from './chromium.ts'
import { writePmtiles } from './pmtiles.ts'
import { addProperty, startSite, type TestSite } from './site.ts'

const dir = mkdtempSync(join(tmpdir(), 'lotline-pmtiles-'))
const file = join(dir, 'map.pmtiles')
let site: TestSite
beforeAll(async () => {
  writePmtiles(file)
  site = await startSite({ mapPmtiles: file, listening: true })
  await addProperty(site.db, 'p_001p1', { lat: 37.43, lng: -122.14 })
})
afterAll(async () => {
  await site?.close()
  rmSync(dir, { recursive: true })
})

const get = (range?: string) =>
  site.app.inject({ url: '/map/base.pmtiles', headers: range === undefined ? {} : { range } })

test('the file is served in ranges, with an ETag', async () => {
  const bytes = readFileSync(file)
  const { statusCode, rawPayload, headers } = await get('bytes=0-6')
  expect(statusCode).toBe(206)
  expect(rawPayload.toString()).toBe('PMTiles')
  expect(headers).toMatchObject({ 'content-range': `bytes 0-6/${bytes.length}`, 'accept-ranges': 'bytes' })
  expect(headers.etag).toMatch(/^"/)
  expect((await get('bytes=100-99999999')).rawPayload).toEqual(bytes.subarray(100))
})

test('the whole file and ranges outside of it are rejected', async () => {
  for (const range of [undefined, 'bytes=999999999-999999999', 'bytes=5-1', 'bytes=0-', 'items=0-1'])
    expect((await get(range)).statusCode, range).toBe(416)
})

test('a file that is not a PMTiles archive is named when the service starts', async () => {
  await expect(checkPmtiles(file)).resolves.toBeUndefined()
  writeFileSync(join(dir, 'other'), 'not a map')
  await expect(checkPmtiles(join(dir, 'other'))).rejects.toThrow(/not a PMTiles archive/)
  await expect(checkPmtiles(join(dir, 'missing'))).rejects.toThrow(/cannot be read/)
})

describe.skipIf(!chromiumPath)('in Chromium', () => {
  test('the map draws the file in light and dark, names its source, and asks no other host', async () => {
    const browser = await openChromium()
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
      const { page, problems } = await watchedPage(context, site.url)
      const ranges: number[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('/map/base.pmtiles')) ranges.push(response.status())
      })
      await page.goto(`${site.url}/explore`)
      await page.waitForSelector('[data-loaded]')
      expect(ranges.length).toBeGreaterThan(0)
      expect(new Set(ranges)).toEqual(new Set([206]))
      expect(await page.locator('.maplibregl-ctrl-attrib').textContent()).toContain('Protomaps')
      await page.click('[data-theme-toggle]')
      expect(problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
