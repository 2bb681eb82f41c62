// Ready-made answers. One serves every caller with the same view: same page cap, same history window, same day. All are
// dropped the moment data changes, and nothing is kept while changes cannot be heard.

export interface Answer {
  body: Buffer
  etag: string
}

export interface AnswerCache {
  get(key: string): Answer | undefined
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
    get: (key) => answers.get(key),
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
