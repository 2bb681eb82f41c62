// Records that the examples of several operations share. Every example is checked against its schema by a test.
import examples from '../../../data/examples.json' with { type: 'json' }
import type { LawReference } from '../../domain/findings/laws.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { AduEconomics } from '../../domain/findings/rent.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { HistoryWindow, Pagination } from '../pagination.ts'
import type { Permit } from '../permit.ts'

export const asOf = '2026-11-15T06:00:00.000Z'

export const source: Provenance = {
  source: 'sample-listings',
  title: 'Sample listings',
  licence: 'Generated sample data, Apache-2.0',
  collectedAt: asOf,
  sample: true,
}

export const exampleLaw: LawReference = {
  id: 'us-ca-sb9',
  title: 'SB 9 lot splits and duplexes',
  asOf: '2026-11-16',
  url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=GOV&sectionNum=66411.7',
}

/** The market and city that the examples show. */
export const examplePlace = examples

export const place = { id: 'p_001mmzx1rp97xxdw2qm', address: '123 Oak St', city: examplePlace.city }

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
  citySlug: examplePlace.citySlug,
}

/** A test repeats the arithmetic. */
export const exampleAdu: AduEconomics = {
  unit: { kind: 'detached', sqft: 800, bedrooms: 2 },
  costUsd: 422_400,
  costPerSqft: 528,
  monthlyRent: {
    amount: 3_493,
    low: 3_056,
    high: 4_026,
    basis: 'Median of 14 rents of homes with 2 bedrooms in ZIP code 94063. Times 0.97 for 800 sq ft.',
    asOf: '2026-11-02',
    source: 'Sample rents',
    sample: true,
  },
  noi: 27_802,
  valueAdded: 411_881,
  gainUsd: -10_519,
  yieldPct: 6.6,
  paybackYears: 15.2,
  returnPct: -2.5,
  terms: {
    hardCost: 330_000,
    byIncome: 411_881,
    byArea: 432_000,
    cityPerSqft: 1_200,
    aduFixedUsd: 90_000,
    aduPerSqftUsd: 300,
    aduSoftPct: 28,
    baseCostPerSqft: 500,
    vacancyPct: 5,
    operatingCostPct: 18,
    propertyTaxPct: 1.2,
    newBuildAssessedPct: 85,
    landlordInsurancePct: 0.45,
    aduNetCapRatePct: 6.75,
    aduAreaSharePct: 45,
  },
  defaults: ['vacancyPct', 'operatingCostPct'],
}

/** What the pro forma computes for the example home at $2,681,500. A test repeats the arithmetic. */
export const proforma: Proforma = {
  buildSqft: 3_000,
  arvPerSqft: 1_900,
  compCount: 12,
  compsCityMatched: true,
  compsTypeMatched: true,
  confidence: 'medium',
  unmodellableReason: null,
  assumptions: {
    costPerSqft: 587.02,
    costBasis: '$600 per sq ft for 2,500 sq ft on two stories × 0.978 for the size of 3,000 sq ft',
    stories: 2,
    slopePct: 2,
    demoCost: 35_000,
    sellingCostPct: 5.84,
    buildSizeBasis: 'zoning limit of 3,000 sq ft (floor area); 6 × the existing 1,400 sq ft is 8,400 sq ft',
    contingencyPct: 7.5,
    months: 22.1,
    monthsBasis:
      'San Francisco Peninsula: 8 months of design and permit, the assumption of the market, because too few permits for new houses with an application date are known in this city; 11.6 to build 3,000 sq ft, 2.5 to sell',
    ratePct: 9,
    existingSqft: 1_400,
    softCosts: 272_431,
    acquisition: 26_815,
    contingency: 132_080,
    carry: {
      interest: 361_403,
      points: 51_543,
      tax: 58_993,
      insurance: 32_286,
      averageBalance: 2_190_319,
      months: 22,
      ratePct: 9,
      loan: 3_436_220,
    },
    shrinkWeight: 0.65,
    marketMeanRoiPct: -4.2,
  },
  roiPct: 13,
  returnPct: -0.8,
  maximumOffer: 2_043_187,
  maximumOfferLow: 1_394_891,
  targetRoiPct: 15,
  resaleConfidence: 'medium',
  capital: 4_749_991,
  resaleNet: 5_367_120,
}

const onePage: Pagination = { limit: 25, offset: 0, total: 1, returned: 1, nextOffset: null, nextCursor: null }

/** A list of one row that takes criteria, those in `applied` among them. */
export const searchExample = <Row, More extends object>(row: Row, applied: object, more: More) =>
  listExample(row, more, null, { applied: { market: examplePlace.market, ...applied } })

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
