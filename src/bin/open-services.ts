// The services that operations and background work need: database, queue and encryption of secrets.
import { type Config, secretKeyOf } from '../config.ts'
import { sealerOf } from '../secrets/seal.ts'
import type { DatabaseOptions } from '../store/engine/database.ts'
import { isStandby } from '../store/engine/health.ts'
import { openQueue } from '../store/engine/queue.ts'
import { openStore } from './open-store.ts'

export type OpenServices = Awaited<ReturnType<typeof openServices>>

interface ServicesOptions extends Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs' | 'parallelWorkers'> {
  /** True in a process that also runs queued jobs. */
  working?: boolean
  onQueueError?: (error: Error) => void
}

export const openServices = async (config: Config, { working, onQueueError, ...database }: ServicesOptions = {}) => {
  const sealer = sealerOf(secretKeyOf(config))
  const store = await openStore(config, database)
  try {
    const readOnly = await isStandby(store.db)
    const queue = await openQueue({ ...store.address, working, readOnly, onError: onQueueError })
    return {
      store,
      db: store.db,
      queue,
      sealer,
      publicUrl: config.PUBLIC_URL,
      earlyAccess: config.EARLY_ACCESS,
      webhookAllowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      close: async () => {
        await queue.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
