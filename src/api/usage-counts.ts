// Counts the requests of each key in memory and adds them to the database every few seconds, so that a request costs no query. When
// the process is killed, the last seconds are lost: the counts are for the account page, limits are counted elsewhere.
import { dayOf } from '../domain/day.ts'
import type { Db } from '../store/engine/database.ts'
import { addUsage } from '../store/keys/usage.ts'

export interface UsageCounts {
  /** `family`: the id of the first key. `refused`: over the limit per minute. */
  add(family: string, refused: boolean, now: Date): void
  flush(): Promise<void>
  /** Writes what is left. */
  close(): Promise<void>
}

const flushMs = 5_000

export const usageCounts = (db: Db): UsageCounts => {
  let counts = new Map<string, Parameters<typeof addUsage>[1][number]>()
  const add = (family: string, refused: boolean, now: Date) => {
    const day = dayOf(now)
    const id = `${family} ${day}`
    const count = counts.get(id) ?? { family, day, requests: 0, refused: 0 }
    counts.set(id, { ...count, requests: count.requests + 1, refused: count.refused + Number(refused) })
  }
  const flush = async () => {
    if (counts.size === 0) return
    const written = counts
    counts = new Map()
    try {
      await addUsage(db, [...written.values()])
    } catch {
      // The database does not answer: added to the counts since then, and written the next time.
      for (const [id, old] of written) {
        const count = counts.get(id) ?? { ...old, requests: 0, refused: 0 }
        counts.set(id, { ...old, requests: old.requests + count.requests, refused: old.refused + count.refused })
      }
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(flush)
  }, flushMs).unref()
  return {
    add,
    flush,
    close: async () => {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
