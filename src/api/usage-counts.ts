// Counts the requests of each key in memory and adds them to the database twice a minute, so that a request costs no query. When the
// process is killed, the last half minute is lost: the counts are for the account page, limits are counted elsewhere.
import { valueAt } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import type { Db } from '../store/engine/database.ts'
import { addUsage } from '../store/keys/usage.ts'

export type UsageCounts = ReturnType<typeof usageCounts>

type Usage = Parameters<typeof addUsage>[1][number]

const flushMs = 30_000
const dayMs = 86_400_000

export const usageCounts = (db: Db) => {
  /** Requests of one day, by key. A request only adds to a number: the day is written out when the counts are. */
  let counts = new Map<string, { requests: number; refused: number }>()
  let day = 0
  let unwritten = new Map<string, Usage>()
  const keep = ({ family, day, requests, refused }: Usage) => {
    const usage = valueAt(unwritten, `${family} ${day}`, () => ({ family, day, requests: 0, refused: 0 }))
    usage.requests += requests
    usage.refused += refused
  }
  const endDay = () => {
    if (counts.size === 0) return
    const date = dayOf(new Date(day * dayMs))
    for (const [family, count] of counts) keep({ family, day: date, ...count })
    counts = new Map()
  }
  const add = (family: string, refused: boolean, now: Date) => {
    const today = Math.floor(now.getTime() / dayMs)
    if (today !== day) {
      endDay()
      day = today
    }
    const count = valueAt(counts, family, () => ({ requests: 0, refused: 0 }))
    count.requests++
    if (refused) count.refused++
  }
  const flush = async () => {
    endDay()
    if (unwritten.size === 0) return
    const written = unwritten
    unwritten = new Map()
    try {
      await addUsage(db, [...written.values()])
    } catch {
      // The database does not answer: added to the counts since then, and written the next time.
      for (const usage of written.values()) keep(usage)
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(flush)
  }, flushMs).unref()
  return {
    /** `family`: the id of the first key. `refused`: over the limit per minute. */
    add,
    flush,
    /** Writes what is left. */
    close: async () => {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
