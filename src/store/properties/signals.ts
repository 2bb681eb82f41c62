// Listings as they are served: the most recent listing of each property.
import type { MarketId } from '../../domain/facts.ts'
import { assessedOn } from '../assessments/assessments.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, type Known, knownRows, prepared } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertyTable } from '../engine/schema.ts'
import { askGroups, type Positioned } from '../engine/shard-groups.ts'
import { servedHome } from './fact-columns.ts'
import { type Sourced, sourceColumns } from './source-columns.ts'

const ofProperty = columnsOf<PropertyTable>()('id market address city zip overlays')
const ofListing = columnsOf<ListingTable>()('status listedOn pendingOn soldOn photoUrls listingUrl collectedAt')
const ofAssessment = columnsOf<AssessmentTable>()(
  'rankScore teardownScore flippabilityScore historicCharm conditionScore developerRoi',
  'proforma offers uses valueUsd valueLowUsd valueHighUsd',
)

export type SignalRow = Known<
  RowOf<typeof ofProperty> &
    RowOf<typeof ofListing> &
    Pick<ListingTable, 'livingSqft' | 'lotSqft' | 'yearBuilt' | 'beds' | 'baths' | 'lat' | 'lng' | 'visionAnalysis'> &
    RowOf<typeof ofAssessment> &
    Pick<AssessmentTable, 'assessedOn'> &
    Sourced & { price: ListingTable['priceUsd']; soldPrice: ListingTable['soldPriceUsd'] }
>

/** In the order of the keys. */
export const signalsByKey = (db: Db, from: readonly { market: MarketId; id: string }[]): Promise<SignalRow[]> =>
  askGroups(
    db,
    from,
    ['market', 'id'],
    (group, k) => knownRows<SignalRow & Positioned>(group)`${prepared}
    select k.key_order, ${ofProperty('p')}, ${ofListing('l')}, ${ofAssessment('a')}, ${assessedOn('a')}, ${servedHome}, l.price_usd as price,
      l.sold_price_usd as sold_price, coalesce(l.vision_analysis, g.analysis) as vision_analysis, ${sourceColumns('l')}
    from ${k} join property p on p.market = k.market and p.id = k.id
    join listing l on l.market = k.market and l.property_id = k.id and l.current
    join source s on s.id = l.source_id
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
    left join assessment a on a.market = l.market and a.property_id = l.property_id`,
  )

/** Escapes `%`, `_` and `\`, so that LIKE takes them literally. */
export const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
