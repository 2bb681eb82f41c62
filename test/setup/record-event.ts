import type { Db } from '../../src/store/engine/database.ts'
import type { Queue } from '../../src/store/engine/queue.ts'
import { type NewEvent, recordEvents } from '../../src/store/webhooks/events.ts'

/** Returns the id of the event. */
export const recordEvent = async (db: Db, queue: Queue, event: NewEvent, now: Date): Promise<string> =>
  (await recordEvents(db, queue, [event], now))[0]!
