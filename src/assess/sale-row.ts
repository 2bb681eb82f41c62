// Parses one row of the canonical sales file. A row without a required value is rejected with its reason; an empty
// optional value is undefined.

import { factColumn, factTable, type HomeFact, homeFactNames } from '../domain/fact-table.ts'
import { type HomeFacts, minMarketPriceUsd, type PropertyType, propertyTypes } from '../domain/facts.ts'
import { dateOf, dayOf, type ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

export type SaleRow = Readonly<Record<string, string | undefined>>

/** A file without these columns cannot be used. */
export const requiredSaleColumns = ['saleId', 'soldOn', 'priceUsd', 'livingSqft', 'lat', 'lng'] as const
/** Optional columns; without one its fact is unknown. */
export const expectedSaleColumns = ['lotSqft', 'beds', 'baths', 'yearBuilt', 'propertyType'] as const

export function readSaleRow(row: SaleRow): { sale: ValuationSale } | { rejected: string } {
  const saleId = row.saleId?.trim()
  if (!saleId) return { rejected: 'saleId is empty' }
  const soldOn = row.soldOn?.trim().slice(0, 10) ?? ''
  const day = dayOf(soldOn)
  // Date.UTC turns 2015-02-30 into a day in March, so the date is compared with the text.
  if (Number.isNaN(day) || dateOf(day) !== soldOn) return { rejected: 'soldOn is not a date' }
  const priceUsd = numberOf(row.priceUsd)
  if (priceUsd === undefined || priceUsd <= 0) return { rejected: 'priceUsd is not a positive number' }
  if (priceUsd < minMarketPriceUsd) return { rejected: 'priceUsd is a token price, not a market one' }
  const livingSqft = numberOf(row.livingSqft)
  if (livingSqft === undefined || livingSqft <= 0) return { rejected: 'livingSqft is not a positive number' }
  const lat = numberOf(row.lat)
  const lng = numberOf(row.lng)
  const city = row.city?.trim() || undefined
  const onEarth = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  if (!(onEarth && !(lat === 0 && lng === 0)) && !city) return { rejected: 'lat and lng are not a point' }
  return {
    sale: {
      saleId,
      soldOn,
      priceUsd,
      ...(onEarth ? { lat, lng } : {}),
      city,
      ...homeOf(row),
      livingSqft,
      propertyId: row.propertyId?.trim() || undefined,
    },
  }
}

const otherNames: Readonly<Record<string, string>> = { ...factColumn('alias'), quality: 'grade' }

const homeOf = (row: SaleRow): HomeFacts =>
  Object.fromEntries(homeFactNames.map((name) => [name, factOf(name, row[name] ?? row[otherNames[name] ?? ''])]))

function factOf(name: HomeFact, text: string | undefined) {
  const { type, range, zero } = factTable[name]
  if (type === 'propertyType') return typeOf(text)
  if (type === 'boolean') return yesNo(numberOf(text))
  return zero || range?.[0] === 0 ? numberOf(text) : positive(numberOf(text))
}

function numberOf(text: string | undefined): number | undefined {
  const plain = text?.trim().replace(/^\$/, '').replaceAll(',', '')
  if (!plain || /^(null|na|nan)$/i.test(plain)) return undefined
  if (/^(true|yes)$/i.test(plain)) return 1
  if (/^(false|no)$/i.test(plain)) return 0
  const value = Number(plain)
  return Number.isFinite(value) ? value : undefined
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined

const yesNo = (value: number | undefined): boolean | undefined => (value === undefined ? undefined : value > 0)

function typeOf(text: string | undefined): PropertyType | undefined {
  const plain = text
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return propertyTypes.find((type) => type === plain)
}
