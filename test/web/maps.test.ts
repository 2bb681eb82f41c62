// Maps of lists in Chromium: leads, a permit, comparable sales, the home page.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { adu, assessment, flatPrices, property, sale } from '../setup/rows.ts'
import { chromiumPath, openChromium, watchedPage } from './chromium.ts'
import { addPermit, addProperty, startSite, type TestSite } from './site.ts'

describe.skipIf(!chromiumPath)('maps of lists', () => {
  let site: TestSite
  let browser: Browser
  let context: BrowserContext
  beforeAll(async () => {
    site = await startSite({ listening: true })
    const { db } = site
    await addProperty(db, 'p_001home', { address: '9100 Alma St' })
    for (const [at, aduScore] of [91, 85, 70].entries()) {
      const id = `p_001adu${at}`
      await property(db, { id, address: `${at + 1} Lead Ave`, city: 'Palo Alto', lat: 37.43 + at / 100, lng: -122.14 })
      await assessment(db, id, { city_slug: 'palo-alto', adu: adu({ aduScore }), adu_score: aduScore })
    }
    // The positions of comparable sales come from the sales.
    await sale(db, {
      sale_id: 'S1',
      living_sqft: 1400,
      sold_on: '2026-08-01',
      address: '10 Comp St',
      lat: 37.433,
      lng: -122.138,
    })
    await sale(db, {
      sale_id: 'S2',
      living_sqft: 1400,
      sold_on: '2026-06-01',
      address: '20 Comp St',
      lat: 37.4332,
      lng: -122.1381,
    })
    await flatPrices(db)
    await addPermit(db, 'B-1', { propertyId: 'p_001home' })
    await addPermit(db, 'B-2', { address: '2 Oak St', valuation: 640_000 })
    await sql`update permit set lat = 37.43, lng = -122.14`.execute(db)
    await sql`update permit set lat = 37.4302 where permit_id = 'B-2'`.execute(db)
    await indexPermits(db)
    browser = await openChromium()
    context = await browser.newContext({ reducedMotion: 'reduce', deviceScaleFactor: 0.25 })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const visit = async (path: string, look: (page: Page) => Promise<void>, width = 1280) => {
    const { page, problems } = await watchedPage(context, site.url)
    try {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(site.url + path, { waitUntil: 'load' })
      await look(page)
      expect(problems).toEqual([])
    } finally {
      await page.close()
    }
  }

  test('a lead and its marker select each other', async () => {
    await visit('/leads/adu', async (page) => {
      await page.waitForSelector('[data-loaded]')
      expect((await page.locator('.price-marker').allTextContents()).toSorted()).toEqual(['70', '85', '91'])
      await page.locator('.price-marker[aria-label^="2 Lead Ave"]').dispatchEvent('click')
      expect(await page.locator('li.selected .where').textContent()).toContain('2 Lead Ave')
      expect(await page.locator('.home-card').textContent()).toContain('2 Lead Ave')
      await page.locator('li:has-text("3 Lead Ave") .why').click()
      expect(await page.locator('.price-marker.selected').textContent()).toBe('70')
      expect(await page.locator('.home-card').textContent()).toContain('3 Lead Ave')
      // The stylesheet of the map library would make the card white in both themes.
      const sheet = () =>
        page.locator('.maplibregl-popup-content').evaluate((card) => getComputedStyle(card).backgroundColor)
      expect(await sheet()).toBe('rgb(255, 255, 255)')
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await sheet()).not.toBe('rgb(255, 255, 255)')
      await page.locator('.price-marker.selected').focus()
      await page.keyboard.press('Escape')
      expect(await page.locator('.home-card').count()).toBe(0)
    })
  })

  test('Explore shows a layer of leads on request, and the URL keeps it; Enter opens a lot and Escape closes it', async () => {
    await sql`insert into parcel_outline (market, property_id, source_id, polygons, bounds)
      values ('sf-peninsula', 'p_001adu0', 'test',
        '[[[[-122.141, 37.429], [-122.139, 37.429], [-122.139, 37.431], [-122.141, 37.431], [-122.141, 37.429]]]]',
        box(point(-122.141, 37.429), point(-122.139, 37.431))) on conflict do nothing`.execute(site.db)
    await sql`insert into source (id, kind, holds, title, sample, config)
      values ('flood', 'geojson', 'layer', 'Flood zones', true, '{}') on conflict do nothing`.execute(site.db)
    await sql`insert into ingest_run (source_id, state, first_load, started_at, finished_at)
      values ('flood', 'completed', true, '2026-11-02', '2026-11-02')`.execute(site.db)
    await sql`insert into layer_shape (market, source_id, hash, part, kind, value, rings, bounds)
      values ('sf-peninsula', 'flood', 'h', 1, 'area', 'yes', '[[-122.141,37.429,-122.139,37.429,-122.14,37.431]]',
        box(point(-122.141, 37.429), point(-122.139, 37.431))) on conflict do nothing`.execute(site.db)
    await visit('/explore?bbox=-122.142,37.428,-122.138,37.432', async (page) => {
      await page.waitForSelector('[data-loaded]')
      const zones = page.waitForResponse((response) => response.url().includes('/tiles/zones/'))
      await page.selectOption('[aria-label=Layer]', 'map:flood')
      expect((await zones).status()).toBe(200)
      expect(await page.textContent('.legend small')).toContain('Flood zones, Nov 2, 2026, generated')
      expect(new URL(page.url()).searchParams.get('layer')).toBe('map:flood')
      const tile = page.waitForResponse((response) => response.url().includes('/tiles/leads/'))
      await page.selectOption('[aria-label=Layer]', 'adu')
      expect((await tile).url()).toContain('kind=adu')
      expect(page.url()).toContain('layer=adu')
      await page.selectOption('[aria-label=Layer]', 'zoning')
      expect(page.url()).toContain('layer=zoning')
      await page.locator('canvas.maplibregl-canvas').focus()
      await page.keyboard.press('Enter')
      await page.waitForSelector('.home-card:has-text("1 Lead Ave")')
      await page.keyboard.press('Escape')
      expect(await page.locator('.home-card').count()).toBe(0)
    })
  })

  test('on a phone the leads are a list first, and no map code is loaded before the switch', async () => {
    await visit(
      '/leads/adu',
      async (page) => {
        const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
        expect(loaded.filter((name) => /map/.test(name))).toEqual([])
        await page.click('[data-view=map]')
        await page.waitForSelector('[data-loaded]')
        expect(page.url()).toContain('view=map')
        expect(await page.locator('.leads').isVisible()).toBe(false)
      },
      390,
    )
  })

  test('permits are on a map with their valuation, and a marker shows the card of its permit', async () => {
    await visit('/permits', async (page) => {
      await page.waitForSelector('[data-loaded]')
      expect((await page.locator('.price-marker').allTextContents()).toSorted()).toContain('$640K')
      await page.locator('.price-marker[aria-label^="2 Oak St"]').dispatchEvent('click')
      expect(await page.locator('li.selected .where').textContent()).toContain('B-2')
      expect(await page.locator('.home-card').textContent()).toContain('2 Oak St')
      // The two permits are 24 yards apart: seen from farther away they are one marker.
      await page.click('.maplibregl-ctrl-zoom-out')
      const group = page.locator('.price-marker[data-status=cluster]')
      expect(await group.textContent()).toBe('2')
      expect(await page.locator('.price-marker:visible').count()).toBe(1)
      await group.dispatchEvent('click')
      await page.waitForSelector('.price-marker[data-status=cluster]', { state: 'detached' })
      expect(await page.locator('.price-marker:visible').count()).toBe(2)
    })
    await visit(
      '/permits',
      async (page) => {
        const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
        expect(loaded.filter((name) => /map/.test(name))).toEqual([])
        expect((await page.locator('.permit-list li').first().boundingBox())!.y).toBeLessThan(844)
        await page.click('[data-view=map]')
        await page.waitForSelector('[data-loaded]')
        expect(await page.locator('.permit-list').isVisible()).toBe(false)
      },
      390,
    )
  })

  test('the page of a permit shows the permits around it, each with a card', async () => {
    await visit('/permits/palo-alto/B-1', async (page) => {
      const tile = page.waitForResponse(
        (response) => response.url().includes('/tiles/permits/') && response.status() === 200,
      )
      await page.locator('.map-panel').scrollIntoViewIfNeeded()
      await page.waitForSelector('[data-loaded]')
      await tile
      expect(await page.locator('.subject-marker').getAttribute('aria-label')).toBe('1 Oak St')
      // The other permit is 24 yards north of the subject, between 20 and 40 pixels above it.
      const subject = (await page.locator('.subject-marker').boundingBox())!
      const cards = page.locator('.home-card a[href$="/B-2"]')
      // A click next to a card closes it, so each position is tried alone.
      await expect
        .poll(
          async () => {
            for (let up = 20; up <= 40 && (await cards.count()) === 0; up += 5)
              await page.mouse.click(subject.x + subject.width / 2, subject.y + subject.height / 2 - up)
            return cards.count()
          },
          { timeout: 15_000 },
        )
        .toBeGreaterThan(0)
      expect(await page.locator('.home-card').first().textContent()).toContain('$640K')
    })
  })

  test('comparable sales are numbered on a map, with date and adjustments on the card', async () => {
    await visit('/properties/p_001home', async (page) => {
      await page.locator('#comps').scrollIntoViewIfNeeded()
      await page.waitForSelector('#comps [data-loaded]')
      // Also where they cover each other: the number of a group would look like the number of a row.
      expect((await page.locator('#comps .price-marker').allTextContents()).toSorted()).toEqual(['1', '2'])
      expect(await page.locator('#comps .subject-marker').getAttribute('aria-label')).toBe('9100 Alma St')
      await page.locator('#comps .price-marker:text-is("1")').dispatchEvent('click')
      const card = await page.locator('.home-card').textContent()
      for (const part of ['Aug 1, 2026', 'Sale price $2.5M', 'Time adj. $0', 'Adjusted price $2.5M'])
        expect(card).toContain(part)
      expect(await page.locator('#comps tr.selected').count()).toBe(1)
      await page.emulateMedia({ media: 'print' })
      const printed = page.locator('#comps thead th:visible')
      expect(await printed.allTextContents()).toEqual(['Sale', 'Sale price', 'Adjusted price', 'Unexplained', 'Weight'])
    })
  })

  test('the home page opens its map on request, with the listings as markers', async () => {
    await visit('/', async (page) => {
      expect(await page.locator('.map-canvas').count()).toBe(0)
      await page.click('text=Open the map')
      await page.waitForSelector('[data-loaded]')
      expect(await page.locator('.price-marker').allTextContents()).toEqual(['$2.4M'])
    })
  })
})
