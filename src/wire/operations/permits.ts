import { Type } from 'typebox'
import { optional, text } from '../../common/shape.ts'
import { permitCriteria } from '../../criteria/vocabulary.ts'
import { describe } from '../operation.ts'
import { PermitPagination, searchOf, singleOf } from '../pagination.ts'
import { Permit, PermitInAnyStage } from '../permit.ts'
import { asOf, examplePlace, permit, searchExample } from './examples.ts'
import { listControls } from './paging.ts'

const notIssued = optional.integer(
  'Permits not issued that meet the other criteria, which the default leaves out; counted to 10,000',
)

const permitListOf = <T extends Type.TSchema>(item: T, $id: string) =>
  Type.Object({ ...searchOf(item, PermitPagination).properties, notIssued }, { $id })

export const searchPermits = describe({
  name: 'search_permits',
  title: 'Permit search',
  tag: 'Permits',
  path: '/v1/permits',
  shared: true,
  summary: 'Building permits by city, keyword or minimum valuation, newest first; issued ones by default.',
  description:
    'q looks in address, project type, description, contractor, architect and permit number; several words must all match, each in any field. cursor reads every row, also beyond 10,000.',
  input: Type.Object({
    ...permitCriteria,
    ...listControls(['-valuation', 'issuedDate'], ['address', 'valuation', 'source.title']),
  }),
  output: permitListOf(Permit, 'PermitList'),
  wideOutput: permitListOf(PermitInAnyStage, 'PermitListInAnyStage'),
  example: {
    input: { city: examplePlace.city, q: 'new house', minValuation: 500_000 },
    output: searchExample(
      permit,
      { city: examplePlace.city, q: 'new house', minValuation: 500_000, sort: ['-issuedDate'] },
      { truncated: false, totalCapped: false },
    ),
  },
})

export const getPermit = describe({
  name: 'get_permit',
  title: 'One permit',
  tag: 'Permits',
  path: '/v1/permits/{citySlug}/{permitId}',
  shared: true,
  summary: 'One permit by city and number; an issued one by default.',
  input: Type.Object({
    citySlug: text('City slug, as in permitUrl', { minLength: 1, maxLength: 80 }),
    permitId: text('Permit number', { minLength: 1, maxLength: 120 }),
    issued: permitCriteria.issued,
  }),
  output: singleOf(Permit),
  wideOutput: singleOf(PermitInAnyStage),
  example: {
    input: { citySlug: examplePlace.citySlug, permitId: 'B26-0101' },
    output: { success: true, data: permit, asOf },
  },
})
