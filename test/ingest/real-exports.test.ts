// Loads real exports by configuration alone. They cannot be redistributed, so these tests are skipped without the folder.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSource } from '../../src/ingest/config.ts'
import { type RunResult, runIngest } from '../../src/ingest/run.ts'
import { sql } from '../../src/store/engine/database.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { today } from './feed.ts'

const root = join(import.meta.dirname, '../..')
const folder = [process.env.LOTLINE_SHARED_DATA, join(root, '../shared/data'), join(root, '../../shared/data')]
  .filter((path) => path !== undefined)
  .map((path) => resolve(path))
  .find((path) => existsSync(join(path, 'permits')))
if (!folder) console.warn('skipped: no folder of real exports (set LOTLINE_SHARED_DATA to one)')

/** The large ones take half a minute. */
const weekly = Boolean(process.env.LOTLINE_WEEKLY)

const store = useDatabaseWithQueue()

const load = async (name: string): Promise<RunResult> => {
  const { config } = await readSource(join(import.meta.dirname, 'real', `${name}.json`))
  return runIngest(store(), config, { now: today, folder: folder!, highValueUsd: 500_000 })
}
const reasons = async (id: string) =>
  (await runReports(store().db, id))[0]!.reasons.map(({ code, rows }) => [code, rows])

describe.skipIf(!folder)('real exports', () => {
  beforeEach(async () => {
    await emptyTables(store().db, 'source', 'property', 'touched_property')
  })

  const exports: [name: string, counts: { read: number; rejected: number }, why: [code: string, rows: number][]][] = [
    // All rows of the city's export.
    ['los-altos-permits', { read: 5093, rejected: 0 }, []],
    // A permit with several addresses has one row per address; all are kept.
    ['san-francisco-permits', { read: 7480, rejected: 16 }, [['duplicate', 16]]],
    ['san-jose-permits', { read: 1685, rejected: 0 }, []],
    // Some parcel numbers occur twice.
    ['housing-element-parcels', { read: 3266, rejected: 29 }, [['duplicate', 29]]],
    ['menlo-park-geojson', { read: 10, rejected: 0 }, []],
    ['king-county-sales', { read: 21_613, rejected: 0 }, []],
    ['san-francisco-soda', { read: 25, rejected: 0 }, []],
    ['bridge-listings', { read: 1, rejected: 0 }, []],
  ]
  test.each(exports.filter(([, { read }]) => weekly || read < 2_000))(
    '%s is loaded, and rejected rows have a reason',
    async (name, counts, why) => {
      const result = await load(name)
      expect(result.counts).toMatchObject(counts)
      expect(await reasons(name)).toEqual(why)
      // The large ones once: a second load of the same rows is tested with the others.
      if (counts.read <= 5_100) expect((await load(name)).counts.changed).toBe(0)
    },
  )

  test.each(['reso-bad-all', 'reso-bad-any'])(
    '%s: rows that do not match the requested filter are rejected with the reason',
    async (name) => {
      await expect(load(name)).rejects.toThrow(/All 2 rows were rejected/)
      const [report] = await runReports(store().db, name)
      expect(report).toMatchObject({ state: 'failed', rowsRejected: 2 })
      expect(report!.reasons).toEqual([
        { code: 'requirement', rows: 2, example: expect.stringContaining('AccessibilityFeatures is') },
      ])
    },
  )

  test.each(['reso-good-all', 'reso-good-any'])(
    '%s: rows that keep to it are taken, one of two with the same key',
    async (name) => {
      expect((await load(name)).counts).toMatchObject({ read: 2, loaded: 1, rejected: 1 })
      expect(await reasons(name)).toEqual([['duplicate', 1]])
      const { rows } = await sql`select status, raw_status from listing`.execute(store().db)
      expect(rows).toEqual([{ status: 'pending', rawStatus: 'ActiveUnderContract' }])
    },
  )
})
