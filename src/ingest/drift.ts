// Compares a run with the last one before anything is loaded. A feed that lost a field, changed its units, was cut off or is
// suddenly rejected would replace good records; the run fails with the figures and the operator may accept it once.

import { valueAt } from '../common/typed.ts'
import { type FactName, factNames, factTable } from '../domain/fact-table.ts'
import type { PermitStatus } from '../domain/facts.ts'
import type { FeedProfile, SourceConfig } from '../domain/packs/source-config.ts'
import { spearman } from '../intelligence/statistics/rank-correlation.ts'
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

/** `earlier` are the profiles of completed runs, the last one first. `listsColumns`: the feed was checked for the mapped columns. */
export const driftProblems = (
  config: SourceConfig,
  earlier: readonly FeedProfile[],
  now: FeedProfile,
  listsColumns = false,
): string[] => {
  // Runs of the whole feed are compared with each other, and so are runs that ask only for changes. A request for changes
  // often returns few rows, which say nothing.
  const before = earlier.find(
    ({ changesOnly, rows }) => changesOnly === now.changesOnly && (!changesOnly || rows >= fewestRows),
  )
  const vanished = vanishedFields(config, earlier, now, listsColumns)
  if (!before) return [...new Map(vanished).values()]
  const lost = lostFields(config, earlier, before, now)
  return [
    ...missingRows(config, before, now),
    ...moreRejected(config, before, now),
    // Of a field that both find, the loss beside the last comparable run is named.
    ...new Map([...lost, ...vanished, ...lost]).values(),
    ...movedMedians(config, before, now),
    ...oneValueEverywhere(before, now),
    ...brokenLinks(before, now),
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

type Loss = readonly [field: string, problem: string]
const lossOf = (column: string, before: number, now: number): Loss => [
  mappedAs(column),
  `rows with a value in ${mappedAs(column)} fell from ${percent(before)} to ${percent(now)}`,
]

const lostFields = (
  config: SourceConfig,
  earlier: readonly FeedProfile[],
  before: FeedProfile,
  now: FeedProfile,
): Loss[] => {
  const since = earlier.slice(0, earlier.indexOf(before))
  const rowsDue = rowsDueAfter(earlier)
  const share = (run: FeedProfile, field: string) => (run.fields[field] ?? 0) / rowsDue(run, field)
  return Object.keys(before.fields)
    .filter((field) => Math.min(rowsDue(before, field), rowsDue(now, field)) >= fewestRows)
    .map((field) => ({ field, before: share(before, field), now: share(now, field) }))
    .filter((share) => share.before >= leastShare && share.now < leastPart * share.before)
    .filter(({ field }) => isMapped(config, field) && !isKnownLoss(field, since))
    .map((share) => lossOf(share.field, share.before, share.now))
}

/**
 * The rows of a run that should have a value. In a run of changes, permits that are applied for have no issue date yet. Their status
 * says so, unless issued ones had it too, as with "open".
 */
type RowsDue = (run: FeedProfile, field: string) => number
const rowsDueAfter = (earlier: readonly FeedProfile[]): RowsDue => {
  const sum = (of: 'dated' | 'undated') => earlier.reduce((total, { unissued }) => total + (unissued?.[of] ?? 0), 0)
  const saysNothing = sum('dated') > sum('undated')
  return ({ rows, changesOnly, unissued }, field) =>
    field === 'issuedOn' && changesOnly && !saysNothing ? rows - (unissued?.undated ?? 0) : rows
}

/** A later run without a value was accepted. */
const isKnownLoss = (field: string, runs: readonly FeedProfile[]): boolean => {
  const last = runs.find((run) => run.fields[field] || run.accepted)
  return last !== undefined && !last.fields[field]
}

/**
 * A renamed column of a feed that is read for changes: a run of a few rows has no value in the field, and neither have the small runs
 * before it. Loaded, it would empty the field of those rows, and every later run more of them. A column that the service still lists
 * may be empty in a few rows, not in many. What an accepted run or a run of the whole feed lacked is known to be missing.
 */
const vanishedFields = (
  config: SourceConfig,
  earlier: readonly FeedProfile[],
  now: FeedProfile,
  listsColumns: boolean,
): Loss[] => {
  if (!now.changesOnly || now.rows === 0) return []
  const fields = new Set(earlier.flatMap((run) => Object.keys(run.fields)))
  const rowsDue = rowsDueAfter(earlier)
  return [...fields].flatMap((field) => {
    const last = earlier.findIndex((run) => run.fields[field] || run.accepted || !run.changesOnly)
    if (!earlier[last]?.fields[field]) return []
    const rows = [now, ...earlier.slice(0, last)].reduce((sum, run) => sum + rowsDue(run, field), 0)
    let [known, filled] = [0, 0]
    for (const run of earlier.slice(last))
      if (known < fewestRows) [known, filled] = [known + rowsDue(run, field), filled + (run.fields[field] ?? 0)]
    const isChance = (1 - filled / known) ** rows >= 0.001 || (listsColumns && rows < fewestRows)
    return now.fields[field] || known < fewestRows || isChance || !isMapped(config, field)
      ? []
      : [lossOf(field, filled / known, 0)]
  })
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
    return hasMoved ? [`the median of ${mappedAs(field)} moved from ${text(old)} to ${text(median)}`] : []
  })
}

/** A column filled with one value (waterfront everywhere), which it was not before. */
const oneValueEverywhere = (before: FeedProfile, now: FeedProfile): string[] =>
  Object.entries(now.common ?? {}).flatMap(([field, { value, share }]) => {
    const old = before.common?.[field]
    const isNew = old && (old.value !== value || old.share < leastCommon.before)
    return isNew && share >= leastCommon.now
      ? [`${field} is ${value} in ${percent(share)} of the rows; ${old.value} in ${percent(old.share)} in the last run`]
      : []
  })
const leastCommon = { now: 0.9, before: 0.75 }

/** Facts that no longer go together: a column moved by a row has the same median and says nothing about its home. */
const brokenLinks = (before: FeedProfile, now: FeedProfile): string[] =>
  Object.entries(now.links ?? {}).flatMap(([pair, link]) => {
    const old = before.links?.[pair] ?? 0
    return old >= leastLink && link < old / 3
      ? [`${pair.replace(', ', ' and ')} no longer go together: correlation ${old.toFixed(2)}, now ${link.toFixed(2)}`]
      : []
  })
const leastLink = 0.3
const mostLinked = 4_000
const linked = ['livingSqft', 'lotSqft', 'beds', 'baths', 'yearBuilt', 'quality', 'basementSqft', 'priceUsd'] as const
const linkPairs = linked.flatMap((one, at) => linked.slice(at + 1).map((other) => [one, other] as const))

const isYear = (field: string): boolean => field.startsWith('year')
const homeFacts = new Set<string>(factNames.filter((name) => factTable[name].of === 'home'))
const isNumber = (field: string): boolean =>
  homeFacts.has(field) && /^(number|integer|year)$/.test(factTable[field as FactName].type)
const hasMedian = (field: string): boolean => /(Usd|[sS]qft)$/.test(field) || isYear(field) || isNumber(field)

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
/** What a mapping calls a column. */
const mappedAs = (column: string): string =>
  Object.keys(fieldColumns).find((field) => columnsOf(field).includes(column)) ?? column

/**
 * Whether a staged row has a value of the feed for a column. The address of a parcel without one is its number, "Parcel 12-34", and
 * the id of a sale without one its place and day.
 */
export const isFilled = (staged: Readonly<Record<string, unknown>>, name: string): boolean =>
  staged[name] !== undefined &&
  !(name === 'address' && staged.address === parcelName(staged.apn)) &&
  !(name === 'saleId' && staged.saleId === saleName(staged))

/** Counts the values of accepted rows. Derived and bookkeeping columns say nothing about the feed. */
export const feedProfile = () => {
  const fields = new Map<string, number>()
  const samples = new Map<string, Sample>()
  const values = new Map<string, Map<string, number>>()
  const rows: Sample<readonly number[]> = { values: [], every: 1 }
  let counted = 0
  const unissued = { dated: 0, undated: 0 }
  return {
    count: (staged: StagedRow): void => {
      if (beforeIssue.has(staged.status)) unissued[staged.issuedOn === undefined ? 'undated' : 'dated'] += 1
      if (counted++ % rows.every === 0)
        addTo(
          rows,
          linked.map((name) => Number(staged[name as keyof StagedRow] ?? Number.NaN)),
        )
      for (const name in staged) {
        if (uncounted.has(name) || !isFilled(staged, name)) continue
        const before = fields.get(name) ?? 0
        fields.set(name, before + 1)
        if (homeFacts.has(name)) countValue(values, name, String(staged[name]))
        if (before === 0 && hasMedian(name)) samples.set(name, { values: [], every: 1 })
        const sample = samples.get(name)
        // A garage of 0 sq ft is no area: a median that counts it jumps when half of the homes have none.
        if (sample && staged[name] !== 0 && before % sample.every === 0) addTo(sample, staged[name] as number)
      }
    },
    result: () => ({
      fields: Object.fromEntries(fields),
      ...(unissued.dated + unissued.undated > 0 ? { unissued } : {}),
      medians: Object.fromEntries(
        [...samples]
          .filter(([, { values }]) => values.length >= fewestOfMedian)
          .map(([name, { values }]) => [name, values.sort((a, b) => a - b)[values.length >> 1]!]),
      ),
      common: Object.fromEntries(
        [...values].flatMap(([name, counts]) => {
          const [value, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
          const known = fields.get(name)!
          return known < fewestOfMedian ? [] : [[name, { value, share: most / known }] as const]
        }),
      ),
      links: Object.fromEntries(
        linkPairs.flatMap(([one, other]) => {
          const [a, b] = [linked.indexOf(one), linked.indexOf(other)]
          const both = rows.values.filter((row) => row[a]! > 0 && row[b]! > 0).slice(0, mostLinked)
          const [ofOne, ofOther] = [a, b].map((at) => both.map((row) => row[at]!)) as [number[], number[]]
          return both.length < fewestOfMedian ? [] : [[`${one}, ${other}`, spearman(ofOne, ofOther)] as const]
        }),
      ),
    }),
  }
}

/** Of permits. */
const beforeIssue: ReadonlySet<unknown> = new Set(['applied', 'in_review', 'approved'] satisfies PermitStatus[])

/** Values beyond these are not the most common one of a column that is filled with one value. */
const mostValues = 200
const countValue = (values: Map<string, Map<string, number>>, name: string, value: string): void => {
  const counts = valueAt(values, name, () => new Map())
  const known = counts.get(value)
  if (known !== undefined || counts.size < mostValues) counts.set(value, (known ?? 0) + 1)
}

/** Every n-th value, so that the memory of a large feed stays small. */
interface Sample<T = number> {
  values: T[]
  every: number
}
const largestSample = 20_000
const addTo = <T>(sample: Sample<T>, value: T): void => {
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
