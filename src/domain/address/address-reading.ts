// Reads an address as people type it: with or without commas, unit, city, state and ZIP, in any order. A text can be read in more
// than one way ("100 San Mateo Dr Menlo Park"), so all readings are returned, the likeliest first.

import { similarWords } from '../../common/spelling.ts'
import { valueAt } from '../../common/typed.ts'
import { type City, jurisdictions } from '../packs/markets.ts'
import { stateNames } from '../states.ts'
import { abbreviated, addressWords, isDirection, isStreetEnding, unitKinds, withoutZeros } from './address.ts'

export interface AddressReading {
  /** "9076", "12-14", "12 1/2". Empty when the address has none. */
  houseNumber: string
  /** Words of the street, abbreviated as in keys. */
  street: readonly string[]
  /** Designator and door: ["#", "4"]. Empty without a unit. */
  unit: readonly string[]
  city?: string
  state?: string
  zip?: string
  /** The cities the address may be in. Undefined when it names neither a city nor a ZIP. */
  citySlugs?: readonly string[]
  /** Parts that do not fit the place: a city spelled differently, a ZIP of another city, a place that is not known. */
  doubts: readonly ('city' | 'zip')[]
}

export interface ReadAddress {
  readings: AddressReading[]
  /** The state, ZIP or city that the address names, if it is not in any market. */
  outside?: string
}

const maxReadings = 6

export const readAddress = (text: string): ReadAddress => {
  const tokens = addressWords(text).flatMap((words, part) => words.map((word) => ({ word, part })))
  dropCountry(tokens)
  const { zip, last: zipIsLast } = takeZip(tokens)
  const { state, outside: otherState } = takeState(tokens, zipIsLast)
  const unit = takeUnit(tokens)
  const words = tokens.map(({ word }) => word)
  if (otherState) return { readings: [readingOf(words, unit, { state: otherState, zip })], outside: otherState }
  const zipCities = zip === undefined ? undefined : jurisdictions().filter(({ zipCodes }) => zipCodes.includes(zip))
  if (zip !== undefined && zipCities!.length === 0 && !words.some((_, at) => cityAt(words, at)))
    return { readings: [readingOf(words, unit, { state, zip })], outside: zip }

  const place = { state, zip, zipCities }
  const candidates = cityReadings(words, unit, place)
  const whole = readingOf(words, unit, { ...place, cities: zipCities })
  const plain = [...candidates, whole]
  const all = [...plain, ...plain.flatMap((reading) => withoutTail(reading))]
  const misspelled = candidates.length === 0 ? misspelledCity(words, unit, place) : []
  const readings = [...all, ...misspelled].filter(({ street }) => street.length > 0).slice(0, maxReadings)
  const unread = candidates.length === 0 && misspelled.length === 0 && zip === undefined ? tailOf(whole.street) : []
  return {
    readings: readings.length > 0 ? readings : [whole],
    ...(unread.length > 0 ? { outside: unread.join(' ') } : {}),
  }
}

interface Token {
  word: string
  /** The comma-separated part that contains it. */
  part: number
}

const dropCountry = (tokens: Token[]) => {
  const last = tokens.at(-1)?.word
  if (last === 'USA' || last === 'US') tokens.pop()
  else if (last === 'STATES' && tokens.at(-2)?.word === 'UNITED') tokens.splice(-2)
}

const zipCode = /^(\d{5})(-\d{4})?$/
const numberWord = /^\d+(-\d+)?[A-Z]?$/
const knownZips = () => new Set(jurisdictions().flatMap(({ zipCodes }) => zipCodes))

/** Five digits at the end, or a ZIP of a market anywhere. The only number of an address is its house number, unless it is a known ZIP. */
const takeZip = (tokens: Token[]): { zip?: string; last: boolean } => {
  const known = knownZips()
  const isKnown = (word: string) => known.has(word.slice(0, 5))
  const numbers = tokens.filter(({ word }) => numberWord.test(word)).length
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { word } = tokens[at]!
    if (!zipCode.test(word)) continue
    const afterUnit = unitKinds.has(tokens[at - 1]?.word ?? '')
    const counts = isKnown(word) ? at > 0 || numbers > 1 : at === tokens.length - 1 && at > 0 && numbers > 1
    if (counts && !afterUnit) {
      tokens.splice(at, 1)
      return { zip: word.slice(0, 5), last: at === tokens.length }
    }
  }
  return { last: false }
}

/** A state of a market may be anywhere in the text. Another state counts only if the word can mean nothing else: "CT" is also a court. */
const takeState = (tokens: Token[], beforeZip: boolean): { state?: string; outside?: string } => {
  const ours = new Set(jurisdictions().map(({ state }) => state))
  const codeAt = tokens.findLastIndex(({ word }, at) => at > 0 && ours.has(word))
  if (codeAt >= 0) return { state: tokens.splice(codeAt, 1)[0]!.word }
  if (tokens[0] && ours.has(tokens[0].word)) return { state: tokens.shift()!.word }
  for (const length of [2, 1]) {
    const name = tokens.slice(-length).map(({ word }) => word)
    const code = stateNames.get(name.join(' '))
    const inOwnPart = tokens.at(-length - 1)?.part !== tokens.at(-length)?.part
    if (!code || tokens.length <= length || !(inOwnPart || beforeZip || name.join(' ').length > 2)) continue
    // A state gives its name to streets too.
    if (!inOwnPart && !beforeZip && tokens.length <= length + 2) continue
    tokens.splice(-length)
    return ours.has(code) ? { state: code } : { outside: code }
  }
  return {}
}

const door = /^([A-Z]?\d+[A-Z]?|[A-Z])$/

/** "#4", "Apt #4", "Bldg 2 Unit B", and a number after the end of a street: "123 Main St 4". Removes them from the tokens. */
const takeUnit = (tokens: Token[]): string[] => {
  const unit: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const kind = unitKinds.get(tokens[at]!.word)
    if (!kind) continue
    let last = at
    while (unitKinds.has(tokens[last + 1]?.word ?? '')) last++
    const value = tokens[last + 1]?.word
    const isDirectionOfStreet = tokens[at]!.word === 'NO' && !/^\d/.test(value ?? '')
    if (value === undefined || !door.test(value) || isDirectionOfStreet) continue
    if (unit.length === 0) unit.push(kind)
    unit.push(withoutZeros(value))
    tokens.splice(at, last + 2 - at)
    at--
  }
  if (unit.length > 0) return unit
  const end = tokens.findIndex(
    ({ word }, at) => at > 1 && isStreetEnding(abbreviated(word)) && /^\d+[A-Z]?$/.test(tokens[at + 1]?.word ?? ''),
  )
  if (end < 0 || !numberWord.test(tokens[0]!.word)) return unit
  return ['#', withoutZeros(tokens.splice(end + 1, 1)[0]!.word)]
}

interface Place {
  city?: City
  cities?: readonly City[]
  state?: string
  zip?: string
  doubts?: readonly ('city' | 'zip')[]
}

const readingOf = (words: readonly string[], unit: readonly string[], place: Place): AddressReading => {
  const { city, cities = city && [city], state, zip, doubts = [] } = place
  const [houseNumber, street] = splitNumber(words)
  return {
    houseNumber,
    street: street.map(abbreviated),
    unit,
    ...(city ? { city: city.name } : {}),
    ...(state ? { state } : {}),
    ...(zip ? { zip } : {}),
    ...(cities ? { citySlugs: cities.map(({ slug }) => slug) } : {}),
    doubts,
  }
}

/** The house number comes first; where the order is swapped, last. */
const splitNumber = (words: readonly string[]): [houseNumber: string, street: readonly string[]] => {
  const isNumber = (word: string | undefined) => word !== undefined && numberWord.test(word)
  const at = isNumber(words[0]) ? 0 : isNumber(words.at(-1)) ? words.length - 1 : words.findIndex(isNumber)
  if (at < 0) return ['', words]
  const fraction = /^\d+\/\d+$/.test(words[at + 1] ?? '') ? [words[at + 1]!] : []
  return [
    [withoutZeros(words[at]!), ...fraction].join(' '),
    [...words.slice(0, at), ...words.slice(at + 1 + fraction.length)],
  ]
}

/** One reading for each city name in the words, the last one first: a city usually follows its street. */
const cityReadings = (
  words: readonly string[],
  unit: readonly string[],
  { state, zip }: { state?: string; zip?: string },
): AddressReading[] => {
  const readings: AddressReading[] = []
  for (let at = 0; at < words.length; at++) {
    const cityMatch = cityAt(words, at)
    if (!cityMatch) continue
    const { city, length } = cityMatch
    const rest = [...words.slice(0, at), ...words.slice(at + length)]
    const zipFits = zip === undefined || city.zipCodes.length === 0 || city.zipCodes.includes(zip)
    const stateFits = state === undefined || state === city.state
    readings.unshift(
      readingOf(rest, unit, {
        city,
        state,
        zip,
        doubts: [...(stateFits ? [] : (['city'] as const)), ...(zipFits ? [] : (['zip'] as const))],
      }),
    )
    at += length - 1
  }
  return readings
}

interface CityName {
  words: readonly string[]
  city: City
}

/** Longest first, so that "East Palo Alto" is not read as Palo Alto. */
const cityNames = (): readonly CityName[] => {
  const places = jurisdictions()
  return valueAt(namesOf, places, () =>
    places
      .flatMap((city) => [city.name, ...city.aliases].map((name) => ({ words: addressWords(name).flat(), city })))
      .toSorted((a, b) => b.words.length - a.words.length),
  )
}
/** By the list of cities, so that another set of packs has its own. */
const namesOf = new WeakMap<readonly City[], readonly CityName[]>()

const cityAt = (words: readonly string[], at: number): { city: City; length: number } | undefined => {
  const match = cityNames().find((name) => name.words.every((word, i) => words[at + i] === word))
  return match && { city: match.city, length: match.words.length }
}

/** The words after the end of the street name: a neighborhood, or a place that is not known. */
const tailOf = (street: readonly string[]): readonly string[] => {
  const end = street.findLastIndex((word, at) => at > 0 && isStreetEnding(word))
  if (end < 0) return []
  const tail = street.slice(end + 1)
  return tail.every(isDirection) ? [] : tail
}

/** "12 Main St Madaket" in Nantucket is also read without "Madaket". */
const withoutTail = (reading: AddressReading): AddressReading[] => {
  const tail = tailOf(reading.street)
  if (tail.length === 0 || !reading.citySlugs) return []
  const street = reading.street.slice(0, -tail.length)
  const named = cityAt(tail, 0)
  const sameCity = named?.length === tail.length && reading.citySlugs.includes(named.city.slug)
  return [{ ...reading, street, doubts: sameCity ? reading.doubts : [...reading.doubts, 'city'] }]
}

/** The last words as a misspelled city: "Menlo Prak". Such a reading never gives an exact match. */
const misspelledCity = (
  words: readonly string[],
  unit: readonly string[],
  { state, zip, zipCities }: { state?: string; zip?: string; zipCities?: readonly City[] },
): AddressReading[] => {
  for (const { words: name, city } of cityNames()) {
    const tail = words.slice(-name.length)
    if (words.length < name.length + 2 || !similarWords(tail, name)) continue
    const cities = [city, ...(zipCities ?? []).filter(({ slug }) => slug !== city.slug)]
    const rest = words.slice(0, -name.length)
    return [{ ...readingOf(rest, unit, { city, cities, state, zip }), city: tail.join(' '), doubts: ['city'] }]
  }
  return []
}
