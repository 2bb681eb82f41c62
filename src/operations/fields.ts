import { pick } from '../common/typed.ts'
import { type Field, fieldCatalog, filtersOf } from '../criteria/fields.ts'
import { type SearchKind, searchKinds } from '../criteria/table.ts'
import { criteriaOf } from '../criteria/vocabulary.ts'
import { factTable, homeFactNames } from '../domain/fact-table.ts'
import type { Dataset } from '../domain/facts.ts'
import { columnOf } from '../store/engine/columns.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { filledFields, filledPermits, filledProperties, filledSales } from '../store/search/filled.ts'
import { listFields } from '../wire/operations/search.ts'
import { implement } from './context.ts'
import { listAnswer } from './listing-page.ts'

/** Fields of text that are counted. Those of properties have a column of property_search. */
const texts = ['zip', 'status', 'zoning', 'sb9Status', 'contractor']

/** Values that are not a column of property_search, or are computed for each request. */
const uncounted = ['id', 'city', 'distanceMi', 'lotSplitRank', 'daysOnMarket']

export const listFieldsRun = implement(listFields, async ({ db }) => {
  const filled = async (kind: 'listings' | 'parcels') => {
    const names = fieldCatalog[kind].map(countedAs).filter((name) => name !== undefined)
    return filledProperties(db, kind, names.map(columnOf))
  }
  const [listings, parcels, permits, sales, current, ...houses] = await Promise.all([
    filled('listings'),
    filled('parcels'),
    filledPermits(db),
    filledSales(db),
    asOf(db, ['parcels', 'listings', 'permits', 'sales']),
    ...houseKinds.map((kind) => filledFields(db, kind)),
  ])
  const counts: Partial<Record<SearchKind, Record<string, number>>> = { listings, parcels, permits, sales }
  const data = searchKinds.map((kind) => ({
    kind,
    criteria: criteriaOf(kind).map(([name]) => name),
    fields: fieldCatalog[kind].map((field) => {
      const filters = filtersOf(kind, field)
      return {
        ...pick(field, 'name', 'type', 'unit'),
        sortable: field.sort !== undefined,
        filterable: filters.length > 0,
        filters,
        fillPct: share(counts[kind], countedAs(field)),
      }
    }),
    houseFacts: houseFactsOf(houses[(houseKinds as readonly string[]).indexOf(kind)]),
  }))
  return listAnswer({ limit: data.length, offset: 0 }, data, data.length, { asOf: current })
})

const countedAs = ({ name, sort }: Field): string | undefined =>
  texts.includes(name) ? name : sort !== undefined && !uncounted.includes(sort) ? sort : undefined

const houseKinds = ['listings', 'parcels', 'sales'] as const satisfies Dataset[]

/** Facts of the house that a feed may carry beyond size, rooms and age. */
const houseFacts = homeFactNames
  .filter((name) => factTable[name].catalog !== undefined)
  .sort((a, b) => factTable[a].catalog! - factTable[b].catalog!)
  .map((name) => {
    const { type, unit } = factTable[name]
    return { name, type: type === 'boolean' || type === 'number' ? type : ('integer' as const), ...(unit && { unit }) }
  })

/** A field that no row of the feeds has is not in their counts. */
const houseFactsOf = (counts: Record<string, number> | undefined) =>
  counts && houseFacts.map((fact) => ({ ...fact, fillPct: share({ [fact.name]: 0, ...counts }, fact.name) }))

const share = (counts: Record<string, number> | undefined, name: string | undefined): number | undefined => {
  const held = name === undefined ? undefined : counts?.[name]
  const rows = counts?.rows
  return held === undefined || !rows ? undefined : Math.round((1000 * held) / rows) / 10
}
