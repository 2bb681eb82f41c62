// Caches a value that is expensive to compute and changes rarely. Concurrent callers share one computation.

export const cached = <T>(lifetimeMs: number, compute: () => Promise<T>): (() => Promise<T>) => {
  let entry: { computedAt: number; value: Promise<T> } | undefined
  return () => {
    if (entry && performance.now() - entry.computedAt < lifetimeMs) return entry.value
    const fresh = { computedAt: performance.now(), value: compute() }
    entry = fresh
    // A failed computation is not kept: the next caller tries again.
    fresh.value.catch(() => {
      if (entry === fresh) entry = undefined
    })
    return fresh.value
  }
}
