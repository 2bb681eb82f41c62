import { expect, test } from 'vitest'
import { misfit } from '../../src/ingest/field-evidence.ts'

/** Field, the least share that must fit, a value that fits, one that does not, and what is said of too many of them. */
const rules: readonly (readonly [string, number, string, string, string])[] = [
  ['zip', 0.5, '94301', '{"a": 1}', 'JSON'],
  ['zip', 0.9, '94301', '#REF!', 'spreadsheet errors'],
  ['remarks', 0.5, 'a sunny house near the park, with a new roof', 'AB-1', 'not sentences'],
  ['address', 1 / 3, '12 Oak St', 'Oak', 'not street addresses'],
  ['county', 0.5, 'Kern', '29', 'numbers'],
  ['city', 1, 'Palo Alto', 'palo_alto', 'codes'],
  ['county', 0.5, 'Kern', 'KE', 'codes'],
  ['city', 0.8, 'Kernville', 'Kern County', 'counties'],
  ['city', 0.5, 'Palo Alto', 'Residential', 'not city names'],
  ['propertyType', 0.5, 'Condo', '12', 'numeric codes'],
  ['zoning', 0.5, 'R-1', 'yes', 'yes or no'],
  ['status', 0.5, 'issued', '2026-01-05', 'dates'],
  ['contractor', 0.5, 'Acme', 'A1', 'not words'],
  ['description', 0.5, 'New roof', 'Lot 4 Block 2', 'legal descriptions'],
  ['description', 0.7, 'New roof', '12 Oak St', 'addresses'],
  ['contractor', 0.5, 'Acme', 'joe@acme.com', 'email'],
  ['permitId', 0.5, 'B-1', 'Fence', 'no digits'],
  ['apn', 0.5, '123-456', '1.2E+11', 'rounded'],
  ['apn', 0.5, '123-456', '123', 'too short'],
  ['sourceUrl', 1, 'https://example.com/1', 'https://example.com/1.jpg', 'not URLs'],
]

test.each(rules)('a column may be %s if %d of its values fit: %s, not %s', (field, least, good, bad, reason) => {
  const of = (fitting: number) => [...Array(fitting).fill(good), ...Array(30 - fitting).fill(bad)]
  const enough = Math.round(30 * least)
  expect(misfit(field, of(enough))).toBeUndefined()
  expect(misfit(field, of(enough - 1))).toContain(reason)
})
