// Other readings of a searchable row: as a search of one kind sees it, before a change, without its listing, or with what a match keeps.
import { isOnMarket } from '../domain/facts.ts'
import type { Condition, SearchRow } from './conditions.ts'
import { hiddenWithListing, recordedOfHome, type SearchField } from './search-columns.ts'
import type { SearchKind } from './table.ts'

/** The row as a search of this kind reads it: a listing has a status, and a parcel that is not for sale has no price. */
export const rowAs = (kind: SearchKind, row: SearchRow | undefined): SearchRow | undefined => {
  if (row === undefined || kind === 'permits') return row
  const { status } = row.texts
  if (kind === 'listings') return status === undefined ? undefined : row
  if (isOnMarket(status)) return row
  const { price: _, ...numbers } = row.numbers
  return { ...row, numbers }
}

/** Shown with a match, and read by its triggers. */
const shownFields = [
  'price',
  'status',
  'issuedOn',
  'teardownScore',
  'flippabilityScore',
  'returnPct',
  'returnAtExpectedPct',
  'valuation',
] as const satisfies readonly SearchField[]

/** The row with what the conditions test and a match shows: a match is kept for each watch, and a row has about 70 values. */
export const rowForMatch = (conditions: readonly Condition[]): ((row: SearchRow) => SearchRow) => {
  const types = new Set(conditions.map(({ type }) => type))
  const fields = new Set<string>([
    ...shownFields,
    ...conditions.flatMap((each) => ('field' in each ? [each.field] : [])),
  ])
  const isKept = (name: string) => fields.has(name)
  return ({ numbers, texts, search, addressKey, otherAddressKeys, overlays, percentiles, deal: _, ...row }) => ({
    ...row,
    numbers: only(numbers, isKept),
    texts: only(texts, isKept),
    ...(types.has('words') ? { search } : {}),
    ...(types.has('address') ? { addressKey, otherAddressKeys } : {}),
    ...(types.has('overlay') ? { overlays } : {}),
    ...(types.has('rank') ? { percentiles } : {}),
  })
}

/** The row without what its listing says, for a key whose window hides the listing. */
export const withoutListing = (row: SearchRow): SearchRow => {
  const isSeen = (name: string) => !hiddenWithListing.has(name)
  return { ...row, numbers: only(row.numbers, isSeen), texts: only(row.texts, isSeen) }
}

const only = <Value>(values: Readonly<Partial<Record<string, Value>>>, isKept: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))

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

/** The row with the assessment of another row of the home, for rows whose assessments cannot be compared. */
export const withScoresOf = (assessed: SearchRow, { blocked: _, deal: __, ...row }: SearchRow): SearchRow => {
  const isRecorded = (name: string) => recordedOfHome.has(name)
  const mixed = <Value>(recorded: Readonly<Partial<Record<string, Value>>>, other: typeof recorded) => ({
    ...only(recorded, isRecorded),
    ...only(other, (name) => !isRecorded(name)),
  })
  const { blocked, deal, numbers, texts } = assessed
  return {
    ...row,
    ...(blocked === undefined ? {} : { blocked }),
    ...(deal ? { deal } : {}),
    numbers: mixed(row.numbers, numbers),
    texts: mixed(row.texts, texts),
  }
}

export const rowBeforePermit = (row: SearchRow, status: string): SearchRow => {
  const { issuedOn, ...texts } = row.texts
  const wasIssued = issuedOn !== undefined && !['applied', 'in_review', 'approved'].includes(status)
  return { ...row, texts: { ...texts, status, ...(wasIssued ? { issuedOn } : {}) } }
}
