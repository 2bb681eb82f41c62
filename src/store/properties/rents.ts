// The rents of a market, by place and size.
import type { MarketId } from '../../domain/facts.ts'
import type { Rent } from '../../domain/findings/rent.ts'
import { isEvidence } from '../assessments/market-facts.ts'
import { type Db, knownRows, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'

/** Of all places, or of one ZIP code and county; all of them, or those of a day and before. */
export const marketRents = async (
  db: Db,
  market: MarketId,
  place?: { zip?: string | undefined; county?: string | undefined },
  until?: string,
): Promise<Rent[]> => {
  const here = place ? sql`and (r.zip = ${place.zip ?? null} or r.county = ${place.county ?? null})` : sql``
  return knownRows<Rent>(groupOf(db, market))`
    select r.zip, r.county, r.bedrooms, r.amount_usd, r.as_of, r.statistic, coalesce(s.title, s.id) as source_title, s.sample
    from rent r join source s on s.id = r.source_id
    where r.market = ${market} and r.removed_at is null and ${isEvidence(market, sql.ref('r.source_id'))} ${here}
      ${until === undefined ? sql`` : sql`and r.as_of <= ${until}::date`}
    order by r.as_of, r.source_id, r.rent_id`
}
