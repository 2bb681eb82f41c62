// Records the outcomes of attempts in batches. When an outcome disables an endpoint, the mail to its owner is queued in
// the same transaction. While the database is unavailable, outcomes are kept in memory and written when it is back.

import { inTransaction } from '../store/engine/database.ts'
import { isDatabaseUnavailable } from '../store/engine/unavailable.ts'
import { enqueueMail, type Mail, mailOf } from '../store/keys/mails.ts'
import { type AttemptOutcome, type DisabledEndpoint, recordOutcomes } from '../store/webhooks/deliveries.ts'
import type { DeliveryOptions } from './delivery-worker.ts'

type RecorderOptions = Pick<DeliveryOptions, 'db' | 'queue' | 'sealer' | 'publicUrl' | 'log'> & { now: () => Date }

/** Outcomes are collected this long before they are written together. */
const collectMs = 15
const maxBatch = 400
const unavailableWaitMs = 500

export const openOutcomeRecorder = ({ db, queue, sealer, publicUrl, log, now }: RecorderOptions) => {
  const pending = new Map<string, AttemptOutcome>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let abandoned = false

  const record = (batch: readonly AttemptOutcome[]) =>
    inTransaction(db, async (tx) => {
      for (const disabled of await recordOutcomes(tx, queue, batch, now())) {
        log.warn({ endpoint: disabled.id, reason: disabled.reason }, 'webhook endpoint disabled')
        if (disabled.confirmed) await enqueueMail(tx, { queue, sealer }, endpointDisabledMail(disabled, publicUrl))
      }
    })

  const writeAll = async () => {
    while (pending.size > 0) {
      const batch = [...pending.values()].slice(0, maxBatch)
      try {
        await record(batch)
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          log.error({ err: error, pending: pending.size }, 'the database is unavailable; delivery outcomes wait for it')
          await new Promise((done) => setTimeout(done, unavailableWaitMs))
          continue
        }
        await recordOneByOne(batch)
      }
      for (const each of batch) pending.delete(each.deliveryId)
    }
  }

  /** Keeps one bad row from blocking the others; its job expires and the delivery is sent again. */
  const recordOneByOne = async (batch: readonly AttemptOutcome[]) => {
    for (const each of batch)
      await record([each]).catch((error) =>
        log.error({ err: error, delivery: each.deliveryId }, 'a delivery outcome could not be recorded'),
      )
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    await writing
  }

  return {
    add: (outcome: AttemptOutcome): void => {
      if (abandoned) return
      pending.set(outcome.deliveryId, outcome)
      timer ??= setTimeout(() => void flush(), collectMs)
    },
    isPending: (deliveryId: string) => pending.has(deliveryId),
    /** How many outcomes are not recorded yet. */
    pending: () => pending.size,
    /** Resolves when all are recorded. */
    flush,
    /** Drops what is not recorded and returns how many that were: their jobs expire and are fetched again. */
    abandon: () => {
      abandoned = true
      clearTimeout(timer)
      const dropped = pending.size
      pending.clear()
      return dropped
    },
  }
}

/** Tells the owner of an endpoint that it is disabled, and how to enable it again. */
export const endpointDisabledMail = ({ id, url, email, reason }: DisabledEndpoint, publicUrl: string): Mail =>
  mailOf({ kind: 'endpoint-disabled', to: email }, 'Your Lotline webhook endpoint is disabled', [
    `We no longer send events to this endpoint, because ${reason}:`,
    { type: 'code', text: url },
    `You can read the events of the last 90 days at GET ${publicUrl}/api/v1/events. When the receiver works again, enable the endpoint:`,
    { type: 'code', text: `curl -X POST -H "x-api-key: YOUR_KEY" ${publicUrl}/api/v1/webhooks/${id}/enable` },
    `To see the attempts and responses: GET ${publicUrl}/api/v1/webhooks/${id}/deliveries`,
    { type: 'links', links: { Webhooks: `${publicUrl}/docs/webhooks` } },
  ])
