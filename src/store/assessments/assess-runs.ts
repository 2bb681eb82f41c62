// The record of each assessment run.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { AssessBatchTable, AssessRunTable, PropertyTable, TouchedPropertyTable } from '../engine/schema.ts'
import { newId } from '../keys/keys.ts'

export const beginAssessRun = async (
  db: Db,
  market: MarketId,
  scope: 'market' | 'properties',
  now: Date,
): Promise<string> => {
  // Begins with the time, so that ids sort in the order of the runs.
  const id = `run_${Date.now()}${newId('')}`
  await sql`
    insert into assess_run (market, id, scope, state, started_at)
    values (${market}, ${id}, ${scope}, 'running', ${now})`.execute(db)
  return id
}

export const endAssessRun = (
  db: Db,
  market: MarketId,
  id: string,
  { considered, changed, error }: { considered: number; changed: number; error?: string },
  now: Date,
) =>
  sql`update assess_run set state = ${error === undefined ? 'completed' : 'failed'}, finished_at = ${now},
    considered = ${considered}, changed = ${changed}, error = ${error ?? null}
    where market = ${market} and id = ${id}`.execute(db)

/** Ids after one and up to another; up to the last there is where none is named. */
export interface IdRange {
  afterId: string
  toId?: string
}

/** Of some `size` properties each. A property that comes meanwhile falls into one of them, and pushes none out. */
export const idRanges = async (db: Db, market: MarketId, size: number): Promise<IdRange[]> => {
  const { rows } = await sql<Pick<PropertyTable, 'id'>>`
    select id from (select id, row_number() over (order by id) as n from property where market = ${market}) p
    where n % ${size} = 0 order by id`.execute(db)
  return ['', ...rows.map(({ id }) => id)].map((afterId, at) => ({ afterId, toId: rows[at]?.id }))
}

type BatchCounts = Pick<AssessBatchTable, 'considered' | 'changed'>

export const setBatches = (db: Db, market: MarketId, runId: string, batches: number) =>
  sql`update assess_run set batches = ${batches} where market = ${market} and id = ${runId}`.execute(db)

/** True for the worker that ends the run: its batch was the last one open. Locks the run, so that only one is. */
export const endBatch = async (
  tx: Db,
  market: MarketId,
  runId: string,
  afterId: string,
  { considered, changed }: BatchCounts,
): Promise<boolean> => {
  const { rows: run } = await sql<Pick<AssessRunTable, 'state'> & { batches: number }>`
    select state, batches from assess_run where market = ${market} and id = ${runId} for update`.execute(tx)
  await sql`insert into assess_batch (market, run_id, after_id, considered, changed)
    values (${market}, ${runId}, ${afterId}, ${considered}, ${changed}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ done: number }>`
    select count(*) as done from assess_batch where market = ${market} and run_id = ${runId}`.execute(tx)
  return run[0]?.state === 'running' && rows[0]!.done >= run[0].batches
}

export const batchTotals = async (tx: Db, market: MarketId, runId: string): Promise<BatchCounts> => {
  const { rows } = await sql<BatchCounts>`
    select coalesce(sum(considered), 0) as considered, coalesce(sum(changed), 0) as changed
    from assess_batch where market = ${market} and run_id = ${runId}`.execute(tx)
  return rows[0]!
}

/**
 * Markets with properties waiting, that have been assessed whole before and are not being so now: a first assessment,
 * or a running one, will come by those properties anyway.
 */
export const marketsTouched = async (db: Db, now: Date): Promise<MarketId[]> => {
  const { rows } = await sql<Pick<TouchedPropertyTable, 'market'>>`
    select distinct t.market from touched_property t
    where exists (select from assess_run r where r.market = t.market and r.scope = 'market' and r.state = 'completed')
      and not exists (select from assess_run r where r.market = t.market and r.scope = 'market' and r.state = 'running'
        and r.started_at > ${now}::timestamptz - interval '1 hour')
    order by 1`.execute(db)
  return rows.map(({ market }) => market)
}

/** Takes waiting properties off in this transaction; another worker takes others. */
export const takeTouched = async (tx: Db, market: MarketId, most: number): Promise<string[]> => {
  const { rows } = await sql<Pick<TouchedPropertyTable, 'propertyId'>>`
    delete from touched_property where market = ${market} and property_id in (
      select property_id from touched_property where market = ${market}
      order by touched_at, property_id limit ${most} for update skip locked)
    returning property_id`.execute(tx)
  return rows.map(({ propertyId }) => propertyId)
}

/** What was touched before a whole run began is dealt with when it ends. */
export const clearTouched = (db: Db, market: MarketId, before: Date) =>
  sql`delete from touched_property where market = ${market} and touched_at <= ${before}`.execute(db)
