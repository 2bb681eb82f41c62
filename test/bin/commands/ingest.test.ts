import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type IngestDeps, ingestCommand } from '../../../src/bin/commands/ingest.ts'
import { progressLine } from '../../../src/bin/progress.ts'
import type { SourceConfig } from '../../../src/domain/packs/source-config.ts'
import { sql } from '../../../src/store/engine/database.ts'
import {
  config,
  count,
  csvOf,
  feedFolder,
  highValueUsd,
  listingRow,
  permitRow,
  type Row,
  saleRow,
  today,
} from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()
afterEach(() => {
  process.exitCode = 0
})

const sourceFile = async (rows: readonly Row[], given: Partial<SourceConfig> = {}): Promise<string> => {
  const folder = await feedFolder({ 'feed.csv': csvOf(rows) })
  const path = join(folder, 'source.json')
  await writeFile(path, JSON.stringify(config(given.holds ?? 'permits', given)))
  return path
}

const lotline = async (...args: string[]): Promise<string> => {
  const lines: string[] = []
  const deps: IngestDeps = {
    openStore: async () => ({ ...store(), close: async () => {} }),
    token: () => undefined,
    highValueUsd,
    now: () => today,
    print: (line) => lines.push(line),
  }
  await ingestCommand(deps).exitOverride().parseAsync(args, { from: 'user' })
  return lines.join('\n')
}

test('--check reports what would be loaded and rejected, and writes nothing', async () => {
  const path = await sourceFile([
    permitRow(),
    permitRow({ permitId: undefined }),
    permitRow({ permitId: 'B-2', valuation: 1 }),
  ])
  const said = await lotline('--check', path)
  expect(said).toContain('of 3 rows read, 2 permits would be loaded, 1 rejected. Nothing was written.')
  expect(said).toContain('row 2: permitId is missing')
  expect(said).toContain('valuation: the amount is a placeholder')
  expect(await count(store(), 'permit')).toBe(0)
  expect(await count(store(), 'source')).toBe(0)
})

test('a load and its report show the rejected rows with their reasons', async () => {
  const path = await sourceFile([permitRow(), permitRow({ permitId: undefined, address: '77 Lost Ln' })])
  expect(await lotline(path)).toContain('2 rows read, 1 loaded (1 new, 0 changed), 1 rejected')
  const said = await lotline('report', 'test-permits')
  expect(said).toContain('row 2: permitId is missing')
  expect(said).toContain('77 Lost Ln')
  expect(JSON.parse(await lotline('report', '--json'))).toMatchObject([{ sourceId: 'test-permits', rowsRejected: 1 }])
})

test('a first load says why there are no values, and a later one that changed homes are not assessed yet', async () => {
  const market = 'sf-peninsula'
  const listings = (priceUsd: number) => sourceFile([listingRow({ priceUsd })], { holds: 'listings', market })
  const old = saleRow({ saleId: 'old', soldOn: '2014-05-02', livingSqft: 1800 })
  const sales = await sourceFile([saleRow(), old], { holds: 'sales', market })
  const first = await lotline(sales, await listings(3_000_000))
  expect(first).toMatch(
    /values: none, 0 of 2 sales can be used and 30 are needed: 1 sold before 20\d\d-\d\d-\d\d, 1 without a living area, 2 without coordinates/,
  )
  expect(first).not.toContain('not assessed yet')
  // Without them, indexing the sales of a first load compares each with all others.
  const { rows: known } = await sql<{ name: string }>`
    select attname as name from pg_stats where tablename = 'sale' and attname in ('updated_at', 'removed_at')`.execute(
    store().db,
  )
  expect(known).toHaveLength(2)
  const later = await lotline(await listings(2_900_000))
  expect(later).toMatch(/\nsf-peninsula: changed homes are not assessed yet; .* lotline assess --market sf-peninsula$/)
  expect(JSON.parse(await lotline('--json', await listings(2_800_000)))).toMatchObject([{ sourceId: 'test-listings' }])
})

test('a feed that cannot be read is reported in one line with exit code 1', async () => {
  const path = await sourceFile([permitRow()], { id: 'lost-feed', where: { url: 'lost.csv' } })
  expect(await lotline(path)).toMatch(/lost-feed: failed\. There is no file/)
  expect(process.exitCode).toBe(1)
})

test('a load and its report count rows removed from a complete feed, and a truncated feed fails in one line', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => permitRow({ permitId: `C-${at}` }))
  const given = { id: 'complete-feed', complete: true }
  await lotline(await sourceFile(rows, given))
  expect(await lotline(await sourceFile(rows.slice(2), given))).toContain('0 rejected, 2 removed')
  expect(await lotline('report', 'complete-feed')).toContain('0 rejected, 2 removed')
  expect(await lotline(await sourceFile(rows.slice(1), given))).toContain('0 rejected, 1 restored')
  expect(process.exitCode).toBe(0)
  expect(await lotline(await sourceFile(rows.slice(20), given))).toMatch(
    /complete-feed: failed\. The feed lacks 19 of the 39 rows loaded before \(49%\)/,
  )
  expect(process.exitCode).toBe(1)
})

test('a missing source file is named, with a pointer to the examples', async () => {
  await expect(lotline('nosuch.json')).rejects.toThrow(
    /^nosuch\.json cannot be read: the file does not exist\..*sources\/examples/,
  )
})

test('the report of a source that never ran is an error, also with --json', async () => {
  for (const format of [[], ['--json']])
    await expect(lotline('report', 'nosuch', ...format)).rejects.toThrow('No run of source "nosuch".')
})

test('a missing token is named before anything is read', async () => {
  const path = await sourceFile([permitRow()], { where: { url: 'feed.csv', tokenEnv: 'CITY_TOKEN' } })
  await expect(lotline('--check', path)).rejects.toThrow(/set CITY_TOKEN/)
})

test('progress shows percentage, rate and time left', () => {
  expect(progressLine('x', { rows: 5000, rejected: 2, share: 0.25 }, 10)).toBe(
    'x [█████···············] 25% 5,000 rows, 2 rejected, 500/s, 30 s left',
  )
})
