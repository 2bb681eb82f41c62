// Fits done each in a thread of its own, so that the store is read, written and fitted to at the same time.
import { type Fits, fitsHere } from '../assess/fits.ts'
import { answerFor, inThread } from './one-thread.ts'

const name = 'fitting a model'

type Fit = { [K in keyof Fits]: { which: K; from: Parameters<Fits[K]> } }[keyof Fits]

/** What steps they go through is not told. */
export const fitsBeside: Fits = {
  values: (sales, asOf) => inThread(import.meta.url, name, { which: 'values', from: [sales, asOf] } satisfies Fit),
  biddingWar: (rows) => inThread(import.meta.url, name, { which: 'biddingWar', from: [rows] } satisfies Fit),
}

await answerFor(name, (fit: Fit) =>
  fit.which === 'values' ? fitsHere.values(...fit.from) : fitsHere.biddingWar(...fit.from),
)
