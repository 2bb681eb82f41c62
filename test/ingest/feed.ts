// Builds small feeds and their configuration; a test states only the fields it is about.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { type RunOptions, type RunResult, runIngest } from '../../src/ingest/run.ts'
import { type Database, sql } from '../../src/store/engine/database.ts'
import type { Queue } from '../../src/store/engine/queue.ts'

export const today = new Date('2026-11-15T12:00:00Z')
export const highValueUsd = 500_000

export type Row = Record<string, string | number | undefined>

export const permitRow = (given: Row = {}): Row => ({
  permitId: 'B-1',
  city: 'Palo Alto',
  address: '10 Oak St',
  apn: '123-45-678',
  projectType: 'Building',
  description: 'Kitchen remodel',
  valuation: 50_000,
  status: 'ISSUED',
  issuedOn: '2026-11-10',
  ...given,
})

export const parcelRow = (given: Row = {}): Row => ({
  apn: '123-45-678',
  city: 'Palo Alto',
  address: '10 Oak St',
  lotSqft: 7000,
  yearBuilt: 1950,
  ...given,
})

export const listingRow = (given: Row = {}): Row => ({
  listingId: 'L1',
  city: 'Palo Alto',
  address: '10 Oak Street',
  status: 'Active',
  priceUsd: 3_000_000,
  listedOn: '2026-10-01',
  ...given,
})

export const saleRow = (given: Row = {}): Row => ({
  saleId: 'S1',
  city: 'Palo Alto',
  address: '10 OAK ST',
  soldOn: '2025-05-01',
  priceUsd: 2_500_000,
  ...given,
})

export const config = (holds: SourceConfig['holds'], given: Partial<SourceConfig> = {}): SourceConfig => ({
  id: `test-${holds}`,
  title: `Test ${holds}`,
  kind: 'csv',
  holds,
  where: { url: 'feed.csv' },
  sameNames: true,
  ...given,
})

export const csvOf = (rows: readonly Row[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown) => (value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`)
  return [columns.join(','), ...rows.map((row) => columns.map((name) => cell(row[name])).join(','))].join('\n')
}

export const feedFolder = async (files: Record<string, string | Uint8Array>): Promise<string> => {
  const folder = await mkdtemp(join(inject('filesDir'), 'feed-'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

/** Loads rows as a CSV feed. */
export const ingest = async (
  store: Database & { queue: Queue },
  holds: SourceConfig['holds'],
  rows: readonly Row[] | string | Uint8Array,
  given: Partial<SourceConfig> = {},
  options: Partial<RunOptions> = {},
): Promise<RunResult> =>
  runIngest(store, config(holds, given), {
    now: today,
    folder: await feedFolder({
      'feed.csv': Array.isArray(rows) ? csvOf(rows as readonly Row[]) : (rows as string | Uint8Array),
    }),
    highValueUsd,
    ...options,
  })

/** All rows of a table, without the columns that say when a row was written. */
export const tableRows = async (store: Database, table: string): Promise<unknown[]> => {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(t) - 'updated_at' - 'collected_at' - 'doc' as row from ${sql.raw(table)} t order by 1`.execute(
    store.db,
  )
  return rows.map(({ row }) => row)
}

export const count = async (store: Database, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.raw(table)}`.execute(store.db)
  return rows[0]!.count
}

export const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const copy = [...items]
  let state = seed
  for (let at = copy.length - 1; at > 0; at -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = state % (at + 1)
    ;[copy[at], copy[other]] = [copy[other]!, copy[at]!]
  }
  return copy
}
