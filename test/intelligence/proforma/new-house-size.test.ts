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
