import { Type } from 'typebox'
import { permitCriteria } from '../criteria/vocabulary.ts'
import { describe } from '../operation.ts'
import { PermitPagination, searchOf, singleOf } from '../pagination.ts'
import { Permit } from '../permit.ts'
import { asOf, examplePlace, listExample, permit } from './examples.ts'
import { listControls } from './paging.ts'

/** Matches are counted up to this number. A cursor can read further. */
export const permitCountCap = 10_000

export const searchPermits = describe({
  name: 'search_permits',
  title: 'Permit search',
  tag: 'Permits',
  method: 'GET',
  path: '/v1/permits',
  access: 'key',
  shared: true,
  summary: 'Issued building permits by city, keyword or minimum valuation, newest first.',
  description:
    'q looks in address, project type, description, contractor, architect and permit number; several words must all match, each in any field. cursor reads every row, also beyond 10,000.',
  input: Type.Object({
    ...permitCriteria,
    ...listControls(['-valuation', 'issuedDate'], ['address', 'valuation', 'source.title']),
  }),
  output: searchOf(Permit, PermitPagination),
  example: {
    input: { city: examplePlace.city, q: 'new house', minValuation: 500_000 },
    output: listExample(permit, { truncated: false, nextCursor: null }, null, {
      applied: {
        market: examplePlace.market,
        city: examplePlace.city,
        q: 'new house',
        minValuation: 500_000,
        sort: ['-issuedDate'],
      },
    }),
  },
})

export const getPermit = describe({
  name: 'get_permit',
  title: 'One permit',
  tag: 'Permits',
  method: 'GET',
  path: '/v1/permits/{citySlug}/{permitId}',
  access: 'key',
  shared: true,
  summary: 'One issued permit by city and number.',
  input: Type.Object({
    citySlug: Type.String({ minLength: 1, maxLength: 80, description: 'City slug, as in permitUrl' }),
    permitId: Type.String({ minLength: 1, maxLength: 120, description: 'Permit number' }),
  }),
  output: singleOf(Permit),
  example: {
    input: { citySlug: examplePlace.citySlug, permitId: 'B26-0101' },
    output: { success: true, data: permit, asOf },
  },
  errors: [404],
})
