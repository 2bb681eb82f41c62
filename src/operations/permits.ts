import { notFound } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import type { Condition } from '../criteria/conditions.ts'
import { readSort, type SortKey, sortText } from '../criteria/fields.ts'
import { readSearch, type Search } from '../criteria/read.ts'
import { isDay } from '../domain/day.ts'
import type { LatLng } from '../domain/packs/markets.ts'
import { permitUrl } from '../domain/page-urls.ts'
import { asOf } from '../store/ingest/freshness.ts'
import {
  allPermits as allStored,
  countPermits,
  type PermitFilter,
  type PermitPosition,
  type PermitRow,
  permitById,
  permitFunnel,
  permitPage,
} from '../store/permits/permits.ts'
import { getPermit, searchPermits } from '../wire/operations/permits.ts'
import type { Permit, PermitInAnyStage } from '../wire/permit.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { cursorOf, invalidCursor, positionOf, valuesIn } from './cursor.ts'
import { historyWindow, oneMarket, pageOf, searchAnswer } from './listing-page.ts'
import { checkPolygonCost, polygonBudget } from './polygon-budget.ts'
import { provenanceOf } from './provenance.ts'
import type { SearchInput } from './search-properties.ts'
import { milesFrom } from './served-values.ts'

/** Permits by every criterion: of the list, of POST /v1/search, of a watch or of an export. */
export const findPermits = async (context: Context, input: SearchInput) => {
  const { db, caller, now, bulk } = context
  const { positions: maxPositions, comparisons } = polygonBudget(caller)
  const search = readSearch(input, { kind: 'permits', maxPositions })
  const sort = readSort(input.sort, 'permits', search.point !== undefined)
  const since = windowStart(caller.limits, now)
  const page = pageOf(caller, input.cursor ? { ...input, offset: 0 } : input)
  await checkPolygonCost(search.conditions, input.explain, comparisons, (boxes, cap) => {
    // The funnel tests the polygon also on permits that do not meet the other conditions.
    const others = input.explain?.includes('funnel') ? [] : search.conditions.filter(({ type }) => type !== 'area')
    return countPermits(db, permitFilterOf({ ...search, conditions: [...others, boxes] }, since), cap)
  })
  const [{ rows, total, truncated, notIssued, positions }, current, funnel] = await Promise.all([
    permitPage(
      db,
      {
        ...permitFilterOf(search, since),
        sort,
        after: input.cursor === undefined || sort ? undefined : pointOf(input.cursor),
        afterSorted: input.cursor === undefined || !sort ? undefined : positionOf(input.cursor, sort),
      },
      // Reads one row more than requested to know whether there is a next page.
      { ...page, limit: page.limit + 1 },
      bulk?.countTo,
    ),
    asOf(db, ['permits'], oneMarket(search.markets)),
    input.explain?.includes('funnel')
      ? permitFunnel(db, search.conditions, search.markets, (conditions) =>
          permitFilterOf({ ...search, conditions }, since),
        )
      : undefined,
  ])
  const pageRows = rows.slice(0, page.limit)
  const last = pageRows.at(-1)
  const position = positions?.[pageRows.length - 1]
  const nextCursor =
    rows.length > page.limit && last ? (sort && position ? cursorOf(sort, position) : dateCursorOf(last)) : null
  const answer = searchAnswer(
    {
      search,
      page,
      cursor: input.cursor,
      total,
      nextCursor,
      applied: { ...search.applied, sort: sortText('permits', sort ?? newestFirst) },
      ...(funnel ? { funnel } : {}),
    },
    // The schema of the answer depends on `issued`.
    pageRows.map((row) => permitOf(row, context, search.point) as Permit),
    { asOf: current, window: historyWindow(caller.limits, now) },
  )
  return { ...answer, pagination: { ...answer.pagination, truncated, totalCapped: truncated }, notIssued }
}

export const searchPermitsRun = implement(searchPermits, findPermits)

/** All permits of a search, as the list serves them. */
export async function* allPermits(
  context: Context,
  input: Parameters<typeof readSearch>[0] & { sort?: readonly string[] | undefined },
): AsyncGenerator<PermitInAnyStage[]> {
  const { db, caller, now } = context
  const search = readSearch(input, { kind: 'permits', maxPositions: polygonBudget(caller).positions })
  const sort = readSort(input.sort, 'permits', search.point !== undefined)
  const filter = { ...permitFilterOf(search, windowStart(caller.limits, now)), sort }
  for await (const rows of allStored(db, filter)) yield rows.map((row) => permitOf(row, context, search.point))
}

const newestFirst: readonly SortKey[] = [{ field: 'issuedOn', descending: true }]

/** Words, cities, valuation and date of issue have indexes of their own; every other condition is checked on the permit. */
const permitFilterOf = (search: Search, since: string | undefined): PermitFilter => {
  const filter: PermitFilter = { markets: search.markets, point: search.point, issued: 'any', since }
  const others: Condition[] = []
  for (const condition of search.conditions) {
    if (condition.type === 'cityPart') filter.city = condition.parts.join(',')
    else if (condition.type === 'words') filter.words = condition.words
    else if (condition.name === 'minValuation' && condition.type === 'atLeast') filter.minValuation = condition.value
    else if (condition.name === 'issuedFrom' && condition.type === 'from') filter.issuedFrom = condition.value
    else if (condition.name === 'issuedTo' && condition.type === 'to') filter.issuedTo = condition.value
    else if (condition.type === 'issued') filter.issued = condition.is
    else others.push(condition)
  }
  return { ...filter, others }
}

export const getPermitRun = implement(getPermit, async (context, { citySlug, permitId, issued = 'true' }) => {
  const { db, caller, now } = context
  const since = windowStart(caller.limits, now)
  const wanted = issued === 'any' ? undefined : issued === 'true'
  const row = await permitById(db, citySlug, permitId, { issued: wanted, since })
  // The same answer for a withheld and a missing permit, so that it does not tell whether an older record exists.
  if (!row) throw notFound(`There is no ${wanted === true ? 'issued ' : ''}permit "${permitId}" in "${citySlug}".`)
  return { success: true as const, data: permitOf(row, context) as Permit, asOf: await asOf(db, ['permits']) }
})

const permitOf = (row: PermitRow, { publicUrl, surface }: Context, point?: LatLng): PermitInAnyStage => ({
  ...pick(row, 'permitId', 'city', 'address', 'otherAddresses', 'projectType', 'description'),
  valuation: row.valuation ?? null,
  sqft: row.sqft,
  units: row.units,
  psf: row.valuation !== undefined && row.sqft ? Math.round((row.valuation / row.sqft) * 100) / 100 : undefined,
  contractor: row.contractor,
  builderId: row.builderId,
  architect: row.architect ?? null,
  issuedDate: row.issuedOn,
  appliedDate: row.appliedOn,
  finaledDate: row.finaledOn,
  status: row.status,
  permitUrl: permitUrl(publicUrl, row.citySlug, row.permitId),
  ...pick(row, 'permitClass', 'classWords', 'propertyId', 'lat', 'lng'),
  distanceMi: milesFrom(point, row),
  goneAt: row.removedAt?.toISOString(),
  source: provenanceOf(row, surface),
  citySlug: row.citySlug,
})

const dateCursorOf = ({ issuedOn, permitId, citySlug, appliedOn }: PermitRow): string =>
  Buffer.from(
    JSON.stringify(issuedOn ? [issuedOn, permitId, citySlug] : [null, permitId, citySlug, appliedOn ?? null]),
  ).toString('base64url')

const pointOf = (cursor: string): PermitPosition => {
  const [issuedOn, permitId, citySlug, appliedOn = null] = valuesIn(cursor)
  if (
    isDayOrNull(issuedOn) &&
    isDayOrNull(appliedOn) &&
    typeof permitId === 'string' &&
    typeof citySlug === 'string' &&
    !/\0/.test(permitId + citySlug)
  )
    return { issuedOn, appliedOn, permitId, citySlug }
  throw invalidCursor()
}

const isDayOrNull = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && isDay(value))
