// Where permit_search has the values that criteria are about. Queries name its columns without an alias.
import { searchValues } from '../../criteria/search-columns.ts'
import { isCitySlug } from '../../domain/packs/markets.ts'
import { columnOf } from '../engine/columns.ts'
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'
import { all, type Columns, type Sql } from '../search/compile.ts'

/** For LIKE, on the name in lower case and on the slug. */
export const cityPattern = (part: string): string => (isCitySlug(part) ? part : `%${likeEscaped(part)}%`)

/** A value of the property that the permit belongs to; null without one. */
const ofProperty = (value: Sql): Sql =>
  sql`(select ${value} from property p where p.market = permit_search.market and p.id = permit_search.property_id)`

const builderId = sql`(select b.builder_id from builder b where b.market = permit_search.market
  and b.name_key = permit_search.builder_key and not b.hidden)`

export const permitColumns: Columns = {
  // Named with the table: the row of the home has both too.
  market: sql`permit_search.market`,
  id: sql`permit_search.property_id`,
  citySlug: sql`city_slug`,
  zip: sql`zip`,
  location: sql`location`,
  indexedLocation: sql`location`,
  overlays: ofProperty(sql`p.overlays`),
  ...searchValues('permits', ({ name, column }) => (name === 'builderId' ? builderId : sql.ref(columnOf(column)))),
  address: (condition, listCondition) => sql`(market, city_slug, permit_id) in (
    select a.market, a.city_slug, a.permit_id from permit a where ${condition(sql`a.address_key`)}
    union all
    select a.market, a.city_slug, a.permit_id from permit a
    where a.other_address_keys is not null and ${listCondition(sql`address_list(a.other_address_keys)`)}
      and exists (select 1 from unnest(a.other_address_keys) as other (key) where ${condition(sql`other.key`)}))`,
  words: (words) => all(words.map((word) => sql`search like ${`%${likeEscaped(word.toLowerCase())}%`}`)),
  cityPart: (parts) => {
    const patterns = parts.map(cityPattern)
    return sql`exists (select 1 from permit_city c where c.market = permit_search.market
      and c.city_slug = permit_search.city_slug
      and (lower(c.city) like any(${patterns}::text[]) or c.city_slug like any(${patterns}::text[])))`
  },
}
