/** Like `then`, for a value that may not be a promise: most requests need neither a query nor Redis, and a promise would slow them down. */
export const andThen = <T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
