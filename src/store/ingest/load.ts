// The one transaction in which a run becomes visible: the sample it replaces is removed, rows are matched and merged, events are written,
// the run is completed and other processes are notified. If any step fails, the previous state stays.
import type { Holding, MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { type Db, execute, firstValue, inTransaction, onlyRow, rowsOf, sql } from '../engine/database.ts'
import type { SourceTable } from '../engine/schema.ts'
import { indexHomesOfPermits, indexPermits } from '../permit-search/upkeep.ts'
import { changedNames, indexBuilders } from '../permits/builders.ts'
import { indexSales, salesOfTouched } from '../search/sale-upkeep.ts'
import { indexOverlays } from '../search/upkeep.ts'
import { updateCounts } from './dataset-counts.ts'
import { dataChannel } from './freshness.ts'
import { indexHomes } from './home-watches.ts'
import { joinTouched, type LayerLoad, mergeLayer } from './layers.ts'
import { lockMarkets } from './market-lock.ts'
import {
  chooseCurrentListings,
  createListedProperties,
  type Merge,
  type Merged,
  matchStage,
  mergeRecords,
  mergeRents,
  rejectDuplicates,
  rejectOthersPermits,
  releaseMovedListings,
} from './merge.ts'
import { matchRecords, mergeParcels } from './parcels.ts'
import { announcePermits, newHighValuePermits, type PermitAnnouncement } from './permit-events.ts'
import { recordPermits } from './permit-watches.ts'
import { removeEmptySampleSources, removeSample } from './remove-sample.ts'
import {
  type CompleteFeed,
  markRemovedRows,
  moveCorrectedPermits,
  type Removed,
  type SourceRowCounts,
  storedRows,
  takeOverRemovedPermits,
} from './removed.ts'
import { completeRun, type RunEnd, readOthersInWhole } from './run.ts'
import { setGroupSearchPath, splitStage } from './split-stage.ts'
import { dropStage, stageTables } from './stage.ts'

interface Load extends Omit<PermitAnnouncement, 'touchedAt' | 'markets' | 'stage'> {
  holds: Holding
  /** Set if the source is a map layer. */
  layer?: LayerLoad | undefined
  sample: boolean
  /** Set if the feed always contains every row. */
  complete?: CompleteFeed | undefined
  /** Rows read, and rows rejected before staging. */
  read: number
  rejected: number
  end: Omit<RunEnd, 'counts'>
}

/** `markets`: whose data changed; `touched`: properties put on the list to be assessed again. */
export type Loaded = Awaited<ReturnType<typeof loadStage>>

/** Sample and real data are never loaded together. */
export class SampleRejected extends Error {}

export const loadStage = (db: Db, request: Load) =>
  inTransaction(db, async (tx) => {
    const load = { ...request, ...(await mergeOf(tx, request)) }
    await lockMarkets(tx, load)
    if (load.sample) await rejectSampleAfterReal(tx)
    const parts: LoadedGroup[] = []
    let sampleRemoved = false
    for (const { group, markets, staged } of await splitStage(tx, load)) {
      if (!staged && !load.complete) continue
      await setGroupSearchPath(tx, group)
      const stage = stageTables(load.runId, group)
      if (!load.sample && load.holds !== 'layer' && (await removeSample(tx, load.holds, stage))) sampleRemoved = true
      parts.push(await loadGroup(tx, { ...load, markets, stage }))
    }
    if (sampleRemoved) await removeEmptySampleSources(tx)
    const sum = (count: (part: LoadedGroup) => number) => parts.reduce((total, part) => total + count(part), 0)
    const rejected = load.rejected + sum((part) => part.rejected)
    const counts = {
      read: load.read,
      rejected,
      loaded: load.read - rejected,
      inserted: sum((part) => part.inserted),
      changed: sum((part) => part.inserted + part.updated),
    }
    await dropStage(tx, load.runId)
    const [removed, returned] = [sum((part) => part.removed), sum((part) => part.returned)]
    // Records of the others belong to one source each.
    if (removed > 0 && (load.holds === 'permits' || load.holds === 'parcels'))
      await readOthersInWhole(tx, load.sourceId, load.holds === 'permits')
    const { withoutId = 0 } = parts.find(({ notMarked }) => notMarked)?.notMarked ?? {}
    const notMarked = sum((part) => part.notMarked?.rows ?? 0)
    const leftOut = {
      ...load.end.leftOut,
      ...(notMarked > 0 ? { [notMarkedReason(withoutId)]: notMarked } : {}),
    }
    await completeRun(tx, load.runId, { ...load.end, leftOut, counts, removed, returned }, load.now)
    const markets = parts.flatMap((part) => part.markets).sort()
    if (counts.changed > 0) for (const market of markets) await execute(tx)`select pg_notify(${dataChannel}, ${market})`
    const events = sum((part) => part.events ?? 0)
    return { counts, removed, returned, leftOut, events, markets, touched: sum((part) => part.touched) }
  })

type LoadedGroup = Awaited<ReturnType<Merger>> & { markets: string[]; touched: number }

/** Loads the staged rows of one group, in its schema. */
const loadGroup = async (tx: Db, load: Load & Merge): Promise<LoadedGroup> => {
  const { holds } = load
  const duplicates = holds === 'layer' ? 0 : await rejectDuplicates(tx, holds, load)
  const stored = load.complete && holds !== 'layer' ? await storedRows(tx, holds, load) : undefined
  const merged = await mergers[holds](tx, { ...load, stored })
  // Without statistics the planner may join listings to properties by reading the whole market for each row.
  if (merged.inserted + merged.updated > (load.firstLoad ? 0 : 2000))
    await sql.raw(`analyze ${analyzed[holds]}`).execute(tx)
  return { ...merged, ...(await changedMarkets(tx, load)), rejected: merged.rejected + duplicates }
}

/** The touch time is that of the transaction, read once. A source without a market may have rows in every market. */
const mergeOf = async (tx: Db, { sourceId }: Load): Promise<Pick<Merge, 'touchedAt' | 'markets'>> => {
  const { touchedAt, market } = await onlyRow<Pick<SourceTable, 'market'> & { touchedAt: Date }>(tx)`
    select now() as touched_at, market from source where id = ${sourceId}`
  return { touchedAt, markets: market === null ? marketIds() : [market] }
}

/** Shown to the operator in the report of the run: what was not done, why, and what to do. */
const notMarkedReason = (withoutId: number): string =>
  `missing rows not marked as removed, because ${withoutId} rejected ${withoutId === 1 ? 'row has' : 'rows have'} no id and may be any of them. Map the id, or, if such rows are not yours, require it: "require": [{ "field": …, "filled": true }]`

/** Columns that queries filter or join by. Wide columns are left to autovacuum: they cost seconds and no query needs their statistics. */
const analyzed: Readonly<Record<Holding, string>> = {
  parcels: 'property (id, market, city_slug, address_key, apn_key, source_id, known_from), property_search',
  listings:
    'listing (source_id, listing_id, property_id, market, city_slug, status, current, listed_on, sold_on), property_search',
  sales: 'sale (source_id, sale_id, property_id, market, city_slug, sold_on), sale_search',
  permits:
    'permit (city_slug, permit_id, source_id, market, property_id, issued_on, valuation_usd, permit_class), permit_search',
  rents: 'rent',
  layer: 'layer_shape (market, source_id, hash, bounds), parcel_layer',
}

type Merger = (
  tx: Db,
  load: Load & Merge & { stored?: SourceRowCounts | undefined },
) => Promise<Merged & Removed & { rejected: number; events?: number }>

const mergers: Readonly<Record<Holding, Merger>> = {
  parcels: async (tx, load) => {
    const parcels = await mergeParcels(tx, load)
    const merged = { ...parcels, ...(await markRemovedRows(tx, 'parcels', load)) }
    if (merged.inserted + merged.updated + merged.removed + merged.returned > 0) await followHomes(tx, load)
    return merged
  },
  listings: async (tx, load) => {
    await matchStage(tx, load)
    await createListedProperties(tx, load)
    await releaseMovedListings(tx, load)
    const merged = await updateCounts(tx, 'listings', load, () => mergeRecords(tx, 'listings', load))
    const marked = await markRemovedRows(tx, 'listings', load)
    if (merged.inserted + merged.updated + marked.removed + marked.returned > 0) await followHomes(tx, load)
    return { ...merged, ...marked, rejected: 0 }
  },
  sales: async (tx, load) => {
    await matchStage(tx, load)
    const merged = await updateCounts(tx, 'sales', load, () => mergeRecords(tx, 'sales', load))
    const marked = await markRemovedRows(tx, 'sales', load)
    if (merged.inserted + merged.updated > 0) await indexSales(tx, writtenSales(load))
    if (marked.removed + marked.returned > 0) await indexSales(tx, markedSales(load))
    return { ...merged, ...marked, rejected: 0 }
  },
  permits: async (tx, load) => {
    await moveCorrectedPermits(tx, load)
    const takenOver = await takeOverRemovedPermits(tx, load)
    const rejected = await rejectOthersPermits(tx, load)
    await matchStage(tx, load)
    const created = await newHighValuePermits(tx, load)
    const merged = await updateCounts(tx, 'permits', load, () => mergeRecords(tx, 'permits', load))
    if (merged.inserted + merged.updated > 0) {
      const names = await changedNames(tx, writtenPermits(load))
      await indexPermits(tx, writtenPermits(load))
      for (const market of load.markets) {
        const changed = names.filter((each) => each.market === market).map(({ name }) => name)
        await indexBuilders(tx, market, changed)
      }
    }
    const events = await announcePermits(tx, load, created, merged.updated)
    if (merged.inserted + merged.updated > 0) await recordPermits(tx, load)
    const marked = await markRemovedRows(tx, 'permits', load)
    return { ...merged, ...marked, returned: marked.returned + takenOver, rejected, events }
  },
  rents: async (tx, load) => {
    const merged = await updateCounts(tx, 'rents', load, () => mergeRents(tx, load))
    return { ...merged, ...(await markRemovedRows(tx, 'rents', load)), rejected: 0 }
  },
  layer: async (tx, load) => {
    const merged = await mergeLayer(tx, { ...load, layer: load.layer! })
    await indexHomes(tx, load, indexOverlays)
    return merged
  },
}

/** What follows from homes that a run has touched: facts of maps, matched records, current listings and search rows. */
const followHomes = async (tx: Db, load: Merge): Promise<void> => {
  await joinTouched(tx, load)
  await matchRecords(tx, load)
  await chooseCurrentListings(tx, load)
  await indexHomes(tx, load)
  await indexSales(tx, salesOfTouched(load.markets, load.touchedAt))
  await indexHomesOfPermits(tx, permitsOfTouched(load))
}

/** The permits of homes that a run has touched: it may have matched them, or changed the ZIP code of the parcel. */
const permitsOfTouched = ({ markets, touchedAt }: Merge) => sql`
  select p.market, p.city_slug, p.permit_id from touched_property t
  join permit p on p.market = t.market and p.property_id = t.property_id
  where t.market = any(${markets}) and t.touched_at = ${touchedAt}`

/** The keys of the permits that this run has inserted or updated. */
const writtenPermits = ({ stage, now }: Merge) => sql`
  select p.market, p.city_slug, p.permit_id from ${stage.rows} s
  join permit p on p.market = s.market and p.city_slug = s.city_slug and p.permit_id = s.permit_id
  where p.updated_at = ${now}::timestamptz`

/** The keys of the sales that this run has inserted or updated. */
const writtenSales = ({ sourceId, stage, now }: Merge) => sql`
  select t.market, t.source_id, t.sale_id from ${stage.rows} s
  join sale t on t.market = s.market and t.source_id = ${sourceId} and t.sale_id = s.sale_id
  where t.updated_at = ${now}::timestamptz`

/** The keys of the sales that this run has marked as removed, or as contained in the feed again. They need not be staged. */
const markedSales = ({ sourceId, markets, now }: Merge) => sql`
  select market, source_id, sale_id from sale
  where market = any(${markets}) and source_id = ${sourceId} and updated_at = ${now}::timestamptz`

const rejectSampleAfterReal = async (tx: Db): Promise<void> => {
  const real = await firstValue<string>(tx)`
    select s.id from source s where not s.sample
      and exists (select 1 from ingest_run r where r.source_id = s.id and r.state = 'completed') limit 1`
  if (real !== undefined)
    throw new SampleRejected(
      `Sample data cannot be loaded into a database with real data (source ${real}). Use a new, empty database.`,
    )
}

const changedMarkets = async (tx: Db, { markets, touchedAt, stage }: Merge) => {
  const rows = await rowsOf<{ market: MarketId; touched: number }>(tx)`
    select market, sum(touched) as touched from (
      select market, count(*) as touched from touched_property
      where market = any(${markets}) and touched_at = ${touchedAt} group by market
      union all select distinct market, 0 from ${stage.rows}) m
    group by market order by market`
  return { markets: rows.map(({ market }) => market), touched: rows.reduce((sum, row) => sum + row.touched, 0) }
}
