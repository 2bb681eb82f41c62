// A parcel with its home, current listing and source. Leads and searches add columns of the assessment.

import type { MarketId } from '../../domain/facts.ts'
import type { StoredUses } from '../../domain/findings/decision.ts'
import type { ExpectedPrice } from '../../domain/findings/proforma.ts'
import { assessedOn } from '../assessments/assessments.ts'
import { type Db, type Known, prepared, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertyTable } from '../engine/schema.ts'
import { askGroups, type Positioned } from '../engine/shard-groups.ts'
import { servedHome } from './fact-columns.ts'
import { isNotHiddenSale, onMarket } from './listing-status.ts'
import { type MaybeSourced, sourceColumns } from './source-columns.ts'

export interface PropertyKey {
  market: MarketId
  id: string
}

export type ParcelColumns = Pick<
  PropertyTable,
  'id' | 'market' | 'address' | 'city' | 'zip' | 'apn' | 'zoning' | 'overlays' | 'collectedAt'
> &
  Pick<ListingTable, 'livingSqft' | 'lotSqft' | 'yearBuilt' | 'lat' | 'lng'> &
  MaybeSourced & {
    status: ListingTable['status'] | null
    /** Of a home on the market. */
    price: ListingTable['priceUsd']
    best: StoredUses['best'] | null
    ifApproved: StoredUses['ifApproved'] | null
    beat: StoredUses['beat'] | null
    assessedOn: AssessmentTable['assessedOn']
    /** Of a home on the market. */
    expected: ExpectedPrice | null
  }

/** In the order of the keys. `assessed`: columns of `a` or of `joined`. Sales before `hiddenBefore` and `hiddenSources` are not used. */
export const parcelRows = <Row extends ParcelColumns>(
  db: Db,
  from: readonly PropertyKey[],
  assessed: ReturnType<typeof sql>,
  hiddenBefore?: string,
  joined: ReturnType<typeof sql> = sql``,
  hiddenSources: readonly string[] = [],
): Promise<Known<Row>[]> =>
  askGroups(db, from, ['market', 'id'], async (group, k) => {
    const rows = await rowsOf<Row & Positioned>(group)`${prepared}
    select k.key_order, p.id, p.market, p.address, p.city, p.zip, p.apn, p.zoning, p.overlays, p.collected_at, l.status,
      case when ${onMarket('l.status')} then l.price_usd end as price, ${servedHome}, ${assessed},
      a.uses->'best' as best, a.uses->'ifApproved' as if_approved, a.uses->'beat' as beat, ${assessedOn('a')},
      case when ${onMarket('l.status')} then a.proforma->'expectedPrice' end as expected,
      ${sourceColumns('p')}
    from ${k} join property p on p.market = k.market and p.id = k.id
    left join assessment a on a.market = k.market and a.property_id = k.id
    ${joined}
    left join listing l on l.market = k.market and l.property_id = k.id and l.current
      ${hiddenBefore === undefined ? sql`` : sql`and ${isNotHiddenSale('l', hiddenBefore)}`}
      ${hiddenSources.length === 0 ? sql`` : sql`and l.source_id <> all(${hiddenSources}::text[])`}
    left join source s on s.id = p.source_id`
    return rows.map((row) => withoutNulls<Row>(row) as Known<Row> & Positioned)
  })
