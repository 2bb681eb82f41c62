// Detects a feed that still has its rows but lost a field: a renamed or emptied column would erase the values of every record.
import type { FieldCounts, SourceConfig } from '../contract/source-config.ts'
import { SourceError } from '../sources/source.ts'
import { parcelName } from './facts.ts'
import { rulesOf } from './map.ts'

/** Below this number a share says little. */
const fewestRows = 20
/** A field that fewer rows have may come and go. */
const leastShare = 0.1
/** A field with less than this part of its former share was lost. */
const leastPart = 0.5

interface Drift {
  field: string
  before: number
  now: number
}

const driftOf = (config: SourceConfig, before: FieldCounts | undefined, now: FieldCounts): Drift[] => {
  if (!before || before.rows < fewestRows || now.rows < fewestRows || before.changesOnly !== now.changesOnly) return []
  return Object.entries(before.fields)
    .map(([field, rows]) => ({ field, before: rows / before.rows, now: (now.fields[field] ?? 0) / now.rows }))
    .filter(
      (field) => field.before >= leastShare && field.now < leastPart * field.before && isMapped(config, field.field),
    )
}

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

export const rejectDrift = (config: SourceConfig, before: FieldCounts | undefined, now: FieldCounts): void => {
  const lost = driftOf(config, before, now)
  if (lost.length === 0) return
  const shares = lost.map(({ field, ...share }) => `${field} from ${percent(share.before)} to ${percent(share.now)}`)
  throw new SourceError(
    'drift',
    `The share of rows with a value fell sharply since the last run: ${shares.join(', ')}. The feed has probably renamed or emptied a field. Nothing was changed. Compare the mapping with the feed (lotline ingest --check FILE); if the feed is right, load it once with --accept-drift.`,
  )
}
const percent = (share: number): string => `${Math.round(100 * share)}%`

/** Whether a staged row has a value of the feed for a column. The address of a parcel without one is its number, "Parcel 12-34". */
export const isFilled = (staged: Readonly<Record<string, unknown>>, name: string): boolean =>
  staged[name] !== undefined && !(name === 'address' && staged.address === parcelName(staged.apn))

/** Counts the values of accepted rows. Derived and bookkeeping columns say nothing about the feed. */
export const fieldCounter = (): {
  count(staged: Readonly<Record<string, unknown>>): void
  filled(): FieldCounts['fields']
} => {
  const fields = new Map<string, number>()
  return {
    count: (staged) => {
      for (const name in staged)
        if (!uncounted.has(name) && isFilled(staged, name)) fields.set(name, (fields.get(name) ?? 0) + 1)
    },
    filled: () => Object.fromEntries(fields),
  }
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
