// A worker's heartbeat: takes jobs again at once while there are many, soon while there were some lately, and seldom
// when all is quiet.

export interface Pace {
  /** With this many taken there are probably more. */
  many: number
  soonMs: number
  quietMs: number
}

export interface LoopSteps {
  take(): Promise<number>
  /** Once a minute: what else must not be forgotten. */
  rescue?(): Promise<void>
  onError(error: unknown): void
}

export interface WorkLoop {
  start(): void
  /** Ends when the step under way has ended. */
  stop(): Promise<void>
}

const quietAfterMs = 5_000
const troubleMs = 1_000
const rescueEveryMs = 60_000

export const workLoop = ({ many, soonMs, quietMs }: Pace, { take, rescue, onError }: LoopSteps): WorkLoop => {
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
    let lastRescue = Date.now()
    while (!stopped) {
      try {
        const taken = await take()
        const at = Date.now()
        if (taken > 0) lastWork = at
        if (rescue && at - lastRescue > rescueEveryMs) {
          lastRescue = at
          await rescue()
        }
        if (!stopped && taken < many) await pause(at - lastWork < quietAfterMs ? soonMs : quietMs)
      } catch (error) {
        if (stopped) return
        onError(error)
        await pause(troubleMs)
      }
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
