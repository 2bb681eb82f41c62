// Handles the signals to stop from the first moment, before the service is imported, which takes a second or two. There is
// one listener throughout: a signal that arrives while one listener replaces another would be lost.
let stop = (): void => {
  process.stderr.write('Stopped before anything was started.\n')
  process.exit(0)
}

export const listenForStop = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
}

/** Sets what a signal does from now on. */
export const onStop = (handler: () => void): void => {
  stop = handler
}

const stopSignals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** For commands that run to an end: calls `handler` with the exit code that tells a shell which signal ended it. */
export const onStopSignal = (handler: (exitCode: number) => void): void => {
  for (const [signal, code] of Object.entries(stopSignals)) process.on(signal, () => handler(code))
}
