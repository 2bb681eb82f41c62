// Decides when a fetched delivery is attempted: immediately, after the attempts in flight to its endpoint, or later
// through the queue.
import type { Attempt } from './delivery-attempt.ts'
import { type ConcurrencyLimits, openEndpointConcurrency } from './endpoint-concurrency.ts'
import type { Log } from './log.ts'
import type { Outcome } from './send.ts'

interface DispatcherOptions {
  limits?: ConcurrencyLimits
  attempt(attempt: Attempt): Promise<Outcome>
  /** Returns a delivery to the queue; it is due again after `waitMs`. */
  postpone(attempt: Attempt, waitMs: number): void
  log: Log
}

export interface Dispatcher {
  submit(attempt: Attempt): void
  /** How many more attempts may be in flight. */
  room(): number
  inFlight(): number
  /** True for a delivery that is in flight or waits here. */
  has(deliveryId: string): boolean
  /** Resolves when the attempts now in flight have ended. */
  settled(): Promise<unknown>
  /** Postpones deliveries that have waited too long behind an attempt that does not end. */
  postponeStale(): void
  /** Postpones all waiting deliveries. */
  postponeWaiting(): void
  /** Drops the learned concurrency of endpoints last used before this time. */
  forgetEndpoints(before: number): void
}

interface Waiting {
  attempt: Attempt
  /** By the monotonic clock: a change of the system clock must not make it look fresh. */
  since: number
}

/** Longest wait here. A job expires 30 s after it was fetched, and its attempt may take 15 s. */
const maxWaitMs = 5_000

export const openDispatcher = ({ limits, attempt: run, postpone, log }: DispatcherOptions): Dispatcher => {
  const concurrency = openEndpointConcurrency(limits)
  const waitingByEndpoint = new Map<string, Waiting[]>()
  const waitingIds = new Set<string>()
  const inFlight = new Map<string, Promise<void>>()

  const start = (attempt: Attempt) => {
    const { id, endpointId } = attempt.due
    inFlight.set(
      id,
      run(attempt)
        // The promise of an attempt is not awaited, so a rejection here would end the process.
        .catch((error): Outcome => {
          log.error({ err: error, delivery: id }, 'a delivery attempt threw; it is retried when its job expires')
          return { ok: false, durationMs: 0 }
        })
        .then(({ ok, durationMs }) => {
          concurrency.finish(endpointId, ok, durationMs, Date.now())
          inFlight.delete(id)
          startWaiting(endpointId)
        }),
    )
  }

  const postponeUntil = (attempt: Attempt, until: number) => postpone(attempt, Math.max(0, until - Date.now()))

  /** Starts deliveries that wait for an endpoint, after one of its attempts has ended. */
  const startWaiting = (endpointId: string) => {
    const waiting = waitingByEndpoint.get(endpointId)
    while (waiting?.[0]) {
      const { attempt, since } = waiting[0]
      // A stale job may have expired and be with another worker: starting it would send the delivery twice.
      const stale = performance.now() - since > maxWaitMs
      const admission = stale ? undefined : concurrency.admit(endpointId, Date.now(), 0)
      if (admission?.decision === 'wait') return
      waiting.shift()
      waitingIds.delete(attempt.due.id)
      if (!admission) postpone(attempt, 0)
      else if (admission.decision === 'start') start(attempt)
      else postponeUntil(attempt, admission.until)
    }
    waitingByEndpoint.delete(endpointId)
  }

  return {
    submit: (attempt) => {
      const { endpointId } = attempt.due
      const since = performance.now()
      const waiting = waitingByEndpoint.get(endpointId)
      const admission = concurrency.admit(endpointId, Date.now(), waiting?.length ?? 0)
      if (admission.decision === 'start') start(attempt)
      else if (admission.decision === 'postpone') postponeUntil(attempt, admission.until)
      else {
        waitingIds.add(attempt.due.id)
        if (waiting) waiting.push({ attempt, since })
        else waitingByEndpoint.set(endpointId, [{ attempt, since }])
      }
    },
    room: concurrency.room,
    inFlight: () => inFlight.size,
    has: (deliveryId) => inFlight.has(deliveryId) || waitingIds.has(deliveryId),
    settled: () => Promise.all(inFlight.values()),
    postponeStale: () => {
      const at = performance.now()
      for (const [endpointId, waiting] of waitingByEndpoint) {
        while (waiting[0] && at - waiting[0].since > maxWaitMs) {
          const { attempt } = waiting.shift()!
          waitingIds.delete(attempt.due.id)
          postpone(attempt, maxWaitMs)
        }
        if (waiting.length === 0) waitingByEndpoint.delete(endpointId)
      }
    },
    postponeWaiting: () => {
      for (const { attempt } of [...waitingByEndpoint.values()].flat()) postpone(attempt, 0)
      waitingByEndpoint.clear()
      waitingIds.clear()
    },
    forgetEndpoints: concurrency.forget,
  }
}
