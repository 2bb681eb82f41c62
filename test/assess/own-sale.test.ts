import { expect, test } from 'vitest'
import { factsOf } from '../../src/assess/subject-facts.ts'
import { fitMarket } from '../../src/intelligence/valuation/fit-market.ts'
import { valueHome } from '../../src/intelligence/valuation/value-home.ts'
import { simulatedSales } from '../intelligence/valuation/simulated-market.ts'

test('a sold home is valued from other homes’ sales, never from its own', () => {
  const sales = simulatedSales({ count: 400, seed: 5 }).map((sale, at) => ({ ...sale, propertyId: `p_${at}` }))
  const own = sales.at(-1)!
  const model = fitMarket(sales, '2030-01-01')!
  const facts = factsOf({
    ...own,
    id: own.propertyId,
    apn: 'an assessor’s number, which the sale does not carry',
    market: 'sf-peninsula',
    city: own.city ?? 'Palo Alto',
    citySlug: 'palo-alto',
    address: '1 A St',
    overlays: {},
    knownFrom: 'parcel',
  })
  const grid = valueHome(model, facts, model.asOf)!.comps
  expect(grid.length).toBeGreaterThan(0)
  expect(grid.map(({ saleId }) => saleId)).not.toContain(own.saleId)
})
