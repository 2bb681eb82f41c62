// Shared by the measurements: one store with the sample markets, and the service running on it.
import './packs.ts'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assessMarket } from '../src/assess/assess-market.ts'
import { openStore, type Store } from '../src/bin/open-store.ts'
import { withOpened } from '../src/bin/with-opened.ts'
import { startEmbedded } from '../src/embedded/server.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { fillMarket, market, now } from './market-data.ts'
import { type Environment, proKeysOf, startService } from './service.ts'

/** Each is a file that exports `measure`. Light parts first, since later ones leave a large store behind. */
export const parts = [
  'start',
  'hot-reads',
  'cold-reads',
  'overload',
  'assess',
  'ingest',
  'search',
  'filters',
  'layers',
  'size',
] as const

/**
 * `quick`: fewer rows and shorter runs, for trying out a change. `trial`: a few hundred rows instead of the sample, to see that a part
 * runs; its figures mean nothing.
 */
type Mode = 'full' | 'quick' | 'trial'

export type Context = Awaited<ReturnType<typeof openContext>>

interface ContextOptions {
  mode: Mode
  runs?: number
  /** Rows of `size`, and the former of `layers`. */
  parcels?: number
  permits?: number
  /** Keeps the stores between runs, so that they are made only once. */
  data?: string
}

export const trialRows = 300

export const openContext = async ({ mode, runs, data, parcels, permits }: ContextOptions) => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-bench-'))
  // The server may have to run as another user, who must be able to reach its files.
  await chmod(dir, 0o755)
  const dataDir = data ?? join(dir, 'data')
  await mkdir(dataDir, { recursive: true })
  const environment: Environment = { DATA_DIR: dataDir, ...(mode === 'trial' && { SAMPLE_DATA: 'false' }) }
  /** The number for the mode. */
  const sized = (full: number, quick: number, trial: number) => ({ full, quick, trial })[mode]
  const fillStore = async () => {
    if (mode !== 'trial') return (await startService(environment)).stop()
    const server = await startEmbedded(dataDir)
    const address = { socketDir: server.socketDir, database: 'lotline' }
    const { db, close } = openDatabase(address)
    try {
      await fillMarket(address, { homes: trialRows, permits: trialRows, assessed: false })
      await assessMarket(db, market, { now })
    } finally {
      await close()
      await server.stop()
    }
  }
  let filled: Promise<unknown> | undefined
  const ready = () => {
    filled ??= fillStore()
    return filled
  }
  return {
    /** Folder for temporary files of the run. */
    dir,
    mode,
    runs: runs ?? sized(5, 3, 1),
    sized,
    /** Rows of the measurement `size`. */
    size: {
      homes: parcels ?? sized(2_000_000, 40_000, trialRows),
      permits: permits ?? sized(1_000_000, 40_000, trialRows),
    },
    /** From --parcels. */
    parcels,
    environment,
    startService: async () => {
      await ready()
      return startService(environment)
    },
    proKeys: async (count: number) => {
      await ready()
      return proKeysOf(environment, count)
    },
    /** The same store, opened from here. */
    withStore: async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      await ready()
      return withOpened(
        () => openStore({ DATA_DIR: dataDir, DATABASE_URL: undefined }, { statementTimeoutMs: 0 }),
        work,
      )
    },
    say: (text: string) => void process.stderr.write(`${text}\n`),
    close: async () => {
      await rm(dir, { recursive: true, force: true })
    },
  }
}
