// A rejected promise without a handler is a bug in one request or job. It is logged and counted, and an alert rule watches the count;
// ending the process would end every other request, delivery and mail with it.
import { Counter, type Registry } from 'prom-client'

interface RejectionOptions {
  log: { error(details: object, message: string): void }
  registry: Registry
}

export const unhandledMessage = 'unhandled rejection: please report this error'

/** Returns a function that stops watching. */
export const watchRejections = ({ log, registry }: RejectionOptions): (() => void) => {
  const counter = new Counter({
    name: 'lotline_unhandled_rejections_total',
    help: 'Rejected promises that no code handled: bugs',
    registers: [registry],
  })
  const report = (reason: unknown) => {
    counter.inc()
    log.error({ err: reason instanceof Error ? reason : new Error(String(reason)) }, unhandledMessage)
  }
  process.on('unhandledRejection', report)
  return () => void process.off('unhandledRejection', report)
}
