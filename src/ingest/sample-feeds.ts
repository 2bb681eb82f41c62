// Loads the feeds of the sample markets from a folder, in order.
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { readSource } from './config.ts'
import { type RunOptions, type RunResult, runIngest } from './run.ts'
import { type SampleFeed, type SampleLayer, sampleFeeds, sampleLayers } from './sample-data.ts'

const sourcesDir = join(import.meta.dirname, '../../sources/sample')

interface FeedOptions extends Pick<RunOptions, 'now' | 'today' | 'highValueUsd' | 'publicUrl'> {
  onProgress?: (share: number, step: string) => void
  onLoaded?: (feed: SampleFeed | SampleLayer) => void
}

/** Feeds are read and checked while the database loads the ones before them. They are loaded in order. */
export const ingestFeeds = async (
  services: { store: Pick<Database, 'db' | 'pool'>; queue: Queue },
  files: { rows: Readonly<Partial<Record<SampleFeed | SampleLayer, number>>> },
  dir: string,
  options: FeedOptions,
): Promise<RunResult[]> => {
  const loads: Promise<RunResult>[] = []
  const feeds = [...sampleLayers, ...sampleFeeds]
  const load = async (at: number, name: SampleFeed | SampleLayer) => {
    options.onProgress?.((at + 1) / (feeds.length + 1), `loading ${name}`)
    const { config } = await readSource(join(sourcesDir, `${name}.json`))
    const previous = loads.at(-1)
    await new Promise<void>((isRead, fail) => {
      const loading = runIngest({ ...services.store, queue: services.queue }, config, {
        now: options.now,
        today: options.today,
        folder: dir,
        highValueUsd: options.highValueUsd,
        publicUrl: options.publicUrl,
        // The files of a later day have only what is new, which would look like a feed that was cut off.
        accept: 'Generated days of the sample.',
        beforeLoad: async () => {
          isRead()
          await previous?.catch((cause) => {
            throw new Error('Not loaded, because the feed before it failed.', { cause })
          })
        },
      })
      loads.push(loading)
      loading.then(() => options.onLoaded?.(name)).then(isRead, fail)
    })
  }
  try {
    for (const [at, name] of feeds.entries()) if (files.rows[name]) await load(at, name)
    return await Promise.all(loads)
  } finally {
    // After a failure others may still be running.
    await Promise.allSettled(loads)
  }
}

/** The folder is removed afterward, or when the process exits. */
export const inTemporaryFolder = async <T>(work: (dir: string) => Promise<T>): Promise<T> => {
  // Synchronous, so that no signal can end the process between making the folder and registering its removal.
  const dir = mkdtempSync(join(tmpdir(), 'lotline-sample-'))
  const removeAtExit = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  process.once('exit', removeAtExit)
  try {
    return await work(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
    process.off('exit', removeAtExit)
  }
}
