// How many attempts each endpoint may have under way. A receiver that answers well gets more at a time, one that hangs
// soon has one, and what exceeds its share is put back for later instead of holding a slot others need.

export interface LaneLimits {
  /** Attempts under way in all. */
  total: number
  /** Of which endpoints that have not answered well lately may take this many together. */
  unproven: number
  /** Attempts under way for one endpoint, when unproven and at its best. */
  first: number
  most: number
  /** Longest a delivery is put back at once. */
  longestWaitMs: number
}

export const laneLimits: LaneLimits = {
  total: 4_000,
  unproven: 3_000,
  first: 1,
  most: 64,
  longestWaitMs: 5 * 60_000,
}

/** What is held for a lane while its attempts are under way: a few hundred milliseconds' work of a good one. One not
 *  heard of yet is given the benefit of the doubt, so that a restart does not slow the good ones down. */
const heldPerWindow = 8
const heldAtLeast = 64

interface Lane {
  /** Attempts it may have under way: one more after a success, half after a failure. */
  window: number
  underWay: number
  proven: boolean
  /** No attempt has ended yet. */
  fresh: boolean
  /** What an attempt takes, smoothed. */
  usualMs: number
  /** What is put back now is due from here on. */
  bookedUntil: number
  lastUsed: number
}

export type Admission = { verdict: 'start' } | { verdict: 'hold' } | { verdict: 'later'; until: number }

export interface Lanes {
  /** Whether an attempt may start now; starting counts it as under way. `held` is how many wait here already. */
  admit(endpointId: string, now: number, held: number): Admission
  finish(endpointId: string, ok: boolean, tookMs: number, now: number): void
  /** Room for more, in all. */
  room(): number
  /** Forgets lanes not used since. */
  forget(before: number): void
}

export const openLanes = (limits: LaneLimits = laneLimits): Lanes => {
  const lanes = new Map<string, Lane>()
  let total = 0
  let unproven = 0

  const laneOf = (endpointId: string, now: number): Lane => {
    let lane = lanes.get(endpointId)
    if (!lane) {
      lane = {
        window: limits.first,
        underWay: 0,
        proven: false,
        fresh: true,
        usualMs: 100,
        bookedUntil: 0,
        lastUsed: now,
      }
      lanes.set(endpointId, lane)
    }
    return lane
  }

  const prove = (lane: Lane, proven: boolean) => {
    if (lane.proven === proven) return
    lane.proven = proven
    unproven += proven ? -lane.underWay : lane.underWay
  }

  return {
    admit: (endpointId, now, held) => {
      const lane = laneOf(endpointId, now)
      lane.lastUsed = now
      const free = lane.underWay < lane.window && total < limits.total && (lane.proven || unproven < limits.unproven)
      if (free) {
        lane.underWay++
        total++
        if (!lane.proven) unproven++
        return { verdict: 'start' }
      }
      if ((lane.proven || lane.fresh) && held < Math.max(heldAtLeast, lane.window * heldPerWindow))
        return { verdict: 'hold' }
      // Each one put back is given its own time, at the pace the endpoint has shown, so that it comes back once.
      const pace = lane.usualMs / lane.window
      const until = Math.max(now + Math.max(pace, 250), lane.bookedUntil + pace)
      lane.bookedUntil = Math.min(until, now + limits.longestWaitMs)
      return { verdict: 'later', until: lane.bookedUntil }
    },
    finish: (endpointId, ok, tookMs, now) => {
      const lane = laneOf(endpointId, now)
      lane.underWay--
      total--
      if (!lane.proven) unproven--
      prove(lane, ok)
      lane.fresh = false
      lane.window = ok ? Math.min(lane.window + 1, limits.most) : Math.max(1, Math.floor(lane.window / 2))
      lane.usualMs = 0.8 * lane.usualMs + 0.2 * tookMs
      lane.lastUsed = now
    },
    room: () => limits.total - total,
    forget: (before) => {
      for (const [id, lane] of lanes) if (lane.underWay === 0 && lane.lastUsed < before) lanes.delete(id)
    },
  }
}
