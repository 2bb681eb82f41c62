/** What parcels, listings and sales all record of a house. */
export type HouseColumn = 'propertyType' | 'livingSqft' | 'lotSqft' | 'beds' | 'baths' | 'yearBuilt' | 'yearRenovated'
