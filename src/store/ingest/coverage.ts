// Coverage per city and data set: rows, newest record, sources and rejected rows.
import { pick, valueAt } from '../../common/typed.ts'
import type { Coverage, OverlayCoverage } from '../../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { usesOf } from '../../domain/packs/source-uses.ts'
import { withheldRows } from '../../domain/provenance.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, rowsOf, withoutNulls } from '../engine/database.ts'
import type { DatasetCountTable } from '../engine/schema.ts'
import { askEachGroup } from '../engine/shard-groups.ts'
import { sourceStates } from './source-states.ts'

const ofCount = columnsOf<DatasetCountTable>()('market city citySlug dataset sourceId rows removed newestOn')

export const coverage = async (db: Db, now: Date): Promise<Coverage[]> => {
  const [storedRows, states, notIssued] = await Promise.all([heldRows(db), sourceStates(db, now), permitsNotIssued(db)])
  const byId = new Map(states.map((state) => [state.id, state]))
  const rows = new Map<string, Coverage>()
  for (const each of storedRows) {
    const key = `${each.market}/${each.citySlug}/${each.dataset}`
    const row = valueAt(rows, key, () => ({
      ...pick(each, 'market', 'city', 'citySlug', 'dataset'),
      rows: 0,
      ...(each.dataset === 'permits' ? notIssued.get(`${each.market}/${each.citySlug}`) : {}),
      ...{ newestRecord: null, lastRunAt: null },
      ...{ refused: 0, gone: 0, stale: false, sources: [] },
    }))
    row.rows += each.rows
    row.gone += each.removed
    row.newestRecord = later(row.newestRecord, each.newestOn)
    const state = byId.get(each.sourceId)
    if (!state) continue
    if (!usesOf(state.kind, state.config.uses, state.config.licence).includes('export'))
      Object.assign(row, withheldRows((row.withheld?.count ?? 0) + each.rows))
    row.lastRunAt = later(row.lastRunAt, state.lastRunAt?.toISOString() ?? null)
    row.refused += state.rejected ?? 0
    row.stale ||= state.stale
    const { id, title, license: licence, url, sample } = state
    row.sources = [...row.sources, withoutNulls({ id, title, licence, url, sample })]
  }
  return [...rows.values()]
}

/** Overlays by market: parcels for which each is yes, no and unknown. Without those that no parcel of the market knows. */
export const overlayCoverage = async (db: Db): Promise<OverlayCoverage[]> => {
  const counts = await askEachGroup(db, marketIds(), async (group, markets) => {
    // Grouped before they are taken apart: a market has few different combinations.
    return rowsOf<OverlayCoverage>(group)`
      with held as (
        select market, overlays, count(*) as parcels from property
        where market = any(${markets}::text[]) and removed_at is null group by 1, 2),
      total as (select market, sum(parcels) as parcels from held group by 1)
      select h.market, o.key as overlay, coalesce(sum(h.parcels) filter (where o.value = 'yes'), 0)::int as yes,
        coalesce(sum(h.parcels) filter (where o.value = 'no'), 0)::int as no,
        (max(t.parcels) - coalesce(sum(h.parcels) filter (where o.value in ('yes', 'no')), 0))::int as unknown
      from held h join total t on t.market = h.market cross join lateral jsonb_each_text(h.overlays) o
      group by 1, 2 order by 1, 2`
  })
  return counts.flat().filter(({ yes, no }) => yes + no > 0)
}

const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

const heldRows = (db: Db) =>
  rowsOf<RowOf<typeof ofCount>>(db)`
    select ${ofCount()} from dataset_count where rows > 0 order by market, city_slug, dataset, source_id`

/** Permits without an issue date by market and city. */
const permitsNotIssued = async (db: Db): Promise<Map<string, { notIssued: number }>> => {
  const counts = await askEachGroup(
    db,
    marketIds(),
    (group, markets) =>
      rowsOf<Pick<DatasetCountTable, 'market' | 'citySlug'> & { notIssued: number }>(group)`
      select market, city_slug, count(*) as not_issued from permit_search
      where issued_on is null and market = any(${markets}::text[]) group by 1, 2`,
  )
  return new Map(counts.flat().map(({ market, citySlug, notIssued }) => [`${market}/${citySlug}`, { notIssued }]))
}
