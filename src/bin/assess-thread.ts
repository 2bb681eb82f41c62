// Assessments and fits in a worker thread, so that they do not block the API. The thread ends after some idle minutes, which
// releases its memory.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { EventSettings } from '../assess/announce.ts'
import { type AssessResult, assessRange, openView } from '../assess/assess-market.ts'
import { fitAndAssess } from '../assess/fit-and-assess.ts'
import { type AssessJob, assessor } from '../assess/jobs.ts'
import type { MarketView } from '../assess/market-view.ts'
import { fitsInThisThread, type ModelFits } from '../assess/model-fits.ts'
import { valueAt } from '../common/typed.ts'
import type { MarketId } from '../domain/facts.ts'
import type { IdRange } from '../store/assessments/assess-runs.ts'
import { type DatabaseOptions, openDatabase } from '../store/engine/database.ts'
import { openQueue } from '../store/engine/queue.ts'
import { useMarketPacks } from './use-market-packs.ts'

interface AssessorThreadOptions {
  address: DatabaseOptions
  events?: Omit<EventSettings, 'queue'>
  /** How long an idle thread is kept. */
  idleMs?: number
}

/** Each thread has its own pending requests: one that is ending must not settle those of the next. */
interface OpenThread {
  worker: Worker
  pending: Map<number, { resolve(result: never): void; reject(error: Error): void }>
}

/** Twice what a market of 250,000 parcels needs. */
export const assessHeapMb = 1_300

type FitRequest = { [K in keyof ModelFits]: { fit: K; from: Parameters<ModelFits[K]> } }[keyof ModelFits]
type MarketRequest = { fitAndAssess: MarketId; now: Date }
type RangeRequest = { assessRange: IdRange; market: MarketId; now: Date }
type Request = AssessJob | FitRequest | MarketRequest | RangeRequest
type Answer = { id: number; result: unknown } | { id: number; error: string }

export const startAssessor = ({ address, events = {}, idleMs = 180_000 }: AssessorThreadOptions) => {
  let current: OpenThread | undefined
  let idle: NodeJS.Timeout | undefined
  let next = 0

  const open = (): OpenThread => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { address, events },
      resourceLimits: { maxOldGenerationSizeMb: assessHeapMb },
    })
    const pending: OpenThread['pending'] = new Map()
    const opened = { worker, pending }
    worker.on('message', (answer: Answer) => {
      const one = pending.get(answer.id)
      pending.delete(answer.id)
      if ('error' in answer) one?.reject(new Error(answer.error))
      else one?.resolve(answer.result as never)
      if (pending.size > 0 || current !== opened) return
      // An idle thread must not keep the process alive.
      worker.unref()
      idle = setTimeout(() => void close(), idleMs).unref()
    })
    const fail = (error: Error) => {
      if (current === opened) current = undefined
      for (const one of pending.values()) one.reject(error)
      pending.clear()
    }
    worker.on('error', fail)
    worker.on('exit', (code) =>
      fail(new Error(code === 0 ? 'The assessment thread was stopped.' : `The assessment thread ended (${code}).`)),
    )
    return opened
  }

  const close = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = current?.worker
    current = undefined
    if (!ending) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.ref()
    ending.postMessage({ end: true })
    const force = setTimeout(() => void ending.terminate(), 5_000)
    await gone
    clearTimeout(force)
  }

  const ask = <Result>(job: Request): Promise<Result> => {
    clearTimeout(idle)
    current ??= open()
    const { worker, pending } = current
    worker.ref()
    const id = next++
    return new Promise((resolve, reject) => {
      // Throws for what cannot be cloned; then nothing is pending.
      worker.postMessage({ id, job })
      pending.set(id, { resolve, reject })
    })
  }

  return {
    run: (job: AssessJob) => ask<AssessResult>(job),
    /** The long fits, without progress reports. */
    fits: {
      values: (sales, asOf) => ask({ fit: 'values', from: [sales, asOf] }),
      biddingWar: (rows) => ask({ fit: 'biddingWar', from: [rows] }),
    } satisfies ModelFits,
    /** Fits and assesses a whole market for the first start, without progress reports. */
    fitAndAssess: (market: MarketId, now: Date) => ask<AssessResult>({ fitAndAssess: market, now }),
    /** Assesses properties of a market with its stored valuation, without events: a part of a first assessment. */
    assessRange: (market: MarketId, range: IdRange, now: Date) =>
      ask<AssessResult>({ assessRange: range, market, now }),
    stop: close,
  }
}

const work = async (address: DatabaseOptions, events: Omit<EventSettings, 'queue'>): Promise<void> => {
  useMarketPacks()
  const database = openDatabase({
    ...address,
    poolSize: 4,
    applicationName: 'lotline-assessor',
    statementTimeoutMs: 600_000,
  })
  const queue = await openQueue(address)
  const { run } = assessor({ db: database.db, queue, ...events })
  const views = new Map<MarketId, Promise<MarketView>>()
  const viewOf = (market: MarketId, now: Date) => valueAt(views, market, () => openView(database.db, market, now))
  const done = async (job: Request): Promise<unknown> => {
    if ('assessRange' in job)
      return assessRange(database.db, job.assessRange, await viewOf(job.market, job.now), { now: job.now })
    if ('fitAndAssess' in job) return fitAndAssess(database.db, job.fitAndAssess, { now: job.now, quick: true })
    if (!('from' in job)) return run(job)
    return job.fit === 'values' ? fitsInThisThread.values(...job.from) : fitsInThisThread.biddingWar(...job.from)
  }
  let ending = false
  parentPort!.on('message', async (message: { id: number; job: Request } | { end: true }) => {
    if ('end' in message) {
      ending = true
      await queue.close().catch(() => {})
      await database.close().catch(() => {})
      process.exit(0)
    }
    try {
      parentPort!.postMessage({ id: message.id, result: await done(message.job) })
    } catch (error) {
      // A job interrupted by the end fails for that reason; the exit event reports it.
      if (ending) return
      parentPort!.postMessage({ id: message.id, error: error instanceof Error ? error.message : String(error) })
    }
  })
}

if (!isMainThread && (workerData as { address?: DatabaseOptions } | null)?.address) {
  const { address, events } = workerData as Required<Pick<AssessorThreadOptions, 'address' | 'events'>>
  await work(address, events)
}
