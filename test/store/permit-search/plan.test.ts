import { expect, test } from 'vitest'
import { type Estimates, planSearch } from '../../../src/store/permit-search/plan.ts'
import type { Question } from '../../../src/store/permit-search/question.ts'

const million = 1_000_000
const cap = 10_000
const cities = [{ market: 'sf-peninsula', citySlug: 'palo-alto' } as const]

const planOf = (question: Partial<Question>, estimates: Partial<Estimates>, wanted = 26) =>
  planSearch(
    { words: [], others: [], indexedOthers: [], ...question },
    { permits: million, words: [], ...estimates },
    cap,
    wanted,
  )

test('a rare word is looked up in the index, and the other words are checked on its rows', () => {
  const plan = planOf({ words: ['kitchen', 'greywater'] }, { words: [230_000, 400] })
  expect(plan).toMatchObject({ read: 'index', indexed: { words: ['greywater'] }, words: ['greywater', 'kitchen'] })
})

test('of two frequent words only the rarer is looked up, since both are expected in the same permits', () => {
  const plan = planOf({ words: ['kitchen', 'island'] }, { words: [216_000, 100_000] })
  expect(plan).toMatchObject({ read: 'index', indexed: { words: ['island'] }, words: ['island', 'kitchen'] })
})

test('words of which few permits have both are looked up together', () => {
  const both = (bothWords: number) =>
    planOf({ words: ['island', 'heater'] }, { words: [40_000, 45_000], bothWords }).indexed.words
  expect(both(2_000)).toEqual(['island', 'heater'])
  expect(both(38_000)).toEqual(['island'])
})

test('a word is looked up by the part that the estimates name, and checked completely', () => {
  const plan = planOf({ words: ['battery'] }, { words: [19_000], parts: ['batt'] })
  expect(plan).toMatchObject({ read: 'index', indexed: { words: ['batt'] }, words: ['battery'] })
})

test('two less frequent words are looked up together', () => {
  const plan = planOf({ words: ['window', 'bath'] }, { words: [40_000, 45_000] })
  expect(plan).toMatchObject({ read: 'index', indexed: { words: ['window', 'bath'], cities: false } })
})

test('a word in a fifth of the permits is counted from the table, where the cap is reached soon', () => {
  expect(planOf({ words: ['kitchen'] }, { words: [230_000] })).toMatchObject({ read: 'table' })
})

test('a frequent word in one city is looked up by the city', () => {
  const plan = planOf({ words: ['kitchen'], cities }, { words: [230_000], cities: 30_000 })
  expect(plan).toMatchObject({ read: 'index', indexed: { cities: true } })
})

const recent = [
  { year: 26, rows: 60_000 },
  { year: 24, rows: 195_000 },
  { year: 21, rows: 385_000 },
]

test('two frequent words are counted first in the newest years that are expected to exceed the cap', () => {
  const plan = planOf({ words: ['kitchen', 'with'] }, { words: [226_000, 102_000], fromYears: recent })
  expect(plan).toMatchObject({ read: 'index', newestFirst: 21 })
})

test('a word whose newest matches may stay below the cap is counted in all years', () => {
  const plan = planOf({ words: ['battery'] }, { words: [19_000], fromYears: recent })
  expect(plan).toMatchObject({ read: 'index', newestFirst: undefined })
})

test('a first date is looked up by its year, unless the range has nearly all permits', () => {
  const since = (issuedFrom: string, dates: number, year: number) =>
    planOf({ words: ['battery'], issuedFrom }, { words: [19_000], dates, fromYears: [{ year, rows: dates + 20_000 }] })
  expect(since('2021-06-01', 360_000, 21)).toMatchObject({ read: 'index', indexed: { fromYear: 21 } })
  expect(since('2008-01-01', 960_000, 8).indexed.fromYear).toBeUndefined()
})

test('a frequent word of a frequent kind of work in a large city is looked up by all three', () => {
  const plan = planOf(
    { words: ['kitchen'], cities, classes: ['remodel'] },
    { words: [230_000], cities: 120_000, classes: 400_000, indexedOthers: 48_000 },
  )
  expect(plan).toMatchObject({ read: 'index', indexed: { words: ['kitchen'], cities: true, classes: true } })
})

test('a month is read by date, whatever the other conditions', () => {
  const month = { issuedFrom: '2026-10-16' }
  expect(planOf({ words: ['kitchen'], ...month }, { words: [230_000], dates: 6000 })).toMatchObject({ read: 'dates' })
  expect(planOf({ words: ['a', '1'], ...month }, { words: [900_000, 800_000], dates: 6000 })).toMatchObject({
    read: 'dates',
  })
})

test('permits of a rare kind are read by its index, those of a frequent kind by a rarer word', () => {
  const rare = { words: [30_000], cities: 120_000, others: 20_000, indexedOthers: 2_000 }
  expect(planOf({ words: ['kitchen'], cities }, rare)).toMatchObject({ read: 'others' })
  const frequent = { words: [400], cities: 120_000, others: 400_000, indexedOthers: 48_000 }
  expect(planOf({ words: ['greywater'], cities }, frequent)).toMatchObject({ read: 'index' })
})

test('permits of a small market are read by its key, those of a large one are not', () => {
  const inMarket = (markets: number) => planOf({ words: ['ab'], markets: ['nantucket'] }, { words: [9000], markets })
  expect(inMarket(600)).toMatchObject({ read: 'market' })
  expect(inMarket(990_000)).toMatchObject({ read: 'table' })
})

test('words without three letters in a row are not looked up in the index', () => {
  for (const words of [['ac'], ['.'], ['1', 'a'], ['q-z']]) {
    const plan = planOf({ words }, { words: words.map(() => 100) })
    expect(plan).toMatchObject({ read: 'table', indexed: { words: [] } })
  }
})

test('the rarest word is checked first, and words without an estimate last', () => {
  const plan = planOf({ words: ['a', 'e', 'qu', 'zz'] }, { words: [900_000, undefined, 50_000, 1000] })
  expect(plan.words).toEqual(['zz', 'qu', 'a', 'e'])
})

test('the first page of many matches is read in date order, a late one too where the word is frequent', () => {
  expect(planOf({ words: ['kitchen'] }, { words: [230_000] }).walk).toBeGreaterThan(100)
  expect(planOf({ words: ['kitchen'] }, { words: [230_000] }, 9996).walk).toBeGreaterThan(40_000)
})

test('a late page of slightly more matches than the cap is taken from all matches, sorted', () => {
  expect(planOf({ words: ['seismic'] }, { words: [12_000] }, 9996).walk).toBe(0)
})

test('a late page of a frequent word is read in date order where sorting would need the matches of all years', () => {
  const late = (wanted: number) => planOf({ words: ['kitchen'] }, { words: [230_000], fromYears: recent }, wanted)
  expect(late(9996)).toMatchObject({ read: 'table' })
  expect(late(9996).walk).toBeGreaterThan(40_000)
  const twoWords = planOf({ words: ['sons', '&'] }, { words: [138_000, 219_000], fromYears: recent }, 10_016)
  expect(twoWords.walk).toBeGreaterThan(40_000)
})

test('no plan reads more rows in date order than the limit', () => {
  for (const rows of [1, 100, 10_000, 500_000, million])
    for (const wanted of [26, 1000, 10_026])
      expect(planOf({ words: ['word'] }, { words: [rows] }, wanted).walk).toBeLessThanOrEqual(100_000)
})

test('an empty or never analyzed table has a plan', () => {
  expect(planOf({ words: ['word'] }, { permits: 0, words: [0] })).toMatchObject({ words: ['word'] })
  expect(planOf({}, { permits: 0 })).toMatchObject({ read: 'table' })
})
