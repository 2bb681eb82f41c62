// Loads the sample markets or advances them to today when the service starts, in a child process.
import { type ChildCommand, runChildCommand } from './child-command.ts'

export interface SampleLoader {
  /** Resolves when the work is done; at once when nothing is due. */
  run(due: 'load' | 'advance' | undefined): Promise<void>
  stop(): Promise<void>
}

export const sampleLoader = (): SampleLoader => {
  let command: ChildCommand | undefined
  let stopped = false
  return {
    run: async (due) => {
      if (!due || stopped) return
      process.stderr.write(`${messages[due]}\n`)
      command = runChildCommand(['sample', due])
      await command.done
    },
    stop: async () => {
      stopped = true
      await command?.stop()
    },
  }
}

const messages = {
  load: 'Loading the sample markets (first start only)…',
  advance: 'Advancing the sample markets to today…',
}
