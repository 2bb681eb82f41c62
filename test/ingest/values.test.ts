import { expect, test } from 'vitest'
import { dateOrders } from '../../src/ingest/date-order.ts'
import { permitStatus } from '../../src/ingest/permit-status.ts'
import { cleanValuation } from '../../src/ingest/valuation.ts'
import {
  hasStreet,
  isNull,
  readBoolean,
  readDate,
  readList,
  readNumber,
  readPoint,
  readText,
  unreadable,
} from '../../src/ingest/values.ts'
import { listingStatus, propertyType } from '../../src/ingest/vocabulary.ts'

test.each([
  ['2021-02-05', '2021-02-05'],
  ['2021/02/05 16:00:00.000', '2021-02-05'],
  ['3/22/1995', '1995-03-22'],
  ['20141013T000000', '2014-10-13'],
  ['2020-10-22T21:27:44.780Z', '2020-10-22'],
  ['March-5-2026', '2026-03-05'],
  ['05-Mar-2026', '2026-03-05'],
  ['05-MAR-21 12.00.00.000000 AM', '2021-03-05'],
  ['Mar 5, 21 10:30', '2021-03-05'],
  ['Wed Oct 10 20:19:24 +0000 2018', '2018-10-10'],
  ['Oct 10 08:19:24.123 2018', '2018-10-10'],
  [1_600_000_000_000, '2020-09-13'],
  ['1600000000000', '2020-09-13'],
])('%s is the day %s', (given, day) => {
  expect(readDate(given)).toBe(day)
})

test('a date that does not exist is unreadable, not moved to another day', () => {
  for (const given of [
    '2021-02-30',
    '13/45/2020',
    'soon',
    '2021-00-10',
    '2021-13-10',
    '2021-12-32',
    '2021-12-00',
    '2021-04-31',
    '1900-02-29',
    'Mar 5 10:30',
    'Mar 5 10:30-05',
    'Mar 5 10 lots',
    {},
    5,
  ])
    expect(readDate(given)).toBe(unreadable)
  expect(readDate('03/04/2020', 'dmy')).toBe('2020-04-03')
  expect(readDate(1_600_000_000, 'epoch_s')).toBe('2020-09-13')
  expect(readDate('44927', 'excel')).toBe('2023-01-01')
  expect(readDate('05-MAR-21')).toBe('2021-03-05')
  expect(readDate('20210305000000')).toBe('2021-03-05')
  // What databases write for an empty date is no date.
  for (const empty of [
    '1900-01-01',
    '1/1/1900',
    '12/30/1899',
    '9999-12-31',
    '00000000',
    '00000000000000',
    0,
    -2_208_988_800_000,
  ])
    expect(readDate(empty)).toBeUndefined()
})

test('numbers and amounts are read in every common format', () => {
  expect(['$1,234,567.50', '25000000.0', ' 12 ', '(500)', '-3', '7,200 sq ft'].map(readNumber)).toEqual([
    1_234_567.5, 25_000_000, 12, -500, -3, 7200,
  ])
  expect(['00000000', '000000000', '0000000035000', '0000-00-00'].map(readNumber)).toEqual([0, 0, 35_000, undefined])
  for (const given of ['12,34', '1e', 'about 5', '0x10', Number.NaN, Number.POSITIVE_INFINITY, ''])
    expect(readNumber(given)).toBe(unreadable)
})

test('markup and control characters are removed from text', () => {
  expect(readText('  Smith <script>alert(1)</script> & Sons\u0000\u202e ')).toBe('Smith & Sons')
  expect(readText('&lt;img src=x onerror=y&gt;Bob')).toBe('Bob')
  expect(readText('lot < 5 acres')).toBe('lot < 5 acres')
  expect(readText('\ud800broken')).toBe('broken')
  expect(readText(' \t ')).toBeUndefined()
  expect(readText('x'.repeat(500), 10)).toHaveLength(10)
})

test('a number, coordinates or a post office box is no street address', () => {
  const given = ['12 Oak St', '1 Box Canyon Rd', '4021', '37.4512, -122.1834', 'PO BOX 12', 'P.O. Box 12, Menlo Park']
  expect(given.filter(hasStreet)).toEqual(['12 Oak St', '1 Box Canyon Rd'])
})

test('points are read in every common format', () => {
  const menlo = { lat: 37.45, lng: -122.18 }
  for (const given of [
    '(37.45, -122.18)',
    'POINT (-122.18 37.45)',
    { type: 'Point', coordinates: [-122.18, 37.45] },
    { latitude: '37.45', longitude: '-122.18' },
  ])
    expect(readPoint(given)).toEqual(menlo)
  for (const given of ['(0, 0)', '(91, 10)', 'NaN', { coordinates: [Number.NaN, 1] }])
    expect(readPoint(given)).toBe(unreadable)
})

test('booleans are read from yes, no and their common spellings', () => {
  expect(['Y', 'true', 1, 'no', 'unknown', 'maybe'].map(readBoolean)).toEqual([
    true,
    true,
    true,
    false,
    undefined,
    unreadable,
  ])
})

test.each([
  ['FINALED', 'finaled'],
  ['Permit Finaled with Conditions', 'finaled'],
  ['plancheck', 'in_review'],
  ['Fees Paid', 'approved'],
  ['CANCELED', 'cancelled'],
  ['B-Complete, E-4. Complete', 'finaled'],
  ['B-*N/A, E-Complete', 'finaled'],
  ['B-Complete, E-Open', 'unknown'],
  ['Zeta phase', 'unknown'],
  [undefined, 'unknown'],
])('permit status %s is %s', (raw, status) => {
  expect(permitStatus(raw)).toBe(status)
})

test('a status of the application, or of what was closed, is not the status of the permit', () => {
  const unknown =
    'Application Complete|Application Closed|Application Final|Application Active|Application Extended|' +
    'Closed - Issued|Closed - Pending|Closed - Incomplete'
  expect(new Set(unknown.split('|').map(permitStatus))).toEqual(new Set(['unknown']))
  const known = ['Application Accepted', 'Application expired', 'Closed - Finaled', 'Closed/Withdrawn', 'Permit closed']
  expect(known.map(permitStatus)).toEqual(['applied', 'expired', 'finaled', 'cancelled', 'finaled'])
})

test('listing statuses and property types are recognized in every spelling and never guessed', () => {
  const given = ['Active Under Contract', 'ActiveUnderContract', 'Closed', 'coming soon', 'Pre On-Market', 'Hold']
  expect(given.map(listingStatus)).toEqual(['pending', 'pending', 'sold', 'coming_soon', 'coming_soon', 'withdrawn'])
  expect(listingStatus('Mysterious')).toBeUndefined()
  expect(['Single Family Residence', 'Condo/Co-op', 'Vacant Land'].map(propertyType)).toEqual([
    'single_family',
    'condo',
    'land',
  ])
  expect(propertyType('Castle')).toBeUndefined()
  const long = [
    'RESIDENTIAL - SINGLE FAMILY : 1 UNIT',
    'VACANT RES LAND',
    'STORE : CONDOMINIUM - COMMERCIAL',
    'Lg Apartment',
  ]
  expect(long.map(propertyType)).toEqual(['single_family', 'land', 'other', 'multi_family'])
  expect(
    ['COOPERATIVE - RESIDENTIAL', 'ZERO LOT LINE', 'MULTIFAMILY 2-9 UNITS', 'Residential'].map(propertyType),
  ).toEqual(['condo', 'townhouse', 'multi_family', undefined])
})

test('a placeholder is not a valuation', () => {
  expect(cleanValuation('$1', 400_000)).toBeUndefined()
  expect(cleanValuation('1', undefined)).toBeUndefined()
  expect(cleanValuation('0', 1000)).toBeUndefined()
  expect(cleanValuation('$5,000', 60_000)).toBeUndefined()
  expect(cleanValuation('n.a.', 1000)).toBeUndefined()
  expect(cleanValuation('$5,000', 1200)).toBe(5000)
  expect(cleanValuation('25000000.0', undefined)).toBe(25_000_000)
})

test('a column shows by its own dates whether the day comes first', () => {
  const read = (values: readonly string[], form?: 'dmy' | 'mdy', dayFirst: string[] = []) => {
    const orders = dateOrders(dayFirst)
    const reader = orders.reader('sold', form)
    const days = values.map((value) => reader(value))
    return { days, dayFirst: orders.dayFirst(), misread: orders.misread(), problems: orders.problems() }
  }
  const times = (count: number, value: string) => Array.from({ length: count }, () => value)
  // 12 can be either; 32 is neither.
  expect(read(['12/12/2026', '32/12/2026'])).toMatchObject({ dayFirst: [], misread: false, problems: [] })
  expect(read(['13/12/2026'])).toMatchObject({ dayFirst: ['sold'], misread: true })
  expect(read(['31/12/2026'])).toMatchObject({ dayFirst: ['sold'] })
  expect(read(['12/13/2026'], undefined, ['sold'])).toMatchObject({ dayFirst: [], misread: true })
  // As many of each: the order that it was read in stays.
  const both = ['13/12/2026', '12/13/2026']
  expect(read(both)).toMatchObject({ dayFirst: [], misread: false })
  expect(read(both, undefined, ['sold'])).toMatchObject({ dayFirst: ['sold'], misread: false })
  expect(read(['04/05/2026'], 'dmy').days).toEqual(['2026-05-04'])
  expect(read(['04/05/2026'], 'mdy').days).toEqual(['2026-04-05'])
  // Five of a hundred are typing errors.
  const mixed = (few: number) => read([...times(95, '12/13/2026'), ...times(few, '13/12/2026')]).problems
  expect(mixed(5)).toEqual([])
  expect(mixed(6)).toEqual([
    '6 dates of "sold" can only have the day first, 95 only the month: the column mixes both orders',
  ])
  expect(read([...times(10, '12/13/2026'), ...times(4, '13/12/2026')]).problems).toEqual([])
  expect(read(['12/13/2026'], 'dmy').problems).toEqual([
    '0 dates of "sold" can only have the day first, 1 only the month, but the mapping says "date": "dmy"',
  ])
  expect(read(['13/12/2026'], 'dmy').problems).toEqual([])
  expect(read(both, 'dmy').problems).toEqual([])
})

test('a column that several rules read has one order', () => {
  const orders = dateOrders()
  const [finaled, issued] = [orders.reader('STATUS_DATE', undefined), orders.reader('STATUS_DATE', undefined)]
  finaled('13/1/2026')
  for (let at = 0; at < 20; at += 1) issued('1/13/2026')
  expect([orders.dayFirst(), orders.misread(), orders.problems()]).toEqual([[], false, []])
})

test('a day or month above 12 shows the order of a column, other numbers show nothing', () => {
  const shown = (value: string) => {
    const orders = dateOrders()
    const [month, day] = (['mdy', 'dmy'] as const).map((form) => orders.reader(form, form))
    month!(value)
    day!(value)
    return orders.problems().map((problem) => (problem.includes('"date": "mdy"') ? 'day first' : 'month first'))
  }
  for (const first of ['13/12/2026', '31/1/2026']) expect(shown(first)).toEqual(['day first'])
  for (const first of ['12/13/2026', '1/31/2026']) expect(shown(first)).toEqual(['month first'])
  for (const none of ['12/12/2026', '32/12/2026', '12/32/2026', '13/13/2026', 'soon']) expect(shown(none)).toEqual([])
})

test('a column mixes both orders with five dates of the fewer and more than a twentieth', () => {
  const mixes = (days: number, months: number) => {
    const orders = dateOrders()
    const read = orders.reader('SOLD', undefined)
    for (let at = 0; at < days; at += 1) read('13/1/2026')
    for (let at = 0; at < months; at += 1) read('1/13/2026')
    return [orders.problems().length > 0, orders.dayFirst(), orders.misread()]
  }
  expect(mixes(5, 94)).toEqual([true, [], false])
  expect(mixes(5, 95)).toEqual([false, [], false])
  expect(mixes(94, 5)).toEqual([true, ['SOLD'], true])
  expect(mixes(4, 4)).toEqual([false, [], false])
  expect(mixes(5, 5)).toEqual([true, [], false])
  const known = dateOrders(['SOLD'])
  known.reader('SOLD', undefined)('13/1/2026')
  expect([known.misread(), known.dayFirst()]).toEqual([false, ['SOLD']])
})

test('a point is on earth and not where two missing numbers would put it', () => {
  for (const [lat, lng] of [
    [90, 180],
    [-90, -180],
    [0, -122],
    [37, 0],
  ])
    expect(readPoint(`(${lat}, ${lng})`)).toEqual({ lat, lng })
  for (const at of ['(0, 0)', '(90.1, 0)', '(1, 180.1)']) expect(readPoint(at)).toBe(unreadable)
})

test('amounts have a sign before or after the dollar, or parentheses', () => {
  for (const given of ['-$1,250.50', '$-1,250.50', '(1,250.50)', '($1,250.50)']) expect(readNumber(given)).toBe(-1250.5)
  expect(readNumber('$1,250.50')).toBe(1250.5)
})

test('a valuation is a placeholder below $100, or below a dollar for each of 500 square feet, and an error above 5 billion', () => {
  const cleaned = (usd: string, sqft?: number) => cleanValuation(usd, sqft) !== undefined
  expect(['99', '100', '5000000000', '5000000001'].map((usd) => cleaned(usd))).toEqual([false, true, true, false])
  expect([cleaned('499', 500), cleaned('500', 500), cleaned('498', 499)]).toEqual([false, true, true])
})

test('numbers are days only from 1850 to 2099 or as milliseconds; years of two digits change at 70', () => {
  for (const [given, day] of [
    [18_500_101, '1850-01-01'],
    [18_491_231, unreadable],
    [20_991_231, '2099-12-31'],
    [22_000_101, unreadable],
    [1e11, unreadable],
    [1e11 + 1, '1973-03-03'],
    [-1e11 - 1, '1966-10-31'],
    [0, undefined],
    ['3/5/69', '2069-03-05'],
    ['3/5/70', '1970-03-05'],
    ['2/29/1900', unreadable],
    ['2/29/2000', '2000-02-29'],
    ['2/29/2023', unreadable],
    ['2/29/2024', '2024-02-29'],
    ['0/5/2024', unreadable],
    ['13/5/2024', unreadable],
    ['3/0/2024', unreadable],
    ['3/32/2024', unreadable],
    ['12/31/2024', '2024-12-31'],
  ] as const)
    expect([given, readDate(given)]).toEqual([given, day])
})

test('objects and lists are written as text, a long text is cut at its limit, and null markers are short', () => {
  expect(readText({ a: [1, 2] })).toBe('{"a":[1,2]}')
  expect(readText(['a', '', 'b', null])).toBe('a, b')
  expect(readText(12)).toBe('12')
  expect([readText('abcde', 5), readText('abcdef', 5)]).toEqual(['abcde', 'abcd…'])
  expect([isNull(' (null)     '), isNull('-'), isNull('x'), isNull('')]).toEqual([true, true, false, true])
  // Values that a source names as missing may be of any length.
  const missing = new Set(['x', 'not available here'])
  expect(['x', 'y', 'Not available here', ''].map((value) => isNull(value, missing))).toEqual([true, false, true, true])
  expect([readList('a|b  c'), readList([]), readList(' - ')]).toEqual([['a', 'b', 'c'], undefined, undefined])
  expect([null, undefined, 5, true].map(readPoint)).toEqual(Array(4).fill(unreadable))
})

test('a status of several trades counts if all that apply agree', () => {
  expect(permitStatus('B-Complete, E-*N/A, M-Complete')).toBe('finaled')
  expect(permitStatus('B-Complete, E-N/A, M-')).toBe('finaled')
  expect(permitStatus('B-Complete, E-Issued')).toBe('unknown')
  expect(permitStatus('B-Issued, E-whatever')).toBe('unknown')
  expect(permitStatus('B-*N/A')).toBe('unknown')
  expect(permitStatus('Complete, Issued')).toBe('unknown')
})
