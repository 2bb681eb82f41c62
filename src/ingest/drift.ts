// Compares a run with the last one before anything is loaded. A feed that lost a field, changed its units, was cut off or is
// suddenly rejected would replace good records; the run fails with the figures and the operator may accept it once.
import type { FeedProfile, SourceConfig } from '../domain/packs/source-config.ts'
import { SourceError } from '../sources/source.ts'
import type { StagedRow } from '../store/ingest/stage.ts'
import { parcelName, saleName } from './facts.ts'
import { rulesOf } from './map.ts'

/** Below this number a share says little. */
const fewestRows = 20
/** Below this number a median says little. */
const fewestOfMedian = 200
/** A field that fewer rows have may come and go. */
const leastShare = 0.1
/** A field with less than this part of its former share was lost. */
const leastPart = 0.5
const defaults = { maxRejectedPct: 5, maxRejectedFactor: 3, maxMedianFactor: 1.5, maxMedianYears: 5, minRowsPct: 50 }

/** `earlier` are the profiles of completed runs, the last one first. */
export const driftProblems = (config: SourceConfig, earlier: readonly FeedProfile[], now: FeedProfile): string[] => {
  // Runs of the whole feed are compared with each other, and so are runs that ask only for changes. A request for changes
  // often returns few rows, which say nothing.
  const before = earlier.find(
    ({ changesOnly, rows }) => changesOnly === now.changesOnly && (!changesOnly || rows >= fewestRows),
  )
  if (!before) return []
  return [
    ...missingRows(config, before, now),
    ...moreRejected(config, before, now),
    ...lostFields(config, before, now),
    ...movedMedians(config, before, now),
  ]
}

/** A complete feed has its own limit, for the rows that would be removed (`maxGonePct`). */
const missingRows = (config: SourceConfig, before: FeedProfile, now: FeedProfile): string[] => {
  const minRowsPct = config.drift?.minRowsPct ?? (config.complete ? undefined : defaults.minRowsPct)
  if (minRowsPct === undefined || now.changesOnly || before.rows === 0) return []
  const isFew = before.rows < fewestRows ? now.rows === 0 : Math.round((100 * now.rows) / before.rows) <= minRowsPct
  return isFew ? [`${count(now.rows)} rows can be loaded, ${count(before.rows)} in the last run`] : []
}

const moreRejected = (config: SourceConfig, before: FeedProfile, now: FeedProfile): string[] => {
  if (before.rejected === undefined || now.rejected === undefined || now.rows + now.rejected < fewestRows) return []
  const { maxRejectedPct, maxRejectedFactor } = { ...defaults, ...config.drift }
  const share = now.rejected / (now.rows + now.rejected)
  const shareBefore = before.rejected / Math.max(1, before.rows + before.rejected)
  return share > maxRejectedPct / 100 && share > maxRejectedFactor * shareBefore
    ? [`${percent(share)} of the rows are rejected, ${percent(shareBefore)} in the last run`]
    : []
}

const lostFields = (config: SourceConfig, before: FeedProfile, now: FeedProfile): string[] => {
  if (before.rows < fewestRows || now.rows < fewestRows) return []
  return Object.entries(before.fields)
    .map(([field, rows]) => ({ field, before: rows / before.rows, now: (now.fields[field] ?? 0) / now.rows }))
    .filter((share) => share.before >= leastShare && share.now < leastPart * share.before)
    .filter(({ field }) => isMapped(config, field))
    .map((share) => `rows with a value in ${share.field} fell from ${percent(share.before)} to ${percent(share.now)}`)
}

const movedMedians = (config: SourceConfig, before: FeedProfile, now: FeedProfile): string[] => {
  const { maxMedianFactor, maxMedianYears } = { ...defaults, ...config.drift }
  return Object.entries(now.medians ?? {}).flatMap(([field, median]) => {
    const old = before.medians?.[field]
    if (old === undefined) return []
    const hasMoved = isYear(field)
      ? Math.abs(median - old) >= maxMedianYears
      : Math.max(median / old, old / median) >= maxMedianFactor
    const text = (value: number) => (isYear(field) ? String(value) : count(value))
    return hasMoved ? [`the median of ${field} moved from ${text(old)} to ${text(median)}`] : []
  })
}

const isYear = (field: string): boolean => field.startsWith('year')
const hasMedian = (field: string): boolean => /(Usd|[sS]qft)$/.test(field) || isYear(field)

/** Throws if there are problems that the operator did not accept. */
export const rejectDrift = (problems: readonly string[]): void => {
  if (problems.length === 0) return
  throw new SourceError(
    'drift',
    `The feed differs from the last run: ${problems.join('; ')}. It has probably changed its fields, units or length. Nothing was changed. Compare the mapping with the feed (lotline ingest --check FILE); if the feed is right, load it once with --accept "the reason".`,
  )
}
const percent = (share: number): string => `${Math.round(100 * share)}%`
const count = (value: number): string => value.toLocaleString('en-US')

/** A field the operator no longer maps is meant to be empty. */
const isMapped = (config: SourceConfig, field: string): boolean => {
  if (config.sameNames || field === 'lat' || field === 'lng') return true
  const rules = rulesOf(config)
  return Object.keys(rules).some((name) => columnsOf(name).includes(field))
}

/** The columns that a mapped field fills. */
export const columnsOf = (field: string): readonly string[] =>
  fieldColumns[field] ?? (field.startsWith('overlay.') ? ['overlays'] : [field])
const fieldColumns: Readonly<Record<string, readonly string[]>> = {
  valuation: ['valuationUsd', 'rawValuation'],
  storeys: ['stories'],
  recordId: ['sourceRecordId'],
  status: ['status', 'rawStatus'],
}

/**
 * Whether a staged row has a value of the feed for a column. The address of a parcel without one is its number, "Parcel 12-34", and
 * the id of a sale without one its place and day.
 */
export const isFilled = (staged: Readonly<Record<string, unknown>>, name: string): boolean =>
  staged[name] !== undefined &&
  !(name === 'address' && staged.address === parcelName(staged.apn)) &&
  !(name === 'saleId' && staged.saleId === saleName(staged))

/** Counts the values of accepted rows. Derived and bookkeeping columns say nothing about the feed. */
export const feedProfile = (): {
  count(staged: StagedRow): void
  result(): Required<Pick<FeedProfile, 'fields' | 'medians'>>
} => {
  const fields = new Map<string, number>()
  const samples = new Map<string, Sample>()
  return {
    count: (staged) => {
      for (const name in staged) {
        if (uncounted.has(name) || !isFilled(staged, name)) continue
        const rows = fields.get(name)
        fields.set(name, (rows ?? 0) + 1)
        if (rows === undefined && hasMedian(name)) samples.set(name, { values: [], every: 1 })
        const sample = samples.get(name)
        // A garage of 0 sq ft is no area: a median that counts it jumps when half of the homes have none.
        if (sample && staged[name] !== 0 && (rows ?? 0) % sample.every === 0) addTo(sample, staged[name] as number)
      }
    },
    result: () => ({
      fields: Object.fromEntries(fields),
      medians: Object.fromEntries(
        [...samples]
          .filter(([, { values }]) => values.length >= fewestOfMedian)
          .map(([name, { values }]) => [name, values.sort((a, b) => a - b)[values.length >> 1]!]),
      ),
    }),
  }
}

/** Every n-th value, so that the memory of a large feed stays small. */
interface Sample {
  values: number[]
  every: number
}
const largestSample = 20_000
const addTo = (sample: Sample, value: number): void => {
  sample.values.push(value)
  if (sample.values.length < largestSample) return
  sample.values = sample.values.filter((_, at) => at % 2 === 0)
  sample.every *= 2
}
const uncounted = new Set([
  'n',
  'raw',
  'id',
  'market',
  'state',
  'city',
  'citySlug',
  'addressKey',
  'apnKey',
  'permitClass',
  'classWords',
  'overlays',
  'modifiedAt',
  'datedOn',
  // Set when something happens to a record, so their share follows the market and not the form of the feed.
  'pendingOn',
  'soldOn',
  'soldPriceUsd',
  'finaledOn',
])
