import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse'
import { expect, test } from 'vitest'
import type { SaleRow } from '../../src/assess/sale-row.ts'
import { backtestValue } from '../../src/backtest/backtest-value.ts'

const repository = join(import.meta.dirname, '../..')
const folder = [
  process.env.LOTLINE_SHARED_DATA,
  join(repository, '../shared/data'),
  join(repository, '../../shared/data'),
].find((path) => path && existsSync(join(path, 'sales/king-county-2014-2015.csv')))
if (!folder) console.warn('King County sales not found (LOTLINE_SHARED_DATA): their back-test is skipped')

/** Only what a listing has: no grade, condition, view. */
async function* canonicalRows(path: string): AsyncGenerator<SaleRow> {
  let count = 0
  for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
    const date = row.date as string
    yield {
      saleId: `${row.id}-${count++}`,
      soldOn: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`,
      priceUsd: row.price,
      livingSqft: row.sqft_living,
      lotSqft: row.sqft_lot,
      beds: row.bedrooms,
      baths: row.bathrooms,
      yearBuilt: row.yr_built,
      lat: row.lat,
      lng: row.long,
      propertyType: 'single_family',
    }
  }
}

// Takes half a minute, so it runs weekly.
test.skipIf(!folder || !process.env.LOTLINE_WEEKLY)(
  'King County sales from 2015-03-27 are valued within 8.45% in the median, as fairly as assessors must, with a range that fits every kind of home',
  async () => {
    const study = await backtestValue(canonicalRows(join(folder!, 'sales/king-county-2014-2015.csv')), '2015-03-27')
    // Of 3,166 sales, those without support have no value.
    expect(study.n).toBeGreaterThanOrEqual(3_103)
    expect(study.mdape).toBeLessThanOrEqual(8.45)
    expect(study.within10).toBeGreaterThanOrEqual(57)
    expect(study.cod).toBeLessThanOrEqual(12.6)
    expect(Math.abs(study.prb)).toBeLessThanOrEqual(0.05)
    expect(Math.abs(study.medianRatio - 1)).toBeLessThanOrEqual(0.03)
    expect(study.withinRange).toBeGreaterThanOrEqual(78)
    expect(study.withinRange).toBeLessThanOrEqual(83)
    // Grouping by price would select by the outcome: a user knows the value, not the price.
    for (const { kind, group, n, withinRange } of study.groups.filter((each) => !each.kind.startsWith('price'))) {
      // Chance alone moves one of a thousand groups of n sales farther than this from 80%.
      const chance = 3.29 * Math.sqrt(1600 / n)
      expect(withinRange, `${kind} ${group}`).toBeGreaterThanOrEqual(Math.min(72, 80 - chance))
      expect(withinRange, `${kind} ${group}`).toBeLessThanOrEqual(Math.max(89, 80 + chance))
    }
  },
  600_000,
)
