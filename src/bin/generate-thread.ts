// The sample's feed files made in a thread of their own, so that a database can be made and opened meanwhile.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type GenerateOptions, generateSample, type SampleFiles } from '../sample/generate.ts'

export const generateBeside = (generate: GenerateOptions): Promise<SampleFiles> => {
  const thread = new Worker(new URL(import.meta.url), { workerData: { generate } })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The thread that makes the sample ended (${code}).`)))
  })
}

const asked = isMainThread ? undefined : (workerData as { generate?: GenerateOptions } | null)?.generate
if (asked) parentPort!.postMessage(generateSample(asked))
