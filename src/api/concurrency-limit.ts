// Overload protection: at most so many requests are worked on at once, and the rest get 503 with Retry-After at once. A
// request holds a slot from when its body has arrived until its response is ready, so that neither slow senders nor slow
// readers hold one. Cached answers need no slot: a 503 would cost as much.
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../contract/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    releaseSlot: (() => void) | null
  }
  interface FastifyContextConfig {
    /** For health checks, which must be answered under load, and for routes whose work is done by other requests. */
    needsNoSlot?: boolean
  }
}

/** At 100 requests/s the last of 50 waits half a second, and a burst of 50 is no overload. */
export const defaultSlots = 50

export const limitConcurrency = (app: FastifyInstance, slots: number): void => {
  let used = 0
  // Made once: a stack trace for each refused request would cost more than the rest of its response.
  const overloaded = unavailable(2)
  app.decorateRequest('releaseSlot', null)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.needsNoSlot) return done()
    if (used >= slots) return done(overloaded)
    used++
    request.releaseSlot = () => {
      used--
      request.releaseSlot = null
    }
    // Also when no response is ever sent.
    reply.raw.once('close', () => request.releaseSlot?.())
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.releaseSlot?.()
    done(null, payload)
  })
}
