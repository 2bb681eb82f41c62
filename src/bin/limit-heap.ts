// Keeps the heap small while the rows of a feed pass through it. V8 lets its young generation grow to three times 64 MB
// and collects old objects only after they have quadrupled. Neither makes a load faster, and the database can use the
// memory.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Enough for some thousand rows with their derived values: 8 MB is slower, 64 MB is not faster. */
const semiSpaceMb = 16

/**
 * Returns a function to call from time to time during the work. V8 fixes the maximum size of the young generation when the
 * process starts, but its growth can be stopped once it is large enough.
 */
export const limitHeap = (): (() => void) => {
  // Collects old objects when they have doubled.
  setFlagsFromString('--heap-growing-percent=100')
  let stopped = false
  return () => {
    if (stopped) return
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    // The size includes the second semi-space, into which survivors are copied.
    if (young === undefined || young.space_size < 2 * semiSpaceMb * 2 ** 20) return
    setFlagsFromString('--semi-space-growth-factor=1')
    stopped = true
  }
}
