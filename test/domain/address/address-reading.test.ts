import { expect, test } from 'vitest'
import { addressPatterns, fitsPattern } from '../../../src/criteria/address-condition.ts'
import {
  compareStreets,
  compareUnits,
  isWholeStreet,
  splitKey,
  streetName,
} from '../../../src/domain/address/address-match.ts'
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
  ['123 Main St, Menlo Park, US', '123|MAIN ST||Menlo Park||'],
  ['12 Oak States', '12|OAK STATES||||'],
  // A number is a ZIP if it is one of a market or the last of several numbers.
  ['94025 Main St', '94025|MAIN ST||||'],
  ['94025 12 Main St', '12|MAIN ST||||94025'],
  ['12 Main St 94025', '12|MAIN ST||||94025'],
  ['12 Main St 12345', '12|MAIN ST||||12345'],
  ['Main St 12345', '12345|MAIN ST||||'],
  ['12 60601 Main St', '12|60601 MAIN ST||||'],
  ['12 Main St Apt 94025', '12|MAIN ST|# 94025|||'],
  // A state is a street name unless something else shows that it is a state.
  ['CA 12 Main St', '12|MAIN ST|||CA|'],
  ['100 California 94025', '100||||CA|94025'],
  ['94025 100 California', '100|CALIFORNIA||||94025'],
  ['12 Main St New York', '12|MAIN ST|||NY|'],
  ['12 Main New York', '12|MAIN NEW YORK||||'],
  ['12 Main St NV', '12|MAIN ST NV||||'],
  ['12 Main St NV 89501', '12|MAIN ST|||NV|89501'],
  ['12 Oak, CT', '12|OAK|||CT|'],
  ['Nevada', '|NEVADA||||'],
  ['Oregon 12 Main St Menlo Park', '12|OREGON MAIN ST||Menlo Park||'],
  ['12 Main St Bldg 2 Unit B', '12|MAIN ST|BLDG 2 B|||'],
  ['12 No Main St', '12|N MAIN ST||||'],
  ['12 Main St No 4', '12|MAIN ST|# 4|||'],
  ['12 Main St Unit', '12|MAIN ST UNIT||||'],
  ['12 Lot Ln', '12|LOT LN||||'],
  ['12 Main St 04', '12|MAIN ST|# 4|||'],
  ['12 Main 4', '12|MAIN 4||||'],
  ['Old Main St 4', '4|OLD MAIN ST||||'],
  ['Oak 12 Ave', '12|OAK AVE||||'],
  ['Main St 12 1/2', '12 1/2|MAIN ST||||'],
])('%s is read in its parts', (text, parts) => {
  expect(first(text)).toBe(parts)
})

test.each([
  [
    '100 San Mateo Dr, Menlo Park',
    ['SAN MATEO DR|menlo-park|', 'DR MENLO PARK|san-mateo|', 'SAN MATEO DR MENLO PARK||'],
  ],
  ['12 Main St East Palo Alto', ['MAIN ST|east-palo-alto|', 'MAIN ST E PALO ALTO||']],
  [
    '12 Main St Palo Alto Menlo Park',
    [
      'MAIN ST PALO ALTO|menlo-park|',
      'MAIN ST MENLO PARK|palo-alto|',
      'MAIN ST PALO ALTO MENLO PARK||',
      'MAIN ST|menlo-park|city',
      'MAIN ST|palo-alto|city',
    ],
  ],
  [
    '12 Main St Madaket Nantucket',
    [
      'MAIN ST MADAKET|nantucket|',
      'MAIN ST NANTUCKET|nantucket|',
      'MAIN ST MADAKET NANTUCKET||',
      'MAIN ST|nantucket|',
      'MAIN ST|nantucket|',
    ],
  ],
  ['12 Main St Foo Menlo Park', ['MAIN ST FOO|menlo-park|', 'MAIN ST FOO MENLO PARK||', 'MAIN ST|menlo-park|city']],
  [
    '12 Main St, Menlo Park 94301',
    ['MAIN ST|menlo-park|zip', 'MAIN ST MENLO PARK|palo-alto|', 'MAIN ST|palo-alto|city'],
  ],
  ['12 Main St W', ['MAIN ST W||']],
  ['12 Menlo Prak', ['MENLO PRAK||']],
  ['12 Oak Menlo Prak', ['OAK MENLO PRAK||', 'OAK|menlo-park|city']],
  [
    '12 Oak St Menlo Prak 94301',
    ['OAK ST MENLO PRAK|palo-alto|', 'OAK ST|palo-alto|city', 'OAK ST|menlo-park,palo-alto|city'],
  ],
])('%s has these readings, the likeliest first', (text, readings) => {
  expect(
    readAddress(text).readings.map(({ street, citySlugs = [], doubts }) =>
      [street.join(' '), citySlugs.join(), doubts.join()].join('|'),
    ),
  ).toEqual(readings)
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
  ['MAIN W', 'MAIN W'],
  ['MAIN N W', 'MAIN N'],
  ['ST', 'ST'],
])('the name of %s is %s', (street, name) => expect(streetName(street.split(' '))).toBe(name))

test('a street with its suffix is whole', () => {
  expect(['MAIN ST', 'MAIN', 'PARK'].map((street) => isWholeStreet(street.split(' ')))).toEqual([true, false, false])
})

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

test('a key is split into the parts it was made of', () => {
  expect(splitKey('12 1/2 N MAIN ST # 4')).toEqual({
    houseNumber: '12 1/2',
    street: ['N', 'MAIN', 'ST'],
    unit: ['#', '4'],
  })
  expect(splitKey('12 LOT LN')).toEqual({ houseNumber: '12', street: ['LOT', 'LN'], unit: [] })
  expect(splitKey('MAIN ST')).toEqual({ houseNumber: '', street: ['MAIN', 'ST'], unit: [] })
  for (const street of ['MAIN ST #', '# 4'])
    expect(splitKey(`12 ${street}`)).toEqual({ houseNumber: '12', street: street.split(' '), unit: [] })
})

test.each([
  ['MAIN ST', 'MAIN ST', 'same', 0],
  ['MAIN', 'N MAIN ST', 'partial', 0],
  ['MAIN ST', 'MAIN ST W', 'partial', 0],
  ['N', 'N RD', 'partial', 0],
  ['MAIN AVE', 'MAIN ST', 'similar', 1],
  ['N MAIN ST', 'S MAIN ST', 'similar', 1],
  ['MAIN ST E', 'MAIN ST W', 'similar', 1],
  ['N MAIN', 'MAIN ST', 'similar', 1],
  ['BELVEDRE AVE', 'BELVEDERE AVE', 'similar', 1],
  ['BELVEDRE', 'BELVEDERE AVE', 'similar', 1],
  ['BELVEDRE ST', 'BELVEDERE AVE', 'similar', 2],
  ['BELLE VUE ST', 'BELLEVUE ST', 'similar', 0.5],
  ['FITH AVE', '5TH AVE', 'similar', 1],
  // A word is left out.
  ['HONYSUCKLE', 'HONEYSUCKLE ROW', 'similar', 2],
  ['CAMINO', 'EL CAMINO REAL', 'similar', 4],
  ['REAL', 'EL CAMINO REAL', 'similar', 4],
  ['EL', 'EL CAMINO REAL', 'different', 7],
  ['OAK ST', 'ELM ST', 'different', 3],
  // A short name may have one error.
  ['ELN ST', 'ELM ST', 'similar', 1],
  ['ENN ST', 'ELM ST', 'different', 2],
])('%s compared with %s is %s, with errors: %s', (typed, held, fit, errors) => {
  expect(compareStreets(typed.split(' '), held.split(' '))).toEqual({ fit, errors })
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
