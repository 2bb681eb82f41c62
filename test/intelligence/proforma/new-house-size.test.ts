import { expect, test } from 'vitest'
import { fitNewHouseSizes, type NewHouse } from '../../../src/intelligence/proforma/new-house-size.ts'

/** New houses of 3,000 sq ft on usual lots, larger with the square root of the lot, and a fifth larger in one city. */
const around = { livingSqft: 2_000, medianLotSqft: 6_000 } as NewHouse['around']
const sizeOn = (citySlug: string, lotSqft: number) =>
  3_000 * Math.sqrt(lotSqft / 6_000) * (citySlug === 'large' ? 1.2 : 1)
const houses = ['usual', 'large'].flatMap((citySlug) =>
  Array.from({ length: 200 }, (_, at): NewHouse => {
    const lotSqft = 3_000 + 50 * at
    return { citySlug, lotSqft, livingSqft: sizeOn(citySlug, lotSqft), around }
  }),
)

test('new houses grow with the lot within a city, and cities keep their own level', () => {
  const sizes = fitNewHouseSizes(houses)
  for (const citySlug of ['usual', 'large'])
    for (const lotSqft of [4_000, 6_000, 12_000])
      expect(sizes.of({ citySlug, lotSqft, around })! / sizeOn(citySlug, lotSqft)).toBeCloseTo(1, 1)
  expect(sizes.houses).toBe(400)
})

test('sheds, tiny lots and too few houses teach nothing', () => {
  const [house] = houses
  expect(fitNewHouseSizes(houses.slice(0, 7)).of(house!)).toBeUndefined()
  expect(fitNewHouseSizes(houses.slice(0, 8)).of(house!)).toBeDefined()
  const tooSmall = [
    ...houses.map((each) => ({ ...each, livingSqft: 300 })),
    ...houses.map((each) => ({ ...each, lotSqft: 500 })),
  ]
  expect(fitNewHouseSizes(tooSmall).houses).toBe(0)
  expect(fitNewHouseSizes(houses).of({ ...house!, lotSqft: 0 })).toBeUndefined()
})

test('the sizes can be computed by hand', () => {
  // Eight houses of city a, which grow by 0.8 of the lot, and six of city b, all on lots of the usual size.
  const house = (citySlug: string, lotSqft: number, log: number): NewHouse => ({
    citySlug,
    lotSqft,
    livingSqft: 2000 * Math.exp(log),
    around,
  })
  const known = [
    ...Array.from({ length: 4 }, () => [house('a', 6000, 0), house('a', 12_000, 0.8 * Math.LN2)]).flat(),
    ...Array.from({ length: 6 }, () => house('b', 6000, 0.3)),
  ]
  // A house without homes around it teaches nothing.
  const lonely = { ...house('a', 6000, 5), around: { livingSqft: 2000 } }
  const sizes = fitNewHouseSizes([...known, lonely])
  // (0.4 + 0.8 · 0.9609) / (0.8 + 0.9609): the prior of 0.5 weighs 0.8.
  expect(sizes.elasticity).toBeCloseTo(0.663707, 6)
  // Levels: 0.1556 of all houses, 0.0937 and 0.2278 of the cities, shrunk by six houses.
  const of = (citySlug: string, lotSqft: number) => sizes.of({ citySlug, lotSqft, around })
  expect([of('a', 6000), of('a', 12_000), of('b', 6000), of('b', 12_000), of('c', 6000)]).toEqual([
    2196, 3479, 2512, 3979, 2337,
  ])
  expect(fitNewHouseSizes(known.slice(8).concat(known.slice(8))).elasticity).toBeCloseTo(0.5, 9)
  for (const partly of [{ livingSqft: 2000 }, { medianLotSqft: 6000 }])
    expect(sizes.of({ citySlug: 'a', lotSqft: 6000, around: partly })).toBeUndefined()
  expect(sizes.of({ citySlug: 'a', around })).toBeUndefined()
})
