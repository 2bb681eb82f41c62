import { expect, test } from 'vitest'
import { allowedErrors, similarWords } from '../../../src/common/spelling.ts'
import { addressPatterns, fitsPattern } from '../../../src/criteria/address-condition.ts'
import { compareStreets, compareUnits, splitKey, streetName } from '../../../src/domain/address/address-match.ts'
import { readAddress } from '../../../src/domain/address/address-reading.ts'

const first = (text: string) => {
  const { houseNumber, street, unit, city, state, zip } = readAddress(text).readings[0]!
  return [houseNumber, street.join(' '), unit.join(' '), city, state, zip].map((part) => part ?? '').join('|')
}

test.each([
  ['123 main st menlo park ca 94025', '123|MAIN ST||Menlo Park|CA|94025'],
  ['123 Main Street, Menlo Park, California', '123|MAIN ST||Menlo Park|CA|'],
  ['123 Main St Apt #4, Menlo Park', '123|MAIN ST|# 4|Menlo Park||'],
  ['Unit B, 123 N. Main Street, San Mateo, CA 94401-1234, USA', '123|N MAIN ST|# B|San Mateo|CA|94401'],
  ['123 Main St 4, Menlo Park', '123|MAIN ST|# 4|Menlo Park||'],
  ['9076, Belvedere, Ave, Menlo Park', '9076|BELVEDERE AVE||Menlo Park||'],
  ['94025, Menlo Park, 9067 Oak Ct', '9067|OAK CT||Menlo Park||94025'],
  ['CA 94025 Menlo Park Oak Ave 9067', '9067|OAK AVE||Menlo Park|CA|94025'],
  ['12 1/2 Main St, East Palo Alto', '12 1/2|MAIN ST||East Palo Alto||'],
  ['100 San Mateo Dr, Menlo Park', '100|SAN MATEO DR||Menlo Park||'],
  ['901 Polpis Rd Nantucket MA', '901|POLPIS RD||Nantucket|MA|'],
])('%s is read in its parts', (text, parts) => {
  expect(first(text)).toBe(parts)
})

test('a house number alone is read', () => {
  for (const number of ['123', '94025'])
    expect(readAddress(number).readings).toMatchObject([{ houseNumber: number, street: [] }])
})

test.each([
  ['N MAIN ST', 'MAIN'],
  ['MAIN ST W', 'MAIN'],
  ['N RD', 'N'],
  ['PARK', 'PARK'],
  ['EL CAMINO REAL', 'EL CAMINO REAL'],
])('the name of %s is %s', (street, name) => expect(streetName(street.split(' '))).toBe(name))

test('a unit is the same, missing, not held or another', () => {
  expect(compareUnits(['#', '4'], ['#', '4'])).toBe('same')
  expect(compareUnits([], ['#', '4'])).toBe('missing')
  expect(compareUnits(['#', '4'], [])).toBe('not_held')
  expect(compareUnits(['#', '4'], ['#', '5'])).toBe('different')
})

test('a state, ZIP or city outside the markets is named as such', () => {
  expect(readAddress('123 Main St, Reno, NV 89501').outside).toBe('NV')
  expect(readAddress('123 Main St 60601').outside).toBe('60601')
  expect(readAddress('123 Main St Springfield').outside).toBe('SPRINGFIELD')
  expect(readAddress('123 Main Ct').outside).toBeUndefined()
  expect(readAddress('123 Main St, Reno, NV, United States').outside).toBe('NV')
  expect(readAddress('100 Nevada').outside).toBeUndefined()
  expect(readAddress('100 North Nevada').outside).toBeUndefined()
})

test('a ZIP of another city and a misspelled city are doubts', () => {
  expect(readAddress('123 Main St, Menlo Park 94301').readings[0]!.doubts).toEqual(['zip'])
  expect(readAddress('123 Main St, Menlo Park, MA').readings[0]!.doubts).toEqual(['city'])
  for (const place of ['Menlo Park', 'Menlo Park 94025', 'Menlo Park, CA'])
    expect(readAddress(`123 Main St, ${place}`).readings[0]!.doubts, place).toEqual([])
  const { readings } = readAddress('123 Main St, Menlo Prak')
  expect(readings.find(({ city }) => city === 'MENLO PRAK')).toMatchObject({
    citySlugs: ['menlo-park'],
    doubts: ['city'],
  })
})

test('a pattern is not repeated', () => {
  expect(addressPatterns('Main St').map(({ key }) => key)).toEqual(['MAIN ST'])
})

test('a longer name may have more typing errors', () => {
  expect([3, 4, 5, 6, 8, 9].map(allowedErrors)).toEqual([0, 1, 1, 2, 2, 3])
  expect(['MADAKETTT', 'MADAKETTTT'].map((name) => similarWords(['MADAKET'], [name]))).toEqual([true, false])
})

test('a key is split into the parts it was made of', () => {
  expect(splitKey('12 1/2 N MAIN ST # 4')).toEqual({
    houseNumber: '12 1/2',
    street: ['N', 'MAIN', 'ST'],
    unit: ['#', '4'],
  })
  expect(splitKey('12 LOT LN')).toEqual({ houseNumber: '12', street: ['LOT', 'LN'], unit: [] })
})

test.each([
  ['MAIN ST', 'MAIN ST', 'same'],
  ['MAIN', 'N MAIN ST', 'partial'],
  ['MAIN AVE', 'MAIN ST', 'similar'],
  ['BELVEDRE AVE', 'BELVEDERE AVE', 'similar'],
  ['CAMINO', 'EL CAMINO REAL', 'similar'],
  ['OAK ST', 'ELM ST', 'different'],
  // A short name may have one error.
  ['ELN ST', 'ELM ST', 'similar'],
  ['ENN ST', 'ELM ST', 'different'],
  ['N MAIN ST', 'S MAIN ST', 'similar'],
  ['N', 'N RD', 'partial'],
])('%s compared with %s is %s', (typed, held, fit) => {
  expect(compareStreets(typed.split(' '), held.split(' ')).fit).toBe(fit)
})

test.each([
  ['9024 Foster City Blvd', '9024 FOSTER CITY BLVD', 'foster-city', true],
  ['9024 Foster City Blvd, Foster City', '9024 FOSTER CITY BLVD', 'foster-city', true],
  ['9024 Foster City Blvd', '9024 BLVD', 'belmont', false],
  ['123 Main St Menlo Park', '123 MAIN ST', 'menlo-park', true],
  ['123 Main St Menlo Park', '123 MAIN ST', 'san-mateo', false],
  ['elm st', '12 ELM ST', 'san-mateo', true],
  ['12 Elm', '912 ELM ST', 'san-mateo', true],
  ['12 Elm St #4', '12 ELM ST', 'san-mateo', true],
  ['12 Elm St #4', '12 ELM ST # 5', 'san-mateo', false],
])('a search for %s: %s in %s fits: %s', (text, key, citySlug, fits) => {
  expect(addressPatterns(text).some((pattern) => fitsPattern(pattern, { addressKey: key, citySlug }))).toBe(fits)
})
