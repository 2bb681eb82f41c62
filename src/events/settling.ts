// Outcomes wait a few milliseconds and are recorded together; an owner whose endpoint this disables is told by mail in
// the same transaction. While the database is away they are kept, and written when it is back.

import type { Sealer } from '../secrets/seal.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { type Settlement, settle } from '../store/webhooks/deliveries.ts'
import { endpointDisabledMail } from './disabled-mail.ts'
import type { Log } from './log.ts'

export interface Settling {
  add(settlement: Settlement): void
  /** Whether an outcome of this delivery waits to be recorded. */
  has(deliveryId: string): boolean
  size(): number
  /** Records all there is. */
  flush(): Promise<void>
  /** Lets go of what could not be recorded, and says how much that was: its jobs expire and are taken again. */
  abandon(): number
}

export interface SettlingOptions {
  db: Db
  queue: Queue
  sealer: Sealer
  publicUrl: string
  log: Log
  now: () => Date
}

const gatherMs = 15
const most = 400
const troubleMs = 500

export const openSettling = ({ db, queue, sealer, publicUrl, log, now }: SettlingOptions): Settling => {
  const waiting = new Map<string, Settlement>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let abandoned = false

  const record = (batch: readonly Settlement[]) =>
    inTransaction(db, async (tx) => {
      for (const disabled of await settle(tx, queue, batch, now())) {
        log.warn({ endpoint: disabled.id, reason: disabled.reason }, 'webhook endpoint disabled')
        await enqueueMail(tx, { queue, sealer }, endpointDisabledMail(disabled, publicUrl))
      }
    })

  const write = async () => {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, most)
      try {
        await record(batch)
      } catch (error) {
        if (isAway(error)) {
          log.error({ err: error, waiting: waiting.size }, 'delivery outcomes wait for the database')
          await new Promise((done) => setTimeout(done, troubleMs))
          continue
        }
        await oneByOne(batch)
      }
      for (const each of batch) waiting.delete(each.deliveryId)
    }
  }

  /** One bad row must not hold up the rest; its job expires and is tried again. */
  const oneByOne = async (batch: readonly Settlement[]) => {
    for (const each of batch)
      await record([each]).catch((error) =>
        log.error({ err: error, delivery: each.deliveryId }, 'a delivery outcome could not be recorded'),
      )
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().finally(() => {
      writing = undefined
    })
    await writing
  }

  return {
    add: (settlement) => {
      if (abandoned) return
      waiting.set(settlement.deliveryId, settlement)
      timer ??= setTimeout(() => void flush(), gatherMs)
    },
    has: (deliveryId) => waiting.has(deliveryId),
    size: () => waiting.size,
    flush,
    abandon: () => {
      abandoned = true
      clearTimeout(timer)
      const left = waiting.size
      waiting.clear()
      return left
    },
  }
}

/** The server is gone, going or coming, or so busy that it let go: the same write may well succeed later. */
const isAway = (error: unknown): boolean => {
  const code = (error as { code?: string }).code ?? ''
  return code === '' || /^(08|57|53|40|55)/.test(code) || /^E[A-Z]+$/.test(code)
}
