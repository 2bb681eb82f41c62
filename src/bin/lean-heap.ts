// A heap kept small while rows pass through it. V8 takes garbage for growth: its young generation doubles up to three times
// 64 MB, and what grew old is looked at only when there is four times as much of it as was alive. Neither makes a load of a
// feed faster, and the memory is the database's.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Room for some thousand rows with all that is made of them; 8 is slower, 64 is not faster. */
const semiSpaceMb = 16

/**
 * To be called now and then while the work goes on. How large the young generation may become is fixed when a process starts,
 * but its growing can be ended once it is large enough.
 */
export const keepHeapLean = (): (() => void) => {
  // Old objects are collected when they have doubled.
  setFlagsFromString('--heap-growing-percent=100')
  let ended = false
  return () => {
    if (ended) return
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    // Counted with the half that survivors are moved into.
    if (young === undefined || young.space_size < 2 * semiSpaceMb * 2 ** 20) return
    setFlagsFromString('--semi-space-growth-factor=1')
    ended = true
  }
}
