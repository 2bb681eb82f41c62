// Sample feeds of one day, for tests.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvCell } from '../../../src/common/csv.ts'
import { tableOf } from '../../../src/common/typed.ts'
import { type SampleFeed, sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { dayOf } from '../../../tools/sample/calendar.ts'
import type { Cell } from '../../../tools/sample/feeds.ts'
import { buildSampleData, feedStates, type SampleData } from '../../../tools/sample/generate.ts'
import type { SampleParcel } from '../../../tools/sample/parcels.ts'

const built = new Map<string, SampleData>()

/** Made once for all tests that a worker runs. */
export function sampleOf(seed: number, today: string): SampleData {
  const key = `${seed} ${today}`
  const data = built.get(key) ?? buildSampleData(seed, dayOf(today))
  built.set(key, data)
  return data
}

/** The CSV text of each data set (see tools/sample/feeds.ts) on the last day. */
export function feedTexts(data: SampleData): Record<SampleFeed, string> {
  const states = feedStates(data, data.today)
  return tableOf(sampleFeeds, (name) => {
    const latest = states[name].flatMap((each) => each.slice(-1).map(({ state }) => state))
    return [Object.keys(latest[0]!), ...latest.map(Object.values<Cell>)]
      .map((cells) => `${cells.map(csvCell).join(',')}\n`)
      .join('')
  })
}

/** Writes the sample to one file per data set in `dir`, and counts their rows. */
export function generateSample({ seed, today, dir }: { seed: number; today: string; dir: string }) {
  const data = buildSampleData(seed, dayOf(today))
  const texts = feedTexts(data)
  for (const name of sampleFeeds) writeFileSync(join(dir, `${name}.csv`), texts[name])
  // One line is the header.
  return { data, rows: tableOf(sampleFeeds, (name) => texts[name].split('\n').length - 2) }
}

/** The simulated probability that a sale on the last day is followed by a teardown. */
export const trueTeardownProbability = (data: SampleData, parcel: SampleParcel): number =>
  data.teardown(parcel, data.today)
