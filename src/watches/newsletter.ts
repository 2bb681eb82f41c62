// The weekly newsletter of a market: composed once and queued for every subscriber who has not received it.
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { rankIn } from '../intelligence/scores/score-ranks.ts'
import type { Sealer } from '../secrets/seal.ts'
import { unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { enqueueMail, mailOf } from '../store/keys/mails.ts'
import { bigPermits, claimSubscribers, heatSeries, newSignals, type Week } from '../store/keys/newsletter.ts'
import { type DecisionsOf, noticesOf } from './mail.ts'
import { type Digest, digestDocument } from './newsletter-text.ts'

export interface NewsletterServices {
  db: Db
  queue: Queue
  sealer: Sealer
  publicUrl: string
  decisionsOf: DecisionsOf
}

interface NewsletterChoice {
  market: MarketId
  week: Week
  /** Permits with a lower valuation are left out. */
  highValueUsd: number
}

/** How many of each an issue shows. */
const most = { signals: 5, permits: 5, heatPoints: 12 }

/** Subscribers per transaction: an interrupted run continues where it stopped. */
const batchSize = 100

export const composeDigest = async (
  { db, publicUrl, decisionsOf }: Pick<NewsletterServices, 'db' | 'publicUrl' | 'decisionsOf'>,
  { market, week, highValueUsd }: NewsletterChoice,
): Promise<Digest> => ({
  market,
  week,
  publicUrl,
  signals: await rankedSignals(db, decisionsOf, market, week),
  permits: await bigPermits(db, market, week, { leastUsd: highValueUsd, most: most.permits }),
  heat: await heatSeries(db, market, week, most.heatPoints),
  ...(await noticesOf(db, [market])),
})

const rankedSignals = async (db: Db, decisionsOf: DecisionsOf, market: MarketId, week: Week) => {
  const [ranks, signals] = await Promise.all([marketRanks(db, market), newSignals(db, market, week, most.signals)])
  const ids = signals.map(({ id }) => id)
  // They are for sale, so that no history window hides any of them.
  const decisions = await decisionsOf(db, ids, { since: undefined })
  return signals.map((signal) => ({
    ...signal,
    teardownPercentile: rankIn(ranks?.distributions.teardownScore, signal.teardownScore)?.percentile,
    decision: decisions.get(signal.id),
  }))
}

export const isEmpty = ({ signals, permits, heat }: Digest): boolean =>
  signals.length === 0 && permits.length === 0 && heat.length === 0

/** Queues the issue and returns the number of mails. Each subscriber gets it once, also when it is run twice. */
export const sendNewsletter = async (services: NewsletterServices, choice: NewsletterChoice, now: Date) => {
  const { db, queue, sealer, publicUrl } = services
  const digest = await composeDigest(services, choice)
  if (isEmpty(digest)) return { queued: 0, empty: true }
  let queued = 0
  for (;;) {
    const readers = await inTransaction(db, async (tx) => {
      const claimed = await claimSubscribers(tx, choice.market, choice.week.name, batchSize, now)
      for (const { id, email } of claimed) {
        const unsubscribe = unsubscribeUrl(sealer, publicUrl, id)
        const { title, blocks } = digestDocument(digest, unsubscribe)
        await enqueueMail(tx, { queue, sealer }, mailOf({ kind: 'newsletter', to: email, unsubscribe }, title, blocks))
      }
      return claimed
    })
    queued += readers.length
    if (readers.length === 0) return { queued, empty: false }
  }
}

/** The last complete ISO week before `now`, or the named one ("2026-W46"); undefined when there is no such week. */
export const weekOf = (name: string | undefined, now: Date): Week | undefined => {
  if (name === undefined) return weekFrom(mondayOf(new Date(now.getTime() - 7 * dayMs)))
  const match = /^(\d{4})-W(\d{2})$/.exec(name)
  if (!match) return undefined
  // The first week of a year contains January 4.
  const first = mondayOf(new Date(Date.UTC(Number(match[1]), 0, 4)))
  const week = weekFrom(new Date(first.getTime() + (Number(match[2]) - 1) * 7 * dayMs))
  return week.name === name ? week : undefined
}

const dayMs = 86_400_000

const mondayOf = (date: Date) => {
  const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs)
}

const weekFrom = (monday: Date): Week => {
  const thursday = new Date(monday.getTime() + 3 * dayMs)
  const year = thursday.getUTCFullYear()
  const first = mondayOf(new Date(Date.UTC(year, 0, 4)))
  const number = Math.round((monday.getTime() - first.getTime()) / (7 * dayMs)) + 1
  return {
    name: `${year}-W${String(number).padStart(2, '0')}`,
    from: dayOf(monday),
    to: dayOf(new Date(monday.getTime() + 6 * dayMs)),
  }
}
