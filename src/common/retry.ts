// Repeats a failed call. Callers decide which errors are worth another attempt, and after what pause.

/** The pause before the next attempt in milliseconds; undefined if the error is final. Attempts are counted from 1. */
type PauseAfter = (error: unknown, attempt: number) => number | undefined

/** Repeats `work` until it succeeds, its error is final or the signal aborts; then it throws the last error. */
export const retry = async <T>(
  work: (attempt: number) => Promise<T>,
  pauseAfter: PauseAfter,
  {
    signal,
    pause = wait,
  }: { signal?: AbortSignal | undefined; pause?: (ms: number, signal?: AbortSignal) => Promise<unknown> } = {},
): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work(attempt)
    } catch (error) {
      const ms = signal?.aborted ? undefined : pauseAfter(error, attempt)
      if (ms === undefined) throw error
      await pause(ms, signal)
      if (signal?.aborted) throw error
    }
}

/** Doubles with each attempt, up to `most`. */
export const doubling = (firstMs: number, attempt: number, mostMs: number): number =>
  Math.min(firstMs * 2 ** (attempt - 1), mostMs)

/** Resolves after the time, or as soon as the signal aborts. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
