// A market cut into shares, which threads of one process take in turn until none is left.
import type { MarketId } from '../contract/facts.ts'
import { batchStarts } from '../store/assess-runs.ts'
import type { Db } from '../store/database.ts'

/** Goes from thread to thread as it is: the count of shares taken stands in memory they have in common. */
export interface Shares {
  size: number
  /** Each begins after this id. */
  starts: readonly string[]
  taken: Int32Array<SharedArrayBuffer>
}

export const cutIntoShares = async (db: Db, market: MarketId, size: number): Promise<Shares> => ({
  size,
  starts: await batchStarts(db, market, size),
  taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
})

/** The id after which the next share begins; undefined when all are taken. */
export const takeShare = ({ starts, taken }: Shares): string | undefined => starts[Atomics.add(taken, 0, 1)]

export const takenOf = ({ starts, taken }: Shares): number => Math.min(starts.length, Atomics.load(taken, 0))
