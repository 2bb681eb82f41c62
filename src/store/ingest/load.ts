// The one transaction in which a run becomes visible: the sample gives way, rows are matched and merged, events written,
// the run completed and listeners told. Anything that fails here leaves the last good state.
import type { DataSet } from '../../contract/source-config.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import { settleTerms } from '../permit-search/bits.ts'
import { type AnnouncedPermit, recordPermitEvents } from '../webhooks/events.ts'
import { dataChannel } from './freshness.ts'
import {
  chooseCurrentListings,
  createListedProperties,
  type Merge,
  type Merged,
  matchStage,
  mergeRecords,
  refuseDuplicates,
  refuseOthersPermits,
  releaseMovedListings,
} from './merge.ts'
import { matchRecords, mergeParcels } from './parcels.ts'
import { type Complete, type Gone, type Rows, rowsHeld, settleGone, takeOverGonePermits } from './removed.ts'
import { completeRun, type RunCounts, type RunEnd } from './run.ts'

export interface Load extends Merge {
  holds: DataSet
  /** Takes the deliveries of what is announced. */
  queue: Queue
  sample: boolean
  firstLoad: boolean
  /** The day the rows are judged by. */
  today: Date
  highValueUsd: number
  /** Set where the feed holds all there is. */
  complete?: Complete | undefined
  /** What was read and refused before staging. */
  read: number
  refused: number
  end: Omit<RunEnd, 'counts'>
}

export interface Loaded extends Gone {
  counts: RunCounts
  leftOut: Readonly<Record<string, number>>
  events: number
  /** Markets whose data changed. */
  markets: string[]
  /** Properties put on the list to be assessed again. */
  touched: number
}

/** Sample and real data stand side by side nowhere. */
export class SampleRefused extends Error {}

export const loadStage = (db: Db, load: Load): Promise<Loaded> =>
  inTransaction(db, async (tx) => {
    // Merges run one after another: two that create the same property would otherwise meet half way.
    await sql`select pg_advisory_xact_lock(hashtextextended('lotline:ingest', 0))`.execute(tx)
    if (load.sample) await refuseBesideReal(tx)
    else await removeSample(tx)
    const duplicates = await refuseDuplicates(tx, load.holds, load)
    const held = load.complete && (await rowsHeld(tx, load.holds, load))
    const merged = await mergers[load.holds](tx, { ...load, held })
    const counts = {
      read: load.read,
      refused: load.refused + duplicates + merged.refused,
      loaded: load.read - load.refused - duplicates - merged.refused,
      inserted: merged.inserted,
      changed: merged.inserted + merged.updated,
    }
    const { markets, touched } = await changedMarkets(tx)
    if (counts.changed > 2000) await sql.raw(`analyze ${analysed[load.holds]}`).execute(tx)
    const { gone, returned, unsure } = merged
    const leftOut = { ...load.end.leftOut, ...(unsure ? { [notMarked(unsure.nameless)]: unsure.rows } : {}) }
    await completeRun(tx, load.runId, { ...load.end, leftOut, counts, gone, returned }, load.now)
    if (counts.changed > 0)
      for (const market of markets) await sql`select pg_notify(${dataChannel}, ${market})`.execute(tx)
    return { counts, gone, returned, leftOut, events: merged.events ?? 0, markets, touched }
  })

/** What was not done, why, and what to do: an operator reads it in the run's line. */
const notMarked = (nameless: number): string =>
  `missing rows not marked as gone, for ${nameless} refused ${nameless === 1 ? 'row bears' : 'rows bear'} no id and may be any of them. Map the id, or, where such rows are none of yours, require it: "require": [{ "field": …, "filled": true }]`

/** What queries choose by; the wide columns are left to autovacuum. */
const analysed: Readonly<Record<DataSet, string>> = {
  parcels: 'property (id, market, city_slug, address_key, apn_key, source_id, known_from)',
  listings: 'listing (source_id, listing_id, property_id, market, city_slug, status, current, listed_on, sold_on)',
  sales: 'sale (source_id, sale_id, property_id, market, city_slug, sold_on)',
  permits: 'permit (city_slug, permit_id, source_id, market, property_id, issued_on, valuation_usd, permit_class)',
}

type Merger = (
  tx: Db,
  load: Load & { held?: Rows | undefined },
) => Promise<Merged & Gone & { refused: number; events?: number }>

const mergers: Readonly<Record<DataSet, Merger>> = {
  parcels: async (tx, load) => {
    const parcels = await mergeParcels(tx, load)
    const merged = { ...parcels, ...(await settleGone(tx, 'parcels', load)) }
    if (merged.inserted + merged.updated + merged.gone + merged.returned > 0) {
      await matchRecords(tx)
      await chooseCurrentListings(tx)
    }
    return merged
  },
  listings: async (tx, load) => {
    await matchStage(tx)
    await createListedProperties(tx, load)
    await releaseMovedListings(tx, load)
    const merged = await mergeRecords(tx, 'listings', load)
    const settled = await settleGone(tx, 'listings', load)
    if (merged.inserted + merged.updated + settled.gone + settled.returned > 0) {
      await matchRecords(tx)
      await chooseCurrentListings(tx)
    }
    return { ...merged, ...settled, refused: 0 }
  },
  sales: async (tx, load) => {
    await matchStage(tx)
    const merged = await mergeRecords(tx, 'sales', load)
    return { ...merged, ...(await settleGone(tx, 'sales', load)), refused: 0 }
  },
  permits: async (tx, load) => {
    const takenOver = await takeOverGonePermits(tx, load)
    const refused = await refuseOthersPermits(tx, load)
    await matchStage(tx)
    const fresh = load.firstLoad ? [] : await newHighValuePermits(tx, load)
    const merged = await mergeRecords(tx, 'permits', load)
    if (merged.inserted + merged.updated > 0) await settleTerms(tx, load.queue)
    const events = await announce(tx, fresh, load)
    const settled = await settleGone(tx, 'permits', load)
    return { ...merged, ...settled, returned: settled.returned + takenOver, refused, events }
  },
}

/** Recorded, or recorded as issued, for the first time by this run. Asked before the merge, when the old state still stands. */
const newHighValuePermits = async (tx: Db, { highValueUsd, today }: Load): Promise<AnnouncedPermit[]> => {
  const { rows } = await sql<Nullable<AnnouncedPermit>>`
    select s.market, s.permit_id, s.city_slug, coalesce(s.project_type, s.permit_class) as type, s.address,
      s.valuation_usd as estimated_value, s.status, s.description, round(a.teardown_score) as teardown_score
    from stage s
    left join permit p on p.city_slug = s.city_slug and p.permit_id = s.permit_id
    left join stage_match m on m.n = s.n
    left join assessment a on a.property_id = m.property_id
    where s.valuation_usd >= ${highValueUsd}
      and s.issued_on between (${today}::timestamptz at time zone 'utc')::date - 30 and (${today}::timestamptz at time zone 'utc')::date + 1
      and p.issued_on is null and p.announced_at is null
    order by s.issued_on, s.city_slug, s.permit_id`.execute(tx)
  return rows.map(
    (row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as AnnouncedPermit,
  )
}
type Nullable<T> = { [K in keyof T]: T[K] | null }

const announce = async (tx: Db, permits: readonly AnnouncedPermit[], { queue, now }: Load): Promise<number> => {
  if (permits.length === 0) return 0
  await recordPermitEvents(tx, queue, permits, now)
  await sql`
    update permit p set announced_at = ${now}
    from unnest(${permits.map((each) => each.citySlug)}::text[], ${permits.map((each) => each.permitId)}::text[]) as a (city_slug, permit_id)
    where p.city_slug = a.city_slug and p.permit_id = a.permit_id`.execute(tx)
  return permits.length
}

const refuseBesideReal = async (tx: Db): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select s.id from source s where not s.sample
      and exists (select from ingest_run r where r.source_id = s.id and r.state = 'completed') limit 1`.execute(tx)
  if (rows[0]) throw new SampleRefused(`Sample data cannot be loaded beside the real source ${rows[0].id}.`)
}

/** Children first, since a cascade asks row by row. */
const removeSample = async (tx: Db): Promise<void> => {
  const { rows } = await sql<{ id: string }>`select id from source where sample`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  for (const table of ['permit', 'sale', 'listing'])
    await sql`delete from ${sql.raw(table)} where source_id = any(${ids})`.execute(tx)
  for (const table of ['permit_term', 'permit_bits'])
    await sql`delete from derived.${sql.raw(table)} where not exists (select from permit)`.execute(tx)
  for (const table of ['assessment_history', 'assessment', 'touched_property'])
    await sql`delete from ${sql.raw(table)} where property_id in (select id from property where source_id = any(${ids}))`.execute(
      tx,
    )
  await sql`delete from property where source_id = any(${ids})`.execute(tx)
  await sql`delete from source where id = any(${ids})`.execute(tx)
  // What was fitted to the sample, or told of it, says nothing about real homes. Nothing else is there yet.
  for (const table of ['model', 'accuracy', 'market_heat', 'assess_batch', 'assess_run'])
    await sql`delete from ${sql.raw(table)}`.execute(tx)
  await sql`delete from event where type in ('permit.created', 'property.score_updated')`.execute(tx)
}

const changedMarkets = async (tx: Db): Promise<{ markets: string[]; touched: number }> => {
  const { rows } = await sql<{ market: string; touched: number }>`
    select market, sum(touched) as touched from (
      select market, count(*) as touched from touched_property where touched_at = now() group by market
      union all select distinct market, 0 from stage) m
    group by market order by market`.execute(tx)
  return { markets: rows.map(({ market }) => market), touched: rows.reduce((sum, row) => sum + row.touched, 0) }
}
