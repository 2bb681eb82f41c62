// Shared by the measurements: one store with the sample markets, and the service running on it.
import './packs.ts'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../src/bin/open-store.ts'
import { type Environment, proKeys, runCommand, type Service, startService } from './service.ts'

export interface Context {
  /** Folder for temporary files of the run. */
  dir: string
  /** Fewer rows and shorter runs for trying out a change; the figures are not published. */
  quick: boolean
  runs: number
  /** Rows of the measurement `size`. */
  size: { parcels: number; permits: number }
  /** Permits beside the sample's in the measurement `attack`. */
  permits?: number
  /** Busy loops beside the measurement `attack`. */
  loops: number
  /** The folder in which stores are kept between runs. */
  data?: string
  environment: Environment
  startService(own?: Environment, role?: string): Promise<Service>
  proKeys(count: number): Promise<string[]>
  /** The same store, opened from here. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>
  say(text: string): void
  close(): Promise<void>
}

export interface ContextOptions {
  quick: boolean
  runs?: number
  parcels?: number
  permits?: number
  loops: number
  /** Keeps the stores between runs, so that the sample is loaded only once. */
  data?: string
}

export const openContext = async ({ quick, runs, data, parcels, permits, loops }: ContextOptions): Promise<Context> => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-bench-'))
  // The server may have to run as another user, who must be able to reach its files.
  await chmod(dir, 0o755)
  const dataDir = data ?? join(dir, 'data')
  await mkdir(dataDir, { recursive: true })
  const environment: Environment = { DATA_DIR: dataDir }
  let sample: Promise<unknown> | undefined
  const withSample = () => {
    sample ??= startService(environment).then((service) => service.stop())
    return sample
  }
  return {
    dir,
    quick,
    data,
    permits,
    loops,
    runs: runs ?? (quick ? 3 : 5),
    size: {
      parcels: parcels ?? (quick ? 40_000 : 2_000_000),
      permits: permits ?? (quick ? 200_000 : 10_000_000),
    },
    environment,
    startService: async (own = {}, role = 'all') => {
      await withSample()
      return startService({ ...environment, ...own }, role)
    },
    proKeys: (count) => proKeys(environment, count),
    withStore: async (work) => {
      await withSample()
      const store = await openStore({ DATA_DIR: dataDir, DATABASE_URL: undefined }, { statementTimeoutMs: 0 })
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    },
    say: (text) => process.stderr.write(`${text}\n`),
    close: async () => {
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export { runCommand }
