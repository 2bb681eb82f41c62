import { Type } from 'typebox'
import { dateTime, integer, list, object, optional, parts, succeeded } from '../../common/shape.ts'
import { BatchResult, type LookupCandidate, LookupResult } from '../lookup.ts'
import { describe } from '../operation.ts'
import { singleOf } from '../pagination.ts'
import { asOf, examplePlace, place, source } from './examples.ts'

/** Candidates in one answer; a plan with a smaller page has fewer. */
export const maxCandidates = 10

/** Rows of a CSV body on Pro. */
export const maxCsvRows = 10_000
/** Together with the rows this limits the cells, which cost more to read than bytes. */
export const maxCsvColumns = 100
/** More than a cell of a spreadsheet can hold. */
export const maxCsvRowLength = 50_000
/** 10,000 rows of 500 bytes. */
export const maxCsvBytes = 5 * 1024 * 1024

const lookupParts = ['listing', 'scores'] as const
export type LookupPart = (typeof lookupParts)[number]

const by = {
  address: optional.text('Street address, with or without unit, city, state and ZIP: 123 main st menlo park ca 94025', {
    maxLength: 300,
    examples: ['123 main st menlo park ca 94025'],
  }),
  apn: optional.text('Assessor’s parcel number, with or without separators', {
    maxLength: 40,
    examples: ['132-05-017'],
  }),
  county: optional.text('County of the parcel number, without the word County', {
    maxLength: 60,
    examples: [examplePlace.county],
  }),
  lat: optional.number('Latitude, together with lng', { minimum: -90, maximum: 90, examples: [37.45] }),
  lng: optional.number('Longitude, together with lat', { minimum: -180, maximum: 180, examples: [-122.18] }),
  id: optional.text('Property identifier', { maxLength: 64, examples: [place.id] }),
}

const include = parts(
  lookupParts,
  `Comma-separated: ${lookupParts.join(', ')}. Adds the current listing or the scores to each candidate`,
)

const candidate: LookupCandidate = {
  ...place,
  market: examplePlace.market,
  apn: '132-05-017',
  county: examplePlace.county,
  lat: 37.4447,
  lng: -122.1496,
  matched: { houseNumber: 'same', street: 'same', unit: 'same', city: 'same', zip: 'not_given' },
  source: { ...source, source: 'sample-parcels', title: 'Sample parcels' },
}
const found = {
  match: 'exact' as const,
  candidates: [candidate],
  read: { houseNumber: '123', street: 'OAK ST', city: examplePlace.city, state: 'CA' },
  covered: true,
}

export const lookUpAddress = describe({
  name: 'look_up_address',
  title: 'Look up a property',
  tag: 'Properties',
  path: '/v1/lookup',
  shared: true,
  summary: 'The property at an address, parcel number, point or id, whether or not it is for sale.',
  description:
    'Give one of address, apn (with county where known), lat and lng, or id. The answer grades the match and lists candidates with what matched. It never guesses: an address that can mean two homes is ambiguous, a misspelled street is fuzzy. No match is 200 with match none.',
  input: Type.Object({ ...by, include }),
  output: singleOf(LookupResult),
  example: {
    input: { address: '123 oak street palo alto ca' },
    output: { success: true, data: found, asOf },
  },
})

export const LookupItem = object('LookupItem', {
  ref: optional.text('Your reference, returned with the result', { maxLength: 200 }),
  ...by,
})

export const lookUpBatch = describe({
  name: 'look_up_batch',
  onlyReads: true,
  title: 'Look up many properties',
  tag: 'Properties',
  method: 'POST',
  path: '/v1/lookup/batch',
  summary: 'Looks up as many addresses, parcel numbers or points as the plan has rows on a page.',
  description: `Results come in the order of the items, with their ref. An item that cannot be read has an error and does not fail the others. On Pro the body may also be text/csv with a header row and up to ${maxCsvRows.toLocaleString('en-US')} rows and ${maxCsvColumns} columns (columns address, or apn and county, or lat and lng; city, state and zip are added to the address): the answer is the same CSV with the columns of the match added, streamed in one response.`,
  input: Type.Object({
    items: Type.Array(LookupItem, {
      minItems: 1,
      description: 'What to look up, as many as your plan has rows on a page',
      'x-checked-per-item': true,
    }),
    include,
  }),
  output: Type.Object({
    success: succeeded,
    count: integer('Number of results'),
    data: list(BatchResult),
    asOf: dateTime('When the data behind this answer was last updated'),
  }),
  example: {
    input: { items: [{ ref: 'row-1', address: `123 Oak St, ${examplePlace.city}` }] },
    output: { success: true, count: 1, data: [{ ref: 'row-1', ...found }], asOf },
  },
})
