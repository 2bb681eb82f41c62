// Normalizes addresses and parcel numbers, so that records of different feeds can be matched. Used to match records to parcels
// and to search by address.
import type { ApnForm } from '../packs/market-pack.ts'
import { citySlug } from '../packs/markets.ts'

/**
 * "123 North Main Street, Apt. 2, Palo Alto CA" → "123 N MAIN ST # 2". Abbreviations are those of USPS Publication 28.
 *
 * A unit is part of the address: "123 Main St" and "123 Main St #2" do not match. "Apt 2", "Unit 2" and "#2" match: Publication 28
 * allows "#" for either, and listings and assessors use all three for the same home. Suites, floors, buildings, lots and spaces
 * keep their designator, since "Ste 2" and "Apt 2" of a mixed-use building are different units.
 */
export const addressKey = (text: string): string => {
  const [first = '', ...rest] = commaParts(text)
  const street: string[] = []
  const unit: string[] = []
  takeWords(wordsOf(first), street, unit)
  // A comma is followed by a unit, or by city, state and ZIP, which are matched separately.
  for (const part of rest) if (startsWithUnit.test(part.trim())) takeWords(wordsOf(part), street, unit)
  return [...street, ...unit].join(' ')
}

/** The parts between commas, in upper case, without accents, periods and apostrophes. */
const commaParts = (text: string): string[] => {
  const upper = (simple.test(text) ? text : text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')).toUpperCase()
  const plain = upper.replace(/['’`.]/g, '')
  return plain.split(/[,\n;]+/).filter((part) => /[A-Z0-9]/.test(part))
}

/** The words of each comma-separated part of an address, as typed: not yet abbreviated. */
export const addressWords = (text: string): string[][] => commaParts(text).map(wordsOf)

const startsWithUnit = /^(#|APT|APARTMENT|UNIT|STE|SUITE|BLDG|BUILDING|FL|FLOOR|LOT|SPC|SPACE|RM|ROOM|PH|TRLR)\b|^#/

/** Most addresses need no change, so the slower steps are skipped. */
const simple = /^[A-Za-z0-9 ]*$/

const wordsOf = (text: string): string[] => (simple.test(text) ? text : respelled(text)).split(' ').filter(Boolean)

const respelled = (text: string): string =>
  text
    .replace(/#/g, ' # ')
    .replace(/(\d)\s*-\s*(?=\d)/g, '$1~')
    .replace(/(\d)\/(?=\d)/g, '$1|')
    .replace(/[^A-Z0-9#~|]+/g, ' ')
    .replace(/~/g, '-')
    .replace(/\|/g, '/')

const takeWords = (words: string[], street: string[], unit: string[]) => {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    const kind = unitKinds.get(word)
    const next = words[at + 1]
    // "Unit" starts a unit only after a street and before a number: "12 Lot Ln" is a street.
    if (kind && next && (street.length >= 2 || unit.length > 0 || word === '#') && !suffixes.has(next)) {
      const doors = words.slice(at + 1).filter((each) => !unitKinds.has(each))
      // "Apt #2": the second designator is redundant.
      if (doors.length > 0) unit.push(kind, ...doors.map(withoutZeros))
      return
    }
    if (unit.length > 0) unit.push(withoutZeros(word))
    else street.push(street.length === 0 ? withoutZeros(word) : (abbreviations.get(word) ?? word))
  }
}

export const withoutZeros = (word: string): string => word.replace(/^0+(?=[0-9])/, '')

/** The designator of a unit, by each of its spellings: APARTMENT, UNIT and NO are "#". */
export const unitKinds: ReadonlyMap<string, string> = new Map([
  ...['#', 'APT', 'APARTMENT', 'UNIT', 'NO'].map((word) => [word, '#'] as const),
  ...['STE', 'SUITE'].map((word) => [word, 'STE'] as const),
  ...['BLDG', 'BUILDING'].map((word) => [word, 'BLDG'] as const),
  ...['FL', 'FLOOR'].map((word) => [word, 'FL'] as const),
  ...['SPC', 'SPACE'].map((word) => [word, 'SPC'] as const),
  ...['RM', 'ROOM'].map((word) => [word, 'RM'] as const),
  ['LOT', 'LOT'] as const,
  ['TRLR', 'TRLR'] as const,
])

/** Publication 28, appendix C1, with variants from real feeds. */
const suffixTable: Readonly<Record<string, string>> = {
  ALY: 'ALLEY ALLEE ALLY',
  AVE: 'AVENUE AV AVEN AVENU AVN',
  BLVD: 'BOULEVARD BL BLV BOUL BLD',
  BR: 'BRANCH',
  CIR: 'CIRCLE CR CIRC CRCL CI',
  CRES: 'CRESCENT CRSE',
  CT: 'COURT CRT',
  CTR: 'CENTER CENTRE',
  CV: 'COVE',
  CYN: 'CANYON',
  DR: 'DRIVE DRV DRIV',
  EXPY: 'EXPRESSWAY EXPWY EXPR',
  GDNS: 'GARDENS',
  GLN: 'GLEN',
  GRV: 'GROVE',
  HTS: 'HEIGHTS',
  HL: 'HILL',
  HLS: 'HILLS',
  HWY: 'HIGHWAY HIWAY HWAY',
  IS: 'ISLAND',
  JCT: 'JUNCTION',
  KNL: 'KNOLL',
  LK: 'LAKE',
  LN: 'LANE LA',
  LNDG: 'LANDING',
  LOOP: 'LOOPS',
  MDW: 'MEADOW',
  MDWS: 'MEADOWS',
  MNR: 'MANOR',
  ORCH: 'ORCHARD',
  PARK: 'PARKS PK PRK',
  PKWY: 'PARKWAY PKY PKWAY PARKWY',
  PL: 'PLACE PLC',
  PLZ: 'PLAZA PLZA',
  PT: 'POINT',
  RD: 'ROAD',
  RDG: 'RIDGE',
  SQ: 'SQUARE SQR',
  ST: 'STREET STR STRT SAINT',
  TER: 'TERRACE TERR TE',
  TRL: 'TRAIL TR TRAILS',
  VIS: 'VISTA',
  VLG: 'VILLAGE',
  VLY: 'VALLEY',
  VW: 'VIEW',
  WAY: 'WY',
  XING: 'CROSSING',
  MT: 'MOUNT',
  FT: 'FORT',
  N: 'NORTH NO',
  S: 'SOUTH SO',
  E: 'EAST',
  W: 'WEST',
  NE: 'NORTHEAST',
  NW: 'NORTHWEST',
  SE: 'SOUTHEAST',
  SW: 'SOUTHWEST',
  '1ST': 'FIRST',
  '2ND': 'SECOND',
  '3RD': 'THIRD',
  '4TH': 'FOURTH',
  '5TH': 'FIFTH',
  '6TH': 'SIXTH',
  '7TH': 'SEVENTH',
  '8TH': 'EIGHTH',
  '9TH': 'NINTH',
  '10TH': 'TENTH',
  '11TH': 'ELEVENTH',
  '12TH': 'TWELFTH',
}
const abbreviations = new Map(
  Object.entries(suffixTable).flatMap(([short, long]) => long.split(' ').map((word) => [word, short] as const)),
)
/** A word of a street name as keys spell it: STREET → ST, NORTH → N. */
export const abbreviated = (word: string): string => abbreviations.get(word) ?? word

/** The long form of an abbreviation, for comparing spellings: ST → STREET. */
export const spelledOut = (word: string): string => suffixTable[word]?.split(' ')[0] ?? word

const directions = new Set(['N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW'])
export const isDirection = (word: string): boolean => directions.has(word)

/** Words that end a street name. `suffixTable` has others, such as PARK and HILL, that are as often part of a name. */
const endings = new Set('ALY AVE BLVD CIR CT DR EXPY HWY LN PKWY PL PLZ RD SQ ST TER TRL WAY'.split(' '))
export const isStreetEnding = (word: string): boolean => endings.has(word)
export const isStreetSuffix = (word: string): boolean =>
  !directions.has(word) && suffixTable[word] !== undefined && !/^\d/.test(word)

const suffixes = new Set([...'ST AVE DR RD LN CT WAY BLVD PL CIR TER'.split(' '), ...abbreviations.keys()])

/**
 * "CA", "San Mateo", "012-345-678" → "ca:san-mateo:012345678". Numbers are unique only within a county, several states have a county
 * of the same name, and each county has its own format. Spreadsheets drop leading zeros, so fixed lengths are padded again.
 * Undefined for a text that cannot be a parcel number.
 */
export const apnKey = (state: string, county: string, apn: string): string | undefined => {
  const place = countySlug(county)
  const text = apn.trim().toUpperCase().replace(/\.0+$/, '')
  if (!place || !/[1-9]/.test(text)) return undefined
  const number = formOf(state, county)(text)
  return number && `${state.toLowerCase()}:${place}:${number}`
}

/** The keys of the numbers that a person may mean, as typed first: where separators count, 421 without them is 4-21 or 42-1. */
export const possibleApnKeys = (state: string, county: string, apn: string): string[] => {
  const bare = apn.trim()
  const isSplit = formOf(state, county) !== parts || !/^[A-Z0-9]{2,24}$/i.test(bare)
  const texts = isSplit ? [apn] : splits(bare, mostApnParts)
  return [...new Set(texts.flatMap((text) => apnKey(state, county, text) ?? []))]
}

/** A number of 24 characters has 2,048 splits into up to four parts. */
const mostApnParts = 4

/** The text, and the text with separators at up to `most` - 1 places. */
const splits = (text: string, most: number): string[] =>
  most === 1
    ? [text]
    : [
        text,
        ...Array.from({ length: text.length - 1 }, (_, at) =>
          splits(text.slice(at + 1), most - 1).map((rest) => `${text.slice(0, at + 1)}-${rest}`),
        ).flat(),
      ]

const lettersAndDigits = (text: string): string | undefined => {
  const bare = text.replace(/[^A-Z0-9]/g, '')
  return bare.length >= 4 && bare.length <= 24 ? bare : undefined
}

const digits = (length: number) => (text: string) => {
  const bare = text.replace(/\D/g, '')
  return bare.length > length - 3 && bare.length <= length ? bare.padStart(length, '0') : lettersAndDigits(text)
}

let apnForms: ReadonlyMap<string, (text: string) => string | undefined> = new Map()

const formOf = (state: string, county: string) =>
  apnForms.get(`${state.toUpperCase()} ${countySlug(county)}`) ?? lettersAndDigits

const countySlug = (county: string): string => citySlug(county.replace(/\bcounty\b/i, ''))

/** The forms of the loaded packs, each with its state: two states may have a county of the same name. */
export const setApnForms = (forms: readonly (readonly [state: string, form: ApnForm])[]): void => {
  apnForms = new Map(forms.map(([state, form]) => [`${state} ${citySlug(form.county)}`, readerOf(form)]))
}

const readerOf = (form: ApnForm) => {
  if ('digits' in form) return digits(form.digits)
  return 'parts' in form ? parts : blockAndLot
}

const blockAndLot = (text: string): string | undefined => {
  const match = /^(\d{1,4})([A-Z]?)[\s/-]*(\d{3}|(?<=[\s/-])\d{1,2})([A-Z]?)$/.exec(text)
  if (!match) return lettersAndDigits(text)
  return `${match[1]!.padStart(4, '0')}${match[2]}${match[3]!.padStart(3, '0')}${match[4]}`
}

const parts = (text: string): string | undefined => {
  const groups = text
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
    .map(withoutZeros)
  return groups.length > 0 ? groups.join('-') : undefined
}
