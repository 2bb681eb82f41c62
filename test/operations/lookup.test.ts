import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { lookUpItems } from '../../src/operations/lookup.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { assessment, listing, property } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  const parcels = [
    ['p_001a', '123 Main St', 'Menlo Park', '900-001-010', 'San Mateo'],
    ['p_001b', '123 Main St', 'Burlingame', '900-001-020', 'San Mateo'],
    ['p_001c', '125 Main St', 'Menlo Park', '900-001-030', 'San Mateo'],
    ['p_001d', '50 Oak Ave #1', 'Menlo Park', '900-001-040', 'San Mateo'],
    ['p_001e', '50 Oak Ave #2', 'Menlo Park', '900-001-050', 'San Mateo'],
    ['p_001f', '77 Belvedere Ave', 'Menlo Park', '900-01-001', 'Santa Clara'],
    ['p_001g', '80 Elm Ct', 'Menlo Park', '900-001-070', 'San Mateo'],
    ['p_001h', '82 Elm Dr', 'Menlo Park', '900-001-080', 'San Mateo'],
    ['p_001i', '9 Camino Real', 'Menlo Park', '900-001-090', 'San Mateo'],
    ['p_001j', '15 Waverley St', 'Palo Alto', '900-01-100', 'Santa Clara', '94301'],
  ] as const
  for (const [at, [id, address, city, apn, county, zip]] of parcels.entries()) {
    const state = 'ca'
    const apn_key = `${state}:${county === 'San Mateo' ? 'san-mateo' : 'santa-clara'}:${apn.replace(/\D/g, '')}`
    await property(db, { id, address, city, zip, apn, county, apn_key, lat: 37.45 + at * 0.001, lng: -122.18 })
  }
  await listing(db, { property_id: 'p_001a', city: 'Menlo Park', price_usd: 2_500_000 })
  await assessment(db, 'p_001a', { teardown_score: 71, city_slug: 'menlo-park', sb9_status: 'eligible' })
  for (const [id, apn] of [
    ['p_002a', '931 215'],
    ['p_002b', '4 21'],
    ['p_002c', '42 1'],
  ] as const)
    await property(db, {
      id,
      apn,
      market: 'nantucket',
      state: 'MA',
      city: 'Nantucket',
      county: 'Nantucket',
      address: `${apn.replace(' ', '')} Vestal St`,
      apn_key: `ma:nantucket:${apn.replace(' ', '-')}`,
    })
  await property(db, { id: 'p_001old', address: '300 Pine St', city: 'Menlo Park', known_from: 'listing' })
  await listing(db, {
    property_id: 'p_001old',
    city: 'Menlo Park',
    status: 'sold',
    sold_on: '2026-09-01',
    price_usd: 2_000_000,
    sold_price_usd: 1_950_000,
  })
  await property(db, { id: 'p_001gone', address: '400 Pine St', city: 'Menlo Park', removed_at: new Date() })
})

const lookUp = async (query: Record<string, string>, key = pro) => {
  const { status, body } = await ask(service(), `/v1/lookup?${new URLSearchParams(query)}`, { key })
  return { status, ...body, ...(body.data as object) }
}
const ids = ({ candidates }: { candidates: { id: string }[] }) => candidates.map(({ id }) => id)

const typed = [
  ['123 main st menlo park ca 94025', 'exact', ['p_001a']],
  ['123 Main Street, Menlo Park', 'exact', ['p_001a']],
  ['Menlo Park, 123 Main St', 'exact', ['p_001a']],
  ['123 main st 94025', 'exact', ['p_001a']],
  ['123 main menlo park', 'exact', ['p_001a']],
  ['123 Main St', 'ambiguous', ['p_001a', 'p_001b']],
  ['77 Belvedere Ave', 'exact', ['p_001f']],
  ['77, Belvedere, Ave, Menlo Park', 'exact', ['p_001f']],
  ['9 Camino Real, Menlo Park', 'exact', ['p_001i']],
  ['50 Oak Ave, Menlo Park', 'unit_missing', ['p_001d', 'p_001e']],
  ['50 Oak Ave Apt 2 Menlo Park', 'exact', ['p_001e']],
  ['123 Main St #3, Menlo Park', 'unit_missing', ['p_001a']],
  ['77 Belvedre Av, Menlo Park', 'fuzzy', ['p_001f']],
  ['77 Belvedere St, Menlo Park', 'fuzzy', ['p_001f']],
  ['123 Main St, Menlo Park 94301', 'fuzzy', ['p_001a']],
  ['123 Main St, Menlo Prak', 'fuzzy', ['p_001a']],
  ['15 Waverley St, Palo Alto 94301', 'exact', ['p_001j']],
  ['15 Waverley St, Palo Alto 94306', 'fuzzy', ['p_001j']],
  ['77 Belvedere Ave, Burlingame', 'fuzzy', ['p_001f']],
  ['127 Main St, Menlo Park', 'near', ['p_001c', 'p_001a']],
  ['79 Belvedere Ave', 'near', ['p_001f']],
  ['79 Belvedere Ave, Reno, NV', 'none', []],
  ['80 Elm, Menlo Park', 'ambiguous', ['p_001g']],
  ['400 Pine St, Menlo Park', 'near', ['p_001old']],
  ['123 Main St, Reno, NV', 'none', []],
  ['Main St, Menlo Park', 'none', []],
  ['999 Nowhere Blvd, Menlo Park', 'none', []],
] as const
test.each(typed)('"%s" is %s', async (address, match, expected) => {
  const answer = await lookUp({ address })
  expect(answer.status).toBe(200)
  expect([answer.match, ids(answer)]).toEqual([match, expected])
})

test('the whole answer: what was read, what matched, what is covered', async () => {
  const more = [
    ...['50 Oak Ave #2, 94025', '50 Oak Ave #9, Menlo Park', '50 Oak, Menlo Park', '9 Camino', '82 Elm St, Menlo Park'],
    ...[
      '123 Main Stret',
      '77 Belvedre Ave',
      '79 Belvedre Ave, Menlo Park',
      '15 Waverley St, 94301',
      '15 Waverly, Palo Alto',
    ],
    ...[
      '15 Waverley St, Palo Alto, NV',
      '124 Main',
      '9 Main St, Menlo Park 94301',
      '123 Main St #3',
      '931215 Vestal St, MA',
    ],
    ...[
      '5 Nowhere Blvd, Burlingame',
      '77 Belvedere Ave, San Mateo 94401',
      '300 Pine, Menlo Park',
      '125 Main St, Burlingame',
    ],
  ]
  const answers: string[] = []
  for (const address of [...typed.map(([address]) => address), ...more]) {
    const { match, candidates, read, covered, note } = await lookUp({ address })
    const found = candidates.map(
      ({ id, matched: m }: { id: string; matched: Record<string, string> }) =>
        `${id} ${m.houseNumber}/${m.street}/${m.unit}/${m.city}/${m.zip}`,
    )
    answers.push([address, match, covered, Object.values(read).join('·'), ...found, note ?? ''].join(' | '))
  }
  expect(answers).toMatchInlineSnapshot(`
    [
      "123 main st menlo park ca 94025 | exact | true | 123·MAIN ST·Menlo Park·CA·94025 | p_001a same/same/same/same/same | ",
      "123 Main Street, Menlo Park | exact | true | 123·MAIN ST·Menlo Park | p_001a same/same/same/same/not_given | ",
      "Menlo Park, 123 Main St | exact | true | 123·MAIN ST·Menlo Park | p_001a same/same/same/same/not_given | ",
      "123 main st 94025 | exact | true | 123·MAIN ST·94025 | p_001a same/same/same/not_given/same | ",
      "123 main menlo park | exact | true | 123·MAIN·Menlo Park | p_001a same/partial/same/same/not_given | ",
      "123 Main St | ambiguous | true | 123·MAIN ST | p_001a same/same/same/not_given/not_given | p_001b same/same/same/not_given/not_given | ",
      "77 Belvedere Ave | exact | true | 77·BELVEDERE AVE | p_001f same/same/same/not_given/not_given | ",
      "77, Belvedere, Ave, Menlo Park | exact | true | 77·BELVEDERE AVE·Menlo Park | p_001f same/same/same/same/not_given | ",
      "9 Camino Real, Menlo Park | exact | true | 9·CAMINO REAL·Menlo Park | p_001i same/same/same/same/not_given | ",
      "50 Oak Ave, Menlo Park | unit_missing | true | 50·OAK AVE·Menlo Park | p_001d same/same/missing/same/not_given | p_001e same/same/missing/same/not_given | ",
      "50 Oak Ave Apt 2 Menlo Park | exact | true | 50·OAK AVE·# 2·Menlo Park | p_001e same/same/same/same/not_given | ",
      "123 Main St #3, Menlo Park | unit_missing | true | 123·MAIN ST·# 3·Menlo Park | p_001a same/same/not_held/same/not_given | ",
      "77 Belvedre Av, Menlo Park | fuzzy | true | 77·BELVEDRE AVE·Menlo Park | p_001f same/similar/same/same/not_given | ",
      "77 Belvedere St, Menlo Park | fuzzy | true | 77·BELVEDERE ST·Menlo Park | p_001f same/similar/same/same/not_given | ",
      "123 Main St, Menlo Park 94301 | fuzzy | true | 123·MAIN ST·Menlo Park·94301 | p_001a same/same/same/same/different | ",
      "123 Main St, Menlo Prak | fuzzy | true | 123·MAIN ST·MENLO PRAK | p_001a same/same/same/similar/not_given | ",
      "15 Waverley St, Palo Alto 94301 | exact | true | 15·WAVERLEY ST·Palo Alto·94301 | p_001j same/same/same/same/same | ",
      "15 Waverley St, Palo Alto 94306 | fuzzy | true | 15·WAVERLEY ST·Palo Alto·94306 | p_001j same/same/same/same/different | ",
      "77 Belvedere Ave, Burlingame | fuzzy | true | 77·BELVEDERE AVE·Burlingame | p_001f same/same/same/different/not_given | ",
      "127 Main St, Menlo Park | near | true | 127·MAIN ST·Menlo Park | p_001c different/same/same/same/not_given | p_001a different/same/same/same/not_given | ",
      "79 Belvedere Ave | near | true | 79·BELVEDERE AVE | p_001f different/same/same/not_given/not_given | ",
      "79 Belvedere Ave, Reno, NV | none | false | 79·BELVEDERE AVE RENO·NV | NV is not in a loaded market.",
      "80 Elm, Menlo Park | ambiguous | true | 80·ELM·Menlo Park | p_001g same/partial/same/same/not_given | ",
      "400 Pine St, Menlo Park | near | true | 400·PINE ST·Menlo Park | p_001old different/same/same/same/not_given | ",
      "123 Main St, Reno, NV | none | false | 123·MAIN ST RENO·NV | NV is not in a loaded market.",
      "Main St, Menlo Park | none | true | MAIN ST·Menlo Park | The address has no house number.",
      "999 Nowhere Blvd, Menlo Park | none | true | 999·NOWHERE BLVD·Menlo Park | No similar address is on record there. Check the street and the city.",
      "50 Oak Ave #2, 94025 | exact | true | 50·OAK AVE·# 2·94025 | p_001e same/same/same/not_given/same | ",
      "50 Oak Ave #9, Menlo Park | unit_missing | true | 50·OAK AVE·# 9·Menlo Park | p_001d same/same/different/same/not_given | p_001e same/same/different/same/not_given | ",
      "50 Oak, Menlo Park | unit_missing | true | 50·OAK·Menlo Park | p_001d same/partial/missing/same/not_given | p_001e same/partial/missing/same/not_given | ",
      "9 Camino | fuzzy | true | 9·CAMINO | p_001i same/similar/same/not_given/not_given | ",
      "82 Elm St, Menlo Park | fuzzy | true | 82·ELM ST·Menlo Park | p_001h same/similar/same/same/not_given | ",
      "123 Main Stret | fuzzy | true | 123·MAIN STRET | p_001a same/similar/same/not_given/not_given | p_001b same/similar/same/not_given/not_given | ",
      "77 Belvedre Ave | fuzzy | true | 77·BELVEDRE AVE | p_001f same/similar/same/not_given/not_given | ",
      "79 Belvedre Ave, Menlo Park | near | true | 79·BELVEDRE AVE·Menlo Park | p_001f different/similar/same/same/not_given | ",
      "15 Waverley St, 94301 | exact | true | 15·WAVERLEY ST·94301 | p_001j same/same/same/not_given/same | ",
      "15 Waverly, Palo Alto | fuzzy | true | 15·WAVERLY·Palo Alto | p_001j same/similar/same/same/not_given | ",
      "15 Waverley St, Palo Alto, NV | none | false | 15·WAVERLEY ST PALO ALTO·NV | NV is not in a loaded market.",
      "124 Main | near | true | 124·MAIN | p_001a different/partial/same/not_given/not_given | p_001b different/partial/same/not_given/not_given | p_001c different/partial/same/not_given/not_given | ",
      "9 Main St, Menlo Park 94301 | near | true | 9·MAIN ST·Menlo Park·94301 | p_001a different/same/same/same/different | p_001c different/same/same/same/different | ",
      "123 Main St #3 | ambiguous | true | 123·MAIN ST·# 3 | p_001a same/same/not_held/not_given/not_given | p_001b same/same/not_held/not_given/not_given | ",
      "931215 Vestal St, MA | exact | true | 931215·VESTAL ST·MA | p_002a same/same/same/not_given/not_given | ",
      "5 Nowhere Blvd, Burlingame | none | true | 5·NOWHERE BLVD·Burlingame | No similar address is on record there. Check the street and the city.",
      "77 Belvedere Ave, San Mateo 94401 | fuzzy | true | 77·BELVEDERE AVE·San Mateo·94401 | p_001f same/same/same/different/different | ",
      "300 Pine, Menlo Park | exact | true | 300·PINE·Menlo Park | p_001old same/partial/same/same/not_given | ",
      "125 Main St, Burlingame | near | true | 125·MAIN ST·Burlingame | p_001b different/same/same/same/not_given | ",
    ]
  `)
})

test('the response states how the address was parsed, what matched and whether the city is covered', async () => {
  expect(await lookUp({ address: '77 Belvedre Ave, Menlo Park CA' })).toMatchObject({
    read: { houseNumber: '77', street: 'BELVEDRE AVE', city: 'Menlo Park', state: 'CA' },
    covered: true,
    candidates: [{ matched: { houseNumber: 'same', street: 'similar', unit: 'same', city: 'same', zip: 'not_given' } }],
  })
  expect((await lookUp({ address: '1 Main St, Reno, NV 89501' })).covered).toBe(false)
  expect((await lookUp({ address: '1 Main St, Atherton' })).covered).toBe(false)
  expect((await lookUp({ address: '1 Nowhere Blvd' })).covered).toBeNull()
  expect((await lookUp({ address: '1 Nowhere Blvd' })).note).toMatch(/add a city or ZIP code/)
  expect((await lookUp({ address: '999 Nowhere Blvd, Menlo Park' })).note).toMatch(
    /No similar address is on record there/,
  )
})

test('a parcel number is found with and without separators and county', async () => {
  const queries: Record<string, string>[] = [{ apn: '900001010', county: 'San Mateo County' }, { apn: '900-001-010' }]
  for (const query of queries) {
    const matched = { apn: 'same', county: query.county ? 'same' : 'not_given' }
    expect(await lookUp(query)).toMatchObject({ match: 'exact', candidates: [{ id: 'p_001a', matched }] })
  }
  expect(await lookUp({ apn: '900-001-010', county: 'Santa Clara' })).toMatchObject({ match: 'none', covered: true })
  expect(await lookUp({ apn: '900-001-010', county: 'Kern' })).toMatchObject({ match: 'none', covered: false })
})

test('a parcel number is found without separators where they are significant, unless two numbers read the same', async () => {
  expect(await lookUp({ apn: '931215' })).toMatchObject({ match: 'exact', candidates: [{ id: 'p_002a' }] })
  expect(await lookUp({ apn: '931215', county: 'Nantucket' })).toMatchObject({ match: 'exact' })
  const both = await lookUp({ apn: '421' })
  expect([both.match, ids(both).sort()]).toEqual(['ambiguous', ['p_002b', 'p_002c']])
})

test('a point lists the nearest parcels and is never exact', async () => {
  const answer = await lookUp({ lat: '37.4521', lng: '-122.18' })
  expect(answer.match).toBe('near')
  expect(ids(answer).slice(0, 2)).toEqual(['p_001c', 'p_001d'])
  expect(answer.candidates[0].matched.distanceMi).toBeCloseTo(0.007, 3)
  expect(await lookUp({ lat: '40', lng: '-100' })).toMatchObject({ match: 'none', covered: false })
})

test('an id is found or not', async () => {
  expect(await lookUp({ id: 'p_001a' })).toMatchObject({ match: 'exact' })
  expect(await lookUp({ id: 'nothing' })).toMatchObject({ match: 'none', status: 200 })
})

test.each([
  [{}, 'Give one of'],
  [{ address: '1 Main St', apn: '1' }, 'only one of'],
  [{ lat: '37' }, 'go together'],
  [{ lat: '-122.18', lng: '37.45' }, 'lat must be'],
  [{ county: 'San Mateo', id: 'x' }, 'county goes with apn'],
])('%o is a 400 that says why', async (query, message) => {
  const { status, error } = await lookUp(query as Record<string, string>)
  expect([status, error]).toEqual([400, expect.stringContaining(message)])
})

test('a key with a history window gets the response of a database without the older sale', async () => {
  expect(await lookUp({ address: '300 Pine St, Menlo Park' })).toMatchObject({ match: 'exact' })
  expect(await lookUp({ address: '300 Pine St, Menlo Park' }, free)).toMatchObject({ match: 'none' })
  expect(await lookUp({ id: 'p_001old' }, free)).toMatchObject({ match: 'none' })
})

test('include adds the listing and the scores', async () => {
  const answer = await lookUp({ address: '123 Main St, Menlo Park', include: 'listing,scores' })
  expect(answer.candidates[0]).toMatchObject({
    listing: { status: 'active', price: 2_500_000 },
    scores: { teardownScore: 71, sb9Status: 'eligible' },
  })
  const sold = await lookUp({ id: 'p_001old', include: 'listing' })
  expect(sold.candidates[0].listing).toMatchObject({
    status: 'sold',
    price: 2_000_000,
    soldPrice: 1_950_000,
    soldDate: '2026-09-01',
  })
})

describe('batch', () => {
  const batch = (items: unknown, key = pro) => ask(service(), '/v1/lookup/batch', { key, body: { items } })

  test('results keep the order and refs of the items, and an invalid item has its own error', async () => {
    const { body } = await batch([
      { ref: 'a', address: '123 Main St, Menlo Park' },
      { ref: 'b', lat: 'north' },
      { ref: 'c', apn: '900001020', county: 'San Mateo' },
      { ref: 'd' },
      'text',
      { ref: 'e', address: null },
    ])
    expect(
      body.data.map((each: { ref?: string; match: string; error?: string }) => [each.ref, each.match, each.error]),
    ).toEqual([
      ['a', 'exact', undefined],
      ['b', 'none', expect.stringContaining('lat must be a number')],
      ['c', 'exact', undefined],
      ['d', 'none', expect.stringContaining('Give one of')],
      [undefined, 'none', 'It must be an object.'],
      ['e', 'none', expect.stringContaining('address must be text')],
    ])
    expect(body.count).toBe(6)
  })

  test('twenty addresses take at most two statements more than one', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const misspelled = Array.from({ length: 20 }, (_, n) => ({ address: `${200 + n} Mian St, Menlo Park` }))
    const statements = async (items: object[]) => {
      query.mockClear()
      const db = service().db
      const limits = { maxResults: 50, historyDays: null }
      const found = await lookUpItems({ db, caller: { limits }, now: new Date(), surface: 'api' } as never, items, [])
      return { count: query.mock.calls.length, matches: found.map(({ match }) => match) }
    }
    const one = await statements(misspelled.slice(1, 2))
    const all = await statements(misspelled)
    query.mockRestore()
    expect(all.matches).toEqual(Array(20).fill('none'))
    expect(one.matches).toEqual(['none'])
    expect(all.count).toBeLessThanOrEqual(one.count + 2)
  })

  test('a batch larger than the page of the plan is a 400', async () => {
    const items = Array.from({ length: 6 }, () => ({ address: '123 Main St, Menlo Park' }))
    expect((await batch(items, demoKey)).body.error).toContain('at most 5')
    expect((await batch(items, free)).status).toBe(200)
  })

  const csv = (raw: string, key = pro) =>
    ask(service(), '/v1/lookup/batch', { key, raw, headers: { 'content-type': 'text/csv' } })

  test('a CSV is returned with its own columns and the added ones', async () => {
    const { status, text, headers } = await csv(
      'Name,Address,City,Zip\r\n"Doe, Jo",123 Main St,Menlo Park,94025\nB,50 Oak Ave,Menlo Park,\nC,,,\n',
    )
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/csv')
    const [header, ...rows] = text.trim().split('\r\n')
    expect(header).toBe(
      'Name,Address,City,Zip,lotline_match,lotline_property_id,lotline_address,lotline_city,lotline_zip,lotline_apn,lotline_lat,lotline_lng,lotline_status,lotline_price,lotline_teardown_score,lotline_return_pct,lotline_adu_score,lotline_sb9_status,lotline_candidate_ids,lotline_covered,lotline_sample,lotline_note',
    )
    expect(rows[0]).toMatch(/^"Doe, Jo",123 Main St,Menlo Park,94025,exact,p_001a,123 Main St,Menlo Park,/)
    expect(rows[1]).toContain('unit_missing,,,,,,,,,,,,,,p_001d p_001e,true')
    expect(rows[2]).toContain('Give one of')
  })

  test('a ZIP code that lost its leading zero in a spreadsheet is read with it', async () => {
    const id = await property(service().db, {
      market: 'nantucket',
      city: 'Nantucket',
      address: '901 Main St',
      zip: '02554',
    })
    const { text } = await csv('Street,City,State,ZIP\n901 Main St,Nantucket,MA,2554\n')
    expect(text.split('\r\n')[1]).toMatch(
      new RegExp(`^901 Main St,Nantucket,MA,2554,exact,${id},901 Main St,Nantucket,02554,`),
    )
  })

  test('a CSV needs Pro, a known column and at most 10,000 rows', async () => {
    expect((await csv('address\n1 Main St\n', free)).status).toBe(403)
    expect((await csv('name\nJo\n')).body.error).toContain('header row')
    expect((await csv(`address\n${'1 Main St\n'.repeat(10_001)}`)).body.error).toContain('at most 10,000')
    expect((await csv('address\n"1 Main St\n')).body.error).toContain('not valid CSV')
    expect((await csv(`address\n${','.repeat(100)}\n`)).body.error).toContain('row 2 has more than 100 columns')
    expect((await csv(`address\n${'x'.repeat(50_001)}\n`)).body.error).toContain('longer than 50,000')
    expect((await csv(`address\n${'x'.repeat(5_300_000)}`)).status).toBe(413)
  })

  test('a plan without CSV is told so before the body is read', async () => {
    // A body that is read is too large: 413.
    const tooLarge = 'x'.repeat(5_300_000)
    expect([(await csv(tooLarge, free)).status, (await csv(tooLarge)).status]).toEqual([403, 413])
  })

  test('only the batch operation accepts CSV', async () => {
    const answer = await ask(service(), '/v1/subscribe', {
      raw: 'email\na@b.c',
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.status).toBe(415)
  })
})

test('a street without its last word is not exact where a longer street begins with it', async () => {
  const { db } = service()
  await property(db, { id: 'p_001grayct', city: 'San Mateo', address: '9039 Graystone Ct' })
  await property(db, { id: 'p_001grayrow', city: 'San Mateo', address: '9041 Graystone Row' })
  const { body } = await ask(service(), '/v1/lookup?address=9039%20graystone%20san%20mateo', {
    key: await service().proKey(),
  })
  expect([body.data.match, body.data.candidates[0].id]).toEqual(['ambiguous', 'p_001grayct'])
})
