// The sample of a service that starts, loaded or played on in a process of its own. It imports next to nothing: on a first
// start that process is the longest part, and begins before the service itself is read in.
import { type Config, makeDataDir } from '../config.ts'
import { embeddedExists } from '../embedded/paths.ts'
import { type ChildCommand, onCue, runChildCommand } from './child-command.ts'

export interface ComingSample {
  /** Its process runs already. */
  begun: boolean
  /** Loads it, or plays the days missed; resolves when that is done, at once where nothing is due. */
  bring(due: 'load' | 'advance' | undefined): Promise<void>
  stop(): Promise<void>
}

type SampleConfig = Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'SAMPLE_DATA'>

/** Where no database was ever made the sample will be wanted: it is made while the database is. */
export const startSample = async (config: SampleConfig): Promise<ComingSample> => {
  let command: ChildCommand | undefined
  let stopped = false
  const run = (due: 'load' | 'advance', ...options: string[]): ChildCommand => {
    process.stderr.write(`${words[due]}\n`)
    return runChildCommand(['sample', due, ...options])
  }
  if (await isFirstStart(config)) command = run('load', onCue)
  // It may fail before there is anything to load it into; that is heard then.
  command?.done.catch(() => {})
  return {
    begun: command !== undefined,
    bring: async (due) => {
      if (due !== 'load') await command?.stop()
      if (!due || stopped) return
      command = due === 'load' ? (command ?? run('load')) : run('advance')
      command.cue()
      await command.done
    },
    stop: async () => {
      stopped = true
      await command?.stop()
    },
  }
}

const isFirstStart = async ({ DATABASE_URL, DATA_DIR, SAMPLE_DATA }: SampleConfig): Promise<boolean> => {
  if (!SAMPLE_DATA || DATABASE_URL) return false
  makeDataDir(DATA_DIR)
  return !(await embeddedExists(DATA_DIR))
}

const words = {
  load: 'Loading the sample markets (first start only)…',
  advance: 'Bringing the sample markets up to today…',
}
