// Rate limits counted in memory are exact for one API process only. An advisory lock on a separate connection prevents a second
// process from starting on the same database. Processes that count in Redis take the lock in shared mode. The lock ends with its
// session, so the session is checked by a heartbeat.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../../common/operator-error.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { type DatabaseOptions, serverAddress } from './database.ts'
import { type HeartbeatTimes, startHeartbeat } from './heartbeat.ts'

export class ApiAlreadyRunning extends OperatorError {}

const defaultTimes: HeartbeatTimes = { everyMs: 5_000, timeoutMs: 5_000 }

const retakeMs = 500

/**
 * Takes the lock or throws ApiAlreadyRunning. The lock ends with its connection, so after a lost connection the lock is taken again.
 * `onTaken` is called if another process took it first: then this process must stop serving.
 */
export const claimApi = async (
  address: DatabaseOptions,
  shared: boolean,
  onTaken: (error: ApiAlreadyRunning) => void = () => {},
  times: HeartbeatTimes = defaultTimes,
) => {
  const released = new AbortController()
  const session = `lotline-api-lock ${randomBytes(6).toString('hex')}`
  let lockClient: pg.Client | undefined

  const take = async () => {
    const client = await lockedConnection(address, shared, session, times)
    if (released.signal.aborted) return void client.end().catch(() => {})
    lockClient = client
    const heartbeat = startHeartbeat(client, times, () => closeAtOnce(client))
    client.once('end', () => {
      heartbeat.stop()
      void retake()
    })
  }

  const retake = async () => {
    lockClient = undefined
    while (!released.signal.aborted) {
      try {
        return await take()
      } catch (error) {
        if (error instanceof ApiAlreadyRunning) return onTaken(error)
        // The database is still unavailable.
        await wait(retakeMs, undefined, { signal: released.signal, ref: false }).catch(() => {})
      }
    }
  }

  await take()
  return {
    release: async () => {
      released.abort()
      await lockClient?.end().catch(() => {})
    },
  }
}

/** `end` would wait for an answer of the server. */
const closeAtOnce = (client: pg.Client): void => {
  ;(client as pg.Client & { connection: { stream: Socket } }).connection.stream.destroy()
}

const lockedConnection = async (
  address: DatabaseOptions,
  shared: boolean,
  session: string,
  { timeoutMs }: HeartbeatTimes,
): Promise<pg.Client> => {
  const client = new pg.Client({
    ...serverAddress(address),
    application_name: session,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: 2 * timeoutMs,
  })
  // Without a listener a lost connection would end the process. The 'end' event follows and is handled.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(serverKeepAlive)
    await client.query(endFormerSession, [session, timeoutMs])
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock${shared ? '_shared' : ''}($1) as held`,
      [advisoryLocks.servingApi],
    )
    if (rows[0]!.held) return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  throw new ApiAlreadyRunning(
    shared
      ? 'A Lotline API process that counts its rate limits in memory is using this database. Stop it, or give it the same REDIS_URL.'
      : 'Another Lotline API process is using this database. Stop it first, or give both a REDIS_URL so that they share their rate limits.',
  )
}

/** A server behind a broken network keeps the session of a lost connection, with its lock: this process would stop because of itself. */
const endFormerSession = `
  select pg_terminate_backend(pid, $2) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`

/** The server ends the session of a machine that has disappeared within half a minute, so that its lock is free again. */
const serverKeepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
