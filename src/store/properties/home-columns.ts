// The rule of domain/home-facts.ts in SQL: lot size and location come from the parcel first, facts of the house from the listing
// first. No other SQL decides between the two. test/operations/agreement.test.ts checks that both rules agree.
import { sql } from '../engine/database.ts'

/** For a query with the parcel as `p` and its current listing as `l`. */
export const homeColumns = sql`
  coalesce(l.living_sqft, p.living_sqft) as living_sqft, coalesce(p.lot_sqft, l.lot_sqft) as lot_sqft,
  coalesce(l.year_built, p.year_built) as year_built, coalesce(l.beds, p.beds) as beds,
  coalesce(l.baths, p.baths) as baths, coalesce(p.lat, l.lat) as lat, coalesce(p.lng, l.lng) as lng`
