// Compares a typed address with stored addresses. Only complete agreement is "same". The caller decides what counts as a match.

import { allowedErrors, editDistance } from '../../common/spelling.ts'
import { isDirection, isStreetSuffix, spelledOut, unitKinds } from './address.ts'

const kinds = new Set(unitKinds.values())

/** "12 1/2 MAIN ST # 4" → its parts. The opposite of `addressKey`. */
export const splitKey = (key: string) => {
  const words = key.split(' ')
  const numberWords = /^\d/.test(words[0] ?? '') ? (/^\d+\/\d+$/.test(words[1] ?? '') ? 2 : 1) : 0
  const unitAt = words.findIndex((word, at) => at > numberWords && kinds.has(word) && at < words.length - 1)
  const end = unitAt < 0 ? words.length : unitAt
  return {
    houseNumber: words.slice(0, numberWords).join(' '),
    street: words.slice(numberWords, end),
    unit: unitAt < 0 ? [] : words.slice(unitAt),
  }
}

/** `partial`: the same name, but the typed address leaves out a suffix or a direction. `similar`: spelled differently. */
type StreetFit = 'same' | 'partial' | 'similar' | 'different'

interface StreetComparison {
  fit: StreetFit
  /** Typing errors between the two; smaller is better. */
  errors: number
}

export const compareStreets = (typed: readonly string[], stored: readonly string[]): StreetComparison => {
  const [a, b] = [typed.join(' '), stored.join(' ')]
  if (a === b) return { fit: 'same', errors: 0 }
  const [typedParts, known] = [streetParts(typed), streetParts(stored)]
  if (typedParts.name === known.name) {
    const leftOut = (['before', 'suffix', 'after'] as const).every(
      (part) => !typedParts[part] || typedParts[part] === known[part],
    )
    return leftOut ? { fit: 'partial', errors: 0 } : { fit: 'similar', errors: 1 }
  }
  const errors = Math.min(
    // "Honysuckle" for "Honeysuckle Row".
    ...[known.name, withoutLast(known.name)].map(
      (name, at) => nameErrors(typedParts.name, name) + (at === 0 && sameEnds(typedParts, known) ? 0 : 1),
    ),
    editDistance(letters(typed), letters(stored)),
  )
  const length = Math.min(letters(typedParts.name.split(' ')).length, letters(known.name.split(' ')).length)
  if (errors <= Math.max(1, allowedErrors(length))) return { fit: 'similar', errors: Math.max(errors, 0.5) }
  // "Camino" for "El Camino Real".
  const words = typedParts.name.split(' ')
  const isPart = words.some((word) => word.length >= 4) && words.every((word) => known.name.split(' ').includes(word))
  return isPart ? { fit: 'similar', errors: 4 } : { fit: 'different', errors }
}

/** Without spaces and with long forms, so that "5th" and a misspelled "Fifth" are close. */
const letters = (words: readonly string[]): string => words.map(spelledOut).join('')

const nameErrors = (a: string, b: string): number => editDistance(letters(a.split(' ')), letters(b.split(' ')))

const withoutLast = (name: string): string => (name.includes(' ') ? name.slice(0, name.lastIndexOf(' ')) : name)

type StreetParts = ReturnType<typeof streetParts>

/** "N MAIN ST" → N, MAIN, ST. A name is never empty: "PARK" alone is a name. */
const streetParts = (street: readonly string[]) => {
  const words = [...street]
  const after = words.length > 2 && isDirection(words.at(-1)!) ? words.pop()! : ''
  const suffix = words.length > 1 && isStreetSuffix(words.at(-1)!) ? words.pop()! : ''
  // "North Rd" is a street of that name.
  const before = words.length > 1 && isDirection(words[0]!) ? words.shift()! : ''
  return { before, name: words.join(' '), suffix, after }
}

const sameEnds = (a: StreetParts, b: StreetParts) => !a.suffix || a.suffix === b.suffix

/** The name without suffix and directions, which all spellings of one street share. */
export const streetName = (street: readonly string[]): string => streetParts(street).name

/** True if the typed street ends with its suffix, so that no other street can be meant. */
export const isWholeStreet = (street: readonly string[]): boolean => streetParts(street).suffix !== ''

/** `missing`: not typed. `not_held`: typed, but the stored address has no units. */
type UnitFit = 'same' | 'missing' | 'not_held' | 'different'

export const compareUnits = (typed: readonly string[], stored: readonly string[]): UnitFit => {
  if (typed.join(' ') === stored.join(' ')) return 'same'
  if (typed.length === 0) return 'missing'
  return stored.length === 0 ? 'not_held' : 'different'
}
