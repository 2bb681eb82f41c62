import { expect, test } from 'vitest'
import { valueMove } from '../../src/assess/value-moves.ts'
import { timelineOf } from '../../src/operations/timeline.ts'

type Before = Parameters<typeof valueMove>[0]
type After = Parameters<typeof valueMove>[1]
type Parts = NonNullable<Parameters<typeof valueMove>[4]>

const finding = (model: number, comps: number, condition: number): Parts =>
  ({
    parts: [{ name: 'condition', points: condition, because: '' }],
    basis: { model, comps, weightOfComps: 0.5 },
  }) as unknown as Parts

const before = { valueUsd: 2_000_000, proforma: null } as Before
const after = (value: Parts) => ({ propertyId: 'p1', valueUsd: 2_060_000, explanation: { value } }) as unknown as After

const textOf = (moved: ReturnType<typeof valueMove>) =>
  timelineOf({
    ...{ listings: [], listingChanges: [], sales: [], permits: [], permitChanges: [] },
    values: [{ changedOn: '2026-11-03', valueUsd: 2_060_000, previousValueUsd: 2_000_000, moved: moved!.moved }],
  })[0]!.text

test('a value that moved says what moved it, also where the models were fitted again', () => {
  const stored = finding(2_000_000, 2_000_000, 0)
  const told = (value: Parts) => textOf(valueMove(before, after(value), undefined, true, stored))
  const start = 'Value estimate from $2,000,000 to $2,060,000. Changed: '
  expect(told(finding(2_001_000, 2_120_000, 0))).toBe(`${start}its comparable sales point higher.`)
  expect(told(finding(1_950_000, 2_120_000, 30_000))).toBe(
    `${start}its comparable sales point higher, similar homes in the area sell for less, better condition.`,
  )
  expect(textOf(valueMove(before, after(stored), undefined, true))).toBe(`${start}newer sales in the area.`)
})
