// One dated list of what happened to a home, newest first, within the caller's history window.
import { dollars } from '../common/dollars.ts'
import { pick } from '../common/typed.ts'
import { isOnMarket } from '../domain/facts.ts'
import type { StoredTimeline } from '../store/properties/timeline.ts'
import { leastValuePct, type MovedInput, type TimelineEntry } from '../wire/timeline.ts'

/** `since` is the start of the history window. `hidden`: it hides the price, and with it what is computed from the price. */
export const timelineOf = (stored: StoredTimeline, since?: string, hidden = false): TimelineEntry[] =>
  [
    ...listingEntries(stored, since),
    ...stored.sales.map(({ soldOn, priceUsd }) => ({
      date: soldOn,
      kind: 'sale' as const,
      price: priceUsd,
      text: `Sold for ${dollars(priceUsd)}.`,
    })),
    ...stored.permits.flatMap(permitEntry),
    ...stored.permitChanges.flatMap((change) => permitChangeEntry(change, since)),
    ...valuesOf(stored, hidden).filter(hasMoved).map(valueEntry),
  ]
    .filter((entry) => since === undefined || entry.date >= since || onMarketKinds.has(entry.kind))
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))

const valuesOf = ({ values }: StoredTimeline, hidden: boolean) => (hidden ? values.flatMap(withoutPrice) : values)

/** The changes of the value and the return since `from` as one, from before the first to after the last. */
export const valueMovesSince = (stored: StoredTimeline, from: string, hidden = false): TimelineEntry | undefined => {
  const recent = valuesOf(stored, hidden).filter(({ changedOn }) => changedOn >= from)
  const [last, first] = [recent[0], recent.at(-1)]
  if (!last || !first) return undefined
  const joined = { ...last, ...pick(first, 'previousValueUsd', 'previousReturnPct') }
  if (!hasMoved(joined)) return undefined
  const moved = [...Map.groupBy(recent.flatMap((row) => row.moved).reverse(), ({ input }) => input)].flatMap(
    ([input, each]) => {
      const [{ from: before }, { to }] = [each[0]!, each.at(-1)!]
      if (input !== 'model' && before === to) return []
      return [{ input, from: before, to }]
    },
  )
  return valueEntry({ ...joined, moved })
}

/** Filtered by their listing instead of their day. */
const onMarketKinds: ReadonlySet<string> = new Set(['listed', 'price', 'status'])

const listingEntries = ({ listings, listingChanges }: StoredTimeline, since?: string): TimelineEntry[] =>
  listings.flatMap((listing) => {
    const changes = listingChanges
      .filter(({ sourceId, listingId }) => sourceId === listing.sourceId && listingId === listing.listingId)
      .reverse()
    const first = changes[0]?.previousPriceUsd ?? changes[0]?.priceUsd ?? listing.originalPriceUsd ?? listing.priceUsd
    const entries = changes.flatMap(changeEntries)
    const text = first === undefined ? 'Listed for sale.' : `Listed for ${dollars(first)}.`
    if (listing.listedOn !== undefined) entries.unshift({ date: listing.listedOn, kind: 'listed', price: first, text })
    return entries.filter(({ date }) => isListingVisible(listing, date, since))
  })

/** On the market always, a sold listing if its sale is in the window, a withdrawn one by the day of the change. */
const isListingVisible = (
  { status, soldOn }: { status: string; soldOn?: string },
  date: string,
  since: string | undefined,
): boolean => {
  if (since === undefined || isOnMarket(status)) return true
  return status === 'sold' ? (soldOn ?? '') >= since : date >= since
}

const changeEntries = (change: StoredTimeline['listingChanges'][number]): TimelineEntry[] => {
  const { changedOn: date, priceUsd: price, previousPriceUsd: before, status, previousStatus } = change
  if (previousStatus === undefined) return []
  const entries: TimelineEntry[] = []
  if (price !== undefined && before !== undefined && price !== before) {
    const pct = changePct(before, price)
    const text = `Price ${price < before ? 'cut' : 'raised'} from ${dollars(before)} to ${dollars(price)} (${signed(pct)}%).`
    entries.push({ date, kind: 'price', price, status, previous: { price: before }, changePct: pct, text })
  }
  if (status !== previousStatus) {
    const text = `Listing changed from ${words(previousStatus)} to ${words(status)}.`
    entries.push({ date, kind: 'status', price, status, previous: { status: previousStatus }, text })
  }
  return entries
}

const permitEntry = (permit: StoredTimeline['permits'][number]): TimelineEntry[] => {
  const date = permit.issuedOn ?? permit.appliedOn
  if (date === undefined) return []
  const { permitId, permitClass, status, valuationUsd } = permit
  return [
    {
      date,
      kind: 'permit',
      permitId,
      permitClass,
      permitStatus: status,
      valuation: valuationUsd,
      text: `Permit ${permitId} (${words(permitClass)}) ${permit.issuedOn === undefined ? 'applied for' : 'issued'}${valuationUsd === undefined ? '' : `, ${dollars(valuationUsd)}`}.`,
    },
  ]
}

/** The permit itself says that it is new. A window hides the changes of a permit that it hides. */
const permitChangeEntry = (change: StoredTimeline['permitChanges'][number], since = ''): TimelineEntry[] => {
  const { changedOn: date, permitId, permitClass, status: permitStatus, previousStatus } = change
  if (previousStatus === undefined || (change.issuedOn ?? change.appliedOn ?? '') < since) return []
  const text = `Permit ${permitId} changed from ${words(previousStatus)} to ${words(permitStatus)}.`
  const previous = { status: previousStatus }
  return [{ date, kind: 'permitStatus', permitId, permitClass, permitStatus, previous, text }]
}

type StoredValue = StoredTimeline['values'][number]

/** A change of the return alone is no entry. */
const withoutPrice = ({ returnPct: _r, previousReturnPct: _p, ...row }: StoredValue): StoredValue[] => {
  const moved = row.moved.filter(({ input }) => input === 'valueEstimate' || input === 'model' || input in valueWords)
  return isListed(row) ? [{ ...row, moved }] : []
}

/** A row kept for its return may have a value that hardly moved. */
const isListed = ({ valueUsd, previousValueUsd }: StoredValue): boolean =>
  valueUsd === undefined || previousValueUsd === undefined
    ? valueUsd !== previousValueUsd
    : 100 * Math.abs(valueUsd - previousValueUsd) >= leastValuePct * previousValueUsd

/** False for a row that is stored only because an input changed: neither its value nor its return moved visibly. */
const hasMoved = (row: StoredValue): boolean => isListed(row) || row.previousReturnPct !== row.returnPct

const valueEntry = (row: StoredValue): TimelineEntry => {
  const { changedOn, valueUsd, valueLowUsd, valueHighUsd, returnPct, previousValueUsd, previousReturnPct, moved } = row
  return {
    date: changedOn,
    kind: 'value',
    value: rounded(valueUsd),
    low: rounded(valueLowUsd),
    high: rounded(valueHighUsd),
    returnPct,
    previous: { value: rounded(previousValueUsd), returnPct: previousReturnPct },
    changePct:
      previousValueUsd === undefined || valueUsd === undefined ? undefined : changePct(previousValueUsd, valueUsd),
    moved,
    text: `${[
      isListed(row) ? step('Value estimate', previousValueUsd, valueUsd, dollars) : undefined,
      step('Return', previousReturnPct, returnPct, (pct) => `${String(pct).replace('-', '−')}%`),
    ]
      .filter((each) => each !== undefined)
      .map((each, at) => (at === 0 ? each : each[0]!.toLowerCase() + each.slice(1)))
      .join('; ')}${movedText(moved)}.`,
  }
}

const step = (name: string, from: number | undefined, to: number | undefined, format: (value: number) => string) => {
  if (from === to) return undefined
  if (to === undefined) return `${name} no longer computed`
  return from === undefined ? `${name} ${format(to)}` : `${name} from ${format(from)} to ${format(to)}`
}

/** The parts of a value that went up and down. */
const valueWords: Readonly<Record<string, readonly [up: string, down: string]>> = {
  comparablesValue: ['its comparable sales point higher', 'its comparable sales point lower'],
  similarHomesValue: ['similar homes in the area sell for more', 'similar homes in the area sell for less'],
  conditionValue: ['better condition', 'worse condition'],
}

const inputWords: Readonly<Record<string, string>> = {
  buildSqft: 'size of the new house',
  arvPerSqft: 'resale value per sq ft',
  capital: 'price and costs',
  resaleNet: 'resale',
}

const movedText = (moved: readonly MovedInput[]): string => {
  const ofValue = moved.flatMap(({ input, from = 0, to = 0 }) => valueWords[input]?.[to > from ? 0 : 1] ?? [])
  // The models of a market are fitted again on the sales since.
  const refit = ofValue.length === 0 && moved.some(({ input }) => input === 'model') ? ['newer sales in the area'] : []
  const names = [...refit, ...ofValue, ...moved.flatMap(({ input }) => inputWords[input] ?? [])]
  return names.length === 0 ? '' : `. Changed: ${names.join(', ')}`
}

const rounded = (usd: number | undefined): number | undefined => (usd === undefined ? undefined : Math.round(usd))
const changePct = (from: number, to: number): number => Math.round((1000 * (to - from)) / from) / 10
const signed = (value: number): string => (value > 0 ? `+${value}` : `−${Math.abs(value)}`)
const words = (name: string): string => name.replaceAll('_', ' ')
