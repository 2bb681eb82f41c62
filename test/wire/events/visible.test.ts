import { expect, test } from 'vitest'
import { isVisible, withinWindow } from '../../../src/wire/events/visible.ts'

test('a history window shows leads of a home that was sold before it, and no event about its sale', () => {
  const row = {
    market: 'sf-peninsula',
    citySlug: 'palo-alto',
    numbers: {},
    texts: { status: 'sold', soldOn: '2020-01-01' },
  }
  const visible = (about: 'parcels' | 'listings') => isVisible(about, row, '2026-11-14', '2026-10-15')
  expect([visible('parcels'), visible('listings')]).toEqual([true, false])
})

test('a key with a history window gets no reasons of a score, which may quote older records', () => {
  const data = { propertyId: 'p1', score: 40, reason: 'Permits of $90,000 since 2018', changed: [{ input: 'permits' }] }
  expect(withinWindow('property.score_updated', data)).toEqual({
    propertyId: 'p1',
    score: 40,
    reason: 'The reason may quote records from before your history window.',
  })
  expect(withinWindow('permit.created', { permitId: 'B1' })).toEqual({ permitId: 'B1' })
})
