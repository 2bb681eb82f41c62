// The state of the sample data: which day it shows, and whether it is assessed and fitted.
import { dayOf } from '../domain/day.ts'
import { sampleEnd, sampleSeed } from '../ingest/sample-data.ts'
import type { Db } from '../store/engine/database.ts'
import { readSetting, writeSetting } from '../store/engine/settings.ts'
import { sourceSummary } from '../store/ingest/source-states.ts'

export interface SampleState {
  seed: number
  /** The last day shown, YYYY-MM-DD. */
  today: string
  /** How many days after its generated day a day is shown; undefined is 0, for a sample that an earlier version loaded. */
  shiftDays?: number
  /** False between loading and assessing, so that the next start completes a load that was interrupted there. */
  assessed: boolean
  /** False until the models are fitted to it the first time. */
  fitted?: boolean
}

type Store = { db: Db }

export const sampleState = ({ db }: Store) => readSetting<SampleState>(db, 'sample')

export const saveSampleState = ({ db }: Store, state: SampleState) => writeSetting(db, 'sample', state)

/** Whether the sample must be loaded or advanced now; undefined if neither. */
export const sampleTask = async (
  services: Store,
  wanted: boolean,
  now: Date,
): Promise<'load' | 'advance' | undefined> => {
  const { real } = await sourceSummary(services.db)
  if (!wanted || real > 0) return undefined
  const state = await sampleState(services)
  if (!state) return 'load'
  if (state.seed !== sampleSeed()) return undefined
  const ended = state.today >= (sampleEnd(state.shiftDays ?? 0) ?? '')
  return !state.assessed || (state.today < dayOf(now) && !ended) ? 'advance' : undefined
}

/** True once there is data to show: the sample is loaded and assessed, or not wanted, or a real source is loaded. */
export const sampleReady = async (services: Store, wanted: boolean): Promise<boolean> => {
  const { real } = await sourceSummary(services.db)
  return !wanted || real > 0 || (await sampleState(services))?.assessed === true
}
