// How much may be under way at once. By Little's law a request waits (under way ÷ answered a second), so admitting a third
// of a second's worth keeps everyone who is let in well under a second, whatever the machine; the rest are told at once.
import type { ServerResponse } from 'node:http'
import { unavailable } from '../contract/errors.ts'
import { isPromise, knownBucket } from './admit.ts'
import { clientOf } from './client-address.ts'
import { envelopeOf } from './errors.ts'
import type { Counted } from './rate-limits.ts'
import { type Handler, jsonType, type ReadyLane } from './ready-lane.ts'

export interface LoadGate {
  /** False when full; else one more is under way until `leave`. */
  enter(): boolean
  leave(): void
}

/** A burst from rest is no overload: this many are let in before a rate is known. At 30 ms each on two cores, half a second. */
const always = 32
/** What a service that is full takes at the least, however slow it has become. */
const least = 4
const waitSeconds = 0.35
/** The rate is counted over spans of this length; the better of the last two holds, so that a pause does not close the gate. */
const spanMs = 500

export const loadGate = (clock: () => number = () => performance.now()): LoadGate => {
  let underWay = 0
  let spanBegan = clock()
  let answered = 0
  let refused = 0
  let room = always
  let lastRoom = always
  const turn = () => {
    const now = clock()
    const passed = now - spanBegan
    if (passed < spanMs) return
    lastRoom = passed < 2 * spanMs ? room : always
    // Where nobody was turned away the rate is what was asked, not what can be carried, and says nothing against a burst.
    const floor = refused > 0 ? least : always
    room = Math.max(floor, Math.floor((answered / passed) * 1000 * waitSeconds))
    answered = 0
    refused = 0
    spanBegan = now
  }
  return {
    enter: () => {
      turn()
      if (underWay >= Math.max(room, lastRoom)) {
        refused++
        return false
      }
      underWay++
      return true
    },
    leave: () => {
      underWay--
      answered++
    },
  }
}

export const retrySeconds = 2
const busyBody = JSON.stringify(envelopeOf(unavailable(retrySeconds, undefined)))

/** Whoever watches over the service must get through most of all when it is busy. */
const exempt = new Set(['/healthz', '/readyz', '/metrics'])

/** Lets requests in as far as the gate allows. A refusal costs as little as can be: no framework, no query, nothing counted. */
export const gated = (
  { door, headers, requestId }: Pick<ReadyLane, 'door' | 'headers' | 'requestId'>,
  gate: LoadGate,
  ordinary: Handler,
): Handler => {
  const fixed = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': jsonType,
    'content-length': `${Buffer.byteLength(busyBody)}`,
    'retry-after': `${retrySeconds}`,
  }).flat()
  return (request, response) => {
    if (exempt.has(request.url!)) return ordinary(request, response)
    if (gate.enter()) {
      response.once('close', gate.leave)
      return ordinary(request, response)
    }
    const given = request.headers['x-api-key']
    const client = clientOf(request.socket.remoteAddress ?? '')
    const { bucket, limit } = knownBucket(door, typeof given === 'string' ? given : undefined, client)
    const refuse = ({ remaining }: Pick<Counted, 'remaining'>) =>
      sendBusy(response, fixed, requestId(), limit, remaining)
    const counted = door.limits.peek(bucket, limit)
    if (isPromise(counted)) counted.then(refuse, () => refuse({ remaining: limit }))
    else refuse(counted)
  }
}

const sendBusy = (response: ServerResponse, fixed: string[], id: string, limit: number, remaining: number) => {
  const own = ['x-request-id', id, 'x-ratelimit-limit', `${limit}`, 'x-ratelimit-remaining', `${remaining}`]
  response.writeHead(503, fixed.concat(own)).end(busyBody)
}
