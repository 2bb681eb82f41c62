import { Type } from 'typebox'
import { describe } from '../operation.ts'
import { one } from '../pagination.ts'
import { ProformaAnswer } from '../proforma.ts'
import { PropertyDetail } from '../property.ts'
import { literals } from '../shape.ts'

export const propertyParts = ['explanation', 'proforma', 'comps', 'history', 'permits'] as const
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
    'include brings the parts behind the numbers: explanation, proforma, comps, history, permits. Not an appraisal, not legal advice.',
  input: Type.Object({
    id,
    include: Type.Optional(
      Type.Array(literals(propertyParts), {
        uniqueItems: true,
        description: `Comma-separated: ${propertyParts.join(', ')}`,
      }),
    ),
  }),
  output: one(PropertyDetail),
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
    // At least a dollar: a return on no capital is no number.
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
  output: one(ProformaAnswer),
  errors: [404],
})
