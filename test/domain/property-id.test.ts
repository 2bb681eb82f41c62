import { expect, test } from 'vitest'

import { marketIds, markets } from '../../src/domain/packs/markets.ts'
import { marketNumberOf, marketOfProperty, propertyIdPrefix } from '../../src/domain/property-id.ts'

test('every property id leads back to its market', () => {
  for (const market of marketIds()) expect(marketOfProperty(`${propertyIdPrefix(market)}x7`)).toBe(market)
})

test('market numbers never change, because they are part of ids that callers store', () => {
  expect(markets().map(({ id, number }) => [id, number])).toEqual([
    ['sf-peninsula', 1],
    ['nantucket', 2],
  ])
  expect(propertyIdPrefix('nantucket')).toBe('p_002')
})

test('text that is not a property id has no market', () => {
  for (const id of ['', 'p_', 'p_001', 'home', 'q_001abc', 'p_0u1abc', "p_001' or 1=1", 'p_001a/b'])
    expect(marketNumberOf(id), id).toBeUndefined()
  expect(marketNumberOf('p_0z9abc')).toBe(31 * 32 + 9)
  expect(marketOfProperty('p_0z9abc')).toBeUndefined()
})
