// The worker's heartbeat: takes jobs again at once while there are many, soon while there were some lately, and a few
// times a second when all is quiet.

const soonMs = 40
const quietMs = 250
const quietAfterMs = 5_000
const troubleMs = 1_000
const rescueEveryMs = 60_000

/** With this many taken there are probably more. */
const many = 100

export interface LoopSteps {
  take(): Promise<number>
  /** Now and then: what else must not be forgotten. */
  rescue(): Promise<void>
  onError(error: unknown): void
}

export const deliveryLoop = ({ take, rescue, onError }: LoopSteps): { start(): void; stop(): Promise<void> } => {
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
        if (at - lastRescue > rescueEveryMs) {
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
