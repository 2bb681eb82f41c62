// Sources and the record of every ingest run.
import type { FeedProfile, SourceConfig } from '../../domain/packs/source-config.ts'
import { columnsOf, type RowOf, tableOfRows } from '../engine/columns.ts'
import {
  anyRow,
  type Db,
  execute,
  firstRow,
  firstValue,
  inTransaction,
  onlyValue,
  rowsOf,
  sql,
  valuesOf,
} from '../engine/database.ts'
import type { IngestRunTable, SourceTable } from '../engine/schema.ts'
import { dataChannel } from './freshness.ts'
import { dropStage, storableJson } from './stage.ts'

const secretParameter = /^[^=]*(token|key|secret|passw|auth|credential|sig(nature)?(=|$))/i

/** Served with every record, so it contains no credentials and no path of a local file. */
const publicUrl = ({ where: { url } }: SourceConfig): string | null => {
  if (!/^https?:/i.test(url)) return null
  const publicPart = new URL(url)
  publicPart.username = ''
  publicPart.password = ''
  const parameters = publicPart.search.slice(1).split('&')
  publicPart.search = parameters.filter((each) => !secretParameter.test(each)).join('&')
  return publicPart.href
}

/** Stores the source with its present configuration and starts a run. The caller must hold the lock of the source. */
export const beginRun = async (db: Db, config: SourceConfig, now: Date) =>
  inTransaction(db, async (tx) => {
    const isSame = await firstValue<boolean>(tx)`
      select config = ${JSON.stringify(config)}::jsonb as same from source where id = ${config.id}`
    await execute(tx)`
      insert into source (id, kind, holds, market, title, url, license, schedule, sample, config)
      values (${config.id}, ${config.kind}, ${config.holds}, ${config.market ?? null}, ${config.title}, ${publicUrl(config)},
        ${config.licence ?? null}, ${config.schedule ?? null}, ${config.sample ?? false}, ${JSON.stringify(config)}::jsonb)
      on conflict (id) do update set kind = excluded.kind, holds = excluded.holds, market = excluded.market, title = excluded.title,
        url = excluded.url, license = excluded.license, schedule = excluded.schedule, sample = excluded.sample, config = excluded.config`
    // The caller holds the lock of the source, so a run that is still open belongs to a process that died.
    await execute(tx)`
      update ingest_run set state = 'failed', finished_at = ${now}, error = 'the process ended before the run did'
      where source_id = ${config.id} and state = 'running'`
    const left = await valuesOf<number>(tx)`
      select distinct r.id from ingest_run r join pg_class c on c.relname = 'stage_' || r.id
      where r.source_id = ${config.id}`
    for (const id of left) await dropStage(tx, id)
    const last = await firstRow<Pick<IngestRunTable, 'etag' | 'lastModified' | 'highWater'>>(tx)`
      select etag, last_modified, high_water from ingest_run
      where source_id = ${config.id} and state = 'completed' and not not_modified order by id desc limit 1`
    const earlier = await valuesOf<FeedProfile>(tx)`
      select case when jsonb_array_length(accepted->'problems') > 0 then filled || '{"accepted": true}' else filled end as filled
      from ingest_run where source_id = ${config.id} and state = 'completed' and filled is not null order by id desc limit 100`
    const firstLoad = !(await anyRow(tx)`
      select 1 from ingest_run where source_id = ${config.id} and state = 'completed' and rows_loaded > 0 limit 1`)
    const runId = await onlyValue<number>(tx)`
      insert into ingest_run (source_id, state, first_load, started_at)
      values (${config.id}, 'running', ${firstLoad}, ${now}) returning id`
    return {
      runId,
      firstLoad,
      /** Profiles of completed runs that read rows, the last one first. */
      earlier,
      ...(last && isSame
        ? {
            /** From the last completed run. Missing if the configuration has changed since. */
            previous: {
              etag: last.etag ?? undefined,
              lastModified: last.lastModified ?? undefined,
              highWater: last.highWater ?? undefined,
            },
          }
        : {}),
    }
  })

export interface RunCounts {
  read: number
  loaded: number
  inserted: number
  changed: number
  rejected: number
}

export interface RunEnd {
  counts: RunCounts
  /** Rows that a complete feed no longer contains, and rows marked as removed that it contains again. */
  removed?: number
  returned?: number
  etag?: string
  lastModified?: string
  highWater?: string
  notModified?: boolean
  leftOut: Readonly<Record<string, number>>
  filled?: FeedProfile | undefined
  /** The operator's reason to load a feed that differs from the last run, and the differences. */
  accepted?: { reason: string; problems: readonly string[] } | undefined
}

/**
 * A record that a source no longer has is loaded from another source that has it: their next runs read all rows, also unchanged ones.
 * `onlyRejected`: of sources whose last runs rejected permits because this one holds them.
 */
export const readOthersInWhole = (tx: Db, sourceId: string, onlyRejected = false) =>
  execute(tx)`
    update ingest_run r set etag = null, last_modified = null, high_water = null
    from source o join source s on s.id = ${sourceId} and s.holds = o.holds
      and coalesce(s.market, o.market, '') = coalesce(o.market, s.market, '')
    where o.id = r.source_id and o.id <> s.id and r.state = 'completed' and coalesce(r.etag, r.last_modified, r.high_water) is not null
      and (not ${onlyRejected}::bool or exists (
        select 1 from ingest_run f join rejected_row w on w.run_id = f.id
        where f.source_id = o.id and w.code = 'held_by_other' and w.reason like '% ' || s.id))`

/** Notifies other processes even if no row changed, because responses say how fresh the data is. */
export const completeRun = async (tx: Db, runId: number, end: RunEnd, now: Date): Promise<void> => {
  const { counts } = end
  await execute(tx)`
    update ingest_run set state = 'completed', finished_at = ${now}, rows_read = ${counts.read}, rows_loaded = ${counts.loaded},
      rows_inserted = ${counts.inserted}, rows_changed = ${counts.changed}, rows_rejected = ${counts.rejected},
      rows_removed = ${end.removed ?? 0}, rows_returned = ${end.returned ?? 0}, etag = ${end.etag ?? null}, last_modified = ${end.lastModified ?? null}, high_water = ${end.highWater ?? null},
      not_modified = ${end.notModified ?? false}, left_out = ${JSON.stringify(end.leftOut)}::jsonb,
      filled = ${end.filled ? JSON.stringify(end.filled) : null}::jsonb,
      accepted = ${end.accepted ? JSON.stringify(end.accepted) : null}::jsonb
    where id = ${runId}`
  // `readOthersInWhole` asked for it meanwhile: the run that this one continues says nothing any more.
  if (end.filled?.changesOnly)
    await execute(tx)`
      update ingest_run r set etag = null, last_modified = null, high_water = null
      where id = ${runId} and not exists (select 1 from ingest_run p where p.source_id = r.source_id and p.id < r.id
        and p.state = 'completed' and coalesce(p.etag, p.last_modified, p.high_water) is not null)`
  await execute(tx)`
    select pg_notify(${dataChannel}, coalesce(s.market, ''))
    from ingest_run r join source s on s.id = r.source_id where r.id = ${runId}`
}

export const failRun = async (
  db: Db,
  runId: number,
  error: string,
  counts: Pick<RunCounts, 'read' | 'rejected'>,
  now: Date,
): Promise<void> => {
  await execute(db)`
    update ingest_run set state = 'failed', finished_at = ${now}, error = ${error}, rows_read = ${counts.read},
      rows_rejected = ${counts.rejected}
    where id = ${runId}`
}

export interface RejectedRow {
  rowNumber: number
  /** Stable name of the reason. */
  code: string
  reason: string
  raw: unknown
  /** The id of the record, if it can be read from the row. */
  recordId?: string
}

/** Stored outside the transaction of the load, so that the rows stay if the run fails. */
export const keepRejected = async (db: Db, runId: number, rows: readonly RejectedRow[]): Promise<void> => {
  if (rows.length === 0) return
  const stored = rows.map((row) => ({
    ...row,
    raw: storableJson(row.raw),
    recordId: row.recordId?.replaceAll('\0', ''),
  }))
  const types = { rowNumber: 'int', code: 'text', reason: 'text', raw: 'text', recordId: 'text' }
  await execute(db)`
    insert into rejected_row (run_id, row_number, code, reason, raw, record_id)
    select ${runId}, row_number, code, reason, raw::jsonb, record_id from ${tableOfRows(stored, types)}
    on conflict do nothing`
}

const ofRun = columnsOf<IngestRunTable>()(
  'firstLoad startedAt finishedAt rowsRead rowsLoaded rowsInserted',
  'rowsChanged rowsRejected rowsRemoved rowsReturned notModified leftOut accepted',
)

export type RunReport = Pick<SourceTable, 'title' | 'holds' | 'sample'> &
  RowOf<typeof ofRun> &
  Pick<IngestRunTable, 'sourceId' | 'state' | 'error'> & {
    runId: IngestRunTable['id']
    reasons: { code: string; rows: number; example: string }[]
  }

/** Of a run `r` of the source `s`: a run holds the lock of its source (`withIngestSession`), so without it the process was killed. */
export const isAbandoned = sql`(r.state = 'running' and not exists (
  select 1 from pg_locks l where l.locktype = 'advisory' and l.granted
    and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('lotline:source:' || s.id, 0)))`

/** The latest run of each source, or of one source, with the number of rejected rows by reason. */
export const runReports = (db: Db, sourceId?: string) =>
  rowsOf<RunReport>(db)`
    select distinct on (s.id) r.id as run_id, s.id as source_id, s.title, s.holds, s.sample,
      case when ${isAbandoned} then 'failed' else r.state end as state, ${ofRun('r')},
      case when ${isAbandoned} then 'the process ended before the run did' else r.error end as error,
      coalesce((select jsonb_agg(jsonb_build_object('code', g.code, 'rows', g.rows, 'example', g.example) order by g.rows desc)
        from (select code, count(*) as rows, min(reason) as example from rejected_row where run_id = r.id group by code) g),
        '[]') as reasons
    from source s join ingest_run r on r.source_id = s.id
    where ${sourceId ?? null}::text is null or s.id = ${sourceId ?? null}
    order by s.id, r.id desc`

export const rejectedRows = (db: Db, runId: number, limit: number) =>
  rowsOf<RejectedRow>(db)`
    select row_number, code, reason, raw from rejected_row where run_id = ${runId} order by row_number limit ${limit}`
