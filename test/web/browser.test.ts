import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordAccuracy } from '../../src/store/assessments/accuracy.ts'
import { sql } from '../../src/store/engine/database.ts'
import { urlOf } from '../../src/web/account/account-page.ts'
import { accountPages } from '../../src/web/account/mount-account.ts'
import { pageTable } from '../../src/web/page-table.ts'
import { chromiumPath, openChromium, type Watched, watchedPage } from './chromium.ts'
import { addPermit, addProperty, planted, startSite, type TestSite } from './site.ts'

/** A quarter of the pixels across: the map is drawn in software, and its pixels take most of the processor time. */
const screen = {
  viewport: { width: 1280, height: 900 },
  deviceScaleFactor: 0.25,
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const
const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const seriousViolations = async (page: Page, options = {}): Promise<string[]> => {
  // Evaluated through the debugger, because the content security policy blocks added scripts.
  await page.evaluate(`window.axe || (() => { ${axeText} })()`)
  // Only violations leave the page: a long one has megabytes of elements that pass.
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options })
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${asked}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Light on a wide screen, contrast in the dark, without a part beyond either width; weekly also dark on a narrow one. */
const expectAccessible = async (page: Page, { darkAndWide = true } = {}) => {
  const fits = async () => {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, page.url()).toBeLessThanOrEqual(0)
  }
  expect(await seriousViolations(page), page.url()).toEqual([])
  await fits()
  await page.emulateMedia({ colorScheme: 'dark' })
  if (darkAndWide) expect(await seriousViolations(page, { runOnly: ['color-contrast'] }), page.url()).toEqual([])
  await page.setViewportSize({ width: 390, height: 900 })
  await fits()
  if (process.env.LOTLINE_WEEKLY) expect(await seriousViolations(page), page.url()).toEqual([])
}

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let site: TestSite
  let browser: Browser
  /** Loads and compiles the scripts once. Each visit is a tab of its own that leaves no cookies and nothing in the storage. */
  let shared: BrowserContext
  beforeAll(async () => {
    site = await startSite({ listening: true })
    const { db } = site
    for (let at = 0; at < 30; at++)
      await addProperty(db, `p_001p${at}`, {
        address: at === 0 ? planted : `${9100 + at} Alma St`,
        rankScore: 90 - at,
        price: 1_500_000 + at * 10_000,
        remarks: planted,
        lat: 37.4 + at * 0.004,
        lng: -122.1 - at * 0.006,
      })
    await addProperty(db, 'p_002n1', {
      market: 'nantucket',
      city: 'Nantucket',
      citySlug: 'nantucket',
      lat: 41.28,
      lng: -70.1,
    })
    await addPermit(db, 'B-1', { description: planted, address: planted, propertyId: 'p_001p0' })
    await addPermit(db, 'B-2', { contractor: 'Sablefield, Marlowend & Sons General Contracting Incorporated' })
    await sql`update source set sample = true, title = ${planted}`.execute(db)
    for (const market of ['sf-peninsula', 'nantucket'] as const)
      await recordAccuracy(db, {
        ...{ name: 'value-held-out', market, measuredAt: new Date('2026-11-10'), data: '90 sales held' },
        ...{
          modelVersion: '2/teardown-fit-2-5106-83-y5bw2h',
          measures: { mdape: 6.6, within10: 70, cod: 7.9, n: 5362 },
        },
      })
    browser = await openChromium()
    shared = await browser.newContext(screen)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const visit = async (path: string, look: (watched: Watched) => Promise<void>, { scripts = true } = {}) => {
    const context = scripts ? shared : await browser.newContext({ ...screen, javaScriptEnabled: false })
    const watched = await watchedPage(context, site.url)
    try {
      await watched.page.goto(site.url + path, { waitUntil: 'load' })
      await look(watched)
    } finally {
      if (scripts) await watched.page.evaluate(() => localStorage.clear()).catch(() => {})
      await watched.page.close()
      await context.clearCookies()
      if (!scripts) await context.close()
    }
  }

  const everyPage = [
    ...pageTable.flatMap(({ path }) => (path.includes(':') ? [] : [path])),
    '/properties/p_001p0',
    '/properties/p_001p0/memo',
    '/permits/palo-alto/B-1',
    '/leads/adu',
    '/docs/reference/events',
  ]

  test.each(everyPage)(
    '%s fits wide and narrow screens, is accessible in light and dark, and loads nothing from other hosts',
    (path) =>
      visit(path, async ({ page, problems }) => {
        if (path === '/explore') await page.waitForSelector('[data-loaded]')
        await expectAccessible(page)
        expect(await page.evaluate(() => 'planted' in window)).toBe(false)
        expect(problems).toEqual([])
      }),
  )

  test('every page of a signed-in visitor, and a form of a watch, is accessible', () =>
    visit('/account/sign-in', async ({ page }) => {
      await page.click('details.developer summary')
      await page.fill('[name=key]', await site.proKey())
      await page.click('[action="/account/sign-in/key"] button')
      await page.waitForURL('**/account')
      const criteria = encodeURIComponent('{"maxPrice":2000000}')
      await page.goto(`${site.url}/account/watches?kind=listings&criteria=${criteria}`)
      expect(await page.locator('.watch-form').count()).toBe(1)
      await expectAccessible(page)
      const own = accountPages.map(({ path }) => urlOf(path))
      for (const path of [...own, '/today', '/properties/p_001p0', '/properties/p_001p0/memo']) {
        await page.setViewportSize(screen.viewport)
        await page.emulateMedia({ colorScheme: 'light' })
        const answer = await page.goto(site.url + path)
        expect(answer!.status(), path).toBe(200)
        await expectAccessible(page, { darkAndWide: false })
      }
    }))

  test.each(['/coverage', '/properties/p_001p1'])('on a phone, every table cell on %s is inside the screen', (path) =>
    visit(path, async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      const beyond = await page.evaluate(() =>
        [...document.querySelectorAll('main td, main th')]
          .filter((cell) => cell.getBoundingClientRect().right > innerWidth)
          .map(({ textContent }) => textContent),
      )
      expect(beyond).toEqual([])
      expect(await page.locator('main td').count()).toBeGreaterThan(0)
    }),
  )

  test('a visitor signs up, sees the key once and sends a request with it', async () => {
    await visit('/', async ({ page, problems }) => {
      await page.fill('#sign-up-email', 'ada@example.com')
      await page.click('[data-sign-up] button')
      const key = await page.textContent('.key code')
      expect(key).toMatch(/^ll_free_/)
      await page.click('text=Use it in the playground')
      await page.waitForSelector('[data-call]')
      expect(await page.inputValue('[data-own-key]')).toBe(key)
      await page.click('.send .button:not(.quiet)')
      await page.waitForSelector('.status.ok')
      expect(await page.textContent('[data-status]')).toMatch(/^200 OK · \d+ ms · 29 of 30 requests left$/)
      expect(JSON.parse((await page.textContent('[data-json]'))!).count).toBe(25)
      // The key is stored for this tab only and is not in the code samples.
      expect(await page.textContent('[data-sample=curl]')).not.toContain(key!)
      expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe('{}')
      expect(problems).toEqual([])
    })
  })

  test('the playground shows two results for the demo key, a table, headers, and the errors of the API', async () => {
    await visit('/playground?op=search_permits', async ({ page, problems }) => {
      await page.fill('[name=q]', 'script')
      await page.click('.send .button:not(.quiet)')
      await page.waitForSelector('.status.ok')
      expect(JSON.parse((await page.textContent('[data-json]'))!).pagination.limit).toBe(2)
      await page.click('text=Table')
      expect(await page.textContent('[data-table]')).toContain('<script>')
      await page.click('#response-tab-Headers')
      expect(await page.textContent('[data-headers]')).toContain('x-ratelimit-remaining')
      expect(await page.textContent('[data-sample=curl]')).toContain('q=script')
      await page.click('[data-share]')
      expect(page.url()).toContain('op=search_permits&q=script')
      expect(problems).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await page.fill('[name=limit]', '0')
      await page.click('.send .button:not(.quiet)')
      await page.waitForSelector('.status.failed')
      expect((await page.locator('[data-status]').boundingBox())!.y, 'on a phone, the response is shown').toBeLessThan(
        422,
      )
      expect(JSON.parse((await page.textContent('[data-json]'))!)).toMatchObject({
        success: false,
        code: 'bad_request',
      })
    })
  })

  test('a field and its slider change the figures, and Reset restores them', async () => {
    await visit('/properties/p_001p1', async ({ page, problems }) => {
      const figure = () => page.textContent('[data-out=return]')
      const before = await figure()
      const changes = (from: string | null) =>
        page.waitForFunction((text) => document.querySelector('[data-out=return]')?.textContent !== text, from)
      await page.fill('[name=costPerSqft]', '700')
      await changes(before)
      expect(await page.textContent('.waterfall')).toContain('$700 per sq ft')
      expect(await page.inputValue('[data-slider=costPerSqft]')).toBe('700')
      const after = await figure()
      await page.locator('[data-slider=months]').fill('40')
      await changes(after)
      expect(await page.inputValue('[name=months]')).toBe('40')
      expect(new URL(page.url()).searchParams.get('months')).toBe('40')
      expect(await page.textContent('[data-page-url]')).toContain('months=40')
      const shared = await figure()
      await page.goto(page.url())
      expect(await figure()).toBe(shared)
      await page.click('[data-reset]')
      await changes(shared)
      expect(await figure()).toBe(before)
      expect(new URL(page.url()).search).toBe('')
      expect(problems).toEqual([])
    })
  })

  test('a filter applies immediately and is in the URL', async () => {
    await visit('/explore', async ({ page, problems }) => {
      await page.selectOption('[name=market]', 'nantucket')
      await page.waitForURL(/market=nantucket/)
      expect(page.url()).not.toMatch(/minPrice|city=|sort=/)
      expect(await page.locator('.homes li').count()).toBe(1)
      // A text field waits, so that what is typed after it is not lost.
      await page.fill('[name=city]', 'Nantucket')
      await page.keyboard.press('Tab')
      await page.fill('[name=maxPrice]', '3M')
      await page.keyboard.press('Enter')
      await page.waitForURL(/city=Nantucket/)
      expect(page.url()).toContain('maxPrice=3M')
      // Other fields update the list while one types, and the URL follows.
      await page.click('.more-filters summary')
      await page.locator('[name=minLotSize]').pressSequentially('90,000')
      await page.waitForSelector('text=No listings match')
      expect(page.url()).toMatch(/city=Nantucket.*minLotSize=90%2C000/)
      expect(problems).toEqual([])
    })
  })

  const moved = async (page: Page, act: () => Promise<void>) => {
    const answer = page.waitForResponse((response) => response.url().includes('/explore/results'))
    await act()
    await answer
    await page.waitForSelector('[data-results]:not([aria-busy])')
  }

  test('the list follows the map when it is moved, and the URL says where', async () => {
    await visit('/explore', async ({ page, problems }) => {
      await page.waitForSelector('[data-loaded]')
      const before = await page.locator('.price-marker').count()
      expect(before).toBe(25)
      // Each click is a move with an answer of its own; the last one must be there before the link is compared.
      for (let times = 0; times < 3; times++) await moved(page, () => page.click('.maplibregl-ctrl-zoom-in'))
      expect(page.url()).toMatch(/bbox=-122/)
      await page.waitForFunction((all) => {
        const markers = document.querySelectorAll('.price-marker').length
        return markers < all && markers === document.querySelectorAll('.homes li').length
      }, before)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.click('.result-line [data-share-page]')
      await page.waitForSelector('text=Link copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
      await page.uncheck('.follow input')
      expect(page.url()).toContain('follow=0')
      await page.click('.maplibregl-ctrl-zoom-out')
      await moved(page, () => page.click('text=Search this area'))
      expect(problems).toEqual([])
    })
  })

  test('hovering a home highlights its marker, and a marker opens a card with price and status', async () => {
    await visit('/explore', async ({ page, problems }) => {
      await page.waitForSelector('[data-loaded]')
      await page.hover('.homes li:nth-child(2)')
      expect(await page.locator('.price-marker.hovered').count()).toBe(1)
      // Zoomed out, no dot covers the count of its neighborhood.
      const counted = page.locator('.price-marker.counted')
      await counted.first().waitFor({ state: 'attached' })
      expect(await counted.and(page.locator('.price-marker:not(.hovered, .selected)')).first().isVisible()).toBe(false)
      const first = page.locator('.homes li').first()
      const label = (await first.locator('.where b').textContent())!
      await page
        .locator(`.price-marker[aria-label^=${JSON.stringify(label.slice(0, 9))}]`)
        .first()
        .dispatchEvent('click')
      await page.waitForSelector('.home-card')
      expect(await page.locator('.home-card').textContent()).toContain('Active')
      expect(await page.locator('.homes li.selected').count()).toBe(1)
      expect(problems).toEqual([])
    })
  })

  test('an area drawn on the map limits the list, stays in the URL, and can be cleared', async () => {
    await visit('/explore', async ({ page, problems }) => {
      await page.waitForSelector('[data-loaded]')
      const all = await page.locator('.homes li').count()
      const box = (await page.locator('.map-canvas canvas').boundingBox())!
      const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
      await page.click('[data-tool=draw]')
      for (const [x, y] of [at(0.3, 0.55), at(0.7, 0.55)]) await page.mouse.click(x, y, { delay: 20 })
      await page.mouse.click(...at(0.7, 0.9))
      await moved(page, () => page.keyboard.press('Enter'))
      expect(page.url()).toMatch(/area=-122/)
      expect(await page.locator('.homes li').count()).toBeLessThan(all)
      await page.reload()
      await page.waitForSelector('[data-loaded]')
      expect(await page.locator('.chip').allTextContents()).toEqual([expect.stringContaining('Drawn area')])
      await moved(page, () => page.click('text=Clear area'))
      expect(page.url()).not.toContain('area=')
      expect(await page.locator('.homes li').count()).toBe(all)
      expect(problems).toEqual([])
    })
  })

  test('selected homes stay selected when the list changes, and are compared side by side', async () => {
    await visit('/explore', async ({ page, problems }) => {
      await page.locator('.homes [name=pick]').nth(0).check()
      await page.locator('.homes [name=pick]').nth(1).check()
      // At the bottom of the screen, whichever home was selected last.
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await page.locator('.homes li').nth(10).scrollIntoViewIfNeeded()
        const bar = (await page.locator('#compare').boundingBox())!
        expect(bar.y + bar.height, `${width} px`).toBeCloseTo(844, 0)
      }
      expect(page.url()).toMatch(/pick=p_001p\d+%2Cp_001p\d+/)
      await page.selectOption('[name=sort]', 'price')
      await page.waitForURL(/sort=price/)
      expect(page.url()).toContain('pick=')
      await page.click('text=Compare 2 selected')
      await page.waitForURL(/explore\/compare/)
      expect(await page.locator('.compare thead a:not(.remove)').count()).toBe(2)
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      const second = (await page.locator('.compare thead th').nth(2).boundingBox())!
      expect(second.x + second.width).toBeLessThanOrEqual(390)
      expect(problems).toEqual([])
    })
  })

  test('on a phone the first home is on the first screen, and the map is one tap away', async () => {
    await visit('/', async ({ page, problems }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${site.url}/explore`)
      const first = (await page.locator('.homes li').first().boundingBox())!
      expect(first.y + first.height).toBeLessThan(844)
      expect(await page.locator('.map-canvas').count()).toBe(0)
      await page.click('[data-view=map]')
      await page.waitForSelector('[data-loaded]')
      expect(page.url()).toContain('view=map')
      expect(await page.locator('.homes').isVisible()).toBe(false)
      expect(problems).toEqual([])
    })
  })

  test('without JavaScript, paging, filters and sign-up work', async () => {
    await visit(
      '/explore?market=sf-peninsula',
      async ({ page }) => {
        expect(await page.locator('.homes li').count()).toBe(25)
        await page.click('text=Next')
        expect(await page.locator('.homes li').count()).toBe(5)
        await page.goto(site.url)
        await page.fill('#sign-up-email', 'bob@example.com')
        await page.click('[data-sign-up] button')
        expect(await page.textContent('.key code')).toMatch(/^ll_free_/)
      },
      { scripts: false },
    )
  })

  test('the documentation search suggests sections while typing, and the language choice shows one sample', async () => {
    await visit('/docs/reference/permits', async ({ page, problems }) => {
      await page.keyboard.press('/')
      await page.keyboard.type('lot split')
      await page.waitForSelector('[data-suggestions] a')
      await page.keyboard.press('ArrowDown')
      const target = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href)
      await page.keyboard.press('Enter')
      await page.waitForURL(target)
      await page.goto(`${site.url}/docs/reference/permits`)
      const samples = page.locator('#search_permits .sample')
      expect(await samples.locator('visible=true').count()).toBe(1)
      await page.check('#language-python')
      expect(await samples.locator('visible=true').textContent()).toContain('import json')
      expect(problems).toEqual([])
    })
  })

  test('the address box suggests a property while typing, and the keyboard opens it', async () => {
    await visit('/docs', async ({ page, problems }) => {
      const { rows } = await sql<{ address: string }>`select address from property where id = 'p_001p1'`.execute(
        site.db,
      )
      await page.fill('.find-small input', rows[0]!.address)
      await page.waitForSelector('.find-small [data-suggestions] a')
      // Escape closes the list and keeps what was typed.
      await page.keyboard.press('Escape')
      expect(await page.locator('.find-small [data-suggestions]').isVisible()).toBe(false)
      expect(await page.inputValue('.find-small input')).toBe(rows[0]!.address)
      await page.keyboard.press('Backspace')
      await page.waitForSelector('.find-small [data-suggestions] a')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/properties/**')
      expect(problems).toEqual([])
    })
  })

  test('the signature checker accepts a valid signature and rejects an invalid one', async () => {
    await visit('/docs/webhooks', async ({ page, problems }) => {
      const body = '{"event":"webhook.test"}'
      const signature = `sha256=${createHmac('sha256', 'whsec_x').update(body).digest('hex')}`
      await page.fill('[name=secret]', 'whsec_x')
      await page.fill('[name=body]', body)
      await page.fill('[name=signature]', signature)
      await page.click('[data-signature] button')
      await page.waitForSelector('[data-result].valid')
      await page.fill('[name=body]', `${body}x`)
      await page.click('[data-signature] button')
      await page.waitForSelector('[data-result].invalid')
      expect(problems).toEqual([])
    })
  })

  test('the theme button switches the theme, also on the next page', async () => {
    await visit('/docs', async ({ page }) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const light = await background()
      await page.click('[data-theme-toggle]')
      expect(await background()).not.toBe(light)
      await page.goto(`${site.url}/permits`)
      expect(await background()).not.toBe(light)
    })
  })

  test('on a phone without WebGL, the list comes before a drawing of the market', () =>
    visit('/', async ({ page }) => {
      await page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null
      })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${site.url}/explore`)
      await page.click('[data-view=map]')
      await page.waitForSelector('.map-panel.off .market-map .dot')
      await expectListFirst(page, 400)
    }))

  test('on a phone without JavaScript, the list comes before the map panel', () =>
    visit(
      '/',
      async ({ page }) => {
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(`${site.url}/explore`)
        await expectListFirst(page)
      },
      { scripts: false },
    ))

  test('a property prints to one page', async () => {
    await visit('/properties/p_001p1', async ({ page }) => {
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      await page.emulateMedia({ media: 'print' })
      const split = await page.evaluate(() =>
        [...document.querySelectorAll('.decision-grid > div')].filter((part) => part.getClientRects().length > 1),
      )
      expect(split, 'parts of the summary in two columns').toEqual([])
      // The printable width of a letter page, in CSS pixels.
      await page.setViewportSize({ width: 740, height: 1000 })
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.property table')]
          .filter((table) => table.scrollWidth > table.parentElement!.clientWidth + 1)
          .map((table) => table.closest('section')!.className),
      )
      expect(wide, 'tables over the other column').toEqual([])
    })
  })

  test.each(['/properties/p_001p1', '/permits?city=palo-alto', '/permits/palo-alto/B-1', '/coverage', '/explore'])(
    '%s prints light, readable and complete: no controls, nothing past the edge, its URL at the end',
    (path) =>
      visit(path, async ({ page }) => {
        // The printable width of a letter page, in CSS pixels.
        await page.setViewportSize({ width: 739, height: 980 })
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        const sheet = await page.evaluate(() => {
          const visible = [...document.querySelectorAll<HTMLElement>('body *:not(script, style, svg *)')].filter(
            (element) => element.getClientRects().length > 0 && !element.matches('.visually-hidden'),
          )
          const withText = visible.filter(({ childNodes }) =>
            [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
          )
          return {
            controls: visible.filter((element) => element.matches('nav, button, input, select, .button')).length,
            beyond: withText
              .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
              .map((element) => element.textContent),
            clipped: visible
              .filter(
                (element) =>
                  element.scrollWidth > element.clientWidth + 1 &&
                  ['hidden', 'auto', 'scroll', 'clip'].includes(getComputedStyle(element).overflowX),
              )
              .map((element) => element.outerHTML.slice(0, 80)),
            smallestPt: Math.min(
              ...withText.map((element) => (Number.parseFloat(getComputedStyle(element).fontSize) * 72) / 96),
            ),
            background: getComputedStyle(document.body).backgroundColor,
            text: document.body.innerText,
            // Lists that overlap the line above them.
            overlapping: [...document.querySelectorAll('main .signals')].filter((list) => {
              const above = list.previousElementSibling?.getBoundingClientRect()
              return above !== undefined && above.height > 0 && list.getBoundingClientRect().top < above.bottom
            }).length,
          }
        })
        expect(sheet).toMatchObject({
          controls: 0,
          overlapping: 0,
          beyond: [],
          clipped: [],
          background: 'rgb(255, 255, 255)',
        })
        expect(sheet.smallestPt).toBeGreaterThanOrEqual(6.3)
        expect(sheet.text).toContain(page.url())
        expect(sheet.text.match(/not an appraisal, not legal advice/gi)).toHaveLength(1)
        if (path.startsWith('/properties'))
          for (const part of ['Sources and dates', 'License', 'build and sell', 'Total cost'])
            expect(sheet.text).toContain(part)
      }),
  )

  test('the printed pro forma shows every cost, and they add up to the total', () =>
    visit('/properties/p_001p1', async ({ page }) => {
      await page.setViewportSize({ width: 739, height: 980 })
      await page.emulateMedia({ media: 'print' })
      const rows = await page.locator('.waterfall tr').evaluateAll((all) =>
        all
          .filter((row) => row.getClientRects().length > 0)
          .map((row) => ({
            kind: row.className.replace('step ', ''),
            usd: Number(row.querySelector('.num')!.textContent!.replace('−', '-').replace(/[$,]/g, '')),
          })),
      )
      const sumOf = (kinds: readonly string[], sign: 1 | -1) =>
        rows
          .filter(({ kind, usd }) => kinds.includes(kind) && Math.sign(usd) === sign)
          .reduce((sum, { usd }) => sum + usd, 0)
      const total = sumOf(['total'], 1)
      // Each line is rounded to a dollar.
      expect(Math.abs(sumOf(['cost'], 1) - total)).toBeLessThanOrEqual(6)
      const profit = rows.at(-1)!.usd
      expect(Math.abs(sumOf(['resale'], 1) + sumOf(['cost'], -1) - total - profit)).toBeLessThanOrEqual(3)
    }))

  test('changed assumptions are announced, also in print', () =>
    visit('/properties/p_001p1?months=30', async ({ page }) => {
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByText('You changed the assumptions').isVisible()).toBe(true)
      expect(await page.textContent('[data-page-url]')).toContain('months=30')
    }))

  test('the home page transfers less than 150 kB', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(site.url, { waitUntil: 'networkidle' })
    await context.close()
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(150_000)
  })
})

/** The list starts on the first screen, and only a short note replaces the map. */
const expectListFirst = async (page: Page, mostPx = 100) => {
  const [note, first] = await Promise.all([
    page.locator('.map-panel').boundingBox(),
    page.locator('.signals li').first().boundingBox(),
  ])
  expect(note!.height).toBeLessThan(mostPx)
  expect(note!.y).toBeGreaterThan(first!.y)
  expect(first!.y).toBeLessThan(844)
}
