import { Type } from 'typebox'
import { integer, list, number, optional, parts, text } from '../../common/shape.ts'
import { assumptionsUsed, ownInputs } from '../../criteria/own-assumptions.ts'
import { ProformaAnswer } from '../../domain/findings/proforma.ts'
import { schemeKinds } from '../../domain/findings/scheme-kinds.ts'
import { SchemesAnswer } from '../../domain/findings/schemes.ts'
import { BuiltHouse } from '../built-nearby.ts'
import { ownFactsUsed } from '../deals.ts'
import { describe } from '../operation.ts'
import { historyWindow, singleOf } from '../pagination.ts'
import { PropertyDetail } from '../property.ts'
import { asOf, examplePlace, place, proforma, source } from './examples.ts'

export const propertyParts = ['explanation', 'proforma', 'comps', 'history', 'timeline', 'permits', 'shape'] as const
export type PropertyPart = (typeof propertyParts)[number]

const id = text('Property identifier, from a list or a lookup', { minLength: 1, maxLength: 64 })

export const getPropertyIntelligence = describe({
  name: 'get_property_intelligence',
  title: 'Property intelligence',
  tag: 'Properties',
  path: '/v1/properties/{id}',
  shared: true,
  ownInputs: Object.keys(ownInputs),
  summary: 'Scores, value, comparable sales and rent for one property.',
  description:
    'include adds the parts behind the numbers: explanation, proforma, comps, history, timeline (listings, sales, permits and values by date, and as last30Days what moved the value and the return), permits, and shape, the outline of the parcel. Not an appraisal, not legal advice.',
  input: Type.Object({
    id,
    include: parts(propertyParts, `Comma-separated: ${propertyParts.join(', ')}`),
    ...ownInputs,
  }),
  output: Type.Object({ ...singleOf(PropertyDetail).properties, ...assumptionsUsed, ...ownFactsUsed }),
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
          returnPct: -1.4,
          developerROI: -2.4,
          proformaROI: 12.2,
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
})

const between = (minimum: number, maximum: number, what: string, example: number) =>
  optional.number(what, { minimum, maximum, examples: [example] })
const dollars = (what: string, example: number) => between(0, 1e9, `${what}, dollars`, example)
const percent = (what: string, example: number, most = 100) => between(0, most, `${what}, percent`, example)

export const runProforma = describe({
  name: 'run_proforma',
  title: 'What-if pro forma',
  tag: 'Properties',
  path: '/v1/properties/{id}/proforma',
  shared: true,
  ownInputs: Object.keys(ownInputs),
  summary: 'The build-and-sell arithmetic for one property, with your own assumptions in place of any default.',
  description:
    'Line items that add up, a low, base and high case, a stress table of resale, cost and delay, the residual land value and the maximum offer for a target return. Not an appraisal.',
  input: Type.Object({
    id,
    // At least a dollar, because a return on zero capital is undefined.
    price: between(1, 1e9, 'Purchase price, dollars', 2_500_000),
    costPerSqft: between(0, 10_000, 'Construction, dollars per square foot', 450),
    buildSqft: between(100, 100_000, 'Size of the new house, square feet', 3_000),
    arvPerSqft: between(0, 50_000, 'Resale value, dollars per square foot', 1_600),
    softCosts: dollars('Design, permits and fees', 120_000),
    demoCost: dollars('Demolition', 40_000),
    sellingCostPct: percent('Selling cost of resale', 5, 50),
    contingencyPct: percent('Contingency on construction', 10),
    months: between(1, 120, 'Purchase to resale, months', 20),
    ratePct: percent('Loan interest a year', 9, 50),
    targetRoiPct: between(-50, 200, 'Target return of the maximum offer, percent; defaults to 15', 15),
    targetReturnPct: between(-50, 200, 'Another name of targetRoiPct', 15),
    ...ownInputs,
  }),
  output: Type.Object({ ...singleOf(ProformaAnswer).properties, ...assumptionsUsed, ...ownFactsUsed }),
  example: {
    input: { id: place.id, price: 2_500_000, months: 20 },
    output: {
      success: true,
      data: {
        ...place,
        proforma: {
          ...proforma,
          roiPct: 17.5,
          returnPct: 3.9,
          maximumOffer: 2_070_325,
          maximumOfferLow: 1_427_140,
          capital: 4_568_491,
          assumptions: {
            ...proforma.assumptions,
            months: 20,
            monthsBasis: 'duration entered by the user',
            acquisition: 25_000,
            carry: {
              interest: 308_694,
              points: 49_619,
              tax: 50_000,
              insurance: 29_351,
              averageBalance: 2_057_960,
              months: 20,
              ratePct: 9,
              loan: 3_307_900,
            },
          },
        },
        developerROI: 1.1,
        proformaROI: 17.5,
        returnPct: 3.9,
        returnAfterCarryPct: 3.949,
        used: ['propertyType', 'lotSqft', 'livingSqft', 'zoning', 'yearBuilt', 'price', 'comparables'],
        missing: ['lotWidthFt', 'lotDepthFt'],
        warnings: ['Historic status is unknown.'],
        lines: [{ name: 'hardCost', usd: 1_761_060, because: '3,000 sq ft × $587 per sq ft', of: 'capital' }],
        totalCost: 5_163_235,
        profit: 203_885,
        returnOnEquityPct: 11,
        cases: {
          low: {
            arvPerSqft: 1_710,
            costPerSqft: 645.72,
            months: 24,
            capital: 4_771_006,
            resaleNet: 4_830_408,
            roiPct: 1.2,
            returnPct: -11.7,
            returnAfterCarryPct: -11.7,
            maximumOffer: 1_427_140,
          },
          base: {
            arvPerSqft: 1_900,
            costPerSqft: 587.02,
            months: 20,
            capital: 4_568_491,
            resaleNet: 5_367_120,
            roiPct: 17.5,
            returnPct: 3.9,
            returnAfterCarryPct: 3.9,
            maximumOffer: 2_070_325,
          },
          high: {
            arvPerSqft: 2_090,
            costPerSqft: 528.32,
            months: 16,
            capital: 4_365_976,
            resaleNet: 5_903_832,
            roiPct: 35.2,
            returnPct: 21.5,
            returnAfterCarryPct: 21.5,
            maximumOffer: 2_743_913,
          },
        },
        stress: [
          {
            resalePct: -10,
            costPct: 10,
            extraMonths: 6,
            arvPerSqft: 1_710,
            costPerSqft: 645.72,
            months: 26,
            capital: 4_771_006,
            resaleNet: 4_830_408,
            roiPct: 1.2,
            returnPct: -11.8,
            returnAfterCarryPct: -11.8,
          },
        ],
        residualLandValue: 2_676_560,
        maximumOffer: { targetRoiPct: 15, price: 2_070_325, priceAfterCarry: 2_070_325 },
        envelope: {
          maxSqft: 3_000,
          livableSqft: 3_000,
          limitedBy: 'floor_area',
          candidates: [
            {
              limit: 'floor_area',
              sqft: 3_000,
              formula: '2,250 sq ft + 0.3 × (7,500 sq ft − 5,000 sq ft)',
              confidence: 'medium',
            },
          ],
          confidence: 'medium',
          missing: ['lotWidthFt', 'lotDepthFt'],
          notes: [],
        },
        overrides: { price: 2_500_000, months: 20 },
      },
      asOf,
    },
  },
})

export const getPropertySchemes = describe({
  name: 'get_property_schemes',
  title: 'Schemes of a lot',
  tag: 'Properties',
  path: '/v1/properties/{id}/schemes',
  shared: true,
  ownInputs: Object.keys(ownInputs),
  summary: 'Every lawful use of one lot with its law, cost, time, proceeds and what it could bear for the lot.',
  description:
    'best is the use with the largest maximumOffer that nobody may refuse; bestIfApproved could bear more if it is approved. All schemes stand on one price. Legal doubt stands in allowed, approval and untestedRules, never in the money. Not an appraisal, not legal advice.',
  input: Type.Object({
    id,
    price: between(1, 1e9, 'Purchase price, dollars; defaults to the price to beat', 2_500_000),
    scheme: optional.literals(schemeKinds, 'Only this kind; required for include'),
    include: parts(
      ['cashFlow', 'risk'],
      'Of one scheme. cashFlow: its months. risk: how often it loses when prices, costs and months vary',
    ),
    ...ownInputs,
  }),
  output: Type.Object({ ...singleOf(SchemesAnswer).properties, ...assumptionsUsed, ...ownFactsUsed }),
  example: {
    input: { id: place.id, scheme: 'new_house' },
    output: {
      success: true,
      data: {
        ...place,
        priceUsd: 2_681_500,
        against: 'asking',
        best: { kind: 'new_house' },
        schemes: [
          {
            kind: 'new_house',
            zoning: 'R-1',
            title: 'New house',
            allowed: 'yes',
            approval: 'ministerial',
            conditions: [],
            untestedRules: [],
            because: ['zoning limit of 3,000 sq ft (floor area)'],
            units: [
              {
                ...{ role: 'house', count: 1, sqft: 3_000, use: 'sell', priceUsd: 5_700_000, low: 5_130_000 },
                ...{ high: 6_270_000, basis: '12 sales of new, renovated or top-priced homes.', comparables: 12 },
              },
            ],
            homes: 1,
            builtSqft: 3_000,
            months: 20,
            monthsBasis: '8 months of design and permit, 11.6 to build, 2.5 to sell',
            lines: [{ name: 'hardCost', usd: 1_761_060, because: '3,000 sq ft × $587 per sq ft', of: 'capital' }],
            totalCost: 5_163_235,
            proceedsNet: 5_367_120,
            profit: 203_885,
            returnPct: 3.9,
            targetReturnPct: 15,
            irrPct: 8.1,
            equityMultiple: 1.11,
            peakEquity: 1_855_335,
            maximumOffer: 2_070_325,
            maximumOfferLow: 1_427_140,
            room: { usd: -611_175, low: -1_254_360, against: 'asking' },
            breakEven: { resalePct: -3.8, costPct: 9.6, extraMonths: 7 },
            confidence: 'medium',
            assumptions: { targetRoiPct: 15, softCostPct: 15 },
            variants: [],
            source,
          },
        ],
      },
      asOf,
    },
  },
})

export const getBuiltNearby = describe({
  name: 'get_built_nearby',
  title: 'Built nearby',
  tag: 'Properties',
  path: '/v1/properties/{id}/built-nearby',
  summary: 'New houses that were bought, built and sold again within a mile and five years.',
  description:
    'Each has a sale before its permit and one after, all visible to your key. differenceUsd is before all costs: it is no profit.',
  input: Type.Object({ id }),
  output: Type.Object({
    ...singleOf(list(BuiltHouse, 'Newest resale first, at most 50')).properties,
    radiusMi: number('Radius of the search, miles'),
    years: integer('Years that the search goes back'),
    historyWindow,
  }),
  example: {
    input: { id: place.id },
    output: {
      success: true,
      data: [
        {
          propertyId: 'p_0018qd9nm2r6xk4t0vw',
          address: '12 Oak St',
          city: place.city,
          distanceMi: 0.41,
          lotPriceUsd: 2_310_000,
          lotSoldOn: '2023-02-14',
          permitId: 'BLD2023-00871',
          issuedOn: '2023-09-28',
          finaledOn: '2025-03-03',
          sqft: 3_120,
          resaleUsd: 5_150_000,
          resoldOn: '2025-05-20',
          months: 27,
          differenceUsd: 2_840_000,
          builder: 'Bayside Homes Inc',
        },
      ],
      radiusMi: 1,
      years: 5,
      historyWindow: null,
      asOf,
    },
  },
})
