// Worked examples with the figures of an independent implementation, which shares no code with this one. Every example brings its own terms.
import { expect, it } from 'vitest'
import { newHouseBuildMonths, newHouseCostPerSqft } from '../../../src/intelligence/proforma/new-house.ts'
import {
  computeProforma,
  houseProject,
  type ProformaTerms,
  priceForReturn,
} from '../../../src/intelligence/proforma/proforma-arithmetic.ts'
import { projectCashFlow } from '../../../src/intelligence/proforma/project.ts'
import { assumptionsFor } from '../../setup/city-rules.ts'

/** Median price per square foot, size and lot of the city. */
const cities = {
  'San Mateo': [1150, 1620, 5300],
  'Palo Alto': [1850, 1950, 7200],
  'Redwood City': [1200, 1720, 6300],
  'San Carlos': [1330, 2000, 6300],
} as const

const costsOf = (city: keyof typeof cities) => ({
  ...assumptionsFor(city),
  ...{ acquisitionPct: 1, softCostPct: 15, impactFeesPerSqft: 5.2, loanToCostPct: 65, pointsPct: 1.5 },
  ...{ propertyTaxPct: 1.15, insurancePct: 1 },
})

const houseOf = (
  city: keyof typeof cities,
  sqft: number,
  { existing, lot, price, permit = 8 }: { existing: number; lot: number; price: number; permit?: number },
): ProformaTerms => {
  const costs = costsOf(city)
  const [perSqft, size, cityLot] = cities[city]
  const phases = { permit, build: newHouseBuildMonths({ sqft }, costs), sale: 2.5 }
  return {
    priceUsd: price,
    buildSqft: sqft,
    arvPerSqft: perSqft * 1.155 * (sqft / size) ** -0.25 * (lot / cityLot) ** 0.18,
    costPerSqft: newHouseCostPerSqft({ sqft }, costs),
    existingSqft: existing,
    demoCost: 35_000,
    sellingCostPct: 5.5,
    contingencyPct: 8,
    months: phases.permit + phases.build + phases.sale,
    phases,
    ratePct: 8.5,
  }
}

const old = { existing: 1300, lot: 6300, price: 1_600_000 }
const sanCarlos = { existing: 1400, lot: 6300, price: 1_900_000 }

it.each([
  // City, size, facts; total cost, profit, return, IRR, peak equity, multiple, land at 15%, months.
  [
    'San Mateo',
    2250,
    { existing: 1150, lot: 5300, price: 1_450_000 },
    3_141_004,
    -539_484,
    -17.2,
    -33.8,
    1_236_008,
    0.56,
    682_368,
    21,
  ],
  [
    'Palo Alto',
    2690,
    { existing: 1500, lot: 7200, price: 2_900_000, permit: 9 },
    5_420_232,
    -408_263,
    -7.5,
    -12.6,
    2_183_662,
    0.81,
    1_982_278,
    23,
  ],
  ['Redwood City', 2415, old, 3_401_004, -495_209, -14.6, -28.3, 1_337_635, 0.63, 837_093, 21],
  ['Redwood City', 2980, { ...old, permit: 12 }, 3_757_124, -355_084, -9.5, -14.6, 1_493_232, 0.76, 922_112, 26],
  ['San Carlos', 2580, sanCarlos, 3_836_405, -322_114, -8.4, -15.5, 1_515_658, 0.79, 1_218_641, 21],
  ['San Carlos', 3000, sanCarlos, 4_083_754, -148_580, -3.6, -6.2, 1_614_559, 0.91, 1_325_418, 22],
  [
    'San Carlos',
    2580,
    { existing: 1300, lot: 5500, price: 1_900_000 },
    3_836_951,
    -407_523,
    -10.6,
    -19.9,
    1_515_863,
    0.73,
    1_153_778,
    21,
  ],
] as const)(
  '%s, a house of %i sq ft',
  (city, sqft, facts, total, profit, returnPct, irr, peak, multiple, land, months) => {
    const costs = costsOf(city)
    const terms = houseOf(city, sqft, facts)
    const sums = computeProforma(terms, costs)
    expect(Math.abs(sums.totalCost / total - 1)).toBeLessThan(0.005)
    expect(Math.abs(sums.profit - profit)).toBeLessThan(0.005 * total)
    expect(Math.abs(sums.returnPct - returnPct)).toBeLessThan(0.3)
    expect(Math.abs(priceForReturn(terms, costs, 15) / land - 1)).toBeLessThan(0.01)
    const flow = projectCashFlow(terms.priceUsd, houseProject(terms, costs), costs)
    expect(flow.months).toBe(months)
    // The independent schedule limits no loan to 70% of the completed value; here that limit is just below the share of cost.
    expect(Math.abs(flow.peakEquity / peak - 1)).toBeLessThan(0.03)
    expect(Math.abs(flow.irrPct! - irr)).toBeLessThan(1.5)
    expect(Math.abs(flow.equityMultiple! - multiple)).toBeLessThan(0.02)
  },
)

it('no loan is above 70% of the completed value', () => {
  const costs = { ...costsOf('San Mateo'), loanToCostPct: 90 }
  const terms = houseOf('San Mateo', 2250, { existing: 1150, lot: 5300, price: 2_450_000 })
  const { carry, resaleGross } = computeProforma(terms, costs)
  expect(carry.loan).toBe(Math.round(0.7 * resaleGross))
  expect(carry.points).toBe(Math.round(0.015 * carry.loan))
})
