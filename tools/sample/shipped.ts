// The sample markets as the packs have them (see src/ingest/sample-data.ts): all states of all records until the last day, and
// what a first load writes besides.
import { gzipSync } from 'node:zlib'
import { csvCell } from '../../src/common/csv.ts'
import { isSampleDate, type SampleAbout, sampleFeeds } from '../../src/ingest/sample-data.ts'
import { type Day, dayOf } from './calendar.ts'
import { buildSampleData, feedStates, type RecordState, shownListings, shownPermits } from './generate.ts'
import { historyOf } from './history.ts'
import { layersOf, streetsOf } from './maps.ts'
import { defaultSeed } from './random.ts'
import { sampleMarkets } from './zones.ts'

/** With new towns, also the day can be a new one. With the same seed it stays: samples that are loaded count from it. */
const about: SampleAbout = { seed: defaultSeed, day: '2026-11-17', days: 730 }
/** A first start is on the first day or one of the six after it. */
const lastStart = 6

/** The files of each market, by their paths within the folder of the pack. */
export function shippedSample() {
  const first = dayOf(about.day)
  const data = buildSampleData(about.seed, first + about.days)
  const states = feedStates(data, first)
  const last = first + lastStart
  const shown = { listings: shownListings(data, first, last), permits: shownPermits(data, first, last) }
  const history = historyOf(data, shown, last)
  const compressed = (name: string, text: string) => ({
    path: `sample/data/${name}.gz`,
    bytes: gzipSync(text, { level: 9 }),
  })
  const filesOf = (market: string) => {
    const ofMarket = (name: string, value: unknown) => {
      if (name in history) return (value as { market: string }[]).filter((row) => row.market === market)
      return isSampleDate(name) ? dayOf(value as string) - first : value
    }
    return [
      { path: 'sample/data/about.json', bytes: Buffer.from(`${JSON.stringify(about)}\n`) },
      ...sampleFeeds.map((feed) => compressed(`${feed}.csv`, feedText(states[feed], market, first))),
      compressed('layers.json', JSON.stringify(layersOf(data, market, first))),
      compressed('streets.json', JSON.stringify(streetsOf(market, data.neighborhoods))),
      compressed('history.json', JSON.stringify(history, ofMarket)),
    ]
  }
  return new Map(sampleMarkets.map((market) => [market, filesOf(market)]))
}

/** States of a record follow each other: they differ in a few cells, so that a further one takes few compressed bytes. */
function feedText(records: readonly (readonly RecordState[])[], market: string, first: Day): string {
  const columns = Object.keys(records.find(([state]) => state)![0]!.state)
  const ordered = [...columns.filter(isSampleDate), ...columns.filter((column) => !isSampleDate(column))]
  const lines = records
    .filter(([state]) => state?.state.market === market)
    .flatMap((states) =>
      states.map(({ from, state: row }, at) => {
        const until = states[at + 1]?.from
        const cells = ordered.map((name) =>
          isSampleDate(name) && row[name] !== undefined ? dayOf(row[name] as string) - first : row[name],
        )
        return [from - first, until && until - first, ...cells].map(csvCell).join(',')
      }),
    )
  return [['day', 'until', ...ordered].join(','), ...lines, ''].join('\n')
}
