// What a caller asks of permit search, with cities looked up and words in lower case.
import { pick } from '../../common/typed.ts'
import type { Condition } from '../../criteria/conditions.ts'
import type { SortKey } from '../../criteria/fields.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import type { PermitTable } from '../engine/schema.ts'
import { compile, type Sql } from '../search/compile.ts'
import type { Position } from '../search/paging.ts'
import { permitColumns } from './columns.ts'

export interface PermitFilter {
  /** Parts of city names, separated by commas. */
  city?: string | undefined
  /** Every word must be in the permit. Case does not matter. */
  words?: readonly string[] | undefined
  minValuation?: number | undefined
  issuedFrom?: string | undefined
  issuedTo?: string | undefined
  /** Issued permits without it. */
  issued?: boolean | 'any'
  /** Start of the history window. A permit that is not issued is in it by the day of its application. */
  since?: string | undefined
  markets?: readonly string[]
  /** Further conditions, checked on each permit. */
  others?: readonly Condition[]
  /** Newest first without a sort. */
  sort?: readonly SortKey[] | undefined
  point?: LatLng | undefined
  /** Start after this permit, in list order. */
  after?: PermitPosition | undefined
  /** The same for a sorted list. */
  afterSorted?: Position | undefined
}

/** A position in list order: newest first, those not issued last by their application, then number, then city. */
export type PermitPosition = Pick<PermitTable, 'issuedOn' | 'appliedOn' | 'permitId' | 'citySlug'>

export type PermitCity = Pick<PermitTable, 'market' | 'citySlug'>

export interface Question extends Pick<PermitFilter, (typeof unchanged)[number]> {
  /** Undefined for all cities. */
  cities?: readonly PermitCity[] | undefined
  /** In lower case, without duplicates. */
  words: readonly string[]
  /** Undefined for both. */
  issued?: boolean | undefined
  /** Undefined if the question has cities, which are those of its markets. */
  markets?: readonly string[] | undefined
  /** Kinds of work. */
  classes?: readonly string[] | undefined
  /** Conditions that no other field of the question expresses, as SQL on permit_search. */
  others: readonly Sql[]
}

const unchanged = ['minValuation', 'issuedFrom', 'issuedTo', 'since'] as const

export const questionOf = (filter: PermitFilter, cities: readonly PermitCity[] | undefined): Question => ({
  cities: cities?.filter(({ market }) => filter.markets?.includes(market) ?? true),
  words: [...new Set(filter.words?.map((word) => word.toLowerCase()))],
  ...pick(filter, ...unchanged),
  issued: filter.issued === 'any' ? undefined : (filter.issued ?? true),
  markets: cities ? undefined : filter.markets,
  classes: filter.others?.find(isClass)?.values.map((value) => value.toLowerCase()),
  others: compile(
    (filter.others ?? []).filter((condition) => !isClass(condition)),
    permitColumns,
  ),
})

const isClass = (condition: Condition): condition is Extract<Condition, { type: 'oneOf' }> =>
  condition.type === 'oneOf' && condition.field === 'permitClass'
