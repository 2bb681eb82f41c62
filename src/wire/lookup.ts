import { type Static, Type } from 'typebox'
import { list, literals, object, optional, orNull, text } from '../common/shape.ts'
import { Provenance } from '../domain/provenance.ts'
import { point, zip } from '../domain/searched-row.ts'

const matchGrades = ['exact', 'unit_missing', 'ambiguous', 'near', 'fuzzy', 'none'] as const
export type MatchGrade = (typeof matchGrades)[number]

const partMatches = ['same', 'partial', 'similar', 'different', 'missing', 'not_held', 'not_given'] as const
const compared = (description: string) => optional.literals(partMatches, { description })

export const LookupMatched = object('LookupMatched', 'How each part of the input compares with the candidate', {
  houseNumber: compared('The house number'),
  street: compared('The street: partial leaves out a suffix or direction, similar is spelled differently'),
  unit: compared('The unit: missing was not given, not_held is not on record at this address'),
  city: compared('The city'),
  zip: compared('The ZIP code; for a property without one, the ZIP codes of its city'),
  apn: compared('The parcel number'),
  county: compared('The county of the parcel number'),
  id: compared('The property id'),
  distanceMi: optional.number('Miles from the given point to the parcel’s point'),
})
export type LookupMatched = Static<typeof LookupMatched>

const LookupListing = object('LookupListing', {
  status: text('Status of the current listing'),
  price: optional.number('Listing price, dollars'),
  listedOn: optional.text('Date of listing'),
  soldPrice: optional.number('Sale price, dollars, of a sold home'),
  soldDate: optional.text('Date of the sale of a sold home'),
})

const LookupScores = object('LookupScores', {
  teardownScore: optional.score('Teardown score'),
  flippabilityScore: optional.score('Flip score'),
  returnPct: optional.number('Return after all costs, percent'),
  aduScore: optional.score('Accessory-unit score'),
  redevelopmentScore: optional.score('Redevelopment score'),
  sb9Status: optional.text('SB 9 status'),
})

export const LookupCandidate = object('LookupCandidate', {
  id: text('Property identifier'),
  address: text('Street address as stored'),
  city: text('City'),
  zip,
  market: text('Market'),
  apn: optional.text('Assessor’s parcel number'),
  county: optional.text('County'),
  ...point,
  matched: LookupMatched,
  listing: optional(LookupListing),
  scores: optional(LookupScores),
  source: optional(Provenance),
})
export type LookupCandidate = Static<typeof LookupCandidate>

export const LookupRead = object('LookupRead', 'How the input was understood', {
  houseNumber: optional.text('House number'),
  street: optional.text('Street, abbreviated as USPS does'),
  unit: optional.text('Unit'),
  city: optional.text('City'),
  state: optional.text('State'),
  zip: optional.text('ZIP code'),
  apn: optional.text('Parcel number, normalized'),
  county: optional.text('County'),
  ...point,
  id: optional.text('Property id'),
})
export type LookupRead = Static<typeof LookupRead>

const resultFields = {
  match: literals(
    matchGrades,
    'exact: one property agrees in every part given. unit_missing: the building is known, the unit was not given or is not on record. ambiguous: several properties fit. near: no property at this number or point; the nearest follow. fuzzy: a part is spelled differently or contradicts another. none: nothing similar is on record',
  ),
  candidates: list(LookupCandidate, 'Best first; exactly one for exact'),
  read: LookupRead,
  covered: orNull(Type.Boolean(), 'Whether parcels are loaded for the place given; null when the input names no place'),
  note: optional.text('What to add or check, where it helps'),
}

export const LookupResult = object('LookupResult', resultFields)
export type LookupResult = Static<typeof LookupResult>

export const BatchResult = object('LookupBatchResult', {
  ref: optional.text('The caller’s reference for the item'),
  ...resultFields,
  error: optional.text('Why this item could not be looked up; its match is none'),
})
export type BatchResult = Static<typeof BatchResult>
