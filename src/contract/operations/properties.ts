import { Type } from 'typebox'
import { describe } from '../operation.ts'
import { singleOf } from '../pagination.ts'
import { ProformaAnswer } from '../proforma.ts'
import { PropertyDetail } from '../property.ts'
import { literals } from '../shape.ts'
import { asOf, examplePlace, place, proforma, source } from './examples.ts'

export const propertyParts = ['explanation', 'proforma', 'comps', 'history', 'permits', 'shape'] as const
export type PropertyPart = (typeof propertyParts)[number]

const id = Type.String({ minLength: 1, maxLength: 64, description: 'Property identifier, as lists give it' })

export const getPropertyIntelligence = describe({
  name: 'get_property_intelligence',
  title: 'Property intelligence',
  tag: 'Properties',
  method: 'GET',
  path: '/v1/properties/{id}',
  access: 'key',
  shared: true,
  summary: 'Scores, market heat, bidding-war odds and comparable sales for one property.',
  description:
    'include adds the parts behind the numbers: explanation, proforma, comps, history, permits, and shape, the outline of the parcel. Not an appraisal, not legal advice.',
  input: Type.Object({
    id,
    include: Type.Optional(
      Type.Array(literals(propertyParts), {
        uniqueItems: true,
        description: `Comma-separated: ${propertyParts.join(', ')}`,
      }),
    ),
  }),
  output: singleOf(PropertyDetail),
  example: {
    input: { id: place.id, include: ['proforma'] },
    output: {
      success: true,
      data: {
        ...place,
        market: examplePlace.market,
        price: 2_681_500,
        status: 'active',
        intelligence: {
          teardownScore: 31,
          flippabilityScore: 44,
          marketHeatIndex: 63,
          biddingWarPredictor: 38,
          conditionScore: 48,
          developerROI: -1.2,
          proformaROI: 8.6,
          valueEstimate: { value: 2_751_929, low: 2_390_000, high: 3_168_000 },
          modelVersion: '4/2026-11-15',
        },
        comparables: { recentSalesCount: 12, avgPricePerSqft: 1_410, windowMonths: 6, radiusMiles: 1 },
        facts: {
          ...place,
          market: examplePlace.market,
          citySlug: examplePlace.citySlug,
          propertyType: 'single_family',
          livingSqft: 1_400,
          lotSqft: 7_500,
          beds: 3,
          baths: 2,
          yearBuilt: 1951,
          zoning: 'R-1',
          overlays: { historicListed: 'no', floodZone: 'unknown' },
          listedOn: '2026-11-03',
        },
        source,
        proforma,
      },
      asOf,
    },
  },
  errors: [404],
})

const dollars = (what: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, description: `${what}, dollars` }))
const percent = (what: string, maximum = 100) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description: `${what}, percent` }))

export const runProforma = describe({
  name: 'run_proforma',
  title: 'What-if pro forma',
  tag: 'Properties',
  method: 'GET',
  path: '/v1/properties/{id}/proforma',
  access: 'key',
  shared: true,
  summary: 'The build-and-sell arithmetic for one property, with any assumption replaced by yours.',
  description:
    'Line items that sum, a low, base and high case, a joint price-cost-time stress, residual land value and the maximum offer for a target return. Not an appraisal.',
  input: Type.Object({
    id,
    // At least a dollar, because a return on zero capital is undefined.
    price: Type.Optional(Type.Number({ minimum: 1, maximum: 1e9, description: 'Purchase price, dollars' })),
    costPerSqft: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10_000, description: 'Construction, dollars per square foot' }),
    ),
    buildSqft: Type.Optional(
      Type.Number({ minimum: 100, maximum: 100_000, description: 'Size of the new house, square feet' }),
    ),
    arvPerSqft: Type.Optional(
      Type.Number({ minimum: 0, maximum: 50_000, description: 'Resale value, dollars per square foot' }),
    ),
    softCosts: dollars('Design, permits and fees'),
    demoCost: dollars('Demolition'),
    sellingCostPct: percent('Selling cost of resale', 50),
    contingencyPct: percent('Contingency on construction'),
    months: Type.Optional(Type.Number({ minimum: 1, maximum: 120, description: 'Purchase to resale, months' })),
    ratePct: percent('Loan interest a year', 50),
    targetRoiPct: Type.Optional(
      Type.Number({ minimum: -50, maximum: 200, description: 'Return the maximum offer is solved for, percent' }),
    ),
  }),
  output: singleOf(ProformaAnswer),
  example: {
    input: { id: place.id, price: 2_500_000, months: 20 },
    output: {
      success: true,
      data: {
        ...place,
        proforma,
        developerROI: -1.2,
        proformaROI: 8.6,
        returnPct: -4.7,
        returnAfterCarryPct: -4.7,
        used: ['propertyType', 'lotSqft', 'livingSqft', 'zoning', 'yearBuilt', 'price', 'comparables'],
        missing: [],
        warnings: ['Historic status is not known.'],
        lines: [{ name: 'hardCost', usd: 1_950_000, because: '3,000 sq ft × $650', of: 'capital' }],
        totalCost: 5_649_650,
        profit: -263_150,
        returnOnEquityPct: -11.6,
        cases: {
          low: {
            arvPerSqft: 1_710,
            costPerSqft: 715,
            months: 28.8,
            capital: 5_183_250,
            resaleNet: 4_847_850,
            roiPct: -6.5,
            returnPct: -18.9,
            returnAfterCarryPct: -18.9,
          },
          base: {
            arvPerSqft: 1_900,
            costPerSqft: 650,
            months: 24,
            capital: 4_959_000,
            resaleNet: 5_386_500,
            roiPct: 8.6,
            returnPct: -4.7,
            returnAfterCarryPct: -4.7,
          },
          high: {
            arvPerSqft: 2_090,
            costPerSqft: 585,
            months: 19.2,
            capital: 4_734_750,
            resaleNet: 5_925_150,
            roiPct: 25.1,
            returnPct: 10.9,
            returnAfterCarryPct: 10.9,
          },
        },
        stress: [
          {
            resalePct: -10,
            costPct: 10,
            extraMonths: 6,
            arvPerSqft: 1_710,
            costPerSqft: 715,
            months: 30,
            capital: 5_183_250,
            resaleNet: 4_847_850,
            roiPct: -6.5,
            returnPct: -19.4,
            returnAfterCarryPct: -19.4,
          },
        ],
        residualLandValue: 2_240_000,
        maximumOffer: { targetRoiPct: 15, price: 1_660_000, priceAfterCarry: 1_660_000 },
        envelope: {
          maxSqft: 3_000,
          livableSqft: 3_000,
          limitedBy: 'floor_area',
          candidates: [{ limit: 'floor_area', sqft: 3_000, formula: '2,250 + 0.3 × 2,500', confidence: 'high' }],
          confidence: 'high',
          missing: [],
          notes: [],
        },
        overrides: { price: 2_500_000, months: 20 },
      },
      asOf,
    },
  },
  errors: [404],
})
