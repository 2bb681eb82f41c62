import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { addressPatterns } from '../../src/criteria/address-condition.ts'
import { amountText, differenceText, missedShare } from '../../src/criteria/amount.ts'
import { meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { fieldCatalog, readSort, sortNames } from '../../src/criteria/fields.ts'
import {
  assumptionsWith,
  oneTarget,
  ownIn,
  readStoredNumbers,
  retiredIn,
  withNumbers,
} from '../../src/criteria/own-assumptions.ts'
import { zipHints } from '../../src/criteria/place-hints.ts'
import { readSearch } from '../../src/criteria/read.ts'
import { readOwnNumbers } from '../../src/criteria/read-own-numbers.ts'
import { type CriteriaInput, type Criterion, cityNames, criteria, searchKinds } from '../../src/criteria/table.ts'
import { criteriaOf } from '../../src/criteria/vocabulary.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { propertyIdPrefix } from '../../src/domain/property-id.ts'

const home = (rest: Partial<SearchRow>): SearchRow => ({
  market: 'sf-peninsula',
  id: 'p_1',
  citySlug: 'menlo-park',
  numbers: {},
  texts: {},
  ...rest,
})
const fits = (input: CriteriaInput, row: Partial<SearchRow>) =>
  meets(readSearch(input, { kind: 'listings' }).conditions, home(row))

test('maxBaths keeps homes with at most that many bathrooms', () => {
  expect([2, 2.5, undefined].map((baths) => fits({ maxBaths: 2 }, { numbers: { baths } }))).toEqual([
    true,
    false,
    false,
  ])
})

test('minGarageSqft keeps homes with a garage of at least that size', () => {
  const sizes = [400, 399, undefined]
  expect(sizes.map((garageSqft) => fits({ minGarageSqft: 400 }, { numbers: { garageSqft } }))).toEqual([
    true,
    false,
    false,
  ])
})

test('a flip that loses has no rank, so no percentile keeps it', () => {
  const percentiles = { flippabilityRaw: 90, teardownRaw: 90 }
  const ranked = (input: CriteriaInput) =>
    [0, -1, undefined].map((flipProfitUsd) => fits(input, { percentiles, numbers: { flipProfitUsd } }))
  expect(ranked({ minFlippabilityPercentile: 50 })).toEqual([true, false, false])
  expect(ranked({ minTeardownPercentile: 50 })).toEqual([true, true, true])
})

test('id keeps the properties named', () => {
  expect([fits({ id: ['p_1', 'p_2'] }, {}), fits({ id: ['p_2'] }, {})]).toEqual([true, false])
})

test('every bound rejects a row without the value and accepts its own value', () => {
  for (const [name, { bound }] of Object.entries<Criterion>(criteria)) {
    if (!bound) continue
    const field = typeof bound.field === 'function' ? bound.field(undefined) : bound.field
    const isDate = bound.type === 'from' || bound.type === 'to'
    const value = isDate ? '2026-03-09' : 5
    const values = { [field]: value }
    const row = isDate ? { texts: values } : { numbers: values }
    const input: CriteriaInput = { [name]: value }
    expect([name, fits(input, row), fits(input, {})]).toEqual([name, true, false])
  }
})

test('a minimum above its maximum names both', () => {
  const read = (input: CriteriaInput) => () => readSearch(input, { kind: 'listings' })
  expect(read({ minPrice: 3, maxPrice: 2 })).toThrow(/minPrice is above maxPrice/)
  expect(read({ listedFrom: '2026-02-01', listedTo: '2026-01-01' })).toThrow(/listedFrom is above listedTo/)
  expect(read({ minBeds: 2, maxBeds: 2 })).not.toThrow()
  expect(read({ listedFrom: '2026-02-01', listedTo: '2026-02-01', maxPrice: 1 })).not.toThrow()
})

test('exclude keeps rows whose overlay is not known, require drops them, and unknown says otherwise', () => {
  const unknown = { overlays: {} }
  expect(fits({ exclude: ['floodZone'] }, unknown)).toBe(true)
  expect(fits({ exclude: ['floodZone'], unknown: 'drop' }, unknown)).toBe(false)
  expect(fits({ require: ['floodZone'] }, unknown)).toBe(false)
  expect(fits({ require: ['floodZone'], unknown: 'keep' }, unknown)).toBe(true)
  for (const [overlay, excluded, required] of [
    ['yes', false, true],
    ['no', true, false],
  ] as const) {
    const row = { overlays: { floodZone: overlay } }
    expect([fits({ exclude: ['floodZone'] }, row), fits({ require: ['floodZone'] }, row)]).toEqual([excluded, required])
  }
  const applied = (input: CriteriaInput) => readSearch(input, { kind: 'listings' }).applied.unknown
  const [exclude, require] = [['floodZone' as const], ['wetland' as const]]
  expect([applied({ exclude }), applied({ require }), applied({ exclude, require })]).toEqual(['keep', 'drop', 'keep'])
  expect([applied({ require, unknown: 'keep' }), applied({})]).toEqual(['keep', undefined])
  expect(() => applied({ unknown: 'drop' })).toThrow('needs exclude or require')
  expect(applied({ exclude, require, unknown: 'drop' })).toBe('drop')
  expect(() => applied({ exclude, require: exclude })).toThrow('must not both name floodZone')
})

test('cities and ZIP codes may be given as text or as a list', () => {
  for (const city of ['Menlo Park, Palo Alto', ['Menlo Park', 'palo-alto']])
    expect(readSearch({ city }, { kind: 'listings' }).conditions).toMatchObject([
      { slugs: ['menlo-park', 'palo-alto'] },
    ])
  for (const zip of ['94025,94301', ['94025', '94301']])
    expect(readSearch({ zip }, { kind: 'listings' }).conditions).toMatchObject([{ values: ['94025', '94301'] }])
})

test('a state belongs to the city before it, and a city is looked for in the markets searched', () => {
  expect(cityNames('Springfield, IL, Menlo Park')).toEqual(['Springfield, IL', 'Menlo Park'])
  expect(cityNames('IL, Menlo Park')).toEqual(['IL', 'Menlo Park'])
  const slugs = (market: string) => readSearch({ city: 'Sconset', market }, { kind: 'listings' }).conditions
  expect([slugs('sf-peninsula'), slugs('all')]).toMatchObject([[{ slugs: ['sconset'] }], [{ slugs: ['nantucket'] }]])
  const parts = (city: string) => readSearch({ city, issued: 'any' }, { kind: 'permits' }).conditions
  expect(parts('Menlo Park, CA')).toMatchObject([{ type: 'cityPart', parts: ['menlo park'] }])
  expect(parts(',')).toEqual([])
})

test('an answer says which criteria were understood', () => {
  const applied = (input: CriteriaInput, kind: 'listings' | 'permits' = 'listings') =>
    readSearch(input, { kind }).applied
  expect(applied({ excludeBlockers: false })).toEqual({ market: 'sf-peninsula' })
  expect(applied({ excludeBlockers: true, market: 'all' })).toEqual({ excludeBlockers: true, market: 'all' })
  expect(applied({ market: 'nantucket' })).toEqual({ market: 'nantucket' })
  // Permits are issued ones unless an earlier status is asked for; the default is not repeated.
  expect(applied({}, 'permits')).toEqual({ market: 'sf-peninsula' })
  expect(applied({ status: ['in_review'] }, 'permits')).toMatchObject({ issued: 'any' })
  expect(applied({ issued: 'false' }, 'permits')).toMatchObject({ issued: 'false' })
})

test('conditions come in the order of the funnel: places first, areas last', () => {
  const input: CriteriaInput = {
    ...{ bbox: [-122.26, 37.41, -122.12, 37.5], exclude: ['floodZone'], maxPrice: 3, minPrice: 2 },
    ...{ zip: '94025', propertyType: ['land'] },
  }
  expect(readSearch(input, { kind: 'listings' }).conditions.map(({ type }) => type)).toEqual([
    'zip',
    'oneOf',
    'atLeast',
    'atMost',
    'overlay',
    'area',
  ])
})

test('values outside the schema of a criterion are rejected', () => {
  const accepts = (name: keyof typeof criteria, ...values: unknown[]) =>
    values.map((value) => Value.Check(criteria[name].schema, value))
  for (const name of ['minTeardownScore', 'minPriceCutPct'] as const)
    expect(accepts(name, 0, 100, -1, 100.5), name).toEqual([true, true, false, false])
  expect(accepts('exclude', ['floodZone'], [], ['floodZone', 'floodZone'])).toEqual([true, false, false])
})

test('values are written with their units', () => {
  expect([1, 2].map((value) => amountText('days', value))).toEqual(['1 day', '2 days'])
  expect(amountText('dollars', -234_739)).toBe('−$234,739')
  expect([1, 0.5].map((value) => amountText('miles', value))).toEqual(['1 mile', '0.5 miles'])
  expect([amountText('dollars', 1234.6), amountText('percent', 5), amountText('square feet', 1200)]).toEqual([
    '$1,235',
    '5%',
    '1,200 sq ft',
  ])
  expect([differenceText('percent', 1), differenceText('percent', 2), differenceText('days', 2)]).toEqual([
    '1 point',
    '2 points',
    '2 days',
  ])
  expect([differenceText('years', 1), differenceText('years', 42), differenceText('points', 3)]).toEqual([
    '1 year',
    '42 years',
    '3 points',
  ])
})

test('misses of different criteria are compared: points and years of 100, dates of a year, others of the bound', () => {
  expect(missedShare('dollars', 150_000, 3_000_000)).toBe(0.05)
  expect(missedShare('square feet', 100, 0)).toBe(100)
  expect([missedShare('percent', 5, 0.1), missedShare('points', 5, 60), missedShare('years', 5, 1900)]).toEqual([
    0.05, 0.05, 0.05,
  ])
  expect(missedShare('none', 73, '2026-11-01')).toBe(0.2)
})

test('a text of up to 300 characters is read as an address', () => {
  const patterns = (length: number) => addressPatterns(`12 Elm St${' '.repeat(length - 21)}, Menlo Park`)
  expect([300, 301].map((length) => patterns(length)[0]!.fits)).toEqual(['starts', 'contains'])
  expect(addressPatterns('12 Elm St')).toEqual([{ fits: 'contains', key: '12 ELM ST' }])
})

test('a list of names has at most 100', () => {
  const names = (count: number) => Array.from({ length: count }, () => 'Menlo Park')
  for (const schema of [criteria.city.schemaIn.search, criteria.id.schema])
    expect([100, 101].map((count) => Value.Check(schema, names(count)))).toEqual([true, false])
})

test('minUnits is about the units that the list shows', () => {
  const units = (leads: 'accessory_unit' | 'lot_split') =>
    readSearch({ minUnits: 2 }, { kind: 'parcels', leads }).conditions
  expect([units('accessory_unit'), units('lot_split')]).toMatchObject([
    [{ field: 'aduMaxUnits' }],
    [{ field: 'maxUnits' }],
  ])
})

test('listings and parcels sort by each other’s fields, other lists by their own', () => {
  for (const kind of ['listings', 'parcels'] as const)
    expect(['price', 'redevelopmentScore'].map((name) => sortNames(kind).has(name))).toEqual([true, true])
  expect(['valuation', 'redevelopmentScore'].map((name) => sortNames('permits').has(name))).toEqual([true, false])
})

test('the error for an unknown sort names every accepted field once', () => {
  for (const kind of searchKinds) {
    let offered: string[] = []
    try {
      readSort(['x'], kind, true)
    } catch (error) {
      offered = /up to 3 of (.*), each/.exec((error as Error).message)![1]!.split(', ')
    }
    expect(offered.length).toBeGreaterThan(3)
    expect(offered).toEqual([...new Set(offered)])
    for (const name of offered) expect(readSort([name], kind, true), name).toHaveLength(1)
    if (kind === 'listings') expect(offered).toEqual(expect.arrayContaining(['bestUse.maximumOffer', 'maximumOffer']))
  }
})

test('every field that a criterion names is served by a list', () => {
  const served = searchKinds.flatMap((kind) =>
    fieldCatalog[kind].flatMap(({ name }) => [name, name.split('.').at(-1)!]),
  )
  const ofLeads = ['maxUnits', 'garageSqft']
  const named = Object.values<Criterion>(criteria).flatMap(({ fields }) => fields)
  expect(named.filter((name) => !served.includes(name) && !ofLeads.includes(name))).toEqual([])
})

test('a city that is not searched gives a hint; permits also match a part of a name', () => {
  const hints = (city: string, kind: 'listings' | 'permits') => readSearch({ city }, { kind }).suggestions
  for (const part of ['menlo p', 'menlo-p']) expect(hints(part, 'permits')).toEqual([])
  expect(hints('Menlo Prak', 'listings')).toEqual([
    'city: "Menlo Prak" is not a city of the markets searched; did you mean Menlo Park?',
  ])
  expect(hints('menlo-p', 'listings')).toHaveLength(1)
  expect(hints('Menlo Park', 'listings')).toEqual([])
})

test('a point needs its radius, and one area is searched', () => {
  const circle = { lat: 37.45, lng: -122.18, radiusMi: 1 }
  const read = (input: CriteriaInput) => () => readSearch(input, { kind: 'listings' })
  for (const name of ['lat', 'lng', 'radiusMi'] as const) {
    expect(read({ ...circle, [name]: undefined })).toThrow('go together')
    expect(read({ [name]: circle[name] })).toThrow('go together')
  }
  expect(read(circle)().point).toEqual({ lat: 37.45, lng: -122.18 })
  expect(read({ ...circle, bbox: [-122.26, 37.41, -122.12, 37.5] })).toThrow('cannot be combined')
})

test('a search text of only spaces adds no condition', () => {
  const words = (q: string) => readSearch({ q }, { kind: 'permits' }).conditions.filter(({ type }) => type === 'words')
  expect([words(' '), words(' new  roof ')]).toEqual([[], [{ name: 'q', type: 'words', words: ['new', 'roof'] }]])
})

test('issued=true, false and any read issued permits, the others and both', () => {
  const read = (issued: 'true' | 'false' | 'any') =>
    readSearch({ issued }, { kind: 'permits' }).conditions.filter(({ type }) => type === 'issued')
  expect([read('true'), read('false'), read('any')]).toMatchObject([[{ is: true }], [{ is: false }], []])
})

test('criteria of POST /v1/search alone apply to every kind but sales', () => {
  const has = (kind: Parameters<typeof criteriaOf>[0]) => criteriaOf(kind).some(([name]) => name === 'within')
  expect([has('listings'), has('permits'), has('sales')]).toEqual([true, true, false])
})

test('ids are looked for in their markets; one that the market given does not have gets a hint', () => {
  const [here, there] = [`${propertyIdPrefix('sf-peninsula')}a`, `${propertyIdPrefix('nantucket')}b`]
  const read = (input: CriteriaInput) => readSearch(input, { kind: 'listings' })
  expect(read({ id: [there] })).toMatchObject({ markets: ['nantucket'], suggestions: [] })
  expect(read({ id: [here, there] })).toMatchObject({ markets: ['sf-peninsula', 'nantucket'], suggestions: [] })
  expect(read({ id: ['x'] }).markets).toEqual(['sf-peninsula'])
  expect(read({ id: [here, there], market: 'sf-peninsula' })).toMatchObject({
    markets: ['sf-peninsula'],
    suggestions: [`id: ${there} is in the market nantucket; did you mean market=nantucket?`],
  })
})

test('a ZIP code of another market names that market, one of a searched market does not', () => {
  expect(zipHints(['94301'], ['sf-peninsula'])).toEqual([])
  expect(zipHints(['94301'], ['nantucket'])).toEqual([expect.stringContaining('market=sf-peninsula')])
  expect(zipHints(['94301'], ['nantucket', 'sf-peninsula'])).toEqual([])
})

test('a caller’s own assumption must be a number within its bounds', () => {
  expect(readOwnNumbers({ costPerSqft: 650 }, 'assumptions')).toEqual({ costPerSqft: 650 })
  for (const costPerSqft of ['650', -1, 1e9, Number.NaN])
    expect(() => readOwnNumbers({ costPerSqft }, 'assumptions')).toThrow('must be a number from')
  for (const [name, least, most] of [
    ['months', 1, 120],
    ['vacancyPct', 0, 100],
    ['aduNetCapRatePct', 0.5, 50],
    ['costChangePct', -90, 300],
    ['demoBaseUsd', 0, 1e9],
  ] as const) {
    for (const value of [least, most]) expect(readOwnNumbers({ [name]: value }, 'x')).toEqual({ [name]: value })
    for (const value of [least - 0.01, most + 0.5]) expect(() => readOwnNumbers({ [name]: value }, 'x'), name).toThrow()
  }
  expect(() => readOwnNumbers({ costPerSqf: 650 }, 'x')).toThrow(/x.costPerSqf is not an assumption.*costPerSqft/)
  for (const name of ['toString', 'constructor', '__proto__'])
    expect(() => readOwnNumbers(JSON.parse(`{"${name}": 5}`), 'x')).toThrow(`x.${name} is not an assumption`)
  expect(retiredIn(JSON.parse('{"toString": 5, "drawPct": 1}'))).toMatchObject([{ name: 'drawPct' }])
  expect(readStoredNumbers({ months: 12, gone: 1, drawPct: 50 })).toEqual({ months: 12 })
})

test('numbers of a city replace those of every city there, and those of the request replace both', () => {
  const set = readStoredNumbers({ costPerSqft: 600, ratePct: 8 }, { 'palo-alto': { costPerSqft: 700 } })
  expect(ownIn(set, 'palo-alto')).toEqual({ costPerSqft: 700, ratePct: 8 })
  expect(ownIn(set, 'atherton')).toEqual({ costPerSqft: 600, ratePct: 8 })
  const asked = withNumbers(set, { ratePct: 9 })
  expect(ownIn(asked, 'palo-alto')).toEqual({ costPerSqft: 700, ratePct: 9 })
  expect(ownIn(withNumbers(set, { costPerSqft: 650 }), 'palo-alto').costPerSqft).toBe(650)
  const byCity = (given: object) => readOwnNumbers({ byCity: given }, 'values', 'byCity')
  expect(() => byCity({ 'palo-alta': { costPerSqft: 700 } })).toThrow(
    /byCity.palo-alta is not a city. Did you mean palo-alto/,
  )
  expect(() => byCity({ 'palo-alto': { costPerSqf: 700 } })).toThrow(/byCity.palo-alto.costPerSqf is not an assumption/)
  expect(() => byCity({ 'palo-alto': 700 })).toThrow('must be an object')
  expect(() => byCity([])).toThrow('must be an object')
})

test('costChangePct changes what the market assumes in each city, never a cost that is given', () => {
  const at = (values: Parameters<typeof assumptionsWith>[0], city: string) =>
    assumptionsWith(values, packOf('sf-peninsula'), city)
  expect(at({ costChangePct: 15 }, 'atherton').baseCostPerSqft).toBeCloseTo(805, 6)
  expect(at({ costChangePct: 15 }, 'daly-city').baseCostPerSqft).toBeCloseTo(488.75, 6)
  expect(at({ costChangePct: 15, baseCostPerSqft: 600 }, 'atherton').baseCostPerSqft).toBe(600)
  expect(at({ costChangePct: 15, costPerSqft: 650 }, 'atherton').costPerSqft).toBe(650)
  expect(at({ costChangePct: 15 }, 'atherton').sellingCostPct).toBe(at({}, 'atherton').sellingCostPct)
})

test('a caller’s target return also replaces the targets of other uses that the caller leaves out, but never the yield', () => {
  const at = (values: Parameters<typeof assumptionsWith>[0]) => assumptionsWith(values, undefined, '')
  expect(at({})).toMatchObject({ targetRoiPct: 15, targetRenovatePct: 13, targetSplitPct: 18, targetHoldYieldPct: 6.5 })
  expect(at({ targetRoiPct: 20, targetRenovatePct: 12 })).toMatchObject({
    ...{ targetRoiPct: 20, targetRenovatePct: 12, targetSplitPct: 20, targetDividePct: 20, targetHoldYieldPct: 6.5 },
  })
})

test('the target return has two names', () => {
  expect(oneTarget({ targetReturnPct: 12 })).toEqual({ targetRoiPct: 12 })
  expect(oneTarget({ targetRoiPct: 12 })).toEqual({ targetRoiPct: 12 })
  expect(oneTarget({ targetReturnPct: 12, targetRoiPct: 12 })).toEqual({ targetRoiPct: 12 })
  expect(() => oneTarget({ targetReturnPct: 12, targetRoiPct: 13 })).toThrow('two names of one value')
})

test('a caller’s own selling cost includes the transfer tax', () => {
  const taxes = (values: Parameters<typeof assumptionsWith>[0]) => {
    const { sellingCostPct, transferTaxPct, highTransferTaxPct } = assumptionsWith(values, undefined, '')
    return [sellingCostPct, transferTaxPct, highTransferTaxPct]
  }
  expect(taxes({})).toEqual([5.4, 0.1, 0])
  expect(taxes({ sellingCostPct: 5 })).toEqual([5, 0, 0])
  expect(taxes({ sellingCostPct: 5, transferTaxPct: 1 })).toEqual([5, 1, 0])
})
