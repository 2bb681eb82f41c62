// The schemas of every list, read from the table of criteria.

import { type Static, Type } from 'typebox'
import { object, optional } from '../common/shape.ts'
import { type CriteriaList, type Criterion, criteria, type SchemasOf, type SearchKind } from './table.ts'

const rows: Readonly<Record<string, Criterion>> = criteria

/** The criteria of a list, in the order of the table. */
export const criteriaIn = (list: CriteriaList): readonly (readonly [name: string, row: Criterion])[] =>
  Object.entries(rows).filter(([, { lists }]) => lists.includes(list))

const schemasOf = <List extends CriteriaList>(list: List): SchemasOf<List> =>
  Object.fromEntries(
    criteriaIn(list).map(([name, { schema, schemaIn }]) => [name, schemaIn[list] ?? schema]),
  ) as SchemasOf<List>

/** The values of a list's criteria. */
export type ListCriteria<List extends CriteriaList> = {
  [Name in keyof SchemasOf<List>]?: SchemasOf<List>[Name] extends Type.TSchema ? Static<SchemasOf<List>[Name]> : never
}

export const listingCriteria = schemasOf('listings')
export const parcelCriteria = schemasOf('parcels')
export const permitCriteria = schemasOf('permits')
export const saleCriteria = schemasOf('sales')
export const lotSplitCriteria = schemasOf('lot_splits')

/** Everything that POST /v1/search accepts in `criteria`; which of it applies depends on `kind`. */
export const Criteria = object('Criteria', 'The conditions of a search; all must be met', schemasOf('search'))
export type Criteria = Static<typeof Criteria>

/** The criteria of an answer, as they were understood. */
export const AppliedCriteria = object('AppliedCriteria', 'The criteria as understood, with defaults filled in', {
  ...Criteria.properties,
  market: optional.text('The market searched, or all'),
  city: optional.text('City names, separated by commas'),
  zip: optional.text('ZIP codes, separated by commas'),
  status: optional(Type.Array(Type.String(), { description: 'Statuses' })),
  listingStatus: optional(Type.Array(Type.String(), { description: 'Listing statuses' })),
  class: optional.text('Redevelopment class'),
  minScore: optional.number('Lowest score listed'),
  sort: optional(Type.Array(Type.String(), { description: 'The order of the rows' })),
})
export type AppliedCriteria = Static<typeof AppliedCriteria>

/** The criteria that apply to a kind: those of its list, and those that only POST /v1/search takes, which does not search sales. */
export const criteriaOf = (kind: SearchKind): readonly (readonly [name: string, row: Criterion])[] =>
  Object.entries(rows).filter(
    ([, { lists }]) => lists.includes(kind) || (kind !== 'sales' && lists.every((list) => list === 'search')),
  )
