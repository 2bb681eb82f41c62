import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packs, usePacks } from '../../src/domain/packs/use-packs.ts'
import { addProperty, planted, startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  await addProperty(site.db, 'p_001oak', { address: '123 Oak St' })
  await addProperty(site.db, 'p_001oakmp', { address: '123 Oak St', city: 'Menlo Park', citySlug: 'menlo-park' })
  await addProperty(site.db, 'p_001elm', { address: '45 Elmwood Ave' })
  await addProperty(site.db, 'p_001other', { address: '47 Oak St' })
  await addProperty(site.db, 'p_001broad', { address: '9002 Broadway' })
  await addProperty(site.db, 'p_001univ', { address: '77 University Ave' })
  await addProperty(site.db, 'p_001colma', { address: '9 Colma' })
})
afterAll(() => site?.close())

const get = (address: string, path = '/find') =>
  site.app.inject({ url: `${path}?address=${encodeURIComponent(address)}`, headers: { accept: 'text/html' } })

test('an address that means one property opens its page', async () => {
  const { statusCode, headers } = await get('123 oak street palo alto ca')
  expect(statusCode).toBe(303)
  expect(headers.location).toBe('/properties/p_001oak')
})

test('an address in two cities lists both and chooses none', async () => {
  const { statusCode, body } = await get('123 oak st')
  expect(statusCode).toBe(200)
  expect(body).toContain('can mean more than one property')
  expect(body).toContain('href="/properties/p_001oak"')
  expect(body).toContain('href="/properties/p_001oakmp"')
})

test('one home at the number is not offered as a choice of several', async () => {
  const { body } = await get('47 oak st')
  expect(body).toContain('Its only home with this number:')
})

test('a misspelled street is suggested, never opened', async () => {
  const { statusCode, body } = await get('45 elmwod ave palo alto')
  expect(statusCode).toBe(200)
  expect(body).toContain('href="/properties/p_001elm"')
})

test('an unknown address says what to enter, and shows feed and visitor text escaped', async () => {
  expect((await get('9 Nowhere Blvd')).body).toContain('No property at “9 Nowhere Blvd”.')
  expect((await get(planted)).body).not.toContain('<script>window')
})

test('a place outside all markets gets no homes elsewhere, and says so', async () => {
  for (const asked of ['500 Broadway, New York, NY 10012', '79 Elmwood Ave, Reno, NV']) {
    expect((await get(asked)).body).toContain('This place is not in a market of this service')
    expect(JSON.parse((await get(asked, '/find.json')).body)).toEqual({ match: 'none', properties: [] })
  }
})

test('suggestions are JSON with the page of each property, limited per client', async () => {
  const { body } = await get('45 elmwood', '/find.json')
  expect(JSON.parse(body)).toEqual({
    match: 'exact',
    properties: [{ address: '45 Elmwood Ave', city: 'Palo Alto', url: '/properties/p_001elm' }],
  })
  for (const typed of ['45 elmw', 'elmwo'])
    expect((await get(typed, '/find.json')).body).toContain('/properties/p_001elm')
  expect(JSON.parse((await get('45 e', '/find.json')).body).properties).toEqual([])
  // Typing errors: in a street, also with a number that it does not have, and in a city.
  for (const [typed, id] of [
    ['elmwod ave', 'elm'],
    ['9999 elmwod', 'elm'],
    ['brodway', 'broad'],
    ['boradway', 'broad'],
    ['univercity', 'univ'],
  ])
    expect((await get(typed!, '/find.json')).body, typed).toContain(`/properties/p_001${id}`)
  // Half of the name is the same, but it is another name.
  expect(JSON.parse((await get('broadleaf', '/find.json')).body).properties).toEqual([])
  expect(JSON.parse((await get('menlo prk', '/find.json')).body).properties).toEqual([
    { address: 'Menlo Park', city: 'San Francisco Peninsula', url: '/explore?city=menlo-park' },
  ])
  // A home stands before a city of almost the same name.
  expect(JSON.parse((await get('9 colma', '/find.json')).body).properties).toMatchObject([
    { url: '/properties/p_001colma' },
    { url: '/explore?city=colma' },
  ])
  expect((await get('menlo prk')).body).toMatch(/Did you mean:.*href="\/explore\?city=menlo-park">Menlo Park</)
  const statuses = []
  for (let at = 0; at < 121; at++) statuses.push((await get('45 elmwood', '/find.json')).statusCode)
  expect(statuses.at(-1)).toBe(429)
})

test('a city name that two markets share lists both cities', async () => {
  const given = packs()
  onTestFinished(() => usePacks(given))
  const shared = (pack: (typeof given)[number]) => ({
    ...pack,
    cities: pack.cities.map((city, at) => (at === 0 ? { ...city, name: 'Sharedtown' } : city)),
  })
  usePacks(given.map(shared))
  const { body } = await get('sharedtown')
  for (const { cities } of given) expect(body).toContain(`/explore?city=${cities[0]!.slug}"`)
})

test('every page has an address box', async () => {
  for (const url of ['/', '/permits', '/docs', '/find']) {
    const { body } = await site.app.inject({ url, headers: { accept: 'text/html' } })
    expect(body.match(/action="\/find"/g), url).toHaveLength(1)
  }
})
