// Finds the property at a typed address. Each step is tried only when the one before found nothing: the same address; the same
// number on the same or a similar street; other numbers on the street; the same address in another city.
import { compareStreets, compareUnits, isWholeStreet, splitKey, streetName } from '../domain/address/address-match.ts'
import { type AddressReading, type ReadAddress, readAddress } from '../domain/address/address-reading.ts'
import { cityBySlug } from '../domain/packs/markets.ts'
import {
  type AddressAt,
  type FoundRow,
  hasProperties,
  type LookupScope,
  propertiesAt,
  propertiesAtNumber,
  propertiesOnSimilarStreets,
  propertiesOnStreet,
  streetsNamed,
} from '../store/properties/lookup.ts'
import type { LookupMatched, LookupRead, MatchGrade } from '../wire/lookup.ts'

export interface AddressMatch {
  match: MatchGrade
  candidates: { row: FoundRow; matched: LookupMatched }[]
  read: LookupRead
  covered: boolean | null
  note?: string
}

export interface TypedAddress extends ReadAddress {
  /** The keys under which the address would be stored exactly as typed. */
  at: AddressAt[]
}

export const parseTypedAddress = (text: string): TypedAddress => {
  const read = readAddress(text)
  const complete = read.readings.filter(
    ({ houseNumber, street, citySlugs, doubts }) =>
      houseNumber !== '' && citySlugs !== undefined && doubts.length === 0 && isWholeStreet(street),
  )
  const at = complete.flatMap(({ houseNumber, street, unit, citySlugs }) =>
    citySlugs!.flatMap((citySlug) => {
      const market = cityBySlug(citySlug)?.market
      return market ? [{ market, citySlug, addressKey: [houseNumber, ...street, ...unit].join(' ') }] : []
    }),
  )
  return { ...read, at }
}

/** `knownRows`: the properties at `typed.at`, and perhaps others; a batch reads them for all its items at once. */
export const lookUpTypedAddress = async (scope: LookupScope, typed: TypedAddress, knownRows?: readonly FoundRow[]) => {
  const { readings, outside } = typed
  const best = readings[0]!
  if (outside !== undefined && best.citySlugs === undefined && !readings.some(couldBeHeld))
    return nothing(best, false, `${outside} is not in a loaded market.`)
  if (readings.every(({ houseNumber }) => houseNumber === ''))
    return nothing(best, await isCovered(scope, best), 'The address has no house number.')

  const same = sameAddress(typed, knownRows ?? (await propertiesAt(scope, typed.at)))
  if (same.length > 0) return graded(same.length === 1 ? 'exact' : 'ambiguous', same)

  const placed = readings.filter(({ citySlugs }) => citySlugs !== undefined)
  const unplaced = readings.filter(({ citySlugs }) => citySlugs === undefined)
  // A street of this name may be far from a place that is not covered.
  const streets = outside === undefined && placed.length === 0 ? unplaced : placed
  const here = (await atNumber(scope, placed)) ?? (await atNumber(scope, unplaced)) ?? (await onStreet(scope, streets))
  if (here) return here
  const elsewhere = await atNumber(scope, placed.map(withoutPlace), 'fuzzy')
  if (elsewhere) return { ...elsewhere, candidates: elsewhere.candidates.map(inAnotherCity) }
  const covered = outside !== undefined && placed.length === 0 ? false : await isCovered(scope, best)
  return nothing(best, covered, noMatchNotes[String(covered) as keyof typeof noMatchNotes])
}

/** By `covered`. */
const noMatchNotes = {
  true: 'No similar address is on record there. Check the street and the city.',
  false: 'The place is not covered.',
  null: 'No similar address is on record. Check the spelling, or add a city or ZIP code.',
}

/** A reading without city and ZIP is looked up even if the address ends in words that may be an unknown place. */
const couldBeHeld = ({ state, zip, street }: AddressReading) =>
  state === undefined && zip === undefined && street.length > 0

interface Compared {
  row: FoundRow
  reading: AddressReading
  matched: LookupMatched
  errors: number
}

const compare = (reading: AddressReading, row: FoundRow): Compared => {
  const stored = splitKey(row.addressKey)
  const { fit, errors } = compareStreets(reading.street, stored.street)
  const zips = row.zip === undefined ? (cityBySlug(row.citySlug)?.zipCodes ?? []) : [row.zip]
  return {
    row,
    reading,
    errors,
    matched: {
      houseNumber: stored.houseNumber === reading.houseNumber ? 'same' : 'different',
      street: fit,
      unit: compareUnits(reading.unit, stored.unit),
      city:
        reading.citySlugs === undefined || (reading.city === undefined && reading.doubts.length === 0)
          ? 'not_given'
          : reading.doubts.includes('city')
            ? 'similar'
            : 'same',
      zip:
        reading.zip === undefined
          ? 'not_given'
          : zips.length === 0
            ? 'not_held'
            : zips.includes(reading.zip)
              ? 'same'
              : 'different',
    },
  }
}

const sameAddress = ({ readings, at }: TypedAddress, rows: readonly FoundRow[]): Compared[] =>
  distinct(
    at.flatMap(({ citySlug, addressKey }) =>
      rows
        .filter((row) => row.citySlug === citySlug && row.addressKey === addressKey)
        .map((row) => {
          const reading = readings.find(
            (each) =>
              each.citySlugs?.includes(citySlug) &&
              each.doubts.length === 0 &&
              [each.houseNumber, ...each.street, ...each.unit].join(' ') === addressKey,
          )!
          return compare(reading, row)
        })
        .filter(({ matched }) => matched.zip !== 'different'),
    ),
  )

/** Properties with the typed number. Undefined if none is on the typed street or one spelled like it. */
const atNumber = async (scope: LookupScope, readings: readonly AddressReading[], most: MatchGrade = 'exact') => {
  const rows = new Map<string, FoundRow[]>()
  const compared: Compared[] = []
  for (const reading of readings) {
    if (reading.houseNumber === '' || reading.street.length === 0) continue
    const key = `${reading.houseNumber} ${reading.citySlugs?.join() ?? ''}`
    const there = rows.get(key) ?? (await propertiesAtNumber(scope, reading.houseNumber, reading.citySlugs))
    rows.set(key, there)
    compared.push(...there.map((row) => compare(reading, row)).filter(({ matched }) => isCandidate(matched)))
  }
  const candidates = distinct(compared)
  if (candidates.length === 0) return undefined
  const certain = candidates.filter(isCertain)
  if (certain.length === 0 || most === 'fuzzy') {
    const street = candidates.filter(({ matched }) => most !== 'fuzzy' || matched.street === 'same')
    return street.length === 0 ? undefined : graded('fuzzy', street)
  }
  const whole = certain.filter(({ matched, reading }) => matched.street === 'same' && isWholeStreet(reading.street))
  const chosen = whole.length > 0 ? whole : certain
  const home = chosen.filter(({ matched }) => matched.unit === 'same')
  const onlyStreet = await isOnlyStreet(scope, chosen)
  if (home.length === 0 && onlyStreet) return graded('unit_missing', chosen)
  if (home.length === 1 && onlyStreet) return graded('exact', home)
  const longer = candidates.filter(({ reading, row }) => isLonger(reading.street, splitKey(row.addressKey).street))
  return graded('ambiguous', distinct([...(home.length > 0 ? home : chosen), ...longer]))
}

/** "Graystone" may mean "Graystone Row", although Row is not a suffix that is abbreviated in addresses. */
const isLonger = (typed: readonly string[], stored: readonly string[]): boolean =>
  !isWholeStreet(typed) && stored.length > typed.length && typed.every((word, at) => stored[at] === word)

/** The number agrees; the street is at least similar. */
const isCandidate = ({ houseNumber, street }: LookupMatched) => houseNumber === 'same' && street !== 'different'

/** Every part that was given agrees, but for the unit; parts of the street and the place may be left out. */
const isCertain = ({ matched, reading }: Compared) =>
  (matched.street === 'same' || matched.street === 'partial') &&
  matched.zip !== 'different' &&
  (matched.zip !== 'not_held' || matched.city === 'same') &&
  reading.doubts.length === 0

/**
 * Whether one street fits what was typed. "9 Oak" is not exact where Oak St and Oak Ct exist, and "9 Oak St" without a city is not
 * exact where two cities have an Oak St, even if only one of them has that number.
 */
const isOnlyStreet = async (scope: LookupScope, chosen: readonly Compared[]): Promise<boolean> => {
  const { reading } = chosen[0]!
  const placed = reading.citySlugs !== undefined
  if (
    placed &&
    reading.citySlugs!.length === 1 &&
    isWholeStreet(reading.street) &&
    chosen[0]!.matched.street === 'same'
  )
    return true
  const streets = new Set<string>()
  for (const { citySlug, key } of await streetsNamed(scope, streetName(reading.street), reading.citySlugs)) {
    const street = splitKey(key).street
    const { fit } = compareStreets(reading.street, street)
    const typedWhole = isWholeStreet(reading.street)
    const partial = fit === 'partial' && !(typedWhole && chosen[0]!.matched.street === 'same')
    if (fit === 'same' || partial || isLonger(reading.street, street)) streets.add(`${citySlug} ${street.join(' ')}`)
  }
  return streets.size <= 1
}

/** Other numbers on the typed street, the closest first; with a city, also on one spelled like it. */
const onStreet = async (scope: LookupScope, readings: readonly AddressReading[]): Promise<AddressMatch | undefined> => {
  for (const reading of readings) {
    if (reading.houseNumber === '' || reading.street.length === 0) continue
    const number = Number.parseInt(reading.houseNumber, 10)
    const name = streetName(reading.street)
    const named = await propertiesOnStreet(scope, name, number, reading.citySlugs, 60)
    const on = named
      .map((row) => compare(reading, row))
      .filter(({ matched }) => matched.street === 'same' || matched.street === 'partial')
    if (on.length > 0) return graded('near', distinct(on))
    if (!/[A-Z]{3}/.test(name) || reading.citySlugs === undefined) continue
    const street = reading.street.join(' ')
    const similar = await propertiesOnSimilarStreets(scope, street, number, reading.citySlugs, 60)
    const like = similar.map((row) => compare(reading, row)).filter(({ matched }) => matched.street === 'similar')
    if (like.length > 0) return graded('near', distinct(like))
  }
  return undefined
}

const withoutPlace = ({ citySlugs: _, ...reading }: AddressReading): AddressReading => reading

const inAnotherCity = ({ row, matched }: AddressMatch['candidates'][number]): AddressMatch['candidates'][number] => ({
  row,
  matched: { ...matched, city: 'different' },
})

/** Each property once, by its best reading. */
const distinct = (compared: readonly Compared[]): Compared[] => {
  const best = new Map<string, Compared>()
  for (const each of compared) {
    const known = best.get(each.row.id)
    if (!known || cost(each) < cost(known)) best.set(each.row.id, each)
  }
  return [...best.values()]
}

const cost = ({ matched, errors, reading }: Compared) =>
  errors + (matched.unit === 'same' ? 0 : 0.25) + reading.doubts.length + (matched.zip === 'different' ? 1 : 0)

const graded = (match: MatchGrade, compared: readonly Compared[]): AddressMatch => {
  const ordered = compared
    .map((each, at) => ({ ...each, at }))
    .toSorted((a, b) => (match === 'near' ? 0 : cost(a) - cost(b)) || a.at - b.at)
  return {
    match,
    candidates: ordered.map(({ row, matched }) => ({ row, matched })),
    read: readOf(ordered[0]!.reading),
    covered: true,
  }
}

const nothing = (reading: AddressReading, covered: boolean | null, note: string | undefined): AddressMatch => ({
  match: 'none',
  candidates: [],
  read: readOf(reading),
  covered,
  ...(note ? { note } : {}),
})

const readOf = ({ houseNumber, street, unit, city, state, zip }: AddressReading): LookupRead => ({
  ...(houseNumber ? { houseNumber } : {}),
  ...(street.length > 0 ? { street: street.join(' ') } : {}),
  ...(unit.length > 0 ? { unit: unit.join(' ') } : {}),
  ...(city ? { city } : {}),
  ...(state ? { state } : {}),
  ...(zip ? { zip } : {}),
})

const isCovered = async (scope: LookupScope, { citySlugs }: AddressReading): Promise<boolean | null> =>
  citySlugs === undefined ? null : await hasProperties(scope, citySlugs)
