// The index of watches finds every watch that a change concerns: the same matches as testing every watch with every change.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition, SearchRow } from '../../src/criteria/conditions.ts'
import type { NumberField } from '../../src/criteria/search-columns.ts'
import { type Change, matchesOf, ownChanges } from '../../src/watches/matching.ts'
import { type IndexedWatch, openWatchIndex } from '../../src/watches/watch-index.ts'
import { type WatchKind, watchTriggers } from '../../src/wire/watches.ts'

const markets = ['sf-peninsula', 'boston']
const cities = ['palo-alto', 'menlo-park', 'brookline']
const homes = ['p0', 'p1', 'p2', 'p3']
const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 })
const amount = fc.integer({ min: 0, max: 4 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const bound = (type: 'atLeast' | 'atMost', field: NumberField) =>
  amount.map((value): Condition => ({ name: field, type, field, value }))
const price = (kind: WatchKind): NumberField => (kind === 'permits' ? 'valuation' : 'price')

const watch = fc.constantFrom<WatchKind>('listings', 'parcels', 'permits').chain((kind) =>
  fc
    .record({
      markets: fc.option(some(markets)),
      cities: fc.option(some(cities)),
      triggers: some(watchTriggers),
      conditions: fc.tuple(
        maybe(bound('atLeast', price(kind))),
        maybe(bound('atMost', price(kind))),
        rarely(bound('atLeast', 'beds')),
        rarely(bound('atLeast', 'returnPct')),
        rarely(some(homes).map((values): Condition => ({ name: 'id', type: 'ids', values }))),
        rarely(fc.constant<Condition>({ name: 'status', type: 'oneOf', field: 'status', values: ['active'] })),
      ),
      set: fc.option(fc.record({ setMarket: fc.constantFrom(null, ...markets) })),
    })
    .map(({ set, ...given }): Omit<IndexedWatch, 'id'> => {
      const places: Condition[] = given.cities ? [{ name: 'city', type: 'city', slugs: given.cities }] : []
      const conditions = [...given.conditions.filter((each) => each !== undefined), ...places]
      return {
        ...given,
        kind,
        conditions,
        others: set ? conditions.filter(({ name }) => name !== 'returnPct') : conditions,
        assumptionSetId: set && 'as_1',
        setMarket: set?.setMarket ?? null,
        values: set && { costPerSqft: 5 },
        byCity: null,
      }
    }),
)

const numbers = fc
  .record({ price: maybe(amount), beds: maybe(amount), returnPct: maybe(amount), valuation: maybe(amount) })
  .map((values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)))
const row = fc.record({ numbers, status: fc.constantFrom('active', 'active', 'sold', undefined) })
const change = fc.record({
  market: fc.constantFrom(...markets),
  citySlug: fc.constantFrom(...cities),
  home: fc.nat(3),
  permit: fc.boolean(),
  before: fc.option(row, { nil: undefined }),
  after: row,
  scored: fc.boolean(),
})

type Place = Pick<Change, 'permitId' | 'market' | 'after'>
const isAbout = ({ kind, markets, cities }: IndexedWatch, { permitId, market, after }: Place): boolean =>
  (kind === 'permits') === (permitId !== null) &&
  (markets?.includes(market) ?? true) &&
  (cities?.includes(after.citySlug) ?? true)

/** A return at the own assumptions is five points higher. */
const own = () =>
  ownChanges(() => (found) => {
    const { returnPct } = found.numbers
    return returnPct === undefined ? found : { ...found, numbers: { ...found.numbers, returnPct: returnPct + 5 } }
  })

test('the index finds the same matches as testing every watch with every change', async () => {
  let matched = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(watch, { minLength: 20, maxLength: 60 }),
      fc.array(change, { minLength: 6, maxLength: 12 }),
      fc.infiniteStream(fc.boolean()),
      async (given, changed, coin) => {
        const watches = given.map((each, at) => ({ ...each, id: `w${at}` }))
        const index = openWatchIndex()
        for (const each of watches) index.put(each)
        const changes = changed.map(({ market, citySlug, home, permit, before, after, scored }, at): Change => {
          const id = `p${home}`
          const rowOf = ({ numbers, status }: typeof after): SearchRow => ({
            market,
            citySlug,
            ...(permit ? {} : { id }),
            numbers,
            texts: status ? { status } : {},
          })
          const names = permit
            ? { record: `${citySlug}/b${at}`, propertyId: null, permitId: `b${at}` }
            : { record: `${id} ${at}`, propertyId: id, permitId: null }
          const rows = { before: before && rowOf(before), after: rowOf(after) }
          return { id: at, market, ...names, address: null, ...rows, scored, permit: false, changedAt: new Date(0) }
        })
        // Some of them wait for some watches since an earlier change.
        const waiting = changes.flatMap(({ record, before, permitId, market, after }, at) => {
          const ids = watches
            .filter((each) => isAbout(each, { permitId, market, after }) && coin.next().value && coin.next().value)
            .map(({ id }) => id)
          const found = Object.fromEntries(ids.map((id) => [id, ['entered' as const]]))
          return ids.length === 0
            ? []
            : [{ id: at, record, watches: found, before: before ?? null, changedAt: new Date(1) }]
        })
        const every = {
          get: index.get,
          candidates: (each: Place) => new Set(watches.filter((one) => isAbout(one, each))),
        }
        const [expected, found] = [
          await matchesOf(changes, waiting, every, own()),
          await matchesOf(changes, waiting, index, own()),
        ]
        matched += expected.matches.flatMap((each) => Object.keys(each.watches)).length
        expect(sorted(found)).toEqual(sorted(expected))
      },
    ),
    { numRuns: 300 },
  )
  expect(matched).toBeGreaterThan(4_000)
})

const sorted = ({ matches, joined }: Awaited<ReturnType<typeof matchesOf>>) => ({
  matches: matches.map((each) => JSON.stringify({ ...each, watches: Object.entries(each.watches).sort() })).sort(),
  joined: joined.map(({ id, watchId }) => `${id} ${watchId}`).sort(),
})
