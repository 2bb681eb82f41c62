// Cached answers. One serves every caller with the same view: same page size, same history window, same day. All are
// dropped when data changes, and nothing is cached while the service cannot listen for changes.
import type { FastifyRequest } from 'fastify'
import { type Plan, windowStart } from '../contract/plans.ts'

export interface Answer {
  body: Buffer
  etag: string
  /** In milliseconds since 1970. Without, the answer is right until data changes. */
  expiresAt?: number
}

/** What an answer depends on: URL, page size, history window, and the day, since days on market change with it. */
export const cacheKey = ({ url, query }: FastifyRequest, limits: Plan, now: Date): string | undefined =>
  // A URL that contains a key is never cached.
  (query as Record<string, unknown>).apiKey === undefined
    ? `${limits.maxResults} ${windowStart(limits, now) ?? ''} ${Math.floor(now.getTime() / 86_400_000)} ${url}`
    : undefined

export interface AnswerCache {
  get(key: string, now: Date): Answer | undefined
  /** Adds an answer whose computation began at generation `begun`, unless data changed meanwhile. */
  put(key: string, answer: Answer, begun: number): void
  generation(): number
  /** Data changed. */
  clear(): void
  /** Caches from now on, or stops and empties the cache. */
  setListening(listening: boolean): void
}

const defaultMaxBytes = 64 * 1024 * 1024
/** What an entry costs in addition to its body and key. */
const overheadBytes = 300

export const answerCache = (maxBytes = defaultMaxBytes): AnswerCache => {
  const answers = new Map<string, Answer>()
  let bytes = 0
  let generation = 0
  let enabled = false
  const sizeOf = (key: string, answer: Answer) => answer.body.length + key.length * 2 + overheadBytes
  const clear = () => {
    answers.clear()
    bytes = 0
    generation++
  }
  return {
    get: (key, now) => {
      const answer = answers.get(key)
      return answer?.expiresAt !== undefined && now.getTime() >= answer.expiresAt ? undefined : answer
    },
    put: (key, answer, begun) => {
      const size = sizeOf(key, answer)
      if (!enabled || begun !== generation || size > maxBytes / 16) return
      const old = answers.get(key)
      if (old) bytes -= sizeOf(key, old)
      answers.set(key, answer)
      bytes += size
      // The oldest go first: those in use are soon computed again.
      for (const [oldest, answer] of answers) {
        if (bytes <= maxBytes) break
        answers.delete(oldest)
        bytes -= sizeOf(oldest, answer)
      }
    },
    generation: () => generation,
    clear,
    setListening: (listening) => {
      enabled = listening
      clear()
    },
  }
}

/** If-None-Match of RFC 9110: a list, `*`, and tags that a compressing proxy has marked weak. */
export const matchesEtag = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given === etag ||
    given.split(',').some((each) => {
      const tag = each.trim()
      return tag === '*' || tag.replace(/^W\//, '') === etag
    }))
