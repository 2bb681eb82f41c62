// Cached answers. One serves every caller with the same view: same page size, same history window, same day. An answer is
// dropped when data of its market changes, and nothing is cached while the service cannot listen for changes.
import type { FastifyRequest } from 'fastify'
import { type Plan, windowStart } from '../wire/plans.ts'
import { formatOf } from './formats.ts'

export interface Answer {
  body: Buffer
  etag: string
  /** Content-Type, and headers of this answer alone. */
  type?: string
  headers?: Record<string, string>
  /** The only market it contains data of; undefined if there may be several. */
  market?: string
  /** In milliseconds since 1970. Without it, the answer is valid until data changes. */
  expiresAt?: number
}

/** What an answer depends on: URL, format, page size, history window, and the day, since days on market change with it. */
export const cacheKey = ({ url, query, headers }: FastifyRequest, limits: Plan, now: Date): string | undefined =>
  // A URL that contains a key is never cached.
  (query as Record<string, unknown>).apiKey === undefined
    ? `${limits.maxResults} ${windowStart(limits, now) ?? ''} ${Math.floor(now.getTime() / 86_400_000)} ${formatOf(undefined, headers.accept)} ${url}`
    : undefined

export type AnswerCache = ReturnType<typeof answerCache>

const defaultMaxBytes = 64_000_000
/** What an entry costs in addition to its body and key. */
const overheadBytes = 300

interface Entry {
  answer: Answer
  generation: number
}

export const answerCache = (maxBytes = defaultMaxBytes) => {
  const entries = new Map<string, Entry>()
  let bytes = 0
  let anyChange = 0
  let wholeChange = 0
  const marketChanges = new Map<string, number>()
  let enabled = false
  const sizeOf = (key: string, { body }: Answer) => body.length + key.length * 2 + overheadBytes
  const remove = (key: string, { answer }: Entry) => {
    entries.delete(key)
    bytes -= sizeOf(key, answer)
  }
  /** Both counters of a market only grow, so their sum is the same only if neither changed. */
  const generation = (market?: string) =>
    market === undefined ? anyChange : wholeChange + (marketChanges.get(market) ?? 0)
  const clear = (market?: string) => {
    anyChange++
    if (market) {
      // Answers of other markets stay. An outdated one is removed when it is asked for.
      marketChanges.set(market, (marketChanges.get(market) ?? 0) + 1)
      return
    }
    wholeChange++
    entries.clear()
    bytes = 0
  }
  return {
    get: (key: string, now: Date) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.generation !== generation(entry.answer.market)) return void remove(key, entry)
      const { expiresAt } = entry.answer
      return expiresAt !== undefined && now.getTime() >= expiresAt ? undefined : entry.answer
    },
    /** Adds an answer whose computation began at generation `begun` of its market, unless data changed meanwhile. */
    put: (key: string, answer: Answer, begun: number) => {
      const size = sizeOf(key, answer)
      if (!enabled || begun !== generation(answer.market) || size > maxBytes / 16) return
      const old = entries.get(key)
      if (old) remove(key, old)
      entries.set(key, { answer, generation: begun })
      bytes += size
      // The oldest entries are removed first. Entries in use are soon cached again.
      for (const [oldest, entry] of entries) {
        if (bytes <= maxBytes) break
        remove(oldest, entry)
      }
    },
    /** Changes when data of the market does; without a market, when any data does. */
    generation,
    /** Data of this market changed; without a market or with an empty one, data of all markets. */
    clear,
    /** Caches from now on, or stops and empties the cache. */
    setListening: (listening: boolean) => {
      enabled = listening
      clear()
    },
  }
}

/** If-None-Match of RFC 9110: a list, `*`, tags of compressed answers, and tags that a compressing proxy has marked weak. */
export const matchesEtag = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given === etag ||
    given.split(',').some((each) => {
      const tag = each.trim()
      return tag === '*' || tag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"') === etag
    }))
