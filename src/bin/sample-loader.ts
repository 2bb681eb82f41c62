// Loads the sample markets or advances them to today when the service starts, in a child process. A failure, for example of a
// full disk, is reported and tried again: the service runs meanwhile, and says that the sample is being loaded.
import { doubling, retry } from '../common/retry.ts'
import { type ChildCommand, runChildCommand } from './child-command.ts'

interface SampleLoaderOptions {
  onFailed: (error: unknown, retryInMs: number) => void
  runCommand?: (args: readonly string[]) => ChildCommand
  /** Doubles with each failure, up to a minute. */
  firstRetryMs?: number
}

const maxRetryMs = 60_000

export const sampleLoader = ({ onFailed, runCommand = runChildCommand, firstRetryMs = 5_000 }: SampleLoaderOptions) => {
  let command: ChildCommand | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  const runDue = async (due: 'load' | 'advance' | undefined): Promise<void> => {
    if (!due || signal.aborted) return
    process.stderr.write(`${messages[due]}\n`)
    command = runCommand(['sample', due])
    await command.done
  }
  return {
    /** Resolves when nothing is due any more, or when it was stopped. */
    run: async (due: () => Promise<'load' | 'advance' | undefined>) => {
      const pauseAfter = (error: unknown, attempt: number) => {
        const retryMs = doubling(firstRetryMs, attempt, maxRetryMs)
        onFailed(error, retryMs)
        return retryMs
      }
      const load = async () => runDue(signal.aborted ? undefined : await due())
      await retry(load, pauseAfter, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
    stop: async () => {
      stopping.abort()
      await command?.stop()
    },
  }
}

const messages = {
  load: 'Loading the sample markets (first start only)…',
  advance: 'Advancing the sample markets to today…',
}
