// The envelope of every list: page size limited by the plan, and the history window of dated records.
import { type SortField, sortText } from '../criteria/fields.ts'
import type { Search } from '../criteria/read.ts'
import type { MarketId } from '../domain/facts.ts'
import { defaultLimit, maxOffset } from '../wire/operations/paging.ts'
import { type Plan, windowStart } from '../wire/plans.ts'
import type { Caller } from './context.ts'
import { invalidCursor } from './cursor.ts'
import type { PropertyResult } from './search-properties.ts'

interface PageInput {
  limit?: number
  offset?: number
}

export const pageOf = (caller: Caller, { limit = defaultLimit, offset = 0 }: PageInput) => ({
  limit: Math.min(limit, caller.limits.maxResults),
  offset,
})

const pagination = (page: { limit: number; offset: number }, returned: number, total: number) => {
  const next = page.offset + returned
  const hasMore = returned > 0 && next < total
  return {
    ...page,
    total,
    returned,
    nextOffset: hasMore && next <= maxOffset ? next : null,
    nextCursor: hasMore ? Buffer.from(`after:${next}`).toString('base64url') : null,
  }
}

/** For a short list whose cursor is the number of rows before the page. */
export const cursorPageOf = (caller: Caller, { cursor, ...input }: PageInput & { cursor?: string }) =>
  pageOf(caller, cursor === undefined ? input : { ...input, offset: rowsBefore(cursor) })

const rowsBefore = (cursor: string): number => {
  const rows = /^[A-Za-z0-9_-]{1,24}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString() : ''
  if (!/^after:\d{1,9}$/.test(rows)) throw invalidCursor()
  return Number(rows.slice('after:'.length))
}

export const historyWindow = (limits: Plan, now: Date) => {
  const oldestDate = windowStart(limits, now)
  return oldestDate === undefined ? null : { days: limits.historyDays!, oldestDate }
}

export const listAnswer = <T>(
  page: { limit: number; offset: number },
  data: T[],
  total: number,
  { asOf, window = null }: { asOf: string; window?: ReturnType<typeof historyWindow> },
) => ({
  success: true as const,
  count: data.length,
  data,
  pagination: pagination(page, data.length, total),
  historyWindow: window,
  asOf,
})

/** For freshness: the one market of a search, or undefined for all. */
export const oneMarket = (markets: readonly MarketId[]): MarketId | undefined =>
  markets.length === 1 ? markets[0] : undefined

/** Compared as stored, also with own assumptions. Returns of the pro forma are computed again for every home. */
const storedFields: ReadonlySet<SortField> = new Set<SortField>([
  ...(['flipProfitUsd', 'flipMaximumOffer', 'capRatePct', 'grossYieldPct'] as const),
  ...(['aduGainUsd', 'aduReturnPct', 'aduPaybackYears'] as const),
])

/** With own assumptions: the fields, criteria and order that stay at the market's. */
export const atMarket = ({
  search: { kind },
  query,
  applied,
}: Partial<Pick<PropertyResult, 'query'>> & { search: Pick<Search, 'kind'>; applied: object }): string[] => [
  'bestUse',
  ...(query?.conditions ?? []).flatMap((each) =>
    'field' in each && storedFields.has(each.field) && each.name in applied ? [each.name] : [],
  ),
  ...sortText(
    kind,
    (query?.sort ?? []).filter(({ field }) => storedFields.has(field)),
  ).map((each) => `sort=${each}`),
]

/** The answer to a search, with its cursor, its criteria and its funnel. */
export const searchAnswer = <T>(
  result: Pick<PropertyResult, 'page' | 'cursor' | 'total' | 'nextCursor' | 'applied' | 'funnel'> &
    Partial<Pick<PropertyResult, 'ownSet' | 'query'>> & { search: Pick<Search, 'kind' | 'suggestions' | 'ifEmpty'> },
  data: T[],
  about: { asOf: string; window?: ReturnType<typeof historyWindow> },
) => {
  const answer = listAnswer(result.page, data, result.total, about)
  // A page read by cursor does not know how many rows are before it.
  const nextOffset = result.cursor ? null : answer.pagination.nextOffset
  const { suggestions, ifEmpty } = result.search
  const hints = result.total === 0 ? [...suggestions, ...ifEmpty] : suggestions
  return {
    ...answer,
    pagination: { ...answer.pagination, nextOffset, nextCursor: result.nextCursor },
    applied: result.applied,
    ...(result.ownSet ? { assumptions: { ...result.ownSet.used, atMarket: atMarket(result) } } : {}),
    ...(result.funnel ? { funnel: result.funnel } : {}),
    ...(hints.length > 0 ? { suggestions: hints } : {}),
  }
}
