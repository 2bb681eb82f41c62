// One piece of work in a thread of its own, gone when it is done.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** `file` is the module that holds the work, and answers for it by `workOf`. */
export const inThread = <Work, Done>(file: string, name: string, work: Work): Promise<Done> => {
  const thread = new Worker(new URL(file), { workerData: { [name]: work } })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The thread for ${name} ended (${code}) without an answer.`)))
  })
}

/** In the thread: does the work it was started for, if it is of this name. */
export const answerFor = async <Work>(name: string, does: (work: Work) => unknown): Promise<void> => {
  const work = isMainThread ? undefined : (workerData as Record<string, Work> | null)?.[name]
  if (work !== undefined) parentPort!.postMessage(await does(work))
}
