// Demolition permits that name no house, where such permits are as often for a part of one. Many cities write "Demo" and no
// more; whether that means the house shows in how often a new one follows on the same parcel, in that city at that time.
import type { MarketId } from '../../contract/facts.ts'
import { sql } from '../engine/database.ts'

/**
 * Measured on what Los Altos itself typed from 2007 on: a new house was permitted within 180 days before to 730 after on 84 % of
 * the parcels whose main structure was demolished (91 % where the years after are in the export), on 3 % of those with a partial
 * or pool demolition. One without a new house is then more likely a part (Bayes) unless 89 % of bare ones mean the house,
 * which is to say that a new house follows on 79 %.
 */
const rebuiltWhereWhole = 0.79
const beforeDays = 180
const afterDays = 730

/** The words that decided a class say whether it was the house or only this. */
const bareWord = '^(demo|demol\\w*|raze|razing|tear ?down|deconstruct\\w*|wreck(ing)?)$'

/** Fewer within two years say nothing of what a city means. */
const enough = 20

/**
 * City and number of each, in a market. A lack of new houses tells only where they are recorded at all, at least one to four
 * demolitions, and where there was time for one.
 */
export const doubtfulDemolitions = (market: MarketId) => sql`
  select city_slug, permit_id from (
    select city_slug, permit_id, bare, rebuilt, issued_on,
      max(issued_on) filter (where house) over (partition by city_slug) as last_house,
      count(*) filter (where house) over around as houses,
      count(*) filter (where bare) over around as bares,
      count(*) filter (where bare and rebuilt) over around as bares_rebuilt
    from (
      select city_slug, permit_id, issued_on, house, bare,
        bool_or(house) over (partition by place order by issued_on
          range between ${sql.raw(`'${beforeDays} days'`)} preceding and ${sql.raw(`'${afterDays} days'`)} following) as rebuilt
      from (
        select city_slug, permit_id, issued_on, permit_class = 'new_house' as house,
          permit_class <> 'new_house' and cardinality(class_words) = 1 and class_words[1] ~ ${bareWord} as bare,
          coalesce(property_id, apn_key, city_slug || '/' || permit_id) as place
        from permit
        where market = ${market} and permit_class in ('new_house', 'whole_house_demolition') and issued_on is not null
          and status not in ('expired', 'cancelled') and removed_at is null) dated) followed
    window around as (partition by city_slug order by issued_on range between '365 days' preceding and '365 days' following)) seen
  where bare and not rebuilt and issued_on <= last_house - ${afterDays}::int
    and bares >= ${enough} and 4 * houses >= bares and bares_rebuilt < ${rebuiltWhereWhole}::float8 * bares`
