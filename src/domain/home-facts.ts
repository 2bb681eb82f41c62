// The facts of a home, from its parcel and its current listing. This is the only place that decides which of the
// two takes precedence; `homeColumns` in the store is the same rule in SQL.
import { pick, tableOf } from '../common/typed.ts'
import { factTable, homeFactNames, type LotFact, lotFactNames } from './fact-table.ts'
import type { HomeFacts, ParcelFacts } from './facts.ts'

/** What a listing says about the home it offers. */
type ListedHome = HomeFacts & { lat?: number; lng?: number }

/**
 * Lot size and position come from the parcel first: the assessor measures land, and agents round or copy it. Everything
 * about the house comes from the listing first, because the roll misses additions and remodels for years.
 */
export const homeFacts = (parcel: ListedHome, listing: ListedHome | undefined): ListedHome => {
  const home: Record<string, unknown> = { lat: parcel.lat ?? listing?.lat, lng: parcel.lng ?? listing?.lng }
  for (const name of homeFactNames)
    home[name] = factTable[name].parcelFirst ? (parcel[name] ?? listing?.[name]) : (listing?.[name] ?? parcel[name])
  return home
}

/** The parcel with its home. Every fact has a place, so that all parcels have one shape, and nothing else comes along. */
export const parcelWithHome = (parcel: ParcelFacts, listing: ListedHome | undefined): ParcelFacts => ({
  ...pick(parcel, 'id', 'market', 'city', 'address', 'county', 'apn', 'overlays', 'buildings', 'stations'),
  ...homeFacts(parcel, listing),
  ...(tableOf(lotFactNames, (name) => parcel[name]) as Pick<ParcelFacts, LotFact>),
})
