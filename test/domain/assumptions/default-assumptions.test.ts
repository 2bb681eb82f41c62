import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AssumptionName,
  assumptionsFor,
  assumptionTable,
  describeDefaults,
  type FlipAssumptionName,
  flipAssumptionTable,
  localAssumptions,
} from '../../../src/domain/assumptions/assumptions.ts'
import type { MarketPack } from '../../../src/domain/packs/pack.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { districtOf } from '../../../src/domain/packs/zoning-tables.ts'
import type { ProformaInput } from '../../../src/intelligence/proforma/proforma.ts'
import { returnBeforeFinancingUsesDefault } from '../../../src/intelligence/proforma/proforma-defaults.ts'
import { proformaDetail } from '../../../src/intelligence/proforma/proforma-detail.ts'
import { flipDeal } from '../../../src/intelligence/scores/flippability.ts'
import { buildingEnvelope } from '../../../src/intelligence/site/envelope.ts'
import { parcelLeads } from '../../../src/laws/parcel-leads.ts'

const own = { reason: 'quotes', source: 'written for a test', confidence: 'medium' } as const

/** The Peninsula with a pack that sets only these assumptions. */
const peninsulaWith = (
  assumptions: Partial<Record<AssumptionName, number>>,
  flip: Record<string, number> = {},
): MarketPack => {
  const values = (set: object) =>
    Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { value: value as number, ...own }]))
  return { ...packOf('sf-peninsula')!, assumptions: { assumptions: values(assumptions), flip: values(flip) } }
}

const house = { propertyType: 'single_family', lotSqft: 12_000, livingSqft: 2_600, zoning: 'R-1' } as const
const parcel = {
  ...house,
  market: 'sf-peninsula',
  overlays: { historicListed: 'no', historicContributing: 'no' },
} as const

const detailOf = (
  pack: MarketPack,
  facts: Partial<ProformaInput['facts']> = {},
  overrides: ProformaInput['overrides'] = {},
) => {
  const home = { ...parcel, ...facts }
  return proformaDetail({
    pack,
    facts: home,
    priceUsd: 2_400_000,
    envelope: buildingEnvelope(home, districtOf(pack, 'Palo Alto', 'R-1')),
    comps: { arvPerSqft: 2150, compCount: 7, compsCityMatched: true, compsTypeMatched: true, confidence: 'high' },
    assumptions: assumptionsFor(pack, 'Palo Alto'),
    overrides,
  })
}
const marksOf = (detail: ReturnType<typeof detailOf>) =>
  Object.fromEntries(detail.lines.map(({ name, defaults = [] }) => [name, [...defaults].sort()]))
const amountsOf = (detail: ReturnType<typeof detailOf>) =>
  Object.fromEntries(detail.lines.map(({ name, usd }) => [name, usd]))

test('a pack without assumptions marks every line that a default touches', () => {
  const detail = detailOf(peninsulaWith({}))
  const unmarked = detail.lines.filter(({ defaults }) => defaults === undefined).map(({ name }) => name)
  // The zoning limit, not the cap on the size, determines the house here.
  expect(unmarked).toEqual(['purchase', 'resaleGross'])
  expect(detail.proforma.defaults).toEqual(
    localAssumptions.filter((name) => !['buildSizeMultiple', 'designMonths'].includes(name)),
  )
  expect(marksOf(detail)).toMatchObject({
    hardCost: ['baseCostPerSqft'],
    softCosts: expect.arrayContaining(['baseCostPerSqft', 'softCostPct', 'impactFeesPerSqft']),
    acquisition: ['acquisitionPct'],
    tax: ['designAndPermitMonths', 'propertyTaxPct', 'saleMonths'],
    sellingCosts: expect.arrayContaining(['sellingCostPct', 'transferTaxPct', 'highTransferTaxPct']),
  })
})

test('a pack that sets one assumption loses exactly that mark', () => {
  const before = marksOf(detailOf(peninsulaWith({})))
  for (const name of localAssumptions) {
    const expected = Object.fromEntries(
      Object.entries(before).map(([line, names]) => [line, names.filter((each) => each !== name)]),
    )
    expect(marksOf(detailOf(peninsulaWith({ [name]: assumptionTable[name].value }))), name).toEqual(expected)
  }
})

test('the built-in Peninsula sets every cost assumption of the pro forma, so nothing is marked', () => {
  const detail = detailOf(packOf('sf-peninsula')!)
  expect(detail.proforma.defaults).toBeUndefined()
  expect(detail.lines.every(({ defaults }) => defaults === undefined)).toBe(true)
})

test('changing a default changes exactly the lines that are marked with it', () => {
  const facts = fc.record({
    livingSqft: fc.integer({ min: 600, max: 4_000 }),
    lotSqft: fc.integer({ min: 6_000, max: 30_000 }),
  })
  const overrides = fc.record(
    {
      costPerSqft: fc.integer({ min: 200, max: 900 }),
      buildSqft: fc.integer({ min: 4_500, max: 9_000 }),
      softCosts: fc.integer({ min: 20_000, max: 500_000 }),
      demoCost: fc.integer({ min: 10_000, max: 90_000 }),
      sellingCostPct: fc.integer({ min: 3, max: 8 }),
      contingencyPct: fc.integer({ min: 3, max: 15 }),
      months: fc.integer({ min: 6, max: 40 }),
      ratePct: fc.integer({ min: 3, max: 12 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(facts, overrides, fc.constantFrom(...localAssumptions), (home, replaced, name) => {
      const before = detailOf(peninsulaWith({}), home, replaced)
      if (!before.totalCost) return
      // Months are rounded to whole ones: a tenth of the sale may not move the end.
      const by = name.endsWith('Months') ? assumptionTable[name].value + 2 : assumptionTable[name].value * 1.1 || 1
      const moved = detailOf(peninsulaWith({ [name]: by }), home, replaced)
      const after = amountsOf(moved)
      // A larger house takes longer, but not always by a whole month.
      const lines = before.lines.filter((line) => line.name !== 'tax' || name !== 'buildSizeMultiple')
      const marked = lines.filter(({ defaults = [] }) => defaults.includes(name)).map((line) => line.name)
      const changed = lines.filter((line) => after[line.name] !== line.usd).map((line) => line.name)
      // Phases that are scaled to a duration of the caller may round to the same months.
      const isScaled = replaced.months !== undefined && name.endsWith('Months')
      expect(
        isScaled ? [...new Set([...changed, ...marked])] : changed,
        `${name} ${JSON.stringify([home, replaced])}`,
      ).toEqual(marked)
      expect(before.proforma.defaults?.includes(name) ?? false).toBe(marked.length > 0)
      const [own, other] = [before.proforma, moved.proforma]
      if (own.capital !== other.capital || own.resaleNet !== other.resaleNet)
        expect(returnBeforeFinancingUsesDefault(own.defaults ?? [])).toBe(true)
    }),
  )
})

test('the return before contingency and financing is marked only for defaults that change it', () => {
  expect(
    returnBeforeFinancingUsesDefault(['contingencyPct', 'loanToCostPct', 'pointsPct', 'ratePct', 'saleMonths']),
  ).toBe(false)
  for (const name of ['baseCostPerSqft', 'softCostPct', 'demoBaseUsd', 'sellingCostPct', 'buildSizeMultiple'])
    expect(returnBeforeFinancingUsesDefault([name]), name).toBe(true)
})

test('the flip names exactly the defaults that its deal depends on', () => {
  const names = Object.keys(flipAssumptionTable) as FlipAssumptionName[]
  fc.assert(
    // Lighter work takes the least time, whatever the months of it.
    fc.property(fc.integer({ min: 5, max: 70 }), fc.constantFrom(...names), (conditionScore, name) => {
      const facts = {
        priceUsd: 1_500_000,
        afterRepairValueUsd: 2_200_000,
        livingSqft: 1500,
        conditionScore,
        costs: assumptionsFor(packOf('sf-peninsula'), ''),
      }
      const { defaults = [], ...before } = flipDeal({ ...facts, pack: peninsulaWith({}) })!
      const moved = peninsulaWith({}, { [name]: flipAssumptionTable[name].value * 1.1 + 0.5 })
      const { defaults: left = [], ...after } = flipDeal({ ...facts, pack: moved })!
      expect(JSON.stringify(after) !== JSON.stringify(before), `${name} at ${conditionScore}`).toBe(
        defaults.includes(name),
      )
      expect(left).toEqual(defaults.filter((each) => each !== name))
    }),
  )
})

test('a lead says when a default caps the size of its new house', () => {
  const lead = (livingSqft: number, pack = peninsulaWith({})) => {
    const lot = { ...parcel, id: 'p', address: '1 Elm St', city: 'Palo Alto', livingSqft }
    return parcelLeads(lot, '2026-11-15', pack).redevelopment
  }
  expect(lead(300)).toMatchObject({ buildSqft: 1800, defaults: ['buildSizeMultiple'] })
  expect(lead(2_600).defaults).toBeUndefined()
  expect(lead(300, peninsulaWith({ buildSizeMultiple: 6 })).defaults).toBeUndefined()
})

test('a default is described in words, with its value and how to set it', () => {
  expect(describeDefaults(['baseCostPerSqft', 'saleMonths', 'costFactor', 'somethingNewer'])).toEqual([
    {
      name: 'baseCostPerSqft',
      label: 'base construction cost',
      value: 500,
      unit: 'usd/sqft',
      text: 'base construction cost $500 per sq ft',
      set: 'Set assumptions.baseCostPerSqft in assumptions.json of the market pack, or pass costPerSqft to the pro forma.',
    },
    expect.objectContaining({ text: 'sale of a new house 2.5 months' }),
    expect.objectContaining({
      text: 'renovation cost level 1 × the costs of the market',
      set: 'Set flip.costFactor in assumptions.json of the market pack.',
    }),
  ])
  const names = [...localAssumptions, ...Object.keys(flipAssumptionTable)]
  expect(new Set(names).size, 'names are unique').toBe(names.length)
})

test('the duration and tax of a market are those of their published sources', () => {
  const of = (market: string) => packOf(market)!.assumptions.assumptions
  expect(of('sf-peninsula').designAndPermitMonths).toMatchObject({
    value: 8,
    source: expect.stringMatching(/annual reports are of all homes/),
  })
  expect(of('nantucket').designAndPermitMonths).toMatchObject({
    value: 8,
    source: expect.stringContaining('menardbuilding.com'),
  })
  // The medians of all homes are never used for a house.
  expect(packOf('sf-peninsula')!.assumptions.permitDays).toBeUndefined()
  expect(of('nantucket').propertyTaxPct!.value).toBe(0.317)
})
