// Turns changed scores into property.score_updated, in the transaction that stores them. The first value of a score is no event.
import { isShown } from '../contract/facts.ts'
import type { Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { newEvent, recordEvents } from '../store/webhooks/events.ts'
import type { AnnouncedChange } from './assess-market.ts'
import { hasChangedScore } from './score-changes.ts'

export const announceScores =
  (queue: Queue, now: Date) =>
  async (tx: Db, changes: readonly AnnouncedChange[]): Promise<void> => {
    const events = changes.filter(hasChangedScore).map((change) => {
      const { market, propertyId, subject, teardownScore, flippabilityScore, previous, reason } = change
      const offered = subject.listing && isShown(subject.listing.status) ? subject.listing : undefined
      return newEvent('property.score_updated', market, {
        propertyId,
        address: subject.address,
        city: subject.city,
        price: offered?.priceUsd,
        status: offered?.status,
        teardownScore,
        flippabilityScore,
        previous,
        reason,
      })
    })
    await recordEvents(tx, queue, events, now)
  }
