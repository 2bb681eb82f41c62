import { Type } from 'typebox'
import { object, optional, text } from '../../common/shape.ts'
import { Builder } from '../builders.ts'
import { describe } from '../operation.ts'
import { listOf, PermitPagination, searchOf, singleOf } from '../pagination.ts'
import { Permit } from '../permit.ts'
import { asOf, examplePlace, listExample, permit, searchExample } from './examples.ts'
import { cursor, kindsOfWork, market, oneCity, page } from './paging.ts'

const builder = {
  id: `${examplePlace.market}-3fa2c81b90de`,
  name: 'Oakhelm Builders',
  aliases: ['Oakhelm Builders Inc'],
  role: 'contractor' as const,
  cities: [examplePlace.city],
  classes: ['new_house' as const, 'adu' as const],
  permits: 41,
  permits12m: 9,
  units12m: 6,
  valuation: 21_400_000,
  toFinal: { p50: 403, p90: 611 },
  finaledPct: 70.7,
  lastIssued: '2026-10-30',
  url: `http://localhost:3000/builders/${examplePlace.market}-3fa2c81b90de`,
}

const id = text('Builder identifier, as in builderId of a permit', { minLength: 1, maxLength: 120 })

export const listBuilders = describe({
  name: 'list_builders',
  title: 'Builders',
  tag: 'Permits',
  path: '/v1/builders',
  shared: true,
  summary: 'Contractors by their issued permits, most permits in the last 12 months first.',
  description:
    'Permits with the same license or the same normalized name in a market have the same builder. Rows that name an owner or nobody have none. A key with a history window gets the figures of permits within it, most permits first, and none over 12 months or to the final inspection.',
  errors: [404],
  input: Type.Object({
    market,
    city: oneCity,
    role: optional.literals(['contractor'], 'Role'),
    permitClass: kindsOfWork,
    q: optional.text('Part of a name, or a license', { minLength: 1, maxLength: 100, examples: ['Homes'] }),
    sort: optional.literals(
      ['permits12m', 'permits', 'valuation', 'units12m', 'lastIssued'],
      'Highest first; permits12m and units12m need a key without a history window',
    ),
    ...page,
    cursor,
  }),
  output: listOf(Builder),
  example: { input: { city: examplePlace.city, permitClass: ['new_house'] }, output: listExample(builder, {}) },
})

export const getBuilder = describe({
  name: 'get_builder',
  title: 'One builder',
  tag: 'Permits',
  path: '/v1/builders/{id}',
  shared: true,
  summary: 'One builder with its figures.',
  input: Type.Object({ id }),
  output: singleOf(Builder),
  example: { input: { id: builder.id }, output: { success: true, data: builder, asOf } },
})

export const listBuilderPermits = describe({
  name: 'list_builder_permits',
  title: 'Permits of a builder',
  tag: 'Permits',
  path: '/v1/builders/{id}/permits',
  shared: true,
  summary: 'The issued permits of a builder, newest first.',
  input: Type.Object({ id, ...page, cursor }),
  output: object('BuilderPermitList', searchOf(Permit, PermitPagination).properties),
  example: {
    input: { id: builder.id },
    output: searchExample(
      permit,
      { builderId: builder.id, sort: ['-issuedDate'] },
      { truncated: false, totalCapped: false },
    ),
  },
})
