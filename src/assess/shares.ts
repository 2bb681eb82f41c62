// A market cut into shares, which threads of one process take in turn until none is left.
import type { MarketId } from '../contract/facts.ts'
import { type IdRange, idRanges } from '../store/assessments/assess-runs.ts'
import type { Db } from '../store/engine/database.ts'

/** Goes from thread to thread as it is: what is taken and what is done is counted in memory they have in common. */
export interface Shares {
  ranges: readonly IdRange[]
  counts: Int32Array<SharedArrayBuffer>
}

const taken = 0
const done = 1

export const cutIntoShares = async (db: Db, market: MarketId, size: number): Promise<Shares> => ({
  ranges: await idRanges(db, market, size),
  counts: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
})

/** The next one; undefined when none is left. */
export const takeShare = ({ ranges, counts }: Shares): IdRange | undefined => ranges[Atomics.add(counts, taken, 1)]

export const noneLeft = ({ ranges, counts }: Shares): boolean => Atomics.load(counts, taken) >= ranges.length

/** Nobody takes another. */
export const leaveTheRest = ({ ranges, counts }: Shares): void => {
  Atomics.store(counts, taken, ranges.length)
}

/** One more is worked out; how many that makes. */
export const shareDone = ({ counts }: Shares): number => Atomics.add(counts, done, 1) + 1
