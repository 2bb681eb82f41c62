// The sample markets as the packs have them (see src/ingest/sample-data.ts): all states of all records until the last day, and
// what a first load writes besides.
import { gzipSync } from 'node:zlib'
import { isSampleDate, type SampleAbout, type SampleFeed, sampleFeeds } from '../../src/ingest/sample-data.ts'
import { type Day, dayOf } from './calendar.ts'
import type { Cell } from './feeds.ts'
import { feedStates, quoted, type RecordState, shownBetween } from './generate.ts'
import { historyOf } from './history.ts'
import { layersOf } from './layers.ts'
import { defaultSeed } from './random.ts'
import { streetsOf } from './roads.ts'
import { buildSampleData } from './sample-data.ts'
import { sampleMarkets } from './zones.ts'

/** With new towns, also the day can be a new one. With the same seed it stays: samples that are loaded count from it. */
const about: SampleAbout = { seed: defaultSeed, day: '2026-11-17', days: 730 }
/** A first start is on the first day or one of the six after it. */
const lastStart = 6

type ShippedFile = ReturnType<typeof compressed>

/** The files of each market. */
export function shippedSample(): Map<string, ShippedFile[]> {
  const first = dayOf(about.day)
  const data = buildSampleData(about.seed, first + about.days)
  const states = feedStates(data, first)
  const history = historyOf({ ...data, today: first + lastStart }, shownBetween(data, first, first + lastStart))
  const withNumbers = (value: unknown) =>
    JSON.stringify(value, (name, each) => (isSampleDate(name) ? dayOf(each) - first : each))
  const files = (market: string): ShippedFile[] => {
    const inMarket = <Row extends { market: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.market === market)
    const { listings, permits, forecasts, levels } = history
    return [
      { path: 'about.json', bytes: Buffer.from(`${JSON.stringify(about)}\n`) },
      ...sampleFeeds.map((feed) => compressed(`${feed}.csv`, feedText(feed, states[feed], market, first))),
      compressed('layers.json', JSON.stringify(layersOf(data, market, first))),
      compressed('streets.json', JSON.stringify(streetsOf(market, data.neighborhoods))),
      compressed(
        'history.json',
        withNumbers({
          listings: inMarket(listings),
          permits: inMarket(permits),
          forecasts: inMarket(forecasts),
          levels: inMarket(levels),
        }),
      ),
    ].map(({ path, bytes }) => ({ path: `sample/data/${path}`, bytes }))
  }
  return new Map(sampleMarkets().map((market) => [market, files(market)]))
}

const compressed = (name: string, text: string) => ({
  /** Within the folder of the pack. */
  path: `${name}.gz`,
  bytes: gzipSync(text, { level: 9 }),
})

/** States of a record follow each other: they differ in a few cells, so that a further one takes few compressed bytes. */
function feedText(feed: SampleFeed, records: readonly (readonly RecordState[])[], market: string, first: Day): string {
  const columns = Object.keys(records.find((states) => states.length > 0)![0]!.row)
  const ordered = columns.toSorted((a, b) => Number(isSampleDate(b)) - Number(isSampleDate(a)))
  const cellOf = (cell: Cell, name: string): Cell =>
    isSampleDate(name) && cell !== undefined ? dayOf(cell as string) - first : cell
  const lines = records
    .filter((states) => states[0]?.row.market === market)
    .flatMap((states) =>
      states.map(({ from, row }, at) => {
        const until = states[at + 1]?.from
        const cells = ordered.map((name) => cellOf(row[name], name))
        return [from - first, until && until - first, ...cells].map(quoted).join(',')
      }),
    )
  const broken = lines.find((line) => line.includes('\n'))
  if (broken) throw new Error(`a cell of ${feed} has a line break, which the service does not read: ${broken}`)
  return `${['day', 'until', ...ordered].join(',')}\n${lines.join('\n')}\n`
}
