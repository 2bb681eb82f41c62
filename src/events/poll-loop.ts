// A worker's polling loop: polls again immediately while batches are full, often while there was work lately, and less
// often when there was none.
import { wait } from '../common/retry.ts'

interface PollIntervals {
  /** A poll that returned at least this many jobs is followed by the next one immediately. */
  busyFrom: number
  busyMs: number
  quietMs: number
}

interface PollSteps {
  /** Returns how many jobs there were. */
  poll(): Promise<number>
  everyMinute?(): Promise<void>
  onError(error: unknown): void
}

const quietAfterMs = 5_000
const afterErrorMs = 1_000
const minuteMs = 60_000

export const pollLoop = ({ busyFrom, busyMs, quietMs }: PollIntervals, { poll, everyMinute, onError }: PollSteps) => {
  let running: Promise<void> | undefined
  const stopping = new AbortController()

  const run = async () => {
    let lastWork = 0
    let lastMinute = Date.now()
    while (!stopping.signal.aborted) {
      try {
        const jobs = await poll()
        const at = Date.now()
        if (jobs > 0) lastWork = at
        if (everyMinute && at - lastMinute > minuteMs) {
          lastMinute = at
          await everyMinute()
        }
        if (jobs < busyFrom) await wait(at - lastWork < quietAfterMs ? busyMs : quietMs, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        onError(error)
        await wait(afterErrorMs, stopping.signal)
      }
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    /** Resolves when the current step has ended. */
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
