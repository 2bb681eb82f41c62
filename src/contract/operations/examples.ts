// Records that the examples of several operations share. Every example is checked against its schema by a test.
import examples from '../../../data/examples.json' with { type: 'json' }
import type { HistoryWindow, Pagination } from '../pagination.ts'
import type { Permit } from '../permit.ts'
import type { Proforma } from '../proforma.ts'
import type { Provenance } from '../provenance.ts'

export const asOf = '2026-11-15T06:00:00.000Z'

export const source: Provenance = {
  source: 'sample-listings',
  title: 'Sample listings',
  licence: 'CC0-1.0',
  collectedAt: asOf,
  sample: true,
}

/** The market and city that the examples show. */
export const examplePlace = examples

export const place = { id: 'prop_7Kq2', address: '123 Oak St', city: examplePlace.city }

export const permit: Permit = {
  permitId: 'B26-0101',
  city: examplePlace.city,
  address: '123 Oak St',
  projectType: 'Residential',
  description: 'New two-story house',
  valuation: 1_250_000,
  sqft: 3_100,
  psf: 403.23,
  contractor: 'Acme Builders',
  architect: null,
  issuedDate: '2026-11-10',
  status: 'issued',
  permitUrl: `http://localhost:3000/permits/${examplePlace.citySlug}/B26-0101`,
  permitClass: 'new_house',
  classWords: ['new', 'house'],
  propertyId: place.id,
  source: { ...source, source: 'sample-permits', title: 'Sample permits' },
}

export const proforma: Proforma = {
  roiPct: 8.6,
  buildSqft: 3_000,
  arvPerSqft: 1_900,
  capital: 4_959_000,
  resaleNet: 5_386_500,
  compCount: 12,
  compsCityMatched: true,
  compsTypeMatched: true,
  confidence: 'medium',
  unmodellableReason: null,
  assumptions: {
    costPerSqft: 650,
    softCosts: 292_500,
    demoCost: 35_000,
    sellingCostPct: 5.5,
    buildSizeBasis: 'zoning envelope of 3,000 sq ft (floor area), within the cap of 2.5 × the existing 1,400 sq ft',
    contingencyPct: 7.5,
    contingency: 146_250,
    carry: { interest: 384_000, points: 57_000, tax: 64_400, insurance: 39_000 },
    months: 24,
    ratePct: 9,
    shrinkWeight: 0.6,
    marketMeanRoiPct: -4.2,
  },
}

const onePage: Pagination = { limit: 25, offset: 0, total: 1, returned: 1, nextOffset: null }

/** A list of one row. */
export const listExample = <Row, More extends object, Rest extends object = object>(
  row: Row,
  more: More,
  historyWindow: HistoryWindow | null = null,
  rest: Rest = {} as Rest,
) => ({
  success: true,
  count: 1,
  data: [row],
  pagination: { ...onePage, ...more },
  historyWindow,
  asOf,
  ...rest,
})
