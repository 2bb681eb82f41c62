// Deliveries that go back to the queue without an attempt, written in batches.
import type { Db } from '../store/engine/database.ts'
import type { FetchedJob, Queue } from '../store/engine/queue.ts'
import { postpone } from '../store/webhooks/deliveries.ts'
import type { Log } from './log.ts'

interface Postponements {
  add(job: FetchedJob, deliveryId: string, until: Date): void
  /** Writes them without making the caller wait; one write at a time. */
  flushInBackground(): void
  /** Writes what was added. Never rejects: what cannot be written is fetched again when its job expires. */
  flush(): Promise<void>
  /** Resolves when the background write has ended. */
  settled(): Promise<void>
}

export const openPostponements = ({ db, queue, log }: { db: Db; queue: Queue; log: Log }): Postponements => {
  let added: { job: FetchedJob; deliveryId: string; until: Date }[] = []
  let writing: Promise<void> | undefined

  const flush = async () => {
    if (added.length === 0) return
    const batch = added
    added = []
    await postpone(db, queue, batch).catch((error) =>
      log.error({ err: error }, 'deliveries could not be postponed; they are fetched again when their jobs expire'),
    )
  }

  return {
    add: (job, deliveryId, until) => void added.push({ job, deliveryId, until }),
    flushInBackground: () => {
      writing ??= flush().finally(() => {
        writing = undefined
      })
    },
    flush,
    settled: async () => writing,
  }
}
