/** Calls `next` at once where there is nothing to wait for: most requests need neither a query nor Redis, and promises cost. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
