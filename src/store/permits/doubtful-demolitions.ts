// Demolition permits that may be for a part of a house only. Many cities write "Demo" and nothing else. Whether that means the
// whole house shows in how often a new house follows on the same parcel, in that city at that time.
import type { MarketId } from '../../domain/facts.ts'
import { sql } from '../engine/database.ts'

/**
 * Measured on Los Altos, which has recorded the type of demolition since 2007: a new house was permitted from 180 days before to
 * 730 days after on 84% of the parcels whose main structure was demolished (91% where the export covers the years after), and on
 * 3% of those with a partial or pool demolition. By Bayes' rule, a bare demolition without a new house is more likely a partial
 * one unless 89% of bare demolitions mean the whole house, in which case a new house follows on 79% of them.
 */
const rebuiltWhereWhole = 0.79
const beforeDays = 180
const afterDays = 730

/** A permit is bare if only such a word decided its class: it does not say what was demolished. */
const bareWord = '^(demo|demol\\w*|raze|razing|tear ?down|deconstruct\\w*|wreck(ing)?)$'

/** With fewer bare demolitions within two years, the share of rebuilt parcels is too uncertain. */
const fewestBare = 20

/**
 * City and number of each doubtful demolition in a market, from the permits issued until a day. A missing new house counts only where the city records new houses (at
 * least one per four bare demolitions) and where there was time to build one.
 */
export const doubtfulDemolitions = (market: MarketId, until?: string) => sql`
  select city_slug, permit_id from (
    select city_slug, permit_id, bare, rebuilt, issued_on,
      max(issued_on) filter (where house) over (partition by city_slug) as last_house,
      count(*) filter (where house) over around as houses,
      count(*) filter (where bare) over around as bares,
      count(*) filter (where bare and rebuilt) over around as bares_rebuilt
    from (
      select city_slug, permit_id, issued_on, house, bare,
        bool_or(house) over (partition by parcel order by issued_on
          range between ${sql.raw(`'${beforeDays} days'`)} preceding and ${sql.raw(`'${afterDays} days'`)} following) as rebuilt
      from (
        select city_slug, permit_id, issued_on, permit_class = 'new_house' as house,
          permit_class <> 'new_house' and cardinality(class_words) = 1 and class_words[1] ~ ${bareWord} as bare,
          coalesce(property_id, apn_key, city_slug || '/' || permit_id) as parcel
        from permit
        where market = ${market} and permit_class in ('new_house', 'whole_house_demolition') and ${until === undefined ? sql`issued_on is not null` : sql`issued_on <= ${until}::date`}
          and status not in ('expired', 'cancelled') and removed_at is null) dated) followed
    window around as (partition by city_slug order by issued_on range between '365 days' preceding and '365 days' following)) counted
  where bare and not rebuilt and issued_on <= last_house - ${afterDays}::int
    and bares >= ${fewestBare} and 4 * houses >= bares and bares_rebuilt < ${rebuiltWhereWhole}::float8 * bares`
