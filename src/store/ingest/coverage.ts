// Coverage per city and data set: rows, newest record, sources and rejected rows.
import type { Coverage } from '../../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { usesOf } from '../../domain/packs/source-uses.ts'
import { withheldRows } from '../../domain/provenance.ts'
import { type Db, sql, withoutNulls } from '../engine/database.ts'
import type { DatasetCountTable, IngestRunTable, SourceTable } from '../engine/schema.ts'
import { askEachGroup } from '../engine/shard-groups.ts'

type Held = Pick<
  DatasetCountTable,
  'market' | 'city' | 'citySlug' | 'dataset' | 'sourceId' | 'rows' | 'removed' | 'newestOn'
>

type SourceState = Pick<SourceTable, 'id' | 'kind' | 'config' | 'title' | 'license' | 'url' | 'sample' | 'schedule'> & {
  lastRunAt: IngestRunTable['finishedAt']
  rejected: IngestRunTable['rowsRejected'] | null
}

/**
 * A scheduled source is stale after two intervals without a completed run, since one run may fail and be retried. The interval is
 * the longest that the cron fields allow: a list such as "1,15" in the day field counts as one month.
 */
export const staleAfterMs = (schedule: string): number => {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = schedule.trim().split(/\s+/)
  const days =
    month !== '*' ? 366 : day !== '*' ? 31 : weekday !== '*' ? 7 : hour !== '*' && !hour.startsWith('*/') ? 1 : 0
  if (days > 0) return 2 * days * 86_400_000
  const every = hour.startsWith('*/') ? Number(hour.slice(2)) : 1
  // A source that runs every few minutes may be late by two hours on a slow server without being stale.
  return (minute === '*' || hour === '*' ? 2 : 2 * (every || 1)) * 3_600_000
}

export const coverage = async (db: Db, now: Date): Promise<Coverage[]> => {
  const [held, states, notIssued] = await Promise.all([heldRows(db), sourceStates(db), permitsNotIssued(db)])
  const byId = new Map(states.map((state) => [state.id, state]))
  const rows = new Map<string, Coverage>()
  for (const each of held) {
    const key = `${each.market}/${each.citySlug}/${each.dataset}`
    let row = rows.get(key)
    if (!row) {
      const { market, city, citySlug, dataset } = each
      row = {
        market,
        city,
        citySlug,
        dataset,
        rows: 0,
        ...(dataset === 'permits' && notIssued.has(`${market}/${citySlug}`)
          ? { notIssued: notIssued.get(`${market}/${citySlug}`)! }
          : {}),
        newestRecord: null,
        lastRunAt: null,
        refused: 0,
        gone: 0,
        stale: false,
        sources: [],
      }
      rows.set(key, row)
    }
    row.rows += each.rows
    row.gone += each.removed
    row.newestRecord = later(row.newestRecord, each.newestOn)
    const state = byId.get(each.sourceId)
    if (!state) continue
    if (!usesOf(state.kind, state.config.uses).includes('export'))
      Object.assign(row, withheldRows((row.withheld?.count ?? 0) + each.rows))
    row.lastRunAt = later(row.lastRunAt, state.lastRunAt?.toISOString() ?? null)
    row.refused += state.rejected ?? 0
    row.stale ||=
      state.schedule !== null &&
      (!state.lastRunAt || now.getTime() - state.lastRunAt.getTime() > staleAfterMs(state.schedule))
    const { id, title, license: licence, url, sample } = state
    row.sources = [...row.sources, withoutNulls({ id, title, licence, url, sample })]
  }
  return [...rows.values()]
}

const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

const heldRows = async (db: Db): Promise<Held[]> => {
  const { rows } = await sql<Held>`
    select market, city, city_slug, dataset, source_id, rows, removed, newest_on from dataset_count
    where rows > 0 order by market, city_slug, dataset, source_id`.execute(db)
  return rows
}

/** Permits without an issue date by market and city. */
const permitsNotIssued = async (db: Db): Promise<Map<string, number>> => {
  const counts = await askEachGroup(db, marketIds(), async (group, markets) => {
    const { rows } = await sql<Pick<DatasetCountTable, 'market' | 'citySlug'> & { count: number }>`
      select market, city_slug, count(*) from permit_search
      where issued_on is null and market = any(${markets}::text[]) group by 1, 2`.execute(group)
    return rows
  })
  return new Map(counts.flat().map(({ market, citySlug, count }) => [`${market}/${citySlug}`, count]))
}

const sourceStates = async (db: Db): Promise<SourceState[]> => {
  const { rows } = await sql<SourceState>`
    select s.id, s.kind, s.config, s.title, s.license, s.url, s.sample, s.schedule, r.finished_at as last_run_at, r.rows_rejected as rejected
    from source s left join lateral (
      select finished_at, rows_rejected from ingest_run
      where source_id = s.id and state = 'completed' order by finished_at desc limit 1) r on true`.execute(db)
  return rows
}
