// Stores the generated history of the sample after its first assessment: changes, forecasts with their scores, values, and the
// events of the last days. The first load of a real source has no history.

import { listingEvents } from '../assess/listing-events.ts'
import { scoreForecasts } from '../assess/save-live-accuracy.ts'
import { rowBeforeListing } from '../criteria/row-readings.ts'
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { defaultPublicUrl } from '../domain/page-urls.ts'
import { type SampleHistory, sampleMarkets } from '../ingest/sample-data.ts'
import { withPercentiles } from '../intelligence/scores/score-ranks.ts'
import { listingChangesOn } from '../store/assessments/announced.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { groupOf } from '../store/engine/shard-groups.ts'
import { permitEventsOf } from '../store/ingest/permit-events.ts'
import {
  writeForecastHistory,
  writeListingHistory,
  writePermitHistory,
  writeValueHistory,
} from '../store/ingest/sample-history.ts'
import { searchRowsOf } from '../store/search/search-rows.ts'
import { type NewEvent, recordEvents } from '../store/webhooks/events.ts'

interface HistoryOptions {
  now: Date
  highValueUsd: number
  publicUrl?: string
}

/** As many days as the event feed serves. */
const eventDays = 90

export const writeSampleHistory = async (
  { db, queue }: { db: Db; queue: Queue },
  history: SampleHistory,
  options: HistoryOptions,
): Promise<void> => {
  const { now } = options
  for (const market of sampleMarkets()) {
    const ofMarket = <Row extends { market: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.market === market)
    await inTransaction(groupOf(db, market), async (tx) => {
      await writeListingHistory(tx, market, ofMarket(history.listings), now)
      await writePermitHistory(tx, market, ofMarket(history.permits), now)
      await writeForecastHistory(tx, market, ofMarket(history.forecasts))
      await writeValueHistory(tx, market, ofMarket(history.levels), now)
    })
    await scoreForecasts(groupOf(db, market), { market, today: dayOf(now) }, now)
  }
  const ranked = await Promise.all(
    sampleMarkets().map(async (market) => ({ market, ranks: await marketRanks(groupOf(db, market), market) })),
  )
  await inTransaction(db, async (tx) => {
    for (let back = eventDays - 1; back >= 0; back--) {
      const at = new Date(now.getTime() - back * 86_400_000)
      for (const market of ranked) await recordEvents(tx, queue, await eventsOf(db, market, at, options), at)
    }
  })
}

const eventsOf = async (
  db: Db,
  { market, ranks }: { market: MarketId; ranks: MarketRanks | undefined },
  at: Date,
  { highValueUsd, publicUrl = defaultPublicUrl }: HistoryOptions,
): Promise<NewEvent[]> => {
  const group = groupOf(db, market)
  const day = dayOf(at)
  const changes = await listingChangesOn(group, market, day)
  const ids = changes.map(({ propertyId }) => propertyId)
  const present = await searchRowsOf(group, market, ids, day)
  const rows = new Map(
    changes.flatMap(({ propertyId, priceUsd, status }) => {
      const row = present.get(propertyId)
      return row ? [[propertyId, withPercentiles(rowBeforeListing(row, { price: priceUsd, status }), ranks)]] : []
    }),
  )
  return [
    ...listingEvents(market, changes, rows, publicUrl),
    ...(await permitEventsOf(group, market, day, { highValueUsd, publicUrl })),
  ]
}
