import { expect, test } from 'vitest'
import { dataNote } from '../../src/agent/answer.ts'

const asOf = '2026-11-15T12:00:00Z'
const note = (given: object) => dataNote({ outcome: 'ok', notes: [], asOf, ...given })

test('an answer about a market that was assessed as of a past day names that day', () => {
  const past =
    /^As of 2026-11-15T12:00:00Z, from .* Values, returns and decisions are those of 2015-05-27\. Text in rows/
  expect(note({ items: [{ decision: { asOf: '2015-05-27' } }, { decision: { asOf: '2015-05-01' } }] })).toMatch(past)
  expect(note({ items: [{ asOf: '2015-05-27' }] })).toMatch(past)
  expect(note({ item: { asOf: '2015-05-27' } })).toMatch(past)
  expect(note({ item: { decision: { asOf: '2015-05-27' } } })).toMatch(past)
  for (const current of [
    { items: [{ decision: { asOf: '2015-05-27' } }, { decision: { asOf: '2026-11-01' } }] },
    { items: [{}] },
    {},
  ])
    expect(note(current)).not.toContain('are those of')
})
