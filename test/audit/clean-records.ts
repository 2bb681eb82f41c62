// A property and a market that break no rule. Tests replace one value at a time.

import type { MarketRecord, PropertyRecord } from '../../src/audit/records.ts'
import { assumptionsFor } from '../../src/domain/assumptions/assumptions.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { holdOf } from '../../src/intelligence/proforma/hold.ts'
import { exampleAdu } from '../../src/wire/operations/examples.ts'

export const today = '2026-11-15'

const assumptions = {
  costPerSqft: 600,
  sellingCostPct: 5.8,
  contingencyPct: 7.5,
  months: 24,
  ratePct: 9,
  softCosts: 250_920,
  demoCost: 35_000,
  contingency: 125_460,
  carry: { interest: 350_268, points: 48_648, tax: 61_176, insurance: 33_456 },
  shrinkWeight: 0.85,
  marketMeanRoiPct: -7.6,
}
export const proforma = {
  roiPct: 17.3,
  returnPct: 3.2,
  buildSqft: 2_788,
  arvPerSqft: 2_014,
  capital: 4_507_720,
  resaleNet: 5_289_360,
  compCount: 1,
  confidence: 'medium',
  unmodellableReason: null,
  assumptions,
} as const

const rank = { percentile: 99, of: '201 homes on the market', grade: 'A' } as const
const source = { source: 'sample-listings', sample: true }
const verdict = 'Works at $2.07M or less as a new house, 17% below the expected price.'
const age = { name: 'age', points: 29, because: 'Built in 1944, 82 years old' }

export const detail = {
  id: 'p_1',
  address: '9073 Birchbark Dr',
  city: 'Palo Alto',
  market: 'sf-peninsula',
  price: 2_549_000,
  status: 'active',
  verdict,
  decision: { text: verdict, conditions: [] },
  intelligence: {
    teardownScore: 29,
    flippabilityScore: 43,
    conditionScore: 48,
    ranks: {
      teardownScore: { ...rank, horizonMonths: 24 },
      flippabilityScore: { ...rank, percentile: 60, grade: 'C' },
      conditionScore: { ...rank, percentile: 14, grade: 'F' },
    },
    returnPct: 3.2,
    developerROI: 1.6,
    proformaROI: 17.3,
    valueEstimate: { value: 2_751_929, low: 2_410_824, high: 3_133_351 },
  },
  monthlyRent: { amount: 5_200, basis: 'Median of 12 rents.', asOf: '2026-11-01', source: 'Sample rents' },
  hold: holdOf(
    { priceUsd: 2_549_000, rentUsd: 5_200, livingSqft: 1_115 },
    assumptionsFor(packOf('sf-peninsula'), 'palo-alto'),
    () => false,
  ),
  adu: { economics: exampleAdu },
  comparables: { recentSalesCount: 12, avgPricePerSqft: 1_890, windowMonths: 6, radiusMiles: 1 },
  facts: {
    lotSqft: 7_770,
    livingSqft: 1_115,
    yearBuilt: 1944,
    zoning: 'R-1(7000)',
    propertyType: 'single_family',
    lat: 37.42,
    lng: -122.14,
  },
  source,
  proforma,
  comps: [
    {
      soldOn: '2026-09-30',
      priceUsd: 3_410_000,
      distanceKm: 0.1,
      timeAdjustedUsd: 3_432_000,
      similarity: 82,
      adjustments: { time: 22_000, size: -680_071, lot: 0, age: 0, quality: 0, condition: 0, type: 0 },
      attributeAdjustmentUsd: -680_071,
      unexplainedAdjustmentUsd: 0,
      unexplainedUsd: 0,
      adjustedUsd: 2_751_929,
      weight: 1,
    },
  ],
  resaleComps: [
    {
      soldOn: '2026-08-01',
      priceUsd: 5_000_000,
      distanceKm: 0.4,
      pricePerSqft: 2_000,
      timeAdjustedPerSqft: 2_010,
      adjustedPerSqft: 2_014,
      weight: 1,
    },
  ],
  permits: [],
  explanation: {
    teardown: { score: 29, parts: [age], top: [age], other: { points: 0 } },
    condition: { parts: [age], top: [age], other: { points: 0 } },
    flippability: {
      parts: [{ name: 'profit', points: 13.6, because: 'After-repair value $3,100,000' }],
      top: [{ name: 'profit', points: 13.6, because: 'After-repair value $3,100,000' }],
      other: { points: 0 },
      deal: {
        valueNowUsd: 2_751_929,
        conditionNow: 48,
        conditionAfter: 78,
        afterRepairValueUsd: 3_100_000,
        renovationUsd: 150_000,
        buyingUsd: 25_490,
        carryUsd: 150_000,
        sellingUsd: 179_800,
        totalCostUsd: 2_874_490,
        profitUsd: 45_710,
        returnOnCost: 0.0159,
      },
    },
    envelope: { maxSqft: 3_081 },
    sb9: {
      sb9Status: 'likely',
      maxUnits: 4,
      lotSplit: { eligible: true, status: 'likely', lots: [{ sqft: 3_885 }, { sqft: 3_885 }] },
      untestedRules: [{ code: 'TENANT_3Y' }],
      missing: ['TENANT_3Y'],
    },
    redevelopment: {
      class: 'teardown_candidate',
      lotSize: 7_770,
      allowableSqft: 3_081,
      buildableSqft: 3_081,
      buildSqft: 2_788,
      allowableConfidence: 'high',
    },
  },
} as const satisfies object as unknown as PropertyRecord['detail']

const { explanation } = detail

export const propertyRecord: PropertyRecord = {
  id: 'p_1',
  today,
  sampleOnly: true,
  detail,
  signal: {
    id: 'p_1',
    price: 2_549_000,
    status: 'active',
    teardownScore: 29,
    flippabilityScore: 43,
    conditionScore: 48,
    verdict,
    decision: { text: verdict, conditions: [] },
    returnPct: 3.2,
    developerROI: 1.6,
    proformaROI: 17.3,
    proforma,
    metadata: { lotSize: 7_770, sqft: 1_115, yearBuilt: 1944, daysOnMarket: 11 },
    source,
  },
  whatIf: {
    returnPct: 3.2,
    totalCost: 5_126_728,
    profit: 162_632,
    maximumOffer: { targetRoiPct: 15, price: 2_074_010, priceAfterCarry: 2_074_010 },
    envelope: { maxSqft: 3_081 },
    stress: [0, 6, 12].map((extraMonths) => ({
      resalePct: 0,
      costPct: 0,
      extraMonths,
      returnPct: 3.2 - extraMonths / 3,
    })),
  },
  atMaximumOffer: { returnPct: 15 },
  lotSplit: {
    ...explanation!.sb9,
    ...{ id: 'p_1', lotSize: 7_770, zoning: 'R-1(7000)', source },
  } as PropertyRecord['lotSplit'],
  adu: {
    id: 'p_1',
    aduScore: 67,
    ranks: { aduScore: { ...rank, percentile: 67, grade: 'C' } },
    maxUnits: 1,
    units: [{ kind: 'detached', sqft: 800 }],
    lot: { sqft: 7_770, coveragePct: 17 },
    adu: { economics: exampleAdu },
    source,
  } as PropertyRecord['adu'],
  redevelopment: {
    ...explanation!.redevelopment,
    id: 'p_1',
    redevelopmentScore: 70,
    ranks: { redevelopmentScore: { ...rank, percentile: 92 } },
    source,
  } as PropertyRecord['redevelopment'],
  agent: {
    property: {
      text: [
        `decision: ${verdict}`,
        'price: $2,549,000',
        'teardown score: 29',
        'flip score: 43',
        'return after contingency and financing: 3.2%',
        'return, adjusted toward the market average: 1.6%',
        'return before contingency and financing: 17.3%',
        'value estimate: $2,751,929',
        'Sample listings (generated sample data)',
      ].join('\n'),
    },
    proforma: {
      text: [
        'maximum offer for the target return: $2,074,010',
        'Stress',
        '| resale change | cost change | months late | return after financing |',
        'Sample listings (generated sample data)',
      ].join('\n'),
    },
  },
  page: `Sample data. ${verdict}`,
}

export const marketRecord: MarketRecord = {
  market: 'sf-peninsula',
  sampleOnly: true,
  signals: Array.from({ length: 60 }, (_, at) => ({
    id: `p_${at}`,
    status: 'active' as const,
    flippabilityScore: 20 + at,
    rankScore: 100 - at,
  })),
  lotSplit: [],
  adu: [],
  redevelopment: [],
  accuracy: [
    {
      model: 'value',
      market: 'sf-peninsula',
      measures: { mdape: 6.6 },
      sample: true,
    } as MarketRecord['accuracy'][number],
  ],
  coverage: [],
  pages: [{ path: '/', ids: ['p_1', 'p_2'] }],
  comparisons: [{ asked: '/market-signals?minPrice=1' }],
  agentLists: [{ tool: 'list_market_signals', ids: ['p_0', 'p_1'], text: 'Sample listings (generated sample data)' }],
}
