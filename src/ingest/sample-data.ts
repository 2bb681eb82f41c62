// The sample markets as `npm run sample` wrote them to packs/<id>/sample/data. Days are numbers, counted from the day in
// about.json, so that the sample can start on any day:
//
//   about.json        the seed, the first day, and the number of days after it
//   <feed>.csv.gz     every state of every record: shown from `day` until the day before `until`; then its dates, then other cells
//   layers.json.gz    the features of each map layer
//   history.json.gz   what daily runs of the last two years would have kept
//   streets.json.gz   for the map
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tableOf } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import type { ListingStatus, MarketId, PermitStatus } from '../domain/facts.ts'
import { packs } from '../domain/packs/use-packs.ts'
import type { Street } from '../store/map/streets.ts'

/** Parcels first: the other records are matched to them. */
export const sampleFeeds = ['parcels', 'sales', 'listings', 'permits', 'rents'] as const
export type SampleFeed = (typeof sampleFeeds)[number]

/** Map layers, by what they set. They are loaded first, so that the parcels are joined with all of them at once. */
export const sampleLayers = [
  'floodZone',
  'veryHighFire',
  'highFire',
  'faultZone',
  'liquefaction',
  'landslide',
  'coastalZone',
  'wetland',
  'habitat',
  'historicDistrict',
  'hazardousWaste',
  'buildings',
  'stations',
] as const
export type SampleLayer = (typeof sampleLayers)[number]

/** A GeoJSON feature. */
export interface SampleShape {
  type: 'Feature'
  properties: object
  geometry: { type: string; coordinates: unknown }
}

export interface SampleAbout {
  seed: number
  /** YYYY-MM-DD. */
  day: string
  days: number
}

/** All days are YYYY-MM-DD; in the file they are numbers. */
export interface SampleHistory {
  listings: readonly ListingChange[]
  permits: readonly PermitChange[]
  forecasts: readonly Forecast[]
  /** Price levels of each market on past days, as multiples of today's, oldest first. */
  levels: readonly { market: string; on: string; level: number; last: boolean }[]
}

export interface ListingChange {
  market: string
  listingId: string
  on: string
  status: ListingStatus
  priceUsd: number
  previousStatus?: ListingStatus
  previousPriceUsd?: number
}

export interface PermitChange {
  market: string
  city: string
  permitId: string
  on: string
  status: PermitStatus
  previousStatus: PermitStatus
}

export interface Forecast {
  market: string
  apn: string
  model: 'value' | 'bidding-war' | 'teardown'
  madeOn: string
  listingId?: string
  valueUsd?: number
  lowUsd?: number
  highUsd?: number
  probability?: number
}

export const isSampleDate = (column: string): boolean => /^(?:on|asOf)$|On$/.test(column)

const msPerDay = 86_400_000
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / msPerDay
const dayAfter = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * msPerDay))

interface SamplePack extends SampleAbout {
  market: MarketId
  text(file: string): string
}

/** Of the packs that have sample data, in the order of their numbers. */
const samplePacks = (): SamplePack[] =>
  packs()
    .map(({ dir, market }) => ({ market, dir: join(dir, 'sample/data') }))
    .filter(({ dir }) => existsSync(join(dir, 'about.json')))
    .sort((a, b) => a.market.number - b.market.number)
    .map(({ dir, market }) => ({
      ...(JSON.parse(readFileSync(join(dir, 'about.json'), 'utf8')) as SampleAbout),
      market: market.id,
      text: (file) => gunzipSync(readFileSync(join(dir, file))).toString(),
    }))

export const sampleMarkets = (): MarketId[] => samplePacks().map(({ market }) => market)

/** A version with other towns has another seed. */
export const sampleSeed = (): number | undefined => samplePacks()[0]?.seed

/** Days between a generated day and the day it is shown on. Whole weeks, because permit offices work on weekdays. */
export const sampleShift = (firstStart: string): number => {
  const [first] = samplePacks()
  return first ? 7 * Math.floor(daysBetween(first.day, firstStart) / 7) : 0
}

/** The last day the sample can be advanced to. */
export const sampleEnd = (shiftDays: number): string | undefined =>
  samplePacks()
    .map(({ day, days }) => dayAfter(day, days + shiftDays))
    .sort()[0]

interface SampleDays {
  /** The last day already loaded; undefined for a first load. */
  from?: string
  to: string
  shiftDays: number
}

/** Writes feed files to a folder: complete as of `to`, or only the rows that were added or changed after `from`. */
export const writeSampleFeeds = (dir: string, days: SampleDays): { rows: Record<SampleFeed | SampleLayer, number> } => {
  const sample = samplePacks()
  const rows = tableOf(sampleFeeds, (feed) => {
    const parts = sample.map((pack) => feedLines(pack, feed, days))
    const headers = new Set(parts.map(({ header }) => header))
    if (headers.size > 1)
      throw new Error(`The packs have ${feed} of the sample with different columns. Write them again: npm run sample`)
    const lines = parts.flatMap((part) => part.lines)
    writeFileSync(join(dir, `${feed}.csv`), [...headers, ...lines, ''].join('\n'))
    return lines.length
  })
  return { rows: { ...rows, ...writeLayers(dir, days.from === undefined ? sample : []) } }
}

/** Maps have no states: a first load has them all. */
const writeLayers = (dir: string, sample: readonly SamplePack[]): Record<SampleLayer, number> => {
  const layers = sample.map(
    (pack) => JSON.parse(pack.text('layers.json.gz')) as Partial<Record<SampleLayer, SampleShape[]>>,
  )
  return tableOf(sampleLayers, (layer) => {
    const features = layers.flatMap((each) => each[layer] ?? [])
    if (features.length > 0)
      writeFileSync(join(dir, `${layer}.geojson`), JSON.stringify({ type: 'FeatureCollection', features }))
    return features.length
  })
}

/** Dates come first and no cell has a line break, so that a row is split only as far as its dates. */
const feedLines = (pack: SamplePack, feed: SampleFeed, { from, to, shiftDays }: SampleDays) => {
  const first = dayAfter(pack.day, shiftDays)
  const [after, last] = [
    from === undefined ? Number.NEGATIVE_INFINITY : daysBetween(first, from),
    daysBetween(first, to),
  ]
  const [header, ...all] = pack.text(`${feed}.csv.gz`).trimEnd().split('\n')
  const [, , ...columns] = header!.split(',')
  const dateCount = columns.findIndex((column) => !isSampleDate(column))
  const lines = all.flatMap((line) => {
    const cells = line.split(',', 2 + dateCount)
    const [day, until, ...dates] = cells
    if (Number(day) <= after || Number(day) > last || (until !== '' && Number(until) <= last)) return []
    const others = line.slice(cells.join(',').length + 1)
    return [[...dates.map((date) => date && dayAfter(first, Number(date))), others].join(',')]
  })
  return { header: columns.join(','), lines }
}

/** Up to and including `today`. */
export const sampleHistory = (today: string, shiftDays: number): SampleHistory => {
  const histories = samplePacks().map(
    (pack) =>
      JSON.parse(pack.text('history.json.gz'), (name, value) =>
        isSampleDate(name) ? dayAfter(pack.day, value + shiftDays) : value,
      ) as SampleHistory,
  )
  return {
    listings: histories.flatMap(({ listings }) => listings).filter(({ on }) => on <= today),
    permits: histories.flatMap(({ permits }) => permits).filter(({ on }) => on <= today),
    forecasts: histories.flatMap(({ forecasts }) => forecasts).filter(({ madeOn }) => madeOn <= today),
    levels: histories.flatMap(({ levels }) => levels),
  }
}

export const sampleStreets = (): Street[] =>
  samplePacks().flatMap((pack) => JSON.parse(pack.text('streets.json.gz')) as Street[])
