import { expect, test } from 'vitest'
import { addressKey, apnKey, possibleApnKeys } from '../../../src/domain/address/address.ts'

test.each([
  ['123 North Main Street', '123 N. MAIN ST'],
  ['382 FIRST ST', '382 1st Street'],
  ['0042 El Camino Real', '42 el camino real'],
  ['1601  WILLOWDALE DR  , SAN JOSE CA 95118-1348', '1601 Willowdale Drive'],
  ['12 Rue de l’Été', "12 RUE DE L'ETE"],
  ['5 Saint Francis Wy', '5 St. Francis Way'],
  ['9 Main St Apt 2', '9 Main St #2'],
  ['9 Main St, Unit 02', '9 Main Street Apt. #2'],
])('%s and %s have the same key', (one, other) => {
  expect(addressKey(one)).toBe(addressKey(other))
})

test.each([
  ['123 North Main Street, Apt. 02, Palo Alto CA', '123 N MAIN ST # 2'],
  ['9 Main St, Palo Alto, Unit 3', '9 MAIN ST # 3'],
  ['9 Main St Ste 2 Bldg 4', '9 MAIN ST STE 2 4'],
  ['9 Main St Ste 2, Bldg 4', '9 MAIN ST STE 2 BLDG 4'],
  ['12 Lot Ln', '12 LOT LN'],
  ['12 Lot 4', '12 LOT 4'],
  ['12 Main Lot Ln', '12 MAIN LOT LN'],
  ['#4', '# 4'],
  ['9 Main St Apt', '9 MAIN ST APT'],
  ['9 Main St Apt #', '9 MAIN ST'],
])('the key of %s is %s', (text, key) => expect(addressKey(text)).toBe(key))

test.each([
  ['9 Main St', '9 Main St #2'],
  ['9 Main St #2', '9 Main St #3'],
  ['9 Main St Ste 2', '9 Main St Apt 2'],
  ['9 Main St', '9 Main Ave'],
  ['9 N Main St', '9 S Main St'],
  ['123 1/2 Oak Ave', '123 Oak Ave'],
  ['123-125 Oak Ave', '123 Oak Ave'],
])('%s and %s have different keys', (one, other) => {
  expect(addressKey(one)).not.toBe(addressKey(other))
})

test('the key of an address key is the same key', () => {
  for (const text of ['123 North Main Street, Apt. 2, Palo Alto CA', '12 Lot Ln', '1 Unit Dr', '0042 El Camino Real'])
    expect(addressKey(addressKey(text))).toBe(addressKey(text))
})

test('a parcel number is normalized to its county’s format', () => {
  expect(apnKey('CA', 'San Mateo', '12-345-678')).toBe('ca:san-mateo:012345678')
  expect(apnKey('CA', 'SAN MATEO COUNTY', '012345678.0')).toBe('ca:san-mateo:012345678')
  expect(apnKey('CA', 'Santa Clara', '167-41-005')).toBe('ca:santa-clara:16741005')
  expect(apnKey('CA', 'San Francisco', '3505/027')).toBe(apnKey('CA', 'San Francisco', '3505 027'))
  expect(apnKey('CA', 'San Francisco', '26T/061')).toBe('ca:san-francisco:0026T061')
  expect(apnKey('MA', 'Nantucket', '4 21')).not.toBe(apnKey('MA', 'Nantucket', '42 1'))
  expect(apnKey('MA', 'Nantucket', '042.3.2/1')).toBe('ma:nantucket:42-3-2-1')
})

test('a parcel number typed without significant separators may be each number that it reads as', () => {
  expect(possibleApnKeys('MA', 'Nantucket', '421')).toEqual(
    ['421', '4-21', '4-2-1', '42-1'].map((number) => `ma:nantucket:${number}`),
  )
  // Into one to four parts: 1 + 4 + 6 + 4 ways.
  expect(possibleApnKeys('MA', 'Nantucket', '12345')).toHaveLength(15)
  expect(possibleApnKeys('MA', 'Nantucket', '42-1')).toEqual(['ma:nantucket:42-1'])
  expect(possibleApnKeys('CA', 'San Francisco', '26061')).toEqual(['ca:san-francisco:0026061'])
})

test('text that cannot be a parcel number has no key', () => {
  expect(apnKey('CA', 'San Mateo', '000-000-000')).toBeUndefined()
  expect(apnKey('CA', 'San Mateo', 'N/A')).toBeUndefined()
  expect(apnKey('CA', '', '012345678')).toBeUndefined()
  const other = (apn: string) => apnKey('TX', 'Travis', apn)
  expect([other('123'), other('1'.repeat(25))]).toEqual([undefined, undefined])
  expect([other('1234'), other('1'.repeat(24))]).toEqual(['tx:travis:1234', `tx:travis:${'1'.repeat(24)}`])
  // San Mateo's nine digits may have lost two zeros, not three.
  expect(apnKey('CA', 'San Mateo', '2345678')).toBe('ca:san-mateo:002345678')
  expect(apnKey('CA', 'San Mateo', '345678')).toBe('ca:san-mateo:345678')
  expect(apnKey('CA', 'San Mateo', '0123456789')).toBe('ca:san-mateo:0123456789')
})
