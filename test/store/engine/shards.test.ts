import { expect, test } from 'vitest'
import { marketsToAssessFirst, marketsTouched } from '../../../src/store/assessments/assess-runs.ts'
import { type Database, type Db, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { distributeGroup, notDistributed, rebalance } from '../../../src/store/engine/distribute.ts'
import { writeGroupViews } from '../../../src/store/engine/group-views.ts'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openQueue } from '../../../src/store/engine/queue.ts'
import { groupOf, MarketMoved, shareLockMarkets } from '../../../src/store/engine/shard-groups.ts'
import { addShard, listShards, moveMarket } from '../../../src/store/engine/shards.ts'
import { recountMarket } from '../../../src/store/ingest/dataset-counts.ts'
import { removeSource } from '../../../src/store/ingest/remove-source.ts'
import { propertyById } from '../../../src/store/properties/properties.ts'
import { queueWatchMails } from '../../../src/store/watches/watch-mails.ts'
import { announceMatches } from '../../../src/watches/announce.ts'
import { matchChanges } from '../../../src/watches/matching.ts'
import { openWatchIndex } from '../../../src/watches/watch-index.ts'
import { ingest, listingRow, parcelRow, permitRow } from '../../ingest/feed.ts'
import { newDatabase, useDatabaseWithQueue } from '../../setup/database.ts'
import { assessment, listing, permit, property } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()
const groups = async (db: Db) =>
  Object.fromEntries((await listShards(db)).map(({ name, markets }) => [name, markets.join(' ')]))
const moved = (market: string, to: string) => moveMarket(store(), market, to, { graceMs: 0 })
const rowsIn = async (group: string) =>
  (await sql<{ rows: number }>`select count(*) as rows from ${sql.id(group, 'property')}`.execute(store().db)).rows[0]!
    .rows

/** Another process: it reads the map of the groups anew. */
const reopened = async <T>(work: (other: Database) => Promise<T>): Promise<T> => {
  const { rows } = await store().pool.query(
    `select current_database() as database, current_setting('unix_socket_directories') as "socketDir"`,
  )
  const other = openDatabase(rows[0])
  return work(other).finally(() => other.close())
}

test('a market moved to another group keeps its ids, its rows and its answers', async () => {
  const { db } = store()
  const start = (await listShards(db)).find(({ markets }) => markets.includes('sf-peninsula'))!.name
  const id = await property(db, { address: '1 Oak St' })
  await listing(db, { property_id: id })
  await assessment(db, id, { rank_score: 50 })
  await permit(db, { property_id: id })
  const island = await property(db, { market: 'nantucket', city: 'Nantucket' })
  const before = await propertyById(db, id)
  await addShard(store(), 'g07')
  await addShard(store(), 'g08')
  expect(await moved('sf-peninsula', 'g07')).toMatchObject({ from: start, rows: 10 })
  expect(await groups(db)).toMatchObject({ g07: 'sf-peninsula', g08: '' })
  expect(await rowsIn('g07')).toBe(1)
  await reopened(async (other) => {
    expect(await propertyById(other.db, id)).toEqual(before)
    expect(await propertyById(other.db, island)).toMatchObject({ market: 'nantucket' })
    const { rows } = await sql<{ market: string }>`select market from property order by 1`.execute(other.db)
    expect(rows.map(({ market }) => market)).toEqual(['nantucket', 'sf-peninsula'])
  })
  await expect(moved('sf-peninsula', 'g07')).rejects.toThrow(/in shard group g07 already/)
  await expect(moved('sf-peninsula', 'g09')).rejects.toThrow(/no shard group g09.*lotline shards add g09/)
  await expect(moved('atlantis', 'g08')).rejects.toThrow(/no market atlantis/)
  await expect(addShard(store(), 'group1')).rejects.toThrow(/g00 to g99/)
  await expect(distributeGroup(store(), 'g07')).rejects.toThrow(/not the coordinator of a Citus cluster/)
  await expect(rebalance(store())).rejects.toThrow(/not the coordinator of a Citus cluster/)
  expect(await notDistributed(db)).toEqual([])
})

test('one feed of two markets in two groups is loaded in one transaction', async () => {
  await reopened(async (other) => {
    const both = { ...other, queue: store().queue }
    const parcels = [
      parcelRow({ apn: '123-45-111', address: '11 Elm St' }),
      parcelRow({ apn: '42.3.4-21', address: '5 Main St', city: 'Nantucket' }),
    ]
    const result = await ingest(both, 'parcels', parcels)
    expect(result).toMatchObject({ counts: { loaded: 2, inserted: 2 }, markets: ['nantucket', 'sf-peninsula'] })
    await ingest(both, 'listings', [listingRow({ address: '11 Elm St' })], { market: 'sf-peninsula' })
    await ingest(both, 'permits', [permitRow({ permitId: 'X-1' }), permitRow({ permitId: 'X-2', city: 'Nantucket' })])
    const again = await ingest(both, 'parcels', parcels)
    expect(again.counts).toMatchObject({ loaded: 2, changed: 0 })
    const { rows } = await sql<{ market: string; matched: string }>`
      select l.market, p.address as matched from listing l join property p on p.market = l.market and p.id = l.property_id
      where l.source_id = 'test-listings'`.execute(other.db)
    expect(rows).toEqual([{ market: 'sf-peninsula', matched: '11 Elm St' }])
    const left = await sql`select 1 from pg_class where relname like 'stage%'`.execute(other.db)
    expect(left.rows).toEqual([])
    expect(await removeSource(other.db, 'test-permits', new Date())).toMatchObject({ permits: 2 })
    const permits = await sql`select 1 from permit where source_id = 'test-permits'`.execute(other.db)
    expect(permits.rows).toEqual([])
  })
})

test('a writer that began in the old group is told to try again, and a move waits for writers', async () => {
  await reopened(async (other) => {
    const group = groupOf(other.db, 'sf-peninsula')
    let moving: Promise<unknown> | undefined
    await group.transaction().execute(async (tx) => {
      await shareLockMarkets(tx, ['sf-peninsula'])
      moving = moved('sf-peninsula', 'g08')
      await expect.poll(() => waitingForLock(), { timeout: 10_000 }).toBe(1)
    })
    await moving
    await expect(group.transaction().execute((tx) => shareLockMarkets(tx, ['sf-peninsula']))).rejects.toThrow(
      MarketMoved,
    )
  })
})

const waitingForLock = async (): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
    store().db,
  )
  return rows[0]!.waiting
}

test('a database without groups to spare has no views, and every group is migrated', async () => {
  const address = await newDatabase()
  const open = openDatabase(address)
  expect(await migrate(open)).toEqual([])
  await addShard(open, 'g09')
  await sql`delete from public.migration where scope = 'g09' and name = '0009_match_indexes.sql'`.execute(open.db)
  expect(await migrate(open)).toEqual(['g09/0009_match_indexes.sql'])
  await recountMarket(open.db, 'nantucket')
  // A market that a later version adds is read with the others.
  await sql`delete from public.market where id = 'nantucket'`.execute(open.db)
  await writeGroupViews(open.db)
  await migrate(open)
  const { rows } = await sql<{ body: string }>`
    select pg_get_viewdef('all_groups.property'::regclass) as body`.execute(open.db)
  expect(rows[0]!.body).toContain('nantucket')
  // A column that a later version removes is no longer read.
  await sql`drop view all_groups.property`.execute(open.db)
  await sql`create view all_groups.property as select *, 1 as removed_later from g00.property`.execute(open.db)
  await open.db.transaction().execute(writeGroupViews)
  const { rows: removed } = await sql`
    select 1 from pg_attribute where attrelid = 'all_groups.property'::regclass and attname = 'removed_later'`.execute(
    open.db,
  )
  expect(removed).toEqual([])
  await open.close()
})

test('what a worker runs every minute reads one group at a time: it works without the views over all groups', async () => {
  const address = await newDatabase()
  const open = openDatabase(address)
  const queue = await openQueue(address)
  await addShard(open, 'g09')
  await moveMarket(open, 'nantucket', 'g09', { graceMs: 0 })
  for (const market of ['sf-peninsula', 'nantucket'])
    await sql`insert into touched_property values (${market}, 'p_00000001', '2026-01-01')`.execute(
      groupOf(open.db, market),
    )
  const other = openDatabase(address)
  await sql`drop schema all_groups cascade`.execute(other.db)
  const now = new Date()
  expect(await marketsTouched(other.db, now)).toEqual([])
  expect(await marketsToAssessFirst(other.db, now)).toEqual([])
  await matchChanges(other.db, now, openWatchIndex())
  await announceMatches(other.db, { queue, publicUrl: 'http://localhost' }, now)
  await queueWatchMails(other.db, queue, now)
  await queue.close()
  await other.close()
  await open.close()
})
