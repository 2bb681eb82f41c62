// Publishes statements and jobs on Node's diagnostics channels, which cost nothing without a subscriber. Tracing subscribes.
import { tracingChannel } from 'node:diagnostics_channel'

export interface TracedStatement {
  /** With placeholders instead of values. */
  text: string
}

export interface TracedJob {
  queue: string
}

export const statementChannel = tracingChannel<unknown, TracedStatement>('lotline:statement')
export const jobChannel = tracingChannel<unknown, TracedJob>('lotline:job')

export const traceJob = <T>(queue: string, work: () => Promise<T>): Promise<T> =>
  jobChannel.tracePromise(work, { queue })
