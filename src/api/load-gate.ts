// How much may be under way at once. By Little's law a request waits (under way ÷ answered a second), so admitting a third
// of a second's worth keeps everyone who is let in well under a second, whatever the machine; the rest are told at once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { unavailable } from '../contract/errors.ts'
import { peekEarly } from './admit.ts'
import { envelopeOf } from './errors.ts'
import { type Handler, jsonType, type ReadyLane } from './ready-lane.ts'
import { type Place, slowReaders } from './slow-readers.ts'

export interface LoadGate extends Place {
  /** False when full; else one more is under way until `leave`. */
  enter(): boolean
}

/** A burst from rest is no overload: this many are let in before a rate is known. At 10 ms each, half a second. */
export const fromRest = 56
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
  let room = fromRest
  let lastRoom = fromRest
  const turn = () => {
    const now = clock()
    const passed = now - spanBegan
    if (passed < spanMs) return
    lastRoom = passed < 2 * spanMs ? room : fromRest
    // Where nobody was turned away the rate is what was asked, not what can be carried, and says nothing against a burst.
    const floor = refused > 0 ? least : fromRest
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
    pause: () => {
      underWay--
    },
    resume: () => {
      underWay++
    },
  }
}

export const retrySeconds = 2
const busyBody = JSON.stringify(envelopeOf(unavailable(retrySeconds, undefined)))

/** Whoever watches over the service must get through most of all when it is busy. */
const exempt = /^\/(?:healthz|readyz|metrics)\/?(?:\?|$)/

export interface GatedBy extends Pick<ReadyLane, 'door' | 'headers' | 'requestId'> {
  gate: LoadGate
  /** Whose request it is, proxies seen through. */
  addressOf: (request: IncomingMessage) => string
  /** What may wait for slow readers in all, where a test needs another amount than the service's. */
  mostUnreadBytes?: number
}

/** Lets requests in as far as the gate allows. A refusal costs as little as can be: no framework, no query, nothing counted. */
export const gated = (
  { door, headers, requestId, gate, addressOf, mostUnreadBytes }: GatedBy,
  ordinary: Handler,
): Handler => {
  const fixed = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': jsonType,
    'content-length': `${Buffer.byteLength(busyBody)}`,
    'retry-after': `${retrySeconds}`,
  }).flat()
  const watch = slowReaders(gate, mostUnreadBytes)
  return (request, response) => {
    if (exempt.test(request.url!)) return ordinary(request, response)
    if (gate.enter()) {
      if (request.method !== 'GET' && request.method !== 'HEAD') leaveWhileSent(gate, request, response)
      watch(response)
      return ordinary(request, response)
    }
    peekEarly(door, request, addressOf(request), (limit, remaining) =>
      sendBusy(response, fixed, requestId(), limit, remaining),
    )
  }
}

/** Under way but for the time from when its body is asked for, which makes the stream flow, until all of it is here. */
const leaveWhileSent = (gate: LoadGate, request: IncomingMessage, response: ServerResponse) => {
  let out = false
  request.once('resume', () => {
    // One that is refused before its body has come has left already; what still comes is not waited for.
    if (out || request.complete || response.writableEnded) return
    out = true
    gate.pause()
  })
  const back = () => {
    if (!out) return
    out = false
    gate.resume()
  }
  request.once('end', back)
  response.once('prefinish', back)
  response.once('close', back)
}

const sendBusy = (response: ServerResponse, fixed: string[], id: string, limit: number, remaining: number) => {
  const own = ['x-request-id', id, 'x-ratelimit-limit', `${limit}`, 'x-ratelimit-remaining', `${remaining}`]
  response.writeHead(503, fixed.concat(own)).end(busyBody)
}
