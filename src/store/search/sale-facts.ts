// The facts of a sale that lists filter and sort by. `sale_search` stores them; under a history window they are computed, because
// a parcel that is known only through an older listing does not exist for the caller.
import { sql } from '../engine/database.ts'
import type { Columns, Sql } from './compile.ts'

/**
 * Facts of the house come from the sale first. A house that was built after the sale is another house, so the parcel's facts count
 * only if its house stood at the time.
 */
const ofHouse = (column: string): Sql =>
  sql`coalesce(${sql.ref(`s.${column}`)}, case when coalesce(p.year_built, 0) <= extract(year from s.sold_on)
    then ${sql.ref(`p.${column}`)} end)`

const position = { lat: sql`coalesce(p.lat, s.lat)`, lng: sql`coalesce(p.lng, s.lng)` }

/** By column of sale_search. `s` is the sale and `p` its property. */
export const saleFacts = {
  property_id: sql`p.id`,
  city_slug: sql`s.city_slug`,
  zip: sql`p.zip`,
  sold_on: sql`s.sold_on`,
  price: sql`s.price_usd`,
  price_per_sqft: sql`round((s.price_usd / nullif(${ofHouse('living_sqft')}, 0))::numeric, 2)::double precision`,
  days_on_market: sql`s.days_on_market`,
  property_type: ofHouse('property_type'),
  sqft: ofHouse('living_sqft'),
  lot_size: sql`coalesce(p.lot_sqft, s.lot_sqft)`,
  beds: ofHouse('beds'),
  baths: ofHouse('baths'),
  year_built: ofHouse('year_built'),
  overlays_yes: sql`array(select o.key from jsonb_each_text(p.overlays) o where o.value = 'yes' order by o.key)`,
  location: sql`case when ${position.lat} is not null and ${position.lng} is not null
    then point(${position.lng}, ${position.lat}) end`,
}
export type SaleFact = keyof typeof saleFacts

const columnsOf = (fact: (name: SaleFact) => Sql): Columns => ({
  market: sql`s.market`,
  citySlug: fact('city_slug'),
  zip: fact('zip'),
  location: fact('location'),
  overlays: sql`p.overlays`,
  numbers: {
    price: fact('price'),
    pricePerSqft: fact('price_per_sqft'),
    daysOnMarket: fact('days_on_market'),
    sqft: fact('sqft'),
    lotSize: fact('lot_size'),
    beds: fact('beds'),
    baths: fact('baths'),
    yearBuilt: fact('year_built'),
  },
  texts: { soldOn: fact('sold_on'), propertyType: fact('property_type') },
})

/** `s` is a row of sale_search. */
export const storedColumns: Columns = {
  ...columnsOf((name) => sql.ref(`s.${name}`)),
  indexedLocation: sql`s.location`,
  overlaysYes: sql`s.overlays_yes`,
  /** The inner sale is named as the outer one, because the condition on the city names it. */
  address: (condition) => sql`(s.market, s.source_id, s.sale_id) in (
    select s.market, s.source_id, s.sale_id from property q join sale s on s.market = q.market and s.property_id = q.id
    where ${condition(sql`q.address_key`)}
    union all
    select s.market, s.source_id, s.sale_id from sale s where s.property_id is null and ${condition(sql`s.address_key`)})`,
}

/** `s` is a row of sale, `p` the property that the caller may see. */
export const computedColumns: Columns = {
  ...columnsOf((name) => saleFacts[name]),
  address: (condition) => condition(sql`coalesce(p.address_key, s.address_key)`),
}
