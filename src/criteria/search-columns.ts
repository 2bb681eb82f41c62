// The values that searches filter and sort by, one row each. Conditions, the columns of the three search tables, rows in memory and
// what a history window hides are read from this table. A new value needs its row here and its column in a migration.
import { keysOf } from '../common/typed.ts'
import type { HomeFact } from '../domain/fact-table.ts'

/**
 * Where a value of a home comes from. A key with a history window sees no value of a hidden `listing`, nor one that follows from
 * its `price`; of the `house` it sees what the parcel says. `parcel` and `assessment` are always seen. `price` and `assessment`
 * are computed; the others are records.
 */
type Origin = 'listing' | 'house' | 'parcel' | 'price' | 'assessment'

interface Row {
  type: 'number' | 'text' | 'date'
  /** Set for a value of homes, in property_search. */
  homes?: Origin
  /** Set for a value of sales, in sale_search. */
  sales?: true
  /** Set for a value of permits, in permit_search. */
  permits?: true
  /** The column, if it is not named as the value. */
  column?: string
  /** The fact that it is: of the house for homes and sales. */
  fact?: HomeFact
  /** Of homes, computed for each request: counted until today. */
  computed?: true
}

const table = {
  price: { type: 'number', homes: 'listing', sales: true },
  priceCutPct: { type: 'number', homes: 'listing' },
  daysOnMarket: { type: 'number', homes: 'listing', sales: true, computed: true },
  sqft: { type: 'number', homes: 'house', sales: true, fact: 'livingSqft' },
  lotSize: { type: 'number', homes: 'house', sales: true, fact: 'lotSqft' },
  beds: { type: 'number', homes: 'house', sales: true, fact: 'beds' },
  baths: { type: 'number', homes: 'house', sales: true, fact: 'baths' },
  yearBuilt: { type: 'number', homes: 'house', sales: true, fact: 'yearBuilt' },
  garageSqft: { type: 'number', homes: 'house', fact: 'garageSqft' },
  rankScore: { type: 'number', homes: 'price' },
  teardownRaw: { type: 'number', homes: 'assessment' },
  teardownScore: { type: 'number', homes: 'assessment' },
  flippabilityRaw: { type: 'number', homes: 'price' },
  flippabilityScore: { type: 'number', homes: 'price' },
  conditionScore: { type: 'number', homes: 'assessment' },
  historicCharm: { type: 'number', homes: 'assessment' },
  developerRoi: { type: 'number', homes: 'price' },
  returnPct: { type: 'number', homes: 'price' },
  returnAtExpectedPct: { type: 'number', homes: 'price' },
  proformaRoi: { type: 'number', homes: 'price' },
  valueUsd: { type: 'number', homes: 'price' },
  priceToValue: { type: 'number', homes: 'price' },
  monthlyRentUsd: { type: 'number', homes: 'price' },
  capRatePct: { type: 'number', homes: 'price' },
  grossYieldPct: { type: 'number', homes: 'price' },
  flipProfitUsd: { type: 'number', homes: 'price' },
  flipMaximumOffer: { type: 'number', homes: 'price' },
  approval: { type: 'text', homes: 'assessment' },
  newHouseApproval: { type: 'text', homes: 'assessment' },
  maxUnits: { type: 'number', homes: 'assessment', column: 'sb9MaxUnits' },
  aduMaxUnits: { type: 'number', homes: 'assessment' },
  aduScore: { type: 'number', homes: 'assessment' },
  aduReturnPct: { type: 'number', homes: 'assessment' },
  aduPaybackYears: { type: 'number', homes: 'assessment' },
  aduGainUsd: { type: 'number', homes: 'assessment' },
  redevelopmentScore: { type: 'number', homes: 'assessment' },
  homes: { type: 'number', homes: 'assessment' },
  bestHomes: { type: 'number', homes: 'assessment' },
  bestOffer: { type: 'number', homes: 'assessment' },
  roomUsd: { type: 'number', homes: 'assessment' },
  roomLow: { type: 'number', homes: 'assessment' },
  pricePerSqft: { type: 'number', sales: true },
  valuation: { type: 'number', permits: true, column: 'valuationUsd' },
  unitsAdded: { type: 'number', permits: true, column: 'units' },
  status: { type: 'text', homes: 'listing', permits: true },
  listedOn: { type: 'date', homes: 'listing' },
  soldOn: { type: 'date', homes: 'listing', sales: true },
  propertyType: { type: 'text', homes: 'house', sales: true, fact: 'propertyType' },
  zoning: { type: 'text', homes: 'parcel' },
  sb9Status: { type: 'text', homes: 'assessment' },
  redevelopmentClass: { type: 'text', homes: 'assessment' },
  allows: { type: 'text', homes: 'assessment' },
  bestScheme: { type: 'text', homes: 'assessment' },
  issuedOn: { type: 'date', permits: true },
  appliedOn: { type: 'date', permits: true },
  finaledOn: { type: 'date', permits: true },
  permitClass: { type: 'text', permits: true },
  contractor: { type: 'text', permits: true },
  builderId: { type: 'text', permits: true },
} as const satisfies Readonly<Record<string, Row>>

type Table = typeof table
export type SearchField = keyof Table
type OfType<Type> = { [Name in SearchField]: Table[Name]['type'] extends Type ? Name : never }[SearchField]
export type NumberField = OfType<'number'>
export type TextField = OfType<'text' | 'date'>
export type DateField = OfType<'date'>

export interface SearchColumn extends Row {
  name: SearchField
  column: string
}
const columns = keysOf(table).map((name): SearchColumn => ({ name, column: name, ...table[name] }))

export type SearchTable = 'homes' | 'sales' | 'permits'
export const searchColumns: Readonly<Record<SearchTable, readonly SearchColumn[]>> = {
  homes: columns.filter(({ homes }) => homes),
  sales: columns.filter(({ sales }) => sales),
  permits: columns.filter(({ permits }) => permits),
}

/** A value for each column of a table, by name; null and undefined are left out. */
export const searchValues = <Value>(of: SearchTable, value: (column: SearchColumn) => Value) => {
  const numbers: Partial<Record<string, NonNullable<Value>>> = {}
  const texts: typeof numbers = {}
  for (const column of searchColumns[of]) {
    const columnValue = value(column)
    if (columnValue != null) (column.type === 'number' ? numbers : texts)[column.name] = columnValue
  }
  return {
    numbers: numbers as Partial<Record<NumberField, NonNullable<Value>>>,
    texts: texts as Partial<Record<TextField, NonNullable<Value>>>,
  }
}

const namesFrom = (...origins: readonly Origin[]): ReadonlySet<string> =>
  new Set(columns.flatMap(({ name, homes }) => (homes && origins.includes(homes) ? [name] : [])))

/** What a key does not see of a home whose listing its history window hides. */
export const hiddenWithListing = namesFrom('listing', 'price')

/** What is recorded of a home. The rest is computed, and changes with the models. */
export const recordedOfHome = namesFrom('listing', 'house', 'parcel')
