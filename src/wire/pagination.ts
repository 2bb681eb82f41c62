// The envelopes that answers share: one item, or a page of a list.
import { type Static, Type } from 'typebox'
import { errorCodes } from '../common/errors.ts'
import {
  date,
  dateTime,
  flag,
  integer,
  list,
  literals,
  object,
  objectOrNull,
  optional,
  orNull,
  succeeded,
  text,
} from '../common/shape.ts'
import { AppliedCriteria } from '../criteria/vocabulary.ts'

const paginationFields = {
  limit: integer('Page size applied, after the plan cap'),
  offset: integer('Results skipped'),
  total: integer('Matching results'),
  returned: integer('Items in this page'),
  nextOffset: orNull(Type.Integer(), 'Offset of the next page; null on the last reachable page'),
}

const nextCursor = orNull(Type.String(), 'Pass as cursor for the next page; null on the last')

export const Pagination = object('Pagination', { ...paginationFields, nextCursor })
export type Pagination = Static<typeof Pagination>

/** Matches are counted up to this number. A cursor can read further. */
export const countLimit = 10_000

const totalCapped = flag('True when more than 10,000 rows match; total is then 10000')

export const PermitPagination = object('PermitPagination', {
  ...paginationFields,
  truncated: flag('True when counting stopped at 10,000; read further with cursor'),
  totalCapped,
  nextCursor,
})

export const LeadPagination = object('LeadPagination', { ...paginationFields, nextCursor, totalCapped })

/** Listings are counted in full; parcels and permits to the limit. */
export const SearchPagination = object('SearchPagination', {
  ...paginationFields,
  nextCursor,
  totalCapped: optional(totalCapped),
})

export const FeedPagination = object('FeedPagination', {
  ...paginationFields,
  offset: integer('Always 0: the feed is read with nextCursor'),
  total: integer('Events ready after the given cursor, including this page; with criteria, at least this many'),
  nextOffset: orNull(Type.Integer(), 'Always null: the feed is read with nextCursor'),
})

export const HistoryWindow = object('HistoryWindow', {
  days: integer('Length of the window in days'),
  oldestDate: date('Oldest date included'),
})
export type HistoryWindow = Static<typeof HistoryWindow>

export const historyWindow = objectOrNull(
  HistoryWindow,
  'The dated records this key may read; null when it may read all',
)

/** In every answer to a request with parameters that the operation does not have. */
export const ignoredFields = {
  ignored: optional.texts('Parameters that this operation does not have'),
  suggestions: optional.texts(
    "Corrections for parameter names close to a known one, for cities, ZIP codes and ids outside the searched markets, and for a limit above the plan's maximum",
  ),
}

export const FunnelStep = object('FunnelStep', {
  condition: text('As a parameter: maxPrice=3000000'),
  remaining: integer('Rows that meet this condition and those before it'),
  wouldRemainWithout: integer('Rows that meet all other conditions'),
  unknown: optional.integer(
    'Of the rows counted as wouldRemainWithout, those where the value of this condition is not known; absent where that count stopped at 10,000',
  ),
})
export type FunnelStep = Static<typeof FunnelStep>

const asOf = dateTime('When the data behind this answer was last updated')

export const listOf = <T extends Type.TSchema, P extends Type.TObject = typeof Pagination>(
  item: T,
  pagination: P = Pagination as unknown as P,
) =>
  Type.Object({
    success: succeeded,
    count: integer('Items in this page'),
    data: list(item),
    pagination,
    historyWindow,
    asOf,
    ...ignoredFields,
  })

/** A list that takes criteria: adds the criteria as understood, and how each condition narrowed the rows. */
export const searchOf = <T extends Type.TSchema, P extends Type.TObject = typeof Pagination>(
  item: T,
  pagination: P = Pagination as unknown as P,
) =>
  Type.Object({
    ...listOf(item, pagination).properties,
    applied: AppliedCriteria,
    funnel: optional.list(FunnelStep, 'With explain=funnel; counted to 10,000'),
    notAssessed: optional.text(
      'Set while the data of the market is loaded and its values, scores and leads are not computed yet',
    ),
  })

/** A list that depends on a state law or on zoning. Where there can be no leads, `notApplicable` explains the empty list. */
export const leadListOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({
    ...searchOf(item, LeadPagination).properties,
    notApplicable: optional.text(
      'Why the list is empty: the law behind it does not apply, or data that it needs is missing',
    ),
  })

export const singleOf = <T extends Type.TSchema>(data: T) =>
  Type.Object({ success: succeeded, data, asOf, ...ignoredFields })

export const ErrorEnvelope = object('Error', 'The body of every error response', {
  success: flag('False: the request failed', { examples: [false] }),
  error: text('What went wrong and what to do next'),
  code: literals(errorCodes, 'Stable error code'),
})
