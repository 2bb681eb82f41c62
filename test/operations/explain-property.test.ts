import { expect, test } from 'vitest'
import { withoutOldRecords, withoutRemarks } from '../../src/operations/explain-property.ts'

const withheld = 'Based on records before this key’s history window.'

test('outside the window, sentences that quote a permit or a sale are replaced, and no others', () => {
  const quoted = [
    'A permit for a remodel was issued in 2019',
    'Permits of 1998 to 2005',
    'A permit of $50,000',
    'No permit in the last ten years',
    'The price at its last sale was lower',
  ]
  const kept = [
    'A permit for a remodel was issued in recent years',
    'Built in 1951',
    'Worth $2,000,000',
    'Sold in 2019',
  ]
  const of = (texts: readonly string[]) => ({
    teardown: { score: 5, none: null, parts: texts.map((because) => ({ because })) },
  })
  expect(withoutOldRecords(of([...quoted, ...kept]) as never)).toEqual(of([...quoted.map(() => withheld), ...kept]))
})

test('of a hidden listing, the reasons of its condition and character are replaced, their names and points stay', () => {
  const part = { name: 'remarks', points: 3, because: 'The listing says "fixer"' }
  const bare = { ...part, because: withheld }
  const finding = { score: 5, parts: [part] }
  expect(
    withoutRemarks({
      condition: { ...finding, landPhrases: ['tear down'], setAside: ['x'] },
      historicCharm: finding,
      teardown: finding,
    } as never),
  ).toEqual({
    condition: { score: 5, parts: [bare], landPhrases: [], setAside: [] },
    historicCharm: { score: 5, parts: [bare] },
    teardown: finding,
  })
  expect(withoutRemarks({} as never)).toEqual({})
})
