// The short way for a request whose whole answer is ready: its key is remembered, its page stands in the cache, and all
// that is left is to count it and send the bytes. It never enters the framework, whose hooks and reply object cost more
// than the answer. Everything else, refusals too, takes the ordinary way; both send the same headers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limitsOf } from '../contract/plans.ts'
import { bucketOf, type Door, isPromise } from './admit.ts'
import { type Answer, type AnswerCache, holds, sharedKey } from './answer-cache.ts'
import type { Counted } from './rate-limits.ts'
import { readInTime } from './slow-readers.ts'

export interface ReadyLane {
  door: Pick<Door, 'keys' | 'limits' | 'clock'>
  answers: AnswerCache
  /** Sent with every answer of the API. */
  headers: Readonly<Record<string, string>>
  requestId: () => string
  /** True while the ordinary way must decide: the service is closing, or carries as much as it can. */
  shut(): boolean
  answered(request: IncomingMessage, id: string, answer: Answer, status: number, milliseconds: number): void
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export const readyLane = (
  { door, answers, headers, requestId, shut, answered }: ReadyLane,
  ordinary: Handler,
): Handler => {
  const fixed = Object.entries(headers).flat()
  // Laid out once for each answer, and gone with it. What differs from request to request comes first and is written into the
  // same list each time, since `writeHead` is done with it when it returns.
  const laidOut = new WeakMap<Answer, { full: string[]; unchanged: string[] }>()
  const headersOf = (answer: Answer) => {
    let ready = laidOut.get(answer)
    if (!ready) {
      const own = ['x-request-id', '', 'x-ratelimit-limit', '', 'x-ratelimit-remaining', '']
      const unchanged = [...own, ...fixed, 'etag', answer.etag]
      const full = [...unchanged, 'content-type', jsonType, 'content-length', `${answer.body.length}`]
      ready = { full, unchanged }
      laidOut.set(answer, ready)
    }
    return ready
  }

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    limit: number,
    remaining: number,
  ) => {
    const begun = performance.now()
    const id = requestId()
    const known = holds(request.headers['if-none-match'], answer.etag)
    const { full, unchanged } = headersOf(answer)
    const own = known ? unchanged : full
    own[1] = id
    own[3] = `${limit}`
    own[5] = `${remaining}`
    if (known) response.writeHead(304, own).end()
    else response.writeHead(200, own).end(answer.body)
    // What waits for its reader is the cache's own bytes, so it is timed and not counted.
    readInTime(response)
    answered(request, id, answer, known ? 304 : 200, performance.now() - begun)
  }

  return (request, response) => {
    const text = request.headers['x-api-key']
    if (request.method !== 'GET' || typeof text !== 'string' || shut()) return ordinary(request, response)
    const now = door.clock()
    const key = door.keys.remembered(text, now)
    if (!key) return ordinary(request, response)
    const limits = limitsOf(key, now)
    const answer = answers.get(sharedKey(request.url!, limits, now), now)
    if (!answer) return ordinary(request, response)
    const finish = (counted: Counted) => {
      // A refusal is not counted twice: at its limit a bucket takes no more.
      if (counted.allowed) send(request, response, answer, limits.requestsPerMinute, counted.remaining)
      else ordinary(request, response)
    }
    const counted = door.limits.hit(bucketOf(key), limits.requestsPerMinute)
    if (!isPromise(counted)) return finish(counted)
    counted.then(finish, () => ordinary(request, response))
  }
}

export const jsonType = 'application/json; charset=utf-8'
