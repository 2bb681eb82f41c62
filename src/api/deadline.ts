// When a request ends without an answer: at its time limit, and before it if the database does not answer at all. The time limit alone
// cannot tell a database that has stopped from a machine on which everything is slow.

/** How often a request asks whether the database still answers. */
const checkEveryMs = 1_800

export const deadline = (ms: number, databaseAnswers: () => boolean) => {
  const ending = new AbortController()
  /** The request is answered: nothing more is aborted. */
  const clear = () => {
    clearTimeout(limit)
    clearInterval(check)
  }
  const abort = () => {
    clear()
    ending.abort()
  }
  const limit = setTimeout(abort, ms)
  // An answer that arrived while the process was busy is read before an immediate runs.
  const check = setInterval(() => setImmediate(() => databaseAnswers() || abort()), checkEveryMs)
  return { signal: ending.signal, abort, clear }
}
