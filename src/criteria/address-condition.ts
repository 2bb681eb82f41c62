// The condition of `address`, as people type it: "123 Main Street, #2, Menlo Park, CA 94025", "9076, Belvedere, Ave", "elm st".
import { addressKey } from '../domain/address/address.ts'
import { type AddressReading, readAddress } from '../domain/address/address-reading.ts'

/** A row meets the condition if its normalized address fits one of these. */
export interface AddressPattern {
  fits: 'contains' | 'starts' | 'equals'
  key: string
  /** Only in these cities; undefined for all. */
  citySlugs?: readonly string[]
}

/** Longer texts are not addresses; reading them would take long. */
const longestRead = 300

export const addressPatterns = (text: string): AddressPattern[] => {
  const { readings, outside } = text.length > longestRead ? { readings: [], outside: '' } : readAddress(text)
  const numbered = readings.filter(({ houseNumber }) => houseNumber !== '')
  const placed = outside === undefined ? numbered.filter(({ citySlugs }) => citySlugs !== undefined) : []
  const patterns =
    placed.length > 0
      ? // Also the readings without a city: "9024 Foster City Blvd" names a street, not the city of a street named "Blvd".
        numbered.flatMap(patternsOf)
      : [
          { fits: 'contains' as const, key: addressKey(text) },
          { fits: 'contains' as const, key: addressKey(text.replace(/[,\n;]+/g, ' ')) },
          ...numbered.filter(({ unit }) => unit.length > 0).flatMap(patternsOf),
        ]
  return patterns.filter(
    ({ key }, at) => key !== '' && patterns.findIndex((each) => isSame(each, patterns[at]!)) === at,
  )
}

/** A home without units is meant by an address with one too, but another unit is not. */
const patternsOf = ({ houseNumber, street, unit, citySlugs }: AddressReading): AddressPattern[] => {
  const place = citySlugs === undefined ? {} : { citySlugs }
  const home = [houseNumber, ...street].join(' ')
  return unit.length === 0
    ? [{ fits: 'starts', key: home, ...place }]
    : [
        { fits: 'starts', key: [home, ...unit].join(' '), ...place },
        { fits: 'equals', key: home, ...place },
      ]
}

const isSame = (a: AddressPattern, b: AddressPattern): boolean =>
  a.fits === b.fits && a.key === b.key && a.citySlugs?.join() === b.citySlugs?.join()

export const fitsPattern = (
  { fits, key, citySlugs }: AddressPattern,
  row: { addressKey?: string; otherAddressKeys?: readonly string[]; citySlug: string },
): boolean => {
  if (citySlugs && !citySlugs.includes(row.citySlug)) return false
  const keys = [...(row.addressKey === undefined ? [] : [row.addressKey]), ...(row.otherAddressKeys ?? [])]
  if (fits === 'equals') return keys.includes(key)
  return keys.some((each) => (fits === 'starts' ? each.startsWith(key) : each.includes(key)))
}
