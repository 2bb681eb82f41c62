// The store of the part `size`: a market of millions of parcels and permits. Making it takes long, so `--data` keeps it.
// To make it ahead of the measurement: node bench/size-store.ts DIR PARCELS PERMITS
import './packs.ts'
import { join } from 'node:path'
import {
  type Database,
  type DatabaseOptions,
  type Db,
  defaultGroup,
  openDatabase,
  sql,
} from '../src/store/engine/database.ts'
import type { Queue } from '../src/store/engine/queue.ts'
import { readSetting, writeSetting } from '../src/store/engine/settings.ts'
import { recountMarket } from '../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../src/store/permit-search/upkeep.ts'
import { indexMarket } from '../src/store/search/upkeep.ts'
import { timed } from './figure.ts'
import { openServer } from './sandbox.ts'
import { makeAssessments, makeParcels, makePermits, makeSource, market } from './size-data.ts'

export interface Size {
  parcels: number
  permits: number
}

export interface Store extends Database {
  queue: Queue
  address: DatabaseOptions
}

/** Where a store of this size is kept; a temporary folder without `data`. */
export const sizeFolder = (data: string | undefined, { parcels, permits }: Size): string | undefined =>
  data && join(data, `size-${parcels}-${permits}`)

/** What has been made so far. A run that was stopped goes on here. */
interface Progress {
  done: string[]
  permits: number
  /** The definitions of the indexes that are still to be built. */
  indexes?: string[]
}

const permitsPerStep = 500_000

/**
 * Makes what is missing; each step is one transaction. Rows are written without indexes, which are built afterward: that is many
 * times faster.
 */
export const makeStore = async (address: DatabaseOptions, size: Size, say: (text: string) => void): Promise<void> => {
  const { db, close } = openDatabase({ ...address, group: defaultGroup, poolSize: 1 })
  try {
    for (const setting of bulkSettings) await sql.raw(`set ${setting}`).execute(db)
    const progress = (await readSetting<Progress>(db, 'bench-size')) ?? { done: [], permits: 0 }
    const step = async (name: string, work: (tx: Db) => Promise<unknown>) => {
      if (progress.done.includes(name)) return
      const ms = await timed(() =>
        db.transaction().execute(async (tx) => {
          await work(tx)
          progress.done.push(name)
          await writeSetting(tx, 'bench-size', progress)
        }),
      )
      say(`  ${name}: ${(ms / 1000).toFixed(0)} s`)
    }
    await step('no indexes', async (tx) => {
      progress.indexes = await dropIndexes(tx)
    })
    await step('parcels', async (tx) => {
      await makeSource(tx)
      await makeParcels(tx, size.parcels)
    })
    await step('assessments', makeAssessments)
    while (progress.permits < size.permits) {
      const from = progress.permits + 1
      progress.permits = Math.min(size.permits, progress.permits + permitsPerStep)
      await step(`permits to ${progress.permits}`, (tx) => makePermits(tx, from, progress.permits))
    }
    await step('permit search', (tx) => indexPermits(tx))
    await step('property search', (tx) => indexMarket(tx, market))
    for (const definition of progress.indexes ?? []) await step(definition, (tx) => sql.raw(definition).execute(tx))
    if (progress.done.includes('counts')) return
    await sql`vacuum analyze`.execute(db)
    await step('counts', (tx) => recountMarket(tx, market))
  } finally {
    await close()
  }
}

const bulkSettings = [
  'statement_timeout = 0',
  'synchronous_commit = off',
  `maintenance_work_mem = '1GB'`,
  `work_mem = '256MB'`,
]

/** All but the keys. */
const dropIndexes = async (db: Db): Promise<string[]> => {
  const tables = ['property', 'assessment', 'permit', 'permit_search', 'property_search']
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(db)
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db)
  return rows.map(({ definition }) => definition)
}

if (process.argv[1] === import.meta.filename) {
  const [dir, parcels, permits] = process.argv.slice(2)
  const size = { parcels: Number(parcels), permits: Number(permits) }
  const server = await openServer(sizeFolder(dir, size))
  await makeStore(server.address, size, (text) => process.stderr.write(`${text}\n`)).finally(server.close)
}
