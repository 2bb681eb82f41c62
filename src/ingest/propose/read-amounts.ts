// How a column of numbers is read: its unit by its name and by the median, which must be plausible for the field.
import { factColumn } from '../../domain/fact-table.ts'
import { nameKey } from '../column-names.ts'
import { isEmptyNumber, readNumber, unreadable } from '../values.ts'
import { quoted } from './columns.ts'
import type { Read } from './read-column.ts'

/** Plausible medians in our unit. A column with another median has another unit. */
const medians: Readonly<Record<string, readonly [number, number]>> = {
  ...factColumn('median'),
  priceUsd: [40_000, 9_000_000],
  soldPriceUsd: [40_000, 9_000_000],
  listPriceUsd: [40_000, 9_000_000],
  originalPriceUsd: [40_000, 9_000_000],
  amountUsd: [300, 15_000],
  valuation: [300, 1_000_000_000],
  sqft: [50, 500_000],
  daysOnMarket: [1, 2000],
  lat: [-90, 90],
  lng: [-180, 180],
}

interface AreaUnit {
  unit: 'acres' | 'hectares' | 'sqm' | 'sqft'
  label: string
  /** To square feet. */
  factor: number
  /** How names of columns and whole words write the unit. */
  names: RegExp
  /** How a column of units may also write it. */
  letters?: RegExp
}
export const areaUnits: readonly AreaUnit[] = [
  { unit: 'acres', label: 'acres', factor: 43_560, names: /acre|[^a-z]ac\b/i, letters: /^a$/i },
  { unit: 'hectares', label: 'hectares', factor: 107_639, names: /hectare|(?:^|[^a-z])ha\b/i },
  { unit: 'sqm', label: 'square meters', factor: 10.764, names: /sqm|m2|squaremet|sqmet/i },
  {
    ...{ unit: 'sqft', label: 'square feet', factor: 1, letters: /^s[fq]?$/i },
    names: /sqft|sqfeet|squarefeet|squarefoot|stateplane|areaSqft|sf$/i,
  },
]
/** From this median on, an area without a named unit is in square feet: square meters would be implausible. */
const leastSqft: Readonly<Record<string, number>> = { lotSqft: 4000, garageSqft: 150, basementSqft: 300, sqft: 50 }

/** Two ranges of values, `low` to `middle` and above `high`, which no single unit explains. */
const unitRanges: readonly (readonly [fields: RegExp, low: number, middle: number, high: number])[] = [
  [/[pP]riceUsd$/, 100, 2500, 25_000],
  [/^livingSqft$/, 20, 250, 700],
  [/^lotSqft$/, 0, 20, 1500],
]

interface Amounts {
  field: string
  name: string
  numbers: readonly number[]
  median: number
  /** Whether the median is plausible in a unit. `wider` extends the range below and above. */
  fits: (factor: number, wider?: readonly [below: number, above: number]) => boolean
  /** "price" may be the rent of a month, "size" anything. */
  isVague: boolean
}

/** `homes`: how many homes a row may sum up. */
export const readAmounts = (field: string, name: string, values: readonly unknown[], homes = 1): Read => {
  const numbers = numbersOf(field, name, values)
  if (!Array.isArray(numbers)) return numbers
  const key = nameKey(name)
  // Transfers for $1 or $10 are no prices.
  const least = /[pP]riceUsd$/.test(field) ? 100 : 0
  const above = numbers.filter((value) => Math.abs(value) > least).sort((a, b) => a - b)
  const median = above[Math.floor(above.length / 2)]
  if (median === undefined)
    return field === 'units' ? { rule: name, sure: false } : { reason: `no value is above ${least}` }
  if (field === 'valuation' && median < 1500 && /^(amount|(tot(al)?)?(cost|val(ue)?)s?)$/.test(key))
    return { reason: `it may be a fee: ${medianIs(median)}` }
  const range = medians[field]
  if (!range) return { rule: name, sure: true }
  const fits: Amounts['fits'] = (factor, [below, beyond] = [1, 1]) =>
    median * factor >= range[0] / below && median * factor <= range[1] * beyond * homes
  const isMillionths = field === 'lat' ? median > 17e6 && median < 72e6 : median > -180e6 && median < -64e6
  if ((field === 'lat' || field === 'lng') && isMillionths)
    return { rule: { field: name, multiply: 1e-6 }, sure: true, note: 'in millionths of a degree' }
  if (field === 'lat' || field === 'lng')
    return fits(1) && numbers.filter(Number.isInteger).length < numbers.length / 2
      ? { rule: name, sure: true }
      : { reason: 'the coordinates are projected; export the points in WGS 84, or as GeoJSON with spatialReference' }
  if (mixesUnits(field, above)) return { reason: mixed }
  const isVague = /^(price(usd)?|amount|value|size|area|sqft)$/.test(key)
  const amounts = { field, name, numbers, median, fits, isVague }
  if (/sqft$/i.test(field)) return readArea(amounts)
  if (/Usd$/.test(field)) return readDollars(amounts)
  return fits(1) ? { rule: name, sure: true } : { reason: medianIs(median) }
}
const mixed = 'its values are in different units'
const medianIs = (median: number) => `the median is ${median.toLocaleString('en-US')}`

/** The numbers of a column, without one that stands for an empty value, or why they cannot be those of the field. */
const numbersOf = (field: string, name: string, values: readonly unknown[]): number[] | { reason: string } => {
  if (/Usd$/.test(field) && /[€£¥₹]|\b(eur|gbp|cad|aud|inr|mxn)\b/i.test(name))
    return { reason: 'it is not in US dollars' }
  const isCoordinate = field === 'lat' || field === 'lng'
  const read = values.map(readNumber)
  const all = read.filter((value) => typeof value === 'number')
  const lost = values.filter((_, at) => read[at] === unreadable)
  if (all.length < 9 * lost.length || all.length === 0) return { reason: `not numbers: ${quoted(lost)}` }
  // A single negative number such as -1 or -9999 stands for an empty value.
  const negative = new Set(all.filter((value) => value < 0))
  const hasEmpty = negative.size === 1 && isEmptyNumber([...negative][0]) && !isCoordinate
  const numbers = hasEmpty ? all.filter((value) => value >= 0) : all
  // A permit to demolish takes units away.
  if (!isCoordinate && field !== 'units' && numbers.filter((value) => value < 0).length > 0.05 * numbers.length)
    return { reason: 'many values are negative, as in standardized data' }
  const units = new Set(values.map((value) => /\d\s*(ac|sq|sf|m)/i.exec(String(value))?.[1]?.toLowerCase()))
  return /sqft$/i.test(field) && units.size > 1 && units.has('ac') ? { reason: mixed } : numbers
}

/** A fifth or more of the values in each of two ranges, and few between them. */
const mixesUnits = (field: string, numbers: readonly number[]): boolean =>
  unitRanges.some(([fields, low, middle, high]) => {
    const share = (least: number, most: number) =>
      numbers.filter((value) => value > least && value <= most).length / numbers.length
    return (
      fields.test(field) &&
      share(low, middle) > 0.2 &&
      share(high, Number.POSITIVE_INFINITY) > 0.2 &&
      share(middle, high) < 0.2
    )
  })

const readArea = ({ field, name, numbers, median, fits, isVague }: Amounts): Read => {
  const named = areaUnits.find(({ names }) => names.test(name) || names.test(nameKey(name)))
  if (named) {
    const { unit, label, factor } = named
    // A named unit needs less proof: land and buildings of a city center are small and large.
    return fits(factor, [2, 5])
      ? { rule: unit === 'sqft' ? name : { field: name, unit }, sure: true, note: `in ${label}` }
      : { reason: `the name says ${label}, but ${medianIs(median)}` }
  }
  if (fits(1) && median >= (leastSqft[field] ?? 800))
    return { rule: name, sure: true, note: 'in square feet, by its values' }
  if (field === 'lotSqft' && median < 5 && numbers.some((value) => !Number.isInteger(value)))
    return { rule: { field: name, unit: 'acres' }, sure: false, note: 'in acres, by its values' }
  if (field === 'livingSqft' && median >= 50 && median <= 300 && !isVague)
    return { rule: { field: name, unit: 'sqm' }, sure: false, note: 'in square meters, by its values' }
  if (field === 'livingSqft' && fits(1)) return { rule: name, sure: false, note: 'in square feet, by its values' }
  return { reason: `the unit is not clear: ${medianIs(median)}` }
}

const readDollars = ({ name, median, fits, isVague }: Amounts): Read => {
  const isCents = /cents/i.test(name)
  const isThousands = /thousands?|000s|\(k\)|inK$/i.test(name)
  if (fits(1) && !isCents && !isThousands) return { rule: name, sure: true }
  // Four digits may be the rent of a month.
  if (fits(1000) && (isThousands || (median < 1000 && !isVague)))
    return { rule: { field: name, unit: 'thousands' }, sure: isThousands, note: 'in thousands of dollars' }
  // Without the word, large amounts are those of large buildings.
  if (fits(0.01) && isCents) return { rule: { field: name, multiply: 0.01 }, sure: true, note: 'in cents' }
  return { reason: `the unit is not clear: ${medianIs(median)}` }
}
