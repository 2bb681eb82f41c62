import { expect, test } from 'vitest'
import { isVisible } from '../../src/contract/events/visible.ts'

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
