import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { packCommand } from '../../src/bin/commands/pack.ts'
import { packCapabilities, useMarketPacks } from '../../src/bin/use-market-packs.ts'
import { apnKey } from '../../src/domain/address/address.ts'
import { assumptionsFor, defaultedAssumptions } from '../../src/domain/assumptions/assumptions.ts'
import { cityFact, outdatedFacts } from '../../src/domain/packs/city-facts.ts'
import { cityOfZip, defaultMarket, findCity, marketIds, markets } from '../../src/domain/packs/markets.ts'
import { packOf, usePacks } from '../../src/domain/packs/use-packs.ts'
import { districtOf } from '../../src/domain/packs/zoning-tables.ts'
import { failedVectors } from '../../src/packs/failed-vectors.ts'
import { builtInPacks, loadPacks } from '../../src/packs/load-packs.ts'
import { packSchemas } from '../../src/packs/schemas.ts'
import { writeSkeleton } from '../../src/packs/skeleton.ts'
import { packFolder, springfield } from './pack-folder.ts'

const load = (...folders: string[]) =>
  loadPacks([builtInPacks, ...folders], { ...packCapabilities, checksSample: true })

afterEach(() => usePacks(inject('packs')))

test('the packs of the program load, and exactly one is the default', () => {
  const { packs, problems } = load()
  expect(problems).toEqual([])
  expect(packs.filter(({ market }) => market.default)).toHaveLength(1)
})

test('a file in place of the folder of packs is a problem that names it, and the others load', () => {
  const { packs, problems } = load(import.meta.filename)
  expect(packs).toHaveLength(load().packs.length)
  expect(problems).toMatchObject([{ file: import.meta.filename, reason: 'is not a folder of market packs' }])
})

test('the JSON Schemas in packs/schema are the schemas that packs are checked with', () => {
  for (const [name, schema] of Object.entries(packSchemas)) {
    const { $schema: _, ...file } = JSON.parse(
      readFileSync(join(builtInPacks, 'schema', `${name}.schema.json`), 'utf8'),
    ) as { $schema: string }
    // Run node scripts/write-pack-schemas.ts after changing a schema.
    expect(file).toEqual(JSON.parse(JSON.stringify(schema)))
  }
})

describe('a third market', () => {
  test('a pack is a folder: its city, ZIP codes, zoning, assumptions and parcel numbers are known once loaded', () => {
    usePacks(load(packFolder()).packs)
    expect(marketIds()).toContain('springfield-area')
    expect(findCity('Springfield')?.slug).toBe('springfield-il')
    expect(cityOfZip('62701', 'springfield-area')?.name).toBe('Springfield')
    expect(districtOf(packOf('springfield-area'), 'Springfield', 'R-1')?.minLotSqft).toBe(5000)
    expect(assumptionsFor(packOf('springfield-area'), 'Springfield').baseCostPerSqft).toBe(180)
    expect(defaultedAssumptions(packOf('springfield-area'))).not.toContain('baseCostPerSqft')
    expect(defaultedAssumptions(packOf('springfield-area'))).toContain('softCostPct')
    expect(apnKey('IL', 'Sangamon County', '142-703-260-0101')).toBe('il:sangamon:01427032600101')
  })

  test('does not change the default market', () => {
    const before = defaultMarket()
    usePacks(load(packFolder()).packs)
    expect(defaultMarket()).toBe(before)
  })
})

describe('two markets with the same names', () => {
  const other = {
    pack: {
      id: 'springfield-ma',
      number: 902,
      name: 'Springfield, Massachusetts',
      state: 'MA',
      stateName: 'Massachusetts',
      apn: [{ county: 'Sangamon', digits: 6 }],
    },
    cities: { cities: [{ ...springfield.cities.cities[0]!, slug: 'springfield-ma' }] },
    zoning: { city: 'springfield-ma', districts: [{ ...springfield.zoning.districts[0]!, minLotSqft: 9000 }] },
    assumptions: { assumptions: {} as typeof springfield.assumptions.assumptions },
    vectors: { vectors: [] },
  }

  test('two cities of one name in two states are told apart, and a bare name is never guessed', () => {
    usePacks(load(packFolder(other, packFolder())).packs)
    expect(findCity('Springfield')).toBeUndefined()
    expect(findCity('springfield-il')?.market).toBe('springfield-area')
    expect(findCity('Springfield, MA')?.market).toBe('springfield-ma')
    expect(findCity('Springfield', 'springfield-ma')?.slug).toBe('springfield-ma')
    expect(districtOf(packOf('springfield-area'), 'Springfield', 'R-1')?.minLotSqft).toBe(5000)
    expect(districtOf(packOf('springfield-ma'), 'Springfield', 'R-1')?.minLotSqft).toBe(9000)
    expect(assumptionsFor(packOf('springfield-area'), 'Springfield').baseCostPerSqft).toBe(180)
    expect(assumptionsFor(packOf('springfield-ma'), 'Springfield').baseCostPerSqft).not.toBe(180)
  })

  test('a pack of the operator replaces the built-in default; two of one folder may not both be it', () => {
    const own = packFolder({ pack: { id: 'the-first', number: 902, default: true } as object })
    const { packs, problems } = load(own)
    expect(problems).toEqual([])
    usePacks(packs)
    expect(defaultMarket()).toBe('the-first')
    const second = { id: 'the-second', number: 903, name: 'Second', default: true }
    expect(load(packFolder({ pack: second as object, cities: other.cities }, own)).problems).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('default is already used') }),
    ])
  })

  test('two counties of one name keep their own parcel numbers', () => {
    usePacks(load(packFolder(other, packFolder())).packs)
    expect(apnKey('MA', 'Sangamon', '12345')).toBe('ma:sangamon:012345')
    expect(apnKey('IL', 'Sangamon', '12345678901234')).toBe('il:sangamon:12345678901234')
  })

  test.each([
    ['number', { pack: { id: 'the-second' } }, 'number 901 is already used by the market springfield-area'],
    ['name', { pack: { id: 'the-second', number: 903 } }, 'name or alias "springfieldarea"'],
    ['city slug', { pack: { id: 'the-second', number: 903, name: 'Second' } }, 'city slug "springfield-il"'],
  ])('the second with the same %s is left out', (_what, changed, reason) => {
    const { packs, problems } = load(packFolder(changed, packFolder()))
    expect(packs.map(({ market }) => market.id)).not.toContain('the-second')
    expect(problems).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })])
  })
})

describe('a broken pack is left out with file, line and reason, and the others load', () => {
  const city = springfield.cities.cities[0]!
  test.each([
    ['pack.json', { pack: { id: 'other-name' } as object }, 'pack.json', 2, "id must be the folder's name"],
    [
      'several mistakes in one file',
      { pack: { timeZone: 5, name: 7 } as object },
      'pack.json',
      expect.any(Number),
      'must be string; line ',
    ],
    [
      'a law of another state',
      { pack: { laws: [{ id: 'us-ca-adu', since: '2024-01-01' }] } },
      'pack.json',
      24,
      'law "us-ca-adu" is a law of CA, and the market is in IL',
    ],
    [
      'a law that does not exist',
      { pack: { laws: [{ id: 'us-il-tod', since: '2024-01-01' }] } },
      'pack.json',
      24,
      'law "us-il-tod" does not exist',
    ],
    [
      'a law as a word',
      { pack: { laws: ['us-ca-adu'] } as object },
      'pack.json',
      23,
      'laws.0 must be { "id": "us-ca-adu"',
    ],
    ['a time zone', { pack: { timeZone: 'America/Springfield' } }, 'pack.json', 10, 'is not an IANA time zone'],
    ['a ranking without its facts', { pack: { ranking: 'flip_and_charm' } }, 'pack.json', 21, 'needs charm'],
    ['an unknown field', { pack: { colour: 'red' } as object }, 'pack.json', 32, 'colour is not a field of this file'],
    [
      'a box upside down',
      { cities: { cities: [{ ...city, box: { ...city.box, south: 41 } }] } },
      'cities.json',
      18,
      'south must be less than north',
    ],
    [
      'a city far away',
      {
        cities: {
          cities: [{ ...city, center: { lat: 10, lng: 10 }, box: { south: 9, north: 11, west: 9, east: 11 } }],
        },
      },
      'cities.json',
      17,
      'lies outside the box of the market',
    ],
    [
      'zoning of an unknown city',
      { zoning: { city: 'shelbyville' } },
      'springfield.json',
      2,
      'city "shelbyville" is not in cities.json',
    ],
    [
      'a rule that does not exist',
      {
        zoning:
          '{\n"city": "springfield-il",\n"districts": [{\n"codes": ["R-1"], "modelled": true,\n"floorArea": {"kind": "magic"}, "confidence": {}, "source": "x", "asOf": "2026"}]}',
      },
      'springfield.json',
      5,
      'floorArea',
    ],
    [
      'an assumption that does not exist',
      {
        assumptions: {
          assumptions: { costPerFoot: springfield.assumptions.assumptions.costPerSqft } as object,
        } as object,
      },
      'assumptions.json',
      3,
      'costPerFoot is not an assumption',
    ],
    [
      'an assumption with a mistake in its name and no reason',
      { assumptions: { assumptions: { costPerSqt: 180 } as object } as object },
      'assumptions.json',
      3,
      'costPerSqt is not an assumption; did you mean costPerSqft?',
    ],
    ['broken JSON', { vectors: '{\n  "vectors": [\n    {"name": }\n  ]\n}' }, 'vectors.json', 3, 'is not JSON'],
  ])('%s', (_what, changed, file, line, reason) => {
    const folder = packFolder()
    if (_what === 'pack.json') {
      const path = join(folder, 'springfield-area/pack.json')
      writeFileSync(path, readFileSync(path, 'utf8').replace('"springfield-area"', '"other-name"'))
    } else packFolder(changed, folder)
    const { packs, problems } = load(folder)
    expect(packs).toHaveLength(load().packs.length)
    expect(problems).toEqual([
      expect.objectContaining({ file: expect.stringContaining(file), line, reason: expect.stringContaining(reason) }),
    ])
  })
})

describe('pack check', () => {
  const checked = (folder: string) => packCommand().parseAsync(['check', folder], { from: 'user' })

  test('mistakes that a schema finds hide no others, in the same file and in others', async () => {
    const slug = findCity('Palo Alto')!.slug
    const [city] = springfield.cities.cities
    const folder = packFolder({
      pack: { timeZone: 'America/Springfield', ranking: 'teardwon', laws: ['us-ca-sb9'] } as object,
      cities: { cities: [{ ...city!, slug, box: { ...city!.box, south: 41 } }] },
      assumptions: { assumptions: { costPerSqFt: 400 } as object } as object,
    })
    const said = await checked(join(folder, 'springfield-area')).then(String, ({ message }: Error) => message)
    for (const once of ['IANA', 'ranking', 'laws.0', `slug "${slug}"`, 'south must', 'is not an assumption'])
      expect(said.split(once), once).toHaveLength(2)
  })

  test('refuses prices of condition that fall with a better condition', async () => {
    const condition = { C1: 15, C2: 8, C3: 4, C5: 12, C6: -25, reason: 'r', source: 's', confidence: 'low' }
    const folder = packFolder({ assumptions: { condition } as object })
    await expect(checked(join(folder, 'springfield-area'))).rejects.toThrow('percentages must rise from C6 to C1')
  })

  test('shows all mistakes of all files at once, each once', async () => {
    const folder = packFolder({
      pack: { timeZone: 'America/Springfield', ranking: 'flip_and_charm' },
      zoning: { city: 'shelbyville' },
      assumptions: { assumptions: { costPerSqt: 180, magic: 1 } as object } as object,
    })
    const said = await checked(join(folder, 'springfield-area')).then(String, ({ message }: Error) => message)
    expect(said).toMatch(
      /pack\.json:10: timeZone[^\n]+; line 21: the ranking [^\n]+\n.+springfield\.json:2: city "shelbyville"[^\n]+\n.+assumptions\.json:3: costPerSqt is not[^\n]+; line 4: magic is not/,
    )
    for (const once of ['timeZone', 'the ranking', 'shelbyville', 'costPerSqt ', 'magic'])
      expect(said.split(once), once).toHaveLength(2)
    const { problems } = load(folder)
    expect(problems).toEqual([
      expect.objectContaining({
        reason: expect.stringContaining('2 more files have mistakes: run lotline pack check'),
      }),
    ])
  })

  test('refuses the city slug of another market, and accepts a pack that is loaded', async () => {
    const folder = packFolder()
    usePacks(load(folder).packs)
    await expect(checked(join(folder, 'springfield-area'))).resolves.toBeDefined()
    const slug = findCity('Palo Alto')!.slug
    const other = packFolder({
      cities: { cities: [{ ...springfield.cities.cities[0]!, slug }] },
      zoning: { city: slug },
      vectors: { vectors: [] },
    })
    usePacks(load().packs)
    await expect(checked(join(other, 'springfield-area'))).rejects.toThrow(
      `city slug "${slug}" (add the state: "${slug}-il") is already used by the market`,
    )
  })
})

describe('dated facts about cities', () => {
  const fact = (changed: object) => ({
    ...{ fact: 'aduCondoOptIn', value: 'yes', source: 'council', asOf: '2026-01-05', confidence: 'medium' },
    ...changed,
  })
  const folderWith = (...facts: object[]) => {
    const folder = packFolder()
    writeFileSync(join(folder, 'springfield-area/facts.json'), JSON.stringify({ facts }, null, 2))
    return folder
  }

  test('a city has its own fact before that of its market, and what nobody read is unknown', () => {
    const folder = folderWith(fact({ value: 'no' }), fact({ cities: ['springfield-il'] }))
    usePacks(load(folder).packs)
    const pack = packOf('springfield-area')
    expect(cityFact(pack, 'springfield-il', 'aduCondoOptIn')).toMatchObject({ value: 'yes', asOf: '2026-01-05' })
    expect(cityFact(pack, 'shelbyville', 'aduCondoOptIn')?.value).toBe('no')
    expect(cityFact(pack, 'springfield-il', 'transitOrdinance')).toBeUndefined()
  })

  test('the size above which a board decides reaches every district of its city, smaller of both limits', () => {
    const peninsula = packOf(findCity('San Carlos')!.market)
    expect(districtOf(peninsula, 'San Carlos', 'RS-6')?.sizeReview).toMatchObject({ sqft: 3000, garageCounted: true })
    expect(districtOf(peninsula, 'Redwood City', 'R-1-8')?.sizeReview).toMatchObject({ ratio: 0.45, months: 4 })
    expect(districtOf(peninsula, 'Palo Alto', 'R-1')?.sizeReview).toBeUndefined()
  })

  test('an unknown city, a fact stated twice, an unknown name and a value of another shape are mistakes', () => {
    const reasons = (...facts: object[]) => load(folderWith(...facts)).problems.map(({ reason }) => reason)
    expect(reasons(fact({ cities: ['shelbyville'] }))[0]).toContain('city "shelbyville" is not in cities.json')
    expect(reasons(fact({}), fact({}))[0]).toContain('aduCondoOptIn is stated twice for the market')
    for (const wrong of [fact({ fact: 'aduCondo' }), fact({ value: 'maybe' }), fact({ asOf: '2026' })])
      expect(reasons(wrong)).toHaveLength(1)
  })

  test('pack check names what was read more than a year ago, demolition review included', () => {
    const dated = (asOf: string) => load(folderWith(fact({ asOf }))).packs.at(-1)!
    expect(outdatedFacts(dated('2025-11-17'), '2026-11-17')).toEqual([])
    expect(outdatedFacts(dated('2025-11-16'), '2026-11-17')).toEqual([
      'separate sale of accessory units (market), 2025-11-16',
    ])
    const review = { name: 'Springfield', body: 'Board', source: 'code' }
    const { market } = dated('2026-01-05')
    expect(outdatedFacts({ facts: [], market: { ...market, demolitionReview: review } }, '2026-11-17')).toEqual([
      'demolition review (Springfield), no day',
    ])
  })
})

describe('optional files are checked too', () => {
  const square = [
    [-89.7, 39.7],
    [-89.6, 39.7],
    [-89.6, 39.8],
    [-89.7, 39.7],
  ]
  const land = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [square] } }
  const source = {
    id: 'springfield-parcels',
    title: 'Parcels',
    kind: 'csv',
    holds: 'parcels',
    where: { url: 'parcels.csv' },
    market: 'springfield-area',
    fields: { apn: 'PIN', zip: 'ZIP' },
  }
  const sample = (name: string) =>
    JSON.parse(readFileSync(join(builtInPacks, 'nantucket/sample', name), 'utf8')) as Record<string, unknown>
  const zones = { zones: [{ ...(sample('zones.json').zones as object[])[0]!, city: 'Springfield' }] }
  const anchor = { lat: 39.8, lng: -89.6, radiusM: 600, bearingDeg: 0, hill: 0, bay: 0 }
  const broken = (files: Record<string, unknown>) => {
    const folder = packFolder()
    for (const [name, value] of Object.entries(files)) {
      const path = join(folder, 'springfield-area', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    }
    const { packs, problems } = load(folder)
    expect(packs.length).toBe(load().packs.length + (problems.length === 0 ? 1 : 0))
    return problems.map(({ file, line, reason }) => [basename(file), line, reason])
  }

  test('valid optional files are loaded', () => {
    expect(
      broken({
        'land.geojson': land,
        'sources/parcels.json': source,
        'sample/market.json': sample('market.json'),
        'sample/zones.json': zones,
      }),
    ).toEqual([])
  })

  test.each([
    [
      'an outline that is a line',
      { 'land.geojson': { ...land, geometry: { type: 'LineString', coordinates: square } } },
      ['land.geojson', 8, expect.stringContaining('geometry.coordinates')],
    ],
    [
      'an unknown setting of a source',
      { 'sources/parcels.json': { ...source, colour: 'red' } },
      ['parcels.json', 14, expect.stringContaining('colour is not a field of this file')],
    ],
    [
      'an impossible schedule of a source',
      { 'sources/parcels.json': { ...source, schedule: '61 * * * *' } },
      ['parcels.json', 14, expect.stringContaining('minute "61"')],
    ],
    [
      'a source of another market',
      { 'sources/parcels.json': { ...source, market: 'nantucket' } },
      ['parcels.json', 9, expect.stringContaining('market must be "springfield-area"')],
    ],
    [
      'a sample without a price trend',
      {
        'sample/market.json': { ...sample('market.json'), priceTrend: undefined },
        'sample/zones.json': zones,
      },
      ['market.json', 1, expect.stringContaining('lacks priceTrend')],
    ],
    [
      'a sample of an unknown city',
      {
        'sample/market.json': sample('market.json'),
        'sample/zones.json': { zones: [{ ...zones.zones[0], city: 'Shelbyville' }] },
      },
      ['zones.json', expect.any(Number), 'city "Shelbyville" is not in cities.json'],
    ],
    [
      'a sample with a ZIP code of another city',
      {
        'sample/market.json': sample('market.json'),
        'sample/zones.json': { zones: [{ ...zones.zones[0], anchors: [{ ...anchor, zip: '02554' }] }] },
      },
      ['zones.json', expect.any(Number), 'zip 02554 is not a ZIP code of Springfield in cities.json'],
    ],
    [
      'half a sample',
      { 'sample/market.json': sample('market.json') },
      ['zones.json', undefined, 'the file is missing'],
    ],
  ])('%s', (_what, files, problem) => {
    expect(broken(files)).toEqual([problem])
  })
})

test('the markets of the program have a number each, which never changes', () => {
  expect(Object.fromEntries(markets().map(({ id, number }) => [id, number]))).toMatchObject({
    'sf-peninsula': 1,
    nantucket: 2,
  })
})

test('the worked examples of every pack of the program hold', () => {
  const { packs } = load(packFolder())
  usePacks(packs)
  for (const pack of packs) expect(failedVectors(pack).failed).toEqual([])
  expect(packs.map(failedVectors).some(({ count }) => count > 1)).toBe(true)
})

test('a pack whose worked example gives another result is left out at the start, with its line, and the others load', () => {
  const [vector] = springfield.vectors.vectors
  const folder = packFolder({ vectors: { vectors: [{ ...vector!, envelope: { maxSqft: 9 } }] } })
  const { packs, problems } = useMarketPacks([folder])
  expect(packs.map(({ market }) => market.id)).toEqual(['nantucket', 'sf-peninsula'])
  expect(markets().map(({ id }) => id)).not.toContain('springfield-area')
  const file = join(folder, 'springfield-area/vectors.json')
  expect(problems).toEqual([
    {
      pack: join(folder, 'springfield-area'),
      file,
      line: 4,
      reason: 'half of the lot: envelope.maxSqft is 4000, expected 9',
    },
  ])
})

test('the example pack of King County loads beside the others', () => {
  const { packs, problems } = load(join(builtInPacks, '../examples/packs'))
  expect(problems).toEqual([])
  usePacks(packs)
  expect(cityOfZip('98178', 'king-county')?.name).toBe('Seattle')
  expect(cityOfZip('98039', 'king-county')?.name).toBe('Medina')
})

test('a new pack passes its own check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotline-new-'))
  const box = { west: -89.8, south: 39.6, east: -89.5, north: 39.9 }
  const made = {
    id: 'springfield',
    number: 77,
    name: 'Springfield',
    state: 'IL',
    stateName: 'Illinois',
    county: 'Sangamon',
    timeZone: 'America/Chicago',
    box,
  }
  writeSkeleton(folder, made, '2026-11')
  const { packs, problems } = load(folder)
  expect(problems).toEqual([])
  expect(packs.at(-1)!.cities[0]!.slug).toBe('springfield-il')
  // Nobody licensed the data yet.
  expect(readFileSync(join(folder, 'springfield/pack.json'), 'utf8')).toContain('"license": "not stated"')
  // A new place has the laws of its state, without those of a single town.
  writeSkeleton(
    folder,
    { ...made, id: 'easthampton', number: 78, name: 'Easthampton', state: 'MA', stateName: 'Massachusetts' },
    '2026-11',
  )
  const { laws } = JSON.parse(readFileSync(join(folder, 'easthampton/pack.json'), 'utf8'))
  expect(laws.map(({ id }: { id: string }) => id)).toEqual(['us-ma-adu', 'us-ma-anr'])
})
