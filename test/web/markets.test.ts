import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveSeries } from '../../src/store/assessments/market-series.ts'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { yearOverYear } from '../../src/web/pages/markets.ts'
import { property, source } from '../setup/rows.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  for (const year of [2024, 2025]) {
    const rows = ['01', '04', '07', '10'].map((first, at) => ({
      citySlug: 'menlo-park',
      zip: '',
      interval: 'quarter' as const,
      period: `${year}-${first}-01`,
      n: at === 0 ? 3 : 20,
      partial: false,
      suppressed: at === 0,
      figures: {
        homesSold: at === 0 ? 3 : 20,
        priceIndex: year === 2024 ? 100 : 104,
        ...{
          inventory: 10 + at,
          medianDaysOnMarket: 20 + at,
          soldAboveListPct: 30 + at,
          medianPricePerSqft: 1_000 + at,
        },
        ...{ newHousePermits: 4 + at, demolitions: 5 + at, aduPermits: 6 + at },
        ...(at === 0 ? {} : { medianSalePrice: year === 2024 ? 2_000_000 : 2_200_000 }),
      },
    }))
    await saveSeries(site.db, 'sf-peninsula', year, rows, new Date('2026-01-02T00:00:00Z'))
  }
})
afterAll(() => site.close())

const read = async (url: string) => {
  const { statusCode, body } = await site.app.inject({ url })
  return { statusCode, text: body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '), body }
}

test('the page of a city says how prices moved in a year, draws charts and has their figures in tables', async () => {
  const { statusCode, text, body } = await read('/markets/sf-peninsula/menlo-park')
  expect(statusCode).toBe(200)
  expect(text).toContain('The median sale price rose by 10.0%, to $2.2M.')
  expect(text).toContain('Prices at constant quality in the market rose by 4.0%.')
  expect(body).toMatch(/<svg[^>]*aria-label="Median sale price: \$2M in Apr 2024, \$2.2M in Oct 2025"/)
  expect(text).toMatch(/Jan–Mar 2025 withheld 3/)
  const axes = body.matchAll(
    /<h3>([^<]*)<\/h3><figure class="line-chart">\s*<div class="y">(?:<span>([^<]*)<\/span>)+/g,
  )
  expect(Object.fromEntries([...axes].map(([, title, least]) => [title, least]))).toEqual({
    'Price index of the market, at constant quality': '99.2',
    'Median sale price': '$1.96M',
    'Median price per sq ft': '$999',
    ...{ 'Homes sold': '0', 'Homes on the market': '0', 'Median days on market': '0', 'Sold above list price': '0.0%' },
    ...{ 'New-house permits': '0', 'Demolition permits': '0', 'ADU permits': '0' },
  })
})

test('/markets lists every market and city; the navigation links to it and to the builders', async () => {
  const { statusCode, body } = await read('/markets')
  expect(statusCode).toBe(200)
  for (const path of ['/markets/nantucket', '/markets/sf-peninsula', '/markets/sf-peninsula/menlo-park'])
    expect(body).toContain(`href="${path}"`)
  expect(body).toMatch(/<nav aria-label="Main"[^>]*>.*href="\/markets" aria-current="page".*href="\/builders"/)
})

test('a city page has permit times and active builders; permits and builders link to each other and to the city', async () => {
  await sql`
    insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, applied_on,
      issued_on, status, permit_class, contractor, contractor_key, collected_at)
    select 'menlo-park', 'T-' || n, ${await source(site.db)}, 'sf-peninsula', 'CA', 'Menlo Park', 'none', 'low',
      current_date - 400, current_date - 400 + 10 * n, 'issued', 'new_house', 'Acme Builders', 'acme builders', now()
    from generate_series(1, 30) n`.execute(site.db)
  await indexPermits(site.db)
  await indexBuilders(site.db, 'sf-peninsula')
  const { text, body } = await read('/markets/sf-peninsula/menlo-park')
  expect(text).toMatch(/Permit times .* New house 30 150 270/)
  const builder = /href="(\/builders\/[^"]+)">Acme Builders/.exec(body)?.[1]
  expect(builder).toBeDefined()
  const named = async (permitClass: string) =>
    (await read(`/builders?permitClass=${permitClass}`)).body.includes('Acme Builders')
  expect([await named('new_house'), await named('solar')]).toEqual([true, false])
  expect((await read('/builders?permitClass=roofs')).text).toContain('solar, pool, roof, other; “roofs” was ignored.')
  expect((await read('/permits')).body).toContain(`href="${builder}">Acme Builders</a>`)
  expect((await read(builder!)).body).toContain('href="/markets/sf-peninsula/menlo-park">Menlo Park</a>')
})

test('a market without figures says so and lists its cities; unknown places are 404', async () => {
  const { statusCode, text, body } = await read('/markets/sf-peninsula')
  expect(statusCode).toBe(200)
  expect(text).toContain('No figures are computed for this place yet')
  expect(body).toContain('href="/markets/sf-peninsula/menlo-park"')
  expect((await read('/markets/nowhere')).statusCode).toBe(404)
  expect((await read('/markets/sf-peninsula/nowhere')).statusCode).toBe(404)
})

test('one quarter draws nothing and says so; homes without coordinates are not offered on the map', async () => {
  const row = { ...{ citySlug: 'nantucket', zip: '', interval: 'quarter' as const }, period: '2025-04-01', n: 20 }
  const rows = [{ ...row, partial: false, suppressed: false, figures: { homesSold: 20 } }]
  await saveSeries(site.db, 'nantucket', 2025, rows, new Date('2026-01-02T00:00:00Z'))
  const { text } = await read('/markets/nantucket/nantucket')
  expect(text).toContain('drawn once they are known for two whole quarters')
  expect(text).not.toContain('Prices, sales and permits by quarter')
  await property(site.db, { city: 'Menlo Park', lat: null, lng: null })
  await recountMarket(site.db, 'sf-peninsula')
  expect((await read('/explore')).text).toContain('1 parcels are loaded. None has coordinates, so the map is empty')
  await property(site.db, { city: 'Menlo Park', address: '2 Elm St', lat: 37.453, lng: -122.182 })
  expect((await read('/explore')).text).toContain('Click a lot on the map, or find a property by address')
})

test('a year is compared by the last complete quarter and the same one before', () => {
  const quarter = (period: string, medianSalePrice: number, partial?: true) => ({
    period,
    n: 30,
    medianSalePrice,
    ...(partial ? { partial } : {}),
  })
  const words = yearOverYear('Easton', [
    quarter('2026-10-01', 9_000_000, true),
    quarter('2026-07-01', 900_000),
    quarter('2025-07-01', 1_000_000),
  ])
  expect(words.join(' ')).toBe(
    'Easton, the third quarter of 2026 compared with the same quarter a year earlier: The median sale price fell by 10.0%, to $900K.',
  )
  const sold = (days?: number) => ({ ...quarter('2026-07-01', 900_000), medianDaysOnMarket: days })
  const daysOf = (now?: number, before?: number) =>
    yearOverYear('Easton', [sold(now), { ...sold(before), period: '2025-07-01' }]).filter((each) =>
      each.includes('days'),
    )
  expect(daysOf(21, 30)).toEqual(['Homes sold after a median of 21 days on the market; a year earlier it was 30.'])
  for (const [now, before] of [[21], [undefined, 30], []]) expect(daysOf(now, before)).toEqual([])
  expect(yearOverYear('Easton', [quarter('2026-07-01', 900_000)])).toEqual([])
  expect(yearOverYear('Easton', [quarter('2026-07-01', 900_000), quarter('2025-07-01', 901_000)])[1]).toBe(
    'The median sale price stayed at about $900K.',
  )
})
