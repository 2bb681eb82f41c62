import { expect, test } from 'vitest'
import { decisionChanges } from '../../src/operations/deal-homes.ts'
import type { DealSnapshot } from '../../src/wire/deals.ts'

test('a changed best use has the words of the pages', () => {
  const at = (scheme: DealSnapshot['scheme']) => ({ scheme, worthUpTo: 1_000_000, roomUsd: 0 }) as DealSnapshot
  expect(decisionChanges(at('renovate'), at('two_units'))).toMatchObject([
    { text: 'The best use is two homes; it was a renovation' },
  ])
})
