// What the values of a column must look like for a field, and what the fields of a row must look like together. A field that the
// rows contradict is left out with the reason.
import type { Dataset } from '../../domain/facts.ts'
import type { FieldRule } from '../../domain/packs/source-config.ts'
import { stateCodes } from '../../domain/states.ts'
import { mapper, namesIn } from '../map.ts'
import { hasStreet, isEmptyNumber, readDate } from '../values.ts'

export const isStreetAddress = (text: string): boolean =>
  /^(?!\W*(?:lot|blk|block|sec|twp)\b|.*_)(?=\s*\S+\s+\S)[^[{]*(?<![a-z]{2})\d.*[a-z]{2}/i.test(text) && hasStreet(text)

const words = 'description contractor architect'
/** A code or a few words, or longer words that zoning codes use. */
const isDistrict = (text: string): boolean =>
  text.split(/\s+/).length < 5 ||
  /zon|district|resid|famil|commerc|business|indust|agric|rural|mixed|density|planned|open|use\b/i.test(text)
/**
 * Fields (an empty list applies to every field), the least share of the values that must fit, the rule that a value fits, and the
 * reason if fewer do.
 */
const valueRules: readonly (readonly [string, number, RegExp | ((text: string) => boolean), string])[] = [
  ['', 0.5, /^(?!\s*(\{|\[(object|\s*['"{])))/, 'the values are JSON'],
  ['', 0.9, /^(?!#(ref|name|value|n\/a|div)|#{4})/i, 'the values are spreadsheet errors such as #REF! or ####'],
  ['remarks', 0.5, /^(?=.{40}).*[a-z]{2} [a-z]{2}/is, 'the values are not sentences'],
  ['remarks', 0.5, /^(?!.*(©|all rights reserved))/is, 'they are notices of rights'],
  ['address', 1 / 3, isStreetAddress, 'the values are not street addresses'],
  ['city county', 0.5, /^[^\d_]*[a-z][^\d_]*$/i, 'the values are numbers'],
  ['city', 1, /^(?!.*[a-z]_[a-z])/, 'the values are codes'],
  ['city county', 0.5, /[a-z]{3}/i, 'the values are codes'],
  ['city', 0.8, /^(?!.* county$)/i, 'counties are among the values'],
  ['city', 0.5, /^(?!((un)?incorporated|residential|commercial)\b)/i, 'the values are not city names'],
  ['projectType status propertyType', 0.5, /^(?!\d{1,3}(\.0)?$)/, 'the values are numeric codes'],
  [
    `projectType status zoning ${words}`,
    0.5,
    /^(?!(y|n|yes|no|t|f|true|false)$)/i,
    'the values are yes or no, not words',
  ],
  [`projectType status ${words}`, 0.5, (text) => typeof readDate(text) !== 'string', 'the values are dates'],
  ['zoning', 0.5, isDistrict, 'the values are not zoning districts'],
  [words, 0.5, /[a-z]{3}/i, 'the values are not words'],
  [
    'description',
    0.5,
    /^(?!.*\bl(o?ts?|t)\b\W*\w{1,4}\b.*\b(bl(oc)?k|sub|addn?|plat|tract|sec)\b)/i,
    'they are legal descriptions',
  ],
  ['description', 0.7, /^(?!\d+ [^,]*\b(st|ave|rd|dr|ln|ct|street|avenue|road)\b[^,]*$)/i, 'they are addresses'],
  ['contractor architect', 0.5, /^[^@]*$/, 'the values are email addresses'],
  ['permitId listingId apn contractorLicense', 0.5, /\d/, 'the values have no digits'],
  ['listingId', 0.9, /\d/, 'many values have no digits'],
  [
    'apn',
    0.5,
    /^(?!\d\.\d+E\+\d+$|(?=\d{16})\d{1,17}?0{4,}$)/i,
    'a spreadsheet has rounded the numbers; export them as text',
  ],
  ['apn', 0.5, /^(?!\d{1,4}(\.0)?$)/, 'the values are too short for parcel numbers'],
  ['sourceUrl listingUrl', 1, /^https?:(?!.*\.(jpe?g|png|gif|webp)$)/i, 'the values are not URLs'],
]

/** Why the texts of a column cannot be those of a field. */
export const misfit = (field: string, texts: readonly string[]): string | undefined =>
  valueRules.find(([fields, least, rule]) => {
    if (fields !== '' && !fields.split(' ').includes(field)) return false
    const fits = typeof rule === 'function' ? rule : (text: string) => rule.test(text)
    return texts.filter((text) => fits(text.trim())).length < least * texts.length
  })?.[3]

const isOff = (ratio: number, least: number, most: number): boolean => ratio < least || ratio > most
const endsIn = (text: string, end: string): boolean => text.toUpperCase().endsWith(end.toUpperCase())
const differsFromOutline: Wrong<number> = (lot, outline) => isOff(lot / outline, 0.5, 2)
const lotAreaMismatch: Wrong<number> = (one, other, lot) => isOff((one * other) / lot, 0.3, 3)
const differsFromPrice: Wrong<number> = (one, other) => isOff(one / other, 0.5, 2)
export const outlineDiffers = 'it is not the area of the outline'
type Wrong<Value> = (one: Value, other: Value, third: Value) => boolean
/**
 * Fields, the largest share of the rows with all of them that may be wrong, when a row is wrong, and the reason to leave out the first
 * field if more are.
 */
type Relations<Value> = readonly (readonly [string, number, Wrong<Value>, string])[]
const ofNumbers: Relations<number> = [
  ['yearRenovated yearBuilt', 0.1, (renovated, built) => renovated < built, 'it is before the year built'],
  ['livingSqft beds', 0.5, (area, beds) => isOff(area / beds, 150, 1500), 'the area per bedroom is implausible'],
  ['livingSqft lotSqft', 0.5, (living, lot) => !isOff(living / lot, 0.98, 1.02), 'it equals the lot area'],
  ['lotSqft acres', 0.5, (lot, acres) => isOff(lot / (43_560 * acres), 0.33, 3), 'it disagrees with the acres'],
  ['livingSqft priceUsd', 0.5, (area, price) => isOff(price / area, 5, 5000), 'it does not fit the price'],
  ['lotSqft', 0.5, (lot) => lot > 1000 * 43_560, 'its unit is implausible: most lots would have over 1,000 acres'],
  ['lotSqft outlineSqft', 0.5, differsFromOutline, outlineDiffers],
  ['lotWidthFt lotDepthFt lotSqft', 0.5, lotAreaMismatch, 'width × depth does not match the lot area'],
  ['lotDepthFt lotWidthFt lotSqft', 0.5, lotAreaMismatch, 'width × depth does not match the lot area'],
  ['listPriceUsd priceUsd', 0.3, differsFromPrice, 'it does not fit the price'],
  ['soldPriceUsd priceUsd', 0.3, differsFromPrice, 'it does not fit the price'],
  ['originalPriceUsd priceUsd', 0.3, differsFromPrice, 'it does not fit the price'],
  ['beds', 0.05, (beds) => beds % 1 !== 0, 'the values are not whole numbers'],
  ['baths', 0.05, (baths) => (baths * 4) % 1 !== 0, 'values such as 2.1 may mean two full baths and a half one'],
  ['lng lat zip', 0.5, (lng, lat) => lng > 60 && lat > 15, 'it lacks its minus sign'],
]
const ofTexts: Relations<string> = [
  ['appliedOn issuedOn', 0.2, (applied, issued) => applied > issued, 'it is after the day of issue'],
  ['finaledOn issuedOn', 0.2, (finaled, issued) => finaled < issued, 'it is before the day of issue'],
  ['listedOn soldOn', 0.2, (listed, sold) => listed > sold, 'it is after the day of the sale'],
  ['yearBuilt soldOn', 0.5, (built, sold) => Number(built) > Number(sold.slice(0, 4)) + 1, 'it is after the sale'],
  ['address city', 0.05, (address, city) => endsIn(address, ` ${city}`), 'the address includes the city'],
  ['address', 0.05, (text) => withTown.test(text), 'a town, state and ZIP code follow the street, but not in one form'],
]
const dayOfExport = 'nearly all rows have the same date, probably the export date'
/** In fewer rows, chance decides: one wrong day of three is no sign that the column holds something else. */
const fewestRows = 20
const exceeds = (wrong: number, share: number, rows: number): boolean => wrong > share * Math.max(rows, fewestRows)

/** "12 Elm StreetBelton", "12 Elm St, TX", "12 Elm St Hope, TX 75001"; NE is also the northeast of a city. */
export const withTown = new RegExp(
  String.raw`\b([Ss]treet|[Ss]t|[Aa]ve(nue)?|[Rr](oa)?d|[Dd]r(ive)?|[Ll]a?ne?|[Cc](our)?t|[Cc]ir(cle)?|[Pp]l(ace)?|[Ww]ay|[Tt]er(race)?|[Bb]lvd)[A-Z][a-z]{2}|,\s*(${stateCodes.filter((code) => code !== 'NE').join('|')})$|\b[A-Z]{2},?\s+\d{5}(-\d{4})?$`,
)

/** Homes of one building have one point, and may have one parcel number. */
const unitPart = /[\s,]+(#|(apt|unit|ste|suite|apartment)\b).*$/i

/** Fields of a proposed mapping that the rows contradict. */
export const contradictions = (
  holds: Dataset,
  fields: readonly { field: string; rule: FieldRule }[],
  rows: readonly Readonly<Record<string, unknown>>[],
  now: Date,
  acres: readonly unknown[] = [],
): { field: string; reason: string }[] => {
  const proposed = Object.fromEntries(fields.map(({ field, rule }) => [field, rule]))
  const read = mapper({ id: '', title: '', kind: 'csv', holds, where: { url: '' }, fields: proposed })
  const values = rows.map((row, at): Readonly<Record<string, unknown>> => {
    const outlineSqft = (row.geometry as { areaSqft?: number } | undefined)?.areaSqft
    const { priceUsd, ...rest } = read(row).values
    // Transfers for $1 or $100 say nothing about the home.
    return {
      ...rest,
      ...(Number(priceUsd) > 100 ? { priceUsd } : {}),
      outlineSqft,
      acres: Number(acres[at]) || undefined,
    }
  })
  const today = now.toISOString().slice(0, 10)
  const days = ['appliedOn', 'issuedOn', 'finaledOn', 'listedOn', 'pendingOn', 'soldOn'].map(
    (field) => [field, 0.05, (day: string) => day > today, 'many of its days are in the future'] as const,
  )
  const untilDay = values.map(
    ({ soldOn, daysOnMarket }) => Date.parse(String(soldOn)) + Number(daysOnMarket) * 86_400_000,
  )
  const [countedOn = []] = [...Map.groupBy(untilDay.filter(Boolean), String).values()].sort(
    (a, b) => b.length - a.length,
  )
  // Redfin counts the days of a home that was sold from its sale to the day of the download.
  const isSinceSale = exceeds(countedOn.length, 0.3, untilDay.filter(Boolean).length)
  const since = isSinceSale ? [{ field: 'daysOnMarket', reason: 'it counts the days since the sale' }] : []
  /** The values of the fields in the rows that have an address and all of them. */
  const besideAddress = (names: readonly string[]) =>
    values.flatMap((row) =>
      row.address && names.every((name) => row[name] !== undefined)
        ? [[String(row.address), names.map((name) => row[name]).join()] as const]
        : [],
    )
  const areShared = (addresses: number, ...names: string[]) => {
    const pairs = besideAddress(names).map(([address, value]) => [address.replace(unitPart, ''), value])
    const [different, values] = [0, 1].map((at) => new Set(pairs.map((pair) => pair[at])).size)
    return different! >= fewestRows && values! * addresses < different!
  }
  const byContractor = [...Map.groupBy(besideAddress(['contractor']), ([, name]) => name).values()].filter(
    (pairs) => pairs.length > 2,
  )
  const atOne = byContractor.filter((pairs) => pairs.every(([address]) => address === pairs[0]![0])).length
  const isExport = (field: string, vague: RegExp) => {
    const days = values.flatMap((row) => row[field] ?? [])
    const [column = ''] = namesIn(proposed[field] ?? '')
    return vague.test(column) && days.length >= fewestRows && new Set(days).size < 3
  }
  const sharedChecks = [
    // One point for all addresses of a ZIP code, the number of a tract.
    [areShared(5, 'lat', 'lng'), 'lat', 'many addresses have the same point'],
    [areShared(2, 'apn'), 'apn', 'many addresses have the same value'],
    [byContractor.length > 4 && atOne > 0.7 * byContractor.length, 'address', "it is the contractor's address"],
    [isExport('appliedOn', /creat|enter|added|process/i), 'appliedOn', dayOfExport],
    [isExport('listedOn', /./), 'listedOn', dayOfExport],
    [isExport('soldOn', /^date(time)?$/i), 'soldOn', dayOfExport],
  ] as const
  const shared = sharedChecks.flatMap(([isShared, field, reason]) => (isShared ? [{ field, reason }] : []))
  const wrong = [...days, ...ofTexts, ...ofNumbers].flatMap(([names, share, isWrong, reason]) => {
    const of = names.split(' ')
    const all = values.map((row) => of.map((name) => row[name]))
    // 0 and -1 are how feeds write an unknown number.
    const whole = all.filter((row) => !row.some((value) => value === undefined || value === 0 || isEmptyNumber(value)))
    const wrong = whole.filter((row) => isWrong(...(row as [never, never, never]))).length
    return exceeds(wrong, share, whole.length) ? [{ field: of[0]!, reason }] : []
  })
  return [...since, ...shared, ...wrong]
}
