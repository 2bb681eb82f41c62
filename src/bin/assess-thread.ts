// Assessments and fits in a thread of their own, so that the API keeps answering and both cores have work. The thread ends
// when it has been idle for some minutes: its memory goes back.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { AssessResult } from '../assess/assess-market.ts'
import { type Fits, fitsHere } from '../assess/fits.ts'
import { type AssessJob, assessor, type BesideJob } from '../assess/jobs.ts'
import { type DatabaseOptions, openDatabase } from '../store/engine/database.ts'
import { openQueue } from '../store/engine/queue.ts'

export interface AssessorThread {
  run(job: AssessJob | BesideJob): Promise<AssessResult>
  /** What steps they go through is not told. */
  fits: Fits
  stop(): Promise<void>
}

export interface AssessorThreadOptions {
  address: DatabaseOptions
  /** How long a thread without work is kept. */
  idleMs?: number
  /** Ceiling of its heap. */
  maxHeapMb?: number
}

/** With its own list of who waits: one that is ending must not answer for the next. */
interface OpenThread {
  worker: Worker
  waiting: Map<number, { resolve(result: never): void; reject(error: Error): void }>
}

/** Twice what a market of 250,000 parcels needs. */
export const assessHeapMb = 1_300

type Fit = { [K in keyof Fits]: { fit: K; from: Parameters<Fits[K]> } }[keyof Fits]
type Job = AssessJob | BesideJob | Fit
type Answer = { id: number; result: unknown } | { id: number; error: string }

export const startAssessor = ({
  address,
  idleMs = 180_000,
  maxHeapMb = assessHeapMb,
}: AssessorThreadOptions): AssessorThread => {
  let current: OpenThread | undefined
  let idle: NodeJS.Timeout | undefined
  let next = 0

  const open = (): OpenThread => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { address },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const waiting: OpenThread['waiting'] = new Map()
    const opened = { worker, waiting }
    worker.on('message', (answer: Answer) => {
      const one = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) one?.reject(new Error(answer.error))
      else one?.resolve(answer.result as never)
      if (waiting.size > 0 || current !== opened) return
      // Work keeps the process alive; waiting for work does not.
      worker.unref()
      idle = setTimeout(() => void close(), idleMs).unref()
    })
    const fail = (error: Error) => {
      if (current === opened) current = undefined
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
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

  const ask = <Result>(job: Job): Promise<Result> => {
    clearTimeout(idle)
    current ??= open()
    const { worker, waiting } = current
    worker.ref()
    const id = next++
    return new Promise((resolve, reject) => {
      // What cannot be sent is refused here, and nobody is to wait for it.
      worker.postMessage({ id, job })
      waiting.set(id, { resolve, reject })
    })
  }

  return {
    run: (job) => ask(job),
    fits: {
      values: (sales, asOf) => ask({ fit: 'values', from: [sales, asOf] }),
      biddingWar: (rows) => ask({ fit: 'biddingWar', from: [rows] }),
    },
    stop: close,
  }
}

const work = async (address: DatabaseOptions): Promise<void> => {
  const database = openDatabase({
    ...address,
    poolSize: 4,
    applicationName: 'lotline-assessor',
    statementTimeoutMs: 600_000,
  })
  const queue = await openQueue(address)
  const { run } = assessor({ db: database.db, queue })
  const done = (job: Job): Promise<unknown> => {
    if (!('from' in job)) return run(job)
    return job.fit === 'values' ? fitsHere.values(...job.from) : fitsHere.biddingWar(...job.from)
  }
  let ending = false
  parentPort!.on('message', async (message: { id: number; job: Job } | { end: true }) => {
    if ('end' in message) {
      ending = true
      await queue.close().catch(() => {})
      await database.close().catch(() => {})
      process.exit(0)
    }
    try {
      parentPort!.postMessage({ id: message.id, result: await done(message.job) })
    } catch (error) {
      // Cut off by the end, whatever the job says now is not why: the exit tells.
      if (ending) return
      parentPort!.postMessage({ id: message.id, error: error instanceof Error ? error.message : String(error) })
    }
  })
}

if (!isMainThread && (workerData as { address?: DatabaseOptions } | null)?.address)
  await work((workerData as { address: DatabaseOptions }).address)
