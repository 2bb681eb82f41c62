import { expect, it } from 'vitest'
import type { AduUnit } from '../../../src/domain/findings/adu.ts'
import type { MonthlyRent } from '../../../src/domain/findings/rent.ts'
import {
  aduBedrooms,
  aduBestSet,
  aduEconomics,
  aduUnits,
  aduVerdict,
} from '../../../src/intelligence/proforma/adu-economics.ts'
import { exampleAdu } from '../../../src/wire/operations/examples.ts'
import { assumptionsFor } from '../../setup/city-rules.ts'

const none = () => false
const rent = (amount: number): MonthlyRent => ({ amount, basis: 'Test.', asOf: '2026-11-02', source: 'Rents' })
const detached = (sqft: number) => ({ kind: 'detached', sqft }) as const
const garage = (sqft: number) => ({ kind: 'conversion', sqft }) as const
const junior = (sqft: number) => ({ kind: 'junior', sqft }) as const

it('the example of the API reference can be computed by hand', () => {
  const { sample: _, ...given } = exampleAdu.monthlyRent
  // √(800 / 850) of 3,600, 3,150 and 4,150.
  expect(given).toMatchObject({ amount: 3_493, low: 3_056, high: 4_026 })
  expect(given.basis).toMatch(/Times 0\.97 for 800 sq ft\.$/)
  // (90,000 + 300 × 800) × 1.28.
  expect(exampleAdu.terms.hardCost).toBe(330_000)
  expect(exampleAdu.costUsd).toBe(422_400)
  // 12 × 3,493 × 0.95 × 0.82 − 1.2% × 85% × 330,000 − 0.45% × 330,000.
  expect(exampleAdu.noi).toBe(27_802)
  expect(exampleAdu.terms).toMatchObject({ byIncome: 411_881, byArea: 432_000 })
  expect(exampleAdu).toMatchObject({ valueAdded: 411_881, gainUsd: -10_519, yieldPct: 6.6, returnPct: -2.5 })
})

// The figures of an independent implementation; every example brings its own terms.
it.each([
  ['San Mateo', detached(749), 3_300, 1_150, {}, 402_816, 26_356, 387_608, 6.5],
  ['Daly City', garage(400), 2_150, 870, {}, 127_534, 18_630, 121_600, 14.6],
  ['Daly City', junior(400), 1_700, 870, {}, 83_266, 14_933, 66_613, 17.9],
  [
    'Nantucket',
    { ...detached(900), stories: 2 },
    3_900,
    1_455,
    { operatingCostPct: 20, aduNetCapRatePct: 6, propertyTaxPct: 0.33 },
    ...([963_072, 26_313, 438_558, 2.7] as const),
  ],
] as const)('%s: %o', (city, unit, amount, cityPerSqft, own, costUsd, noi, valueAdded, yieldPct) => {
  const assumptions = { ...assumptionsFor(city), propertyTaxPct: 1.15, ...own }
  // The examples give the rent of the unit itself.
  const ratio = Math.min(1.2, Math.max(0.75, Math.sqrt(unit.sqft / [450, 600, 850][aduBedrooms(unit.sqft)]!)))
  const rents = { [aduBedrooms(unit.sqft)]: rent(amount / ratio) }
  const found = aduEconomics(unit, { rents, cityPerSqft }, assumptions, none)!
  expect(found.monthlyRent.amount).toBe(amount)
  expect(Math.abs(found.costUsd - costUsd)).toBeLessThanOrEqual(1)
  expect(Math.abs(found.noi! - noi)).toBeLessThanOrEqual(1)
  expect(Math.abs(found.valueAdded / valueAdded - 1)).toBeLessThan(0.005)
  expect(found.yieldPct).toBe(yieldPct)
  const r = assumptions.holdRatePct / 1_200
  expect(found.monthlyPayment).toBe(Math.round((found.costUsd * r) / (1 - (1 + r) ** -360)))
})

const assumptions = assumptionsFor('San Mateo')
const place = { rents: { 0: rent(2_500), 1: rent(3_200), 2: rent(4_300) }, cityPerSqft: 1_150 }
const unitsOf = (units: readonly AduUnit[], changed = {}) =>
  aduUnits(units, place, { ...assumptions, ...changed }, none)

it('every unit that fits is listed: usual sizes up to the largest, and two lots with different yards differ', () => {
  const sizes = (units: readonly AduUnit[]) =>
    unitsOf(units)
      .map(({ unit }) => `${unit.kind} ${unit.sqft}`)
      .sort()
  expect(sizes([detached(870), garage(420), junior(500)])).toEqual([
    ...['conversion 420', 'detached 400', 'detached 600', 'detached 800', 'detached 870', 'junior 500'],
  ])
  expect(sizes([detached(350)])).toEqual(['detached 350'])
  expect(sizes([detached(1_200)])).toHaveLength(5)
  const [small, large] = [unitsOf([detached(450)])[0]!, unitsOf([detached(800)])[0]!]
  expect(small.unit.sqft).not.toBe(large.unit.sqft)
})

it('the first has the largest gain in dollars, not in percent', () => {
  const found = unitsOf([detached(1_000), garage(420), junior(500)])
  const gains = found.map(({ gainUsd }) => gainUsd)
  expect(gains).toEqual(gains.toSorted((a, b) => b - a))
  for (const { gainUsd, valueAdded, costUsd } of found) expect(gainUsd).toBe(valueAdded - costUsd)
  // Without rents of a size there is no figure for it.
  expect(
    aduUnits([detached(1_000)], { rents: { 0: rent(2_500) } }, assumptions, none).map(({ unit }) => unit.sqft),
  ).toEqual([400])
  expect(aduUnits([detached(1_000)], { rents: {} }, assumptions, none)).toEqual([])
})

it('the best set has one unit of each kind that gains, and no more than the law allows', () => {
  const cheap = { aduFixedUsd: 20_000, aduConversionFixedUsd: 10_000, juniorValuePct: 120, lostGarageUsd: 0 }
  const choices = unitsOf([detached(800), garage(420), junior(500)], cheap)
  const set = aduBestSet(choices, 3)!
  expect(set.units.map(({ kind }) => kind).sort()).toEqual(['conversion', 'detached', 'junior'])
  expect(set.gainUsd).toBe(set.valueAdded - set.costUsd)
  expect(aduBestSet(choices, 1)!.units).toEqual([choices[0]!.unit])
  const losing = unitsOf([detached(800), junior(500)], { aduFixedUsd: 400_000 })
  expect(aduBestSet(losing, 2)).toMatchObject({ units: [losing[0]!.unit], gainUsd: losing[0]!.gainUsd })
  expect(aduBestSet([], 3)).toBeUndefined()
})

it('costs that a caller gives are final, and a conversion loses the garage', () => {
  const own = { aduCostPerSqft: 525, aduLeastCostUsd: 250_000, aduConversionCostPerSqft: 310 }
  const at = (unit: AduUnit, changed: object = own) => aduEconomics(unit, place, { ...assumptions, ...changed }, none)!
  expect(at(detached(800)).costUsd).toBe(420_000)
  expect(at(detached(350)).costUsd).toBe(250_000)
  expect(at(garage(400)).costUsd).toBe(124_000)
  const kept = at(garage(400), { lostGarageUsd: 0 })
  expect(kept.valueAdded - at(garage(400), {}).valueAdded).toBe(35_000)
  // The price of the area limits the value added.
  const dear = aduEconomics(detached(400), { rents: { 0: rent(9_000) }, cityPerSqft: 1_000 }, assumptions, none)!
  expect(dear.valueAdded).toBe(180_000)
  expect(aduEconomics(detached(400), { rents: { 0: rent(9_000) } }, assumptions, none)!.valueAdded).toBeGreaterThan(1e6)
})

it('the verdict says which unit is best, and that it loses money', () => {
  const verdict = (changed = {}, isOwn = false) => aduVerdict(unitsOf([detached(800)], changed)[0]!, isOwn)
  expect(verdict({ aduFixedUsd: 10_000 })).toMatch(
    /^The best unit that fits, a detached unit of 800 sq ft \(2 bedrooms\), would add \$[\d,]+ more than it costs\.$/,
  )
  expect(verdict({ aduFixedUsd: 500_000 }, true)).toMatch(
    /^At these assumptions: Every unit that fits would lose money; the one that loses least, a detached unit of 800 sq ft \(2 bedrooms\), would cost/,
  )
})
