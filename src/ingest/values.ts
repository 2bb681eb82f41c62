// Parses single feed values. `undefined` means no value was given; `unreadable` means the value could not be parsed. Those
// are counted, never guessed.
import type { dateForms, unitNames } from '../domain/packs/source-config.ts'

export const unreadable = Symbol('unreadable')
export type ReadValue<T> = T | undefined | typeof unreadable

const nullMarkers = new Set(['', 'null', 'none', 'nan', 'undefined', '\\n', '<null>', '(null)', 'n/a', '-', '--'])

const nullBegins = /^[\snu\\<(-]/i

export const isNull = (value: unknown, nulls?: ReadonlySet<string>): boolean => {
  if (value === undefined || value === null) return true
  if (typeof value === 'number') return Number.isNaN(value) || (nulls?.has(String(value)) ?? false)
  if (typeof value !== 'string') return false
  // Fast path: most values are too long or start with a character that no null marker starts with.
  if (!nulls && (value.length > 12 || (value !== '' && !nullBegins.test(value)))) return false
  const bare = value.trim().toLowerCase()
  return nullMarkers.has(bare) || (nulls?.has(bare) ?? false)
}

/** Removes markup, control characters and repeated spaces, and truncates to `maxLength`. */
export const readText = (value: unknown, maxLength = 400): string | undefined => {
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.filter((each) => !isNull(each)).join(', ')
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  const clean = needsCleaning.test(text) ? cleaned(text) : text
  return clean === ''
    ? undefined
    : clean.length > maxLength
      ? `${clean.slice(0, maxLength - 1).toWellFormed()}…`
      : clean
}

const needsCleaning = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<&]|^\s|\s$|\s\s/u
const cleaned = (text: string): string =>
  text
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name]!)
    // Decoding entities can produce new tags ("&lt;b&gt;").
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** How exports write an empty number or date. As text, "NA" may be a word. */
const emptyTyped =
  /^(?=.)[\s$]*(?:[-–—.?]*|#?n\/?a|nan?|null|none|unknown|no data|not (?:available|applicable|disclosed|specified)|\[object object]|0000-00-00.*|0?0\/0?0\/0{2,4}.*)\s*$/i

/** A word that is empty as a number or date, and a value as text. */
export const isEmptyWord = (value: unknown): boolean =>
  typeof value === 'string' && emptyTyped.test(value) && !isNull(value)

/** A number that stands for an empty value. */
export const isEmptyNumber = (value: unknown): boolean => /^-(1|9+)(\.0+)?$/.test(String(value).trim())

/** Accepts digits, separators, a sign, a dollar sign and common units ("$1,234,567.00"); "1.5k" is unreadable. */
export const readNumber = (value: unknown): ReadValue<number> => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : unreadable
  if (typeof value !== 'string') return unreadable
  if (emptyTyped.test(value)) return undefined
  const plain = Number(value)
  if (Number.isFinite(plain) && value.trim() !== '' && !/^\s*0[xbo]/i.test(value)) return plain
  const money =
    /^\s*\(?\s*(-)?\s*(?:US)?\$?\s*(-)?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]*)?\s*(?:USD|sq\.?\s*ft\.?|sf|acres?|ac|be?ds?|ba(?:ths?)?)?\s*\)?\s*$/i.exec(
      value,
    )
  if (!money) return unreadable
  const amount = Number(`${money[3]!.replaceAll(',', '')}${money[4] ?? ''}`)
  return money[1] || money[2] || /^\s*\(/.test(value) ? -amount : amount
}

/** Factors to square feet, feet or dollars. */
export const unitFactors: Readonly<Record<(typeof unitNames)[number], number>> = {
  acres: 43_560,
  hectares: 107_639.104,
  sqm: 10.763_910_4,
  sqft: 1,
  m: 3.280_839_895,
  ft: 1,
  thousands: 1000,
}

/** Returns YYYY-MM-DD. A timestamp keeps the date as written: feeds attach a time zone to what is meant as a date. */
export const readDate = (value: unknown, form: (typeof dateForms)[number] = 'auto'): ReadValue<string> => {
  if (form === 'epoch_ms' || form === 'epoch_s' || form === 'excel') {
    const number = readNumber(value)
    if (typeof number !== 'number') return number
    return form === 'excel' ? dayOf((number - 25_569) * 86_400_000) : dayOf(number * (form === 'epoch_s' ? 1000 : 1))
  }
  if (typeof value === 'number') {
    if (value === 0) return undefined
    if (value > 18_500_000 && value < 22_000_000) return readDate(String(value), form)
    return Math.abs(value) > 1e11 ? dayOf(value) : unreadable
  }
  if (typeof value !== 'string') return unreadable
  const text = value.trim()
  if (emptyTyped.test(text) || /^0{8}(?:0{6})?$/.test(text)) return undefined
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ??
    /^((?:18|19|20)\d{2})(\d{2})(\d{2})(?:[T ].*|\d{6})?$/.exec(text)
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const parts = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[T ,].*)?$/.exec(text)
  if (parts) {
    const [one, two] = [Number(parts[1]), Number(parts[2])]
    return form === 'dmy' ? day(fullYear(parts[3]!), two, one) : day(fullYear(parts[3]!), one, two)
  }
  // Only a time may follow a year of two digits: in "Oct 10 20:19" they are the hour.
  const named =
    /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(?:(\d{1,2})[- ]([A-Za-z]{3,9})|([A-Za-z]{3,9})\.?[- ](\d{1,2})),?(?:(?:\s+\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s+(?:[A-Z]{2,4}|[-+]\d{4}))?)?[- ](\d{4})\b|[- ](\d\d)(?=$|[T ,]+\d{1,2}[:.]\d\d))/i.exec(
      text,
    )
  if (named) {
    const month = months.indexOf((named[2] ?? named[3]!).slice(0, 3).toLowerCase()) + 1
    return day(fullYear(named[5] ?? named[6]!), month, Number(named[1] ?? named[4]))
  }
  const ms = /^\/Date\((-?\d+)(?:[-+]\d{4})?\)\/$/.exec(text)
  if (ms) return dayOf(Number(ms[1]))
  // A month without a day.
  const month = /^(\d{4})-(\d{1,2})$/.exec(text)
  if (month) return day(Number(month[1]), Number(month[2]), 1)
  if (/^-?\d{12,14}$/.test(text)) return dayOf(Number(text))
  return unreadable
}
const fullYear = (year: string): number => Number(year) + (year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900)
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const day = (year: number, month: number, date: number): ReadValue<string> => {
  if (month < 1 || month > 12 || date < 1 || date > (monthDays[month - 1] ?? 0)) return unreadable
  if (month === 2 && date === 29 && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))) return unreadable
  return real(`${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${date < 10 ? '0' : ''}${date}`)
}
/** Databases and spreadsheets write these days for an empty date. */
const real = (date: string): string | undefined =>
  /^(1899-12-3[01]|1900-01-0[01]|1753-01-01|9999-12-31)$/.test(date) ? undefined : date
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const dayOf = (ms: number): ReadValue<string> => {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? unreadable : real(date.toISOString().slice(0, 10))
}

export const readBoolean = (value: unknown): ReadValue<boolean> => {
  if (typeof value === 'boolean') return value
  const word = String(value).trim().toLowerCase()
  if (['true', 't', 'yes', 'y', '1'].includes(word)) return true
  if (['false', 'f', 'no', 'n', '0'].includes(word)) return false
  return word === 'unknown' ? undefined : unreadable
}

/** Reads an array, or a text of URLs separated by bars or spaces. */
export const readList = (value: unknown): string[] | undefined => {
  const items = (Array.isArray(value) ? value : String(value).split(/[|\s]+/))
    .filter((each) => !isNull(each))
    .map((each) => String(each).trim())
  return items.length > 0 ? items : undefined
}

/** False for a number, a post office box or coordinates, which some feeds contain in the address field: "-122.21, 37.43", "SRID=4326;POINT(…)". */
export const hasStreet = (text: string): boolean =>
  !/^\W*p(ost)?\W*o(ffice)?\W*bo?x\b/i.test(text) &&
  /\p{L}/u.test(/\d\.\d{2,}\D+\d+\.\d{2,}/.test(text) ? text.replace(coordinateWords, '') : text)
const coordinateWords = /\b(?:point|srid|epsg|wgs|lat(?:itude)?|lo?ng?(?:itude)?|[nsewxyz])\b/gi

/** Reads a point in any common format: latitude first in "(37.4, -122.1)", longitude first in WKT and GeoJSON. */
export const readPoint = (value: unknown): ReadValue<{ lat: number; lng: number }> => {
  if (typeof value === 'string') {
    const text = value.trim()
    const wkt = /^POINT\s*\(\s*(-?[0-9.]+)\s+(-?[0-9.]+)\s*\)$/i.exec(text)
    if (wkt) return point(Number(wkt[2]), Number(wkt[1]))
    const pair = /\(?\s*(-?[0-9.]+)\s*,\s*(-?[0-9.]+)\s*\)?\s*$/.exec(text)
    return pair ? point(Number(pair[1]), Number(pair[2])) : unreadable
  }
  if (typeof value !== 'object' || value === null) return unreadable
  const at = value as Record<string, unknown>
  if (Array.isArray(at.coordinates)) return point(Number(at.coordinates[1]), Number(at.coordinates[0]))
  if ('lat' in at) return point(Number(at.lat), Number(at.lng))
  if ('latitude' in at) return point(Number(at.latitude), Number(at.longitude))
  if ('y' in at) return point(Number(at.y), Number(at.x))
  return unreadable
}

const point = (lat: number, lng: number): ReadValue<{ lat: number; lng: number }> =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : unreadable
