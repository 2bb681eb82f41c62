// The rule of contract/home-facts.ts in SQL: lot size and position from the parcel first, the house from the listing
// first. The only place in the store that decides between the two; test/operations/agreement.test.ts keeps both equal.
import { sql } from '../engine/database.ts'

/** For a query that names the parcel `p` and its current listing `l`. */
export const homeColumns = sql`
  coalesce(l.living_sqft, p.living_sqft) as living_sqft, coalesce(p.lot_sqft, l.lot_sqft) as lot_sqft,
  coalesce(l.year_built, p.year_built) as year_built, coalesce(l.beds, p.beds) as beds,
  coalesce(l.baths, p.baths) as baths, coalesce(p.lat, l.lat) as lat, coalesce(p.lng, l.lng) as lng`
