// Watches: which changes of a record a watch announces. Runs and the estimate of announcements per week use the same functions.
import type { Condition, SearchRow } from '../criteria/conditions.ts'
import { meets } from '../criteria/conditions.ts'
import { readSearch } from '../criteria/read.ts'
import type { CriteriaInput } from '../criteria/table.ts'
import { isOnMarket } from '../domain/facts.ts'

export const watchKinds = ['listings', 'parcels', 'permits'] as const
export type WatchKind = (typeof watchKinds)[number]

export const watchTriggers = ['entered', 'left', 'price', 'status', 'score', 'permit'] as const
export type WatchTrigger = (typeof watchTriggers)[number]

export const watchCadences = ['instant', 'daily', 'weekly'] as const
export type WatchCadence = (typeof watchCadences)[number]

/** A permit has no price and no score. */
export const permitTriggers: readonly WatchTrigger[] = ['entered', 'left', 'status']

/** Criteria whose outcome changes without a change of the row: by the calendar, or with the rows of others. */
export const movingCriteria = ['maxDaysOnMarket', 'minTeardownPercentile', 'minFlippabilityPercentile'] as const

/**
 * The criteria of a stored watch, which were checked when it was saved. A percentile is tested with the one kept in the row. Bounds
 * of numbers come first: they are the quickest to test and reject most rows.
 */
export const watchConditions = (kind: WatchKind, criteria: CriteriaInput): readonly Condition[] => {
  const { conditions } = readSearch(criteria, { kind, maxPositions: Number.POSITIVE_INFINITY })
  const isBound = ({ type }: Condition) => type === 'atLeast' || type === 'atMost'
  return [...conditions.filter(isBound), ...conditions.filter((each) => !isBound(each))]
}

export interface RecordChange {
  /** Undefined for a record that is new. */
  before: SearchRow | undefined
  after: SearchRow
  /** A score changed by the threshold of property.score_updated or more. */
  scored?: boolean
  /** A permit of the home was recorded or changed its status. */
  permit?: boolean
}

/** What a change is to a search: empty if the record meets it neither before nor after. */
export const triggersOf = (
  kind: WatchKind,
  conditions: readonly Condition[],
  { before, after, scored = false, permit = false }: RecordChange,
): WatchTrigger[] => {
  const [from, to] = [rowAs(kind, before), rowAs(kind, after)]
  const was = from !== undefined && meets(conditions, from)
  const is = to !== undefined && meets(conditions, to)
  if (!was && !is) return []
  const [oldPrice, price] = [from?.numbers.price, to?.numbers.price]
  const found: Record<WatchTrigger, boolean> = {
    entered: is && !was,
    left: was && !is,
    price: oldPrice !== undefined && price !== undefined && oldPrice !== price,
    status: before?.texts.status !== undefined && before.texts.status !== after.texts.status,
    score: scored,
    permit: is && permit,
  }
  return watchTriggers.filter((name) => found[name])
}

/** Shown with a match, and read by its triggers. */
const shownFields = ['price', 'status', 'issuedOn', 'teardownScore', 'flippabilityScore', 'returnPct', 'valuation']

/** The row with what the conditions test and a match shows: a match is kept for each watch, and a row has about 70 values. */
export const rowForMatch = (conditions: readonly Condition[]): ((row: SearchRow) => SearchRow) => {
  const types = new Set(conditions.map(({ type }) => type))
  const fields = new Set([...shownFields, ...conditions.flatMap((each) => ('field' in each ? [each.field] : []))])
  const picked = <Value>(values: Readonly<Partial<Record<string, Value>>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => fields.has(name)))
  return ({ numbers, texts, search, addressKey, otherAddressKeys, overlays, percentiles, deal: _, ...row }) => ({
    ...row,
    numbers: picked(numbers),
    texts: picked(texts),
    ...(types.has('words') ? { search } : {}),
    ...(types.has('address') ? { addressKey, otherAddressKeys } : {}),
    ...(types.has('overlay') ? { overlays } : {}),
    ...(types.has('rank') ? { percentiles } : {}),
  })
}

/** The row as a search of this kind reads it: a listing has a status, and a parcel that is not for sale has no price. */
export const rowAs = (kind: WatchKind, row: SearchRow | undefined): SearchRow | undefined => {
  if (row === undefined || kind === 'permits') return row
  const { status } = row.texts
  if (kind === 'listings') return status === undefined ? undefined : row
  if (isOnMarket(status)) return row
  const { price: _, ...numbers } = row.numbers
  return { ...row, numbers }
}

const listingFields = 'price priceCutPct daysOnMarket returnPct flippabilityScore status listedOn soldOn'.split(' ')

/** The row without what its listing says, for a key whose window hides the listing. */
export const withoutListing = (row: SearchRow): SearchRow => {
  const kept = <Value>(values: Readonly<Partial<Record<string, Value>>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !listingFields.includes(name)))
  return { ...row, numbers: kept(row.numbers), texts: kept(row.texts) }
}

/** The row before a change of the listing. Without `previous`, the home was not listed. */
export const rowBeforeListing = (
  row: SearchRow,
  previous: { price?: number | null | undefined; status?: string | null | undefined } | undefined,
): SearchRow => {
  const { price: _, ...numbers } = row.numbers
  const { status: __, ...texts } = row.texts
  return {
    ...row,
    numbers: previous?.price == null ? numbers : { ...numbers, price: previous.price },
    texts: previous?.status == null ? texts : { ...texts, status: previous.status },
  }
}

const recordFields =
  'price priceCutPct daysOnMarket sqft lotSize beds baths yearBuilt garageSqft status listedOn soldOn propertyType zoning'.split(
    ' ',
  )

/** The row with the assessment of another row of the home, for rows whose assessments cannot be compared. */
export const withScoresOf = (assessed: SearchRow, { blocked: _, deal: __, ...row }: SearchRow): SearchRow => {
  const mixed = <Value>(own: Readonly<Partial<Record<string, Value>>>, other: typeof own) =>
    Object.fromEntries([
      ...Object.entries(own).filter(([name]) => recordFields.includes(name)),
      ...Object.entries(other).filter(([name]) => !recordFields.includes(name)),
    ])
  const { blocked, deal, numbers, texts } = assessed
  return {
    ...row,
    ...(blocked === undefined ? {} : { blocked }),
    ...(deal ? { deal } : {}),
    numbers: mixed(row.numbers, numbers),
    texts: mixed(row.texts, texts),
  }
}

/** The row before a permit changed its status. */
export const rowBeforePermit = (row: SearchRow, status: string): SearchRow => {
  const { issuedOn, ...texts } = row.texts
  const wasIssued = issuedOn !== undefined && !['applied', 'in_review', 'approved'].includes(status)
  return { ...row, texts: { ...texts, status, ...(wasIssued ? { issuedOn } : {}) } }
}

/** UTC: in the morning of the United States. */
export const announcedAtHour = 13
const dayMs = 86_400_000

/** The last times at which daily and weekly (Monday) watches were due. */
export const watchSlots = (now: Date): { daily: Date; weekly: Date } => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), announcedAtHour)
  const daily = new Date(today > now.getTime() ? today - dayMs : today)
  return { daily, weekly: new Date(daily.getTime() - ((daily.getUTCDay() + 6) % 7) * dayMs) }
}
