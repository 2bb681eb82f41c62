// Listens for the signals to stop before the service is read in, which takes a second or two. One pair of ears from first
// to last: a signal that comes while a second listener takes over from a first would be lost between them.
let stop = (): void => {
  process.stderr.write('Stopped before anything was started.\n')
  process.exit(0)
}

export const listenForStop = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
}

/** From now on there is something to put away. */
export const stopWith = (inOrder: () => void): void => {
  stop = inOrder
}
