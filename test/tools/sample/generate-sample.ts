// Sample feeds of one day as files, for tests.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvCell } from '../../../src/common/csv.ts'
import { tableOf } from '../../../src/common/typed.ts'
import { sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { dayOf } from '../../../tools/sample/calendar.ts'
import type { Cell } from '../../../tools/sample/feeds.ts'
import { buildSampleData, feedStates, type SampleData } from '../../../tools/sample/generate.ts'
import type { SampleParcel } from '../../../tools/sample/parcels.ts'

/** Writes the sample as of `today` (YYYY-MM-DD) to one file per data set (see feeds.ts) in `dir`, and counts their rows. */
export function generateSample({ seed, today, dir }: { seed: number; today: string; dir: string }) {
  const data = buildSampleData(seed, dayOf(today))
  const states = feedStates(data, data.today)
  const rows = tableOf(sampleFeeds, (name) => {
    const latest = states[name].flatMap((each) => each.slice(-1).map(({ state }) => state))
    const lines = [Object.keys(latest[0]!), ...latest.map(Object.values<Cell>)].map(
      (cells) => `${cells.map(csvCell).join(',')}\n`,
    )
    writeFileSync(join(dir, `${name}.csv`), lines.join(''))
    return latest.length
  })
  return { data, rows }
}

/** The simulated probability that a sale on the last day is followed by a teardown. */
export const trueTeardownProbability = (data: SampleData, parcel: SampleParcel): number =>
  data.teardown(parcel, data.today)
