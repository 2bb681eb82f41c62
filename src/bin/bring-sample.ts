// The sample of a service that starts: loaded on a first start, and on another the days played that it missed.
import type { readConfig } from '../config.ts'
import { embeddedExists } from '../store/embedded.ts'
import type { OpenServices } from './open-services.ts'
import { type OwnCommand, onCue, runOwnCommand } from './own-command.ts'
import { sampleDue } from './sample-markets.ts'

export interface ComingSample {
  /** Resolves once it is there, if it is to be. */
  into(services: Pick<OpenServices, 'db'>): Promise<void>
  stop(): Promise<void>
}

/** Where no database was ever made the sample will be wanted: it is made while the database is. */
export const bringSample = async (
  config: Pick<ReturnType<typeof readConfig>, 'DATABASE_URL' | 'DATA_DIR' | 'SAMPLE_DATA'>,
): Promise<ComingSample> => {
  let command: OwnCommand | undefined
  let stopped = false
  const run = (due: 'load' | 'advance', ...options: string[]): OwnCommand => {
    process.stderr.write(`${words[due]}\n`)
    return runOwnCommand(['sample', due, ...options])
  }
  const first = config.SAMPLE_DATA && !config.DATABASE_URL && !(await embeddedExists(config.DATA_DIR))
  if (first) command = run('load', onCue)
  // It may fail before there is anything to load it into; that is heard then.
  command?.done.catch(() => {})
  return {
    into: async (services) => {
      const due = await sampleDue(services, config.SAMPLE_DATA, new Date())
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

const words = {
  load: 'Loading the sample markets (first start only)…',
  advance: 'Bringing the sample markets up to today…',
}
