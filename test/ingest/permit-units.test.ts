import { expect, test } from 'vitest'
import { statedUnits } from '../../src/ingest/permit-units.ts'

test('units are read from the words of new construction', () => {
  expect(statedUnits('new_house', 'SFD', 'New one-story SFD')).toBe(1)
  expect(statedUnits('new_house', 'New', 'Erect single family residential')).toBe(1)
  expect(statedUnits('multifamily', 'New construction', 'Erect 5 stories, 24 dwelling units with retail')).toBe(24)
  expect(statedUnits('multifamily', 'New', 'Erect 24 dwelling units, sprinklers and 30 stalls')).toBe(24)
  expect(statedUnits('multifamily', 'Building', 'New 12-unit apartment building')).toBe(12)
  expect(statedUnits('multifamily', 'New construction', 'Six residential units over garage')).toBe(6)
})

test('units that are not certain stay unknown', () => {
  const doubtful = [
    ['multifamily', 'Building', 'Reroof 12-unit apartment building'],
    ['multifamily', 'New construction', '40 residential units, 8 affordable units'],
    ['multifamily', 'New building', 'Add 1 unit to existing 3-unit building'],
    ['multifamily', 'New construction', 'Erect building, unit 4'],
    ['multifamily', 'New construction', 'New townhomes, building 6 unit S'],
    ['multifamily', 'Mechanical', 'Install 2 units on roof'],
    ['multifamily', 'New construction', 'New apartment building, demolish 6 units'],
    ['multifamily', 'New construction', 'New 3-story building replacing 4 dwelling units'],
    ['multifamily', 'New construction', 'Construct new building to replace demolished 12 units'],
    ['multifamily', 'New construction', 'Repair 24 units, new decks'],
    ['multifamily', 'New construction', 'Alterations to 24 units'],
    ['multifamily', 'New construction', 'Revision to permit 123: new 40 unit'],
    ['multifamily', 'New construction', 'Adding 3 units; new entry'],
    ['new_house', 'Single Family / New', 'New two-family residential'],
    ['new_house', 'New', 'New single family residence with attached ADU'],
    ['new_house', 'New construction', 'Erect 5-story residential building'],
    ['adu', 'ADU', 'Legalize ADU'],
  ] as const
  for (const [permitClass, type, text] of doubtful)
    expect([text, statedUnits(permitClass, type, text)]).toEqual([text, undefined])
})

test('from 1 to 5,000 units, of buildings for several families only', () => {
  const stated = (count: string) => statedUnits('multifamily', 'New construction', `Erect ${count} dwelling units`)
  expect(['0', '1', 'two', '12', '5,000', '5,001'].map(stated)).toEqual([undefined, 1, 2, 12, 5000, undefined])
  expect(statedUnits('addition', 'New construction', 'Erect 12 dwelling units')).toBeUndefined()
  expect(statedUnits('multifamily', 'New construction', 'Convert to 12 dwelling units')).toBeUndefined()
})
