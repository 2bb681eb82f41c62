// The sample's feed files made in a thread of their own, so that a database can be made and opened meanwhile.
import { type GenerateOptions, generateSample, type SampleFiles } from '../sample/generate.ts'
import { answerFor, inThread } from './one-thread.ts'

const name = 'making the sample'

export const generateBeside = (options: GenerateOptions): Promise<SampleFiles> =>
  inThread(import.meta.url, name, options)

await answerFor(name, generateSample)
