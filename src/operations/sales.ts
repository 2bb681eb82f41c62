import { pick } from '../common/typed.ts'
import { readSort, type SortKey, sortText } from '../criteria/fields.ts'
import { readSearch, type Search } from '../criteria/read.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { requiresOverlay } from '../store/search/compile.ts'
import { fewMatches } from '../store/search/properties.ts'
import { countSales, type SaleQuery, type SaleRow, saleFunnel, salePage } from '../store/search/sales.ts'
import { listSales } from '../wire/operations/sales.ts'
import { countLimit } from '../wire/pagination.ts'
import { windowStart } from '../wire/plans.ts'
import type { Sale } from '../wire/sale.ts'
import { type Context, implement } from './context.ts'
import { cursorOf, positionOf } from './cursor.ts'
import type { Surface } from './listing-media.ts'
import { historyWindow, oneMarket, pageOf, searchAnswer } from './listing-page.ts'
import { provenanceOf } from './provenance.ts'
import type { SearchInput } from './search-properties.ts'
import { milesFrom, unknownOverlays } from './served-values.ts'

const newestFirst: readonly SortKey[] = [{ field: 'soldOn', descending: true }]

export const findSales = async ({ db, caller, now, surface, bulk }: Context, input: SearchInput) => {
  const countCap = bulk?.countTo ?? countLimit
  const search = readSearch(input, { kind: 'sales' })
  const sort = readSort(input.sort, 'sales', search.point !== undefined) ?? newestFirst
  const query: SaleQuery = {
    markets: search.markets,
    conditions: search.conditions,
    sort,
    point: search.point,
    since: windowStart(caller.limits, now),
  }
  const page = pageOf(caller, input.cursor === undefined ? input : { ...input, offset: 0 })
  const after = input.cursor === undefined ? undefined : positionOf(input.cursor, sort)
  const counting = countCap === 0 ? 0 : countSales(db, query, countCap)
  const least = countCap !== 0 && requiresOverlay(query.conditions) ? await counting : undefined
  // A count that reached a small cap does not say whether there are few.
  const matches = least !== undefined && (least <= countCap || least > fewMatches) ? least : undefined
  const [{ rows, positions }, counted, funnel, current] = await Promise.all([
    // One more than the page shows whether there is a next page.
    salePage(db, query, { limit: page.limit + 1, offset: page.offset, after }, matches),
    counting,
    input.explain?.includes('funnel') ? saleFunnel(db, query) : undefined,
    asOf(db, ['sales'], oneMarket(search.markets)),
  ])
  const pageRows = rows.slice(0, page.limit)
  const last = positions[pageRows.length - 1]
  const answer = searchAnswer(
    {
      search,
      page,
      cursor: input.cursor,
      total: Math.min(counted, countCap),
      nextCursor: rows.length > page.limit && last ? cursorOf(sort, last) : null,
      applied: { ...search.applied, sort: sortText('sales', sort) },
      ...(funnel ? { funnel } : {}),
    },
    pageRows.map((row) => saleOf(row, search, surface)),
    { asOf: current, window: historyWindow(caller.limits, now) },
  )
  return { ...answer, pagination: { ...answer.pagination, totalCapped: counted > countCap } }
}

export const listSalesRun = implement(listSales, findSales)

const saleOf = (row: SaleRow, { point, conditions }: Search, surface: Surface): Sale => ({
  ...pick(row, 'saleId', 'propertyId', 'address', 'city', 'zip'),
  price: row.priceUsd,
  soldDate: row.soldOn,
  pricePerSqft: row.pricePerSqft,
  listPrice: row.listPriceUsd,
  daysOnMarket: row.daysOnMarket,
  propertyType: row.propertyType,
  sqft: row.livingSqft,
  lotSize: row.lotSqft,
  ...pick(row, 'beds', 'baths', 'yearBuilt', 'lat', 'lng'),
  distanceMi: milesFrom(point, row),
  unknown: unknownOverlays(conditions, row.overlays),
  source: provenanceOf(row, surface),
})
