// The plans as data, and the limits of a key at a given time.

export const planNames = ['demo', 'free', 'pro'] as const
export type PlanName = (typeof planNames)[number]

export interface Plan {
  maxResults: number
  requestsPerMinute: number
  /** The number of past days whose permits and sales a key can read; null means no limit. */
  historyDays: number | null
  webhooks: boolean
}

export const plans: Readonly<Record<PlanName, Plan>> = {
  demo: { maxResults: 5, requestsPerMinute: 10, historyDays: null, webhooks: false },
  free: { maxResults: 25, requestsPerMinute: 30, historyDays: 30, webhooks: false },
  pro: { maxResults: 500, requestsPerMinute: 120, historyDays: null, webhooks: true },
}

/** Assumption sets that a key may have. */
export const mostAssumptionSets: Readonly<Record<PlanName, number>> = { demo: 0, free: 1, pro: 20 }

/** Watches that the keys of a mailbox may have together, and homes they may save. */
export const mostWatches: Readonly<Record<PlanName, number>> = { demo: 0, free: 3, pro: 100 }
export const mostSavedHomes = 500

/** Deals beyond the stage looking that the keys of a mailbox may have together. */
export const mostDeals: Readonly<Record<PlanName, number>> = { demo: 0, free: 5, pro: 500 }

/** The literal key for trying the API. */
export const demoKey = 'demo'

/** With the demo key in the playground, a page holds this many items. */
export const playgroundMaxResults = 2

/** A key issued during early access has, for three calendar months, webhooks and the higher of each limit here and in its plan. */
const earlyAccess = { maxResults: 100, requestsPerMinute: 100, months: 3 } as const

/** Free keys issued before this keep full history. */
const fullHistoryBefore = new Date('2026-09-04T00:00:00Z')

/** The limits of pages for visitors without a key. */
export const publicPageResults = 25

export const dailyAllowance = { keys: 5, subscriptions: 20 } as const

/** Requests for a key or a subscription per minute and client address, answered or not; the next is 429. */
export const openPerMinute = 120

/** Failed authentications per minute and client address; the next is 429. */
export const anonymousPerMinute = 10

export const rateWindowSeconds = 60

interface KeyTerms {
  plan: PlanName
  createdAt?: Date
  promotionUntil?: Date | null
}

export const limitsOf = (key: KeyTerms, now: Date): Plan => {
  const plan = plans[key.plan]
  const promoted = key.promotionUntil != null && now < key.promotionUntil
  const keepsHistory = key.createdAt !== undefined && key.createdAt < fullHistoryBefore
  return {
    maxResults: promoted ? Math.max(plan.maxResults, earlyAccess.maxResults) : plan.maxResults,
    requestsPerMinute: promoted
      ? Math.max(plan.requestsPerMinute, earlyAccess.requestsPerMinute)
      : plan.requestsPerMinute,
    webhooks: plan.webhooks || promoted,
    historyDays: keepsHistory ? null : plan.historyDays,
  }
}

/** Three calendar months later; 30 November becomes the last day of February. */
export const promotionEnd = (issuedAt: Date): Date => {
  const end = new Date(issuedAt)
  const day = end.getUTCDate()
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + earlyAccess.months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, lastDay))
  return end
}

/** The oldest date that a key with a history window can read. */
export const windowStart = (limits: Plan, now: Date): string | undefined =>
  limits.historyDays === null
    ? undefined
    : new Date(now.getTime() - limits.historyDays * 86_400_000).toISOString().slice(0, 10)
