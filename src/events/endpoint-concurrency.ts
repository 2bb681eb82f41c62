// How many attempts each endpoint may have in flight. The limit of an endpoint grows with every success and halves with
// every failure, so a receiver that hangs soon has one attempt and takes no capacity from the others.

export interface ConcurrencyLimits {
  /** Attempts in flight, all endpoints together. */
  total: number
  /** Attempts in flight to endpoints whose last attempt failed or that have had none, together. */
  totalUnproven: number
  /** Attempts in flight to one endpoint: at first, and at most. */
  initialPerEndpoint: number
  maxPerEndpoint: number
  /** Longest postponement. */
  maxPostponeMs: number
}

export const concurrencyLimits: ConcurrencyLimits = {
  total: 4_000,
  totalUnproven: 3_000,
  initialPerEndpoint: 1,
  maxPerEndpoint: 64,
  maxPostponeMs: 5 * 60_000,
}

/** How many deliveries may wait in memory behind the attempts in flight: a few hundred milliseconds' work of a fast
 *  receiver. A new endpoint gets the same, so that a restart does not slow down the fast ones. */
const waitingPerSlot = 8
const minWaiting = 64

/** Shortest postponement. */
const minPostponeMs = 250

interface Endpoint {
  /** Attempts it may have in flight. */
  limit: number
  inFlight: number
  /** The last attempt succeeded. */
  proven: boolean
  /** No attempt has ended yet. */
  isNew: boolean
  /** Duration of an attempt, exponentially smoothed. */
  averageMs: number
  /** The time given to the delivery postponed last; the next one comes after it. */
  postponedUntil: number
  lastUsed: number
}

type Admission = { decision: 'start' } | { decision: 'wait' } | { decision: 'postpone'; until: number }

interface EndpointConcurrency {
  /** Decides about one delivery; `start` counts it as in flight. `waiting` is how many wait for this endpoint already. */
  admit(endpointId: string, now: number, waiting: number): Admission
  finish(endpointId: string, ok: boolean, durationMs: number, now: number): void
  /** How many more attempts may be in flight in total. */
  room(): number
  /** Drops endpoints last used before this time. */
  forget(before: number): void
}

export const openEndpointConcurrency = (limits: ConcurrencyLimits = concurrencyLimits): EndpointConcurrency => {
  const endpoints = new Map<string, Endpoint>()
  let total = 0
  let unproven = 0

  const endpointOf = (endpointId: string, now: number): Endpoint => {
    let endpoint = endpoints.get(endpointId)
    if (!endpoint) {
      endpoint = {
        limit: limits.initialPerEndpoint,
        inFlight: 0,
        proven: false,
        isNew: true,
        averageMs: 100,
        postponedUntil: 0,
        lastUsed: now,
      }
      endpoints.set(endpointId, endpoint)
    }
    return endpoint
  }

  const setProven = (endpoint: Endpoint, proven: boolean) => {
    if (endpoint.proven === proven) return
    endpoint.proven = proven
    unproven += proven ? -endpoint.inFlight : endpoint.inFlight
  }

  return {
    admit: (endpointId, now, waiting) => {
      const endpoint = endpointOf(endpointId, now)
      endpoint.lastUsed = now
      const mayStart =
        endpoint.inFlight < endpoint.limit &&
        total < limits.total &&
        (endpoint.proven || unproven < limits.totalUnproven)
      if (mayStart) {
        endpoint.inFlight++
        total++
        if (!endpoint.proven) unproven++
        return { decision: 'start' }
      }
      if ((endpoint.proven || endpoint.isNew) && waiting < Math.max(minWaiting, endpoint.limit * waitingPerSlot))
        return { decision: 'wait' }
      // Postponed deliveries get consecutive times at the endpoint's own pace, so that each is fetched again only once.
      const pace = endpoint.averageMs / endpoint.limit
      const until = Math.max(now + Math.max(pace, minPostponeMs), endpoint.postponedUntil + pace)
      endpoint.postponedUntil = Math.min(until, now + limits.maxPostponeMs)
      return { decision: 'postpone', until: endpoint.postponedUntil }
    },
    finish: (endpointId, ok, durationMs, now) => {
      const endpoint = endpointOf(endpointId, now)
      endpoint.inFlight--
      total--
      if (!endpoint.proven) unproven--
      setProven(endpoint, ok)
      endpoint.isNew = false
      endpoint.limit = ok
        ? Math.min(endpoint.limit + 1, limits.maxPerEndpoint)
        : Math.max(1, Math.floor(endpoint.limit / 2))
      endpoint.averageMs = 0.8 * endpoint.averageMs + 0.2 * durationMs
      endpoint.lastUsed = now
    },
    room: () => limits.total - total,
    forget: (before) => {
      for (const [id, endpoint] of endpoints)
        if (endpoint.inFlight === 0 && endpoint.lastUsed < before) endpoints.delete(id)
    },
  }
}
