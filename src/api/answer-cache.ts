// Ready-made answers. One serves every caller with the same view: same page cap, same history window, same day. All are
// dropped the moment data changes, and nothing is kept while changes cannot be heard.
import { type Plan, windowStart } from '../contract/plans.ts'

export interface Answer {
  body: Buffer
  etag: string
  /** The operation that made it. */
  operation: string
  /** In milliseconds since 1970: from then on it is no longer right. Without, it is until data changes. */
  until?: number
}

/** What an answer depends on: the question, the caller's view (page cap, window) and the day, since days on market move with it. */
export const sharedKey = (url: string, limits: Plan, now: Date): string =>
  `${limits.maxResults} ${windowStart(limits, now) ?? ''} ${Math.floor(now.getTime() / 86_400_000)} ${url}`

export interface AnswerCache {
  get(key: string, now: Date): Answer | undefined
  /** Keeps an answer computed since `begun` (a `generation`), unless data changed meanwhile. */
  put(key: string, answer: Answer, begun: number): void
  generation(): number
  /** Data changed. */
  drop(): void
  trust(heard: boolean): void
}

const mostBytes = 64 * 1024 * 1024
/** What an entry costs beside its body and key. */
const overheadBytes = 300

export const answerCache = (limitBytes = mostBytes): AnswerCache => {
  const answers = new Map<string, Answer>()
  let bytes = 0
  let generation = 0
  let trusted = false
  const sizeOf = (key: string, answer: Answer) => answer.body.length + key.length * 2 + overheadBytes
  const clear = () => {
    answers.clear()
    bytes = 0
    generation++
  }
  return {
    get: (key, now) => {
      const answer = answers.get(key)
      return answer?.until !== undefined && now.getTime() >= answer.until ? undefined : answer
    },
    put: (key, answer, begun) => {
      const size = sizeOf(key, answer)
      if (!trusted || begun !== generation || size > limitBytes / 16) return
      const old = answers.get(key)
      if (old) bytes -= sizeOf(key, old)
      answers.set(key, answer)
      bytes += size
      // Oldest first: hot pages come straight back.
      for (const [first, answer] of answers) {
        if (bytes <= limitBytes) break
        answers.delete(first)
        bytes -= sizeOf(first, answer)
      }
    },
    generation: () => generation,
    drop: clear,
    trust: (heard) => {
      trusted = heard
      clear()
    },
  }
}

/** If-None-Match as RFC 9110 has it: a list, `*`, and tags that a compressing proxy has marked weak. */
export const holds = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given === etag ||
    given.split(',').some((each) => {
      const tag = each.trim()
      return tag === '*' || tag.replace(/^W\//, '') === etag
    }))
