// A worker's polling loop: polls again immediately while batches are full, often while there was work lately, and less
// often when there was none.

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
  let stopped = false
  let running: Promise<void> | undefined
  let wake = () => {}

  const pause = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms)
      wake = () => {
        clearTimeout(timer)
        done()
      }
    })

  const run = async () => {
    let lastWork = 0
    let lastMinute = Date.now()
    while (!stopped) {
      try {
        const jobs = await poll()
        const at = Date.now()
        if (jobs > 0) lastWork = at
        if (everyMinute && at - lastMinute > minuteMs) {
          lastMinute = at
          await everyMinute()
        }
        if (!stopped && jobs < busyFrom) await pause(at - lastWork < quietAfterMs ? busyMs : quietMs)
      } catch (error) {
        if (stopped) return
        onError(error)
        await pause(afterErrorMs)
      }
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    /** Resolves when the current step has ended. */
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
