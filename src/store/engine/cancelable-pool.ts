// A pg pool for Kysely whose queries run in a given schema and can be ended: by a signal, and by the client's own timeout.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { executionModes, startCopy } from './copy-rows.ts'
import { defaultGroup } from './shard-groups.ts'
import { statementChannel } from './trace-channels.ts'
import { isQueryTimeout, QueryCanceled } from './unavailable.ts'

/** Gives one more connection, with the function that returns it: a request with many queries would otherwise use the whole pool. */
export type ConnectionShare = (signal?: AbortSignal) => Promise<() => void>

/** The part of a pg pool that this file uses. */
export interface Connections {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
  options: pg.PoolOptions
}

/** A connection whose query was ended is replaced: its server may never answer, and later queries would wait behind that one. */
export const cancelablePool = (
  pool: Connections,
  schema: () => Promise<string>,
  signal?: AbortSignal,
  share?: ConnectionShare,
): PostgresPool => ({
  connect: async () => {
    if (signal?.aborted) throw new QueryCanceled()
    const wanted = await untilAborted(schema(), signal)
    const giveBack = await share?.(signal).catch(() => {
      throw new QueryCanceled()
    })
    const client = await connection(pool, signal)
      .then((connected) => useSchema(connected, wanted))
      .catch((error: unknown) => {
        giveBack?.()
        throw error
      })
    let open = true
    let running = false
    const release = (destroy?: boolean) => {
      if (!open) return
      open = false
      signal?.removeEventListener('abort', cancel)
      client.release(destroy)
      giveBack?.()
    }
    const cancel = () => {
      if (open && running) requestCancel(client)
      release(true)
    }
    signal?.addEventListener('abort', cancel)
    const query = async (text: string, parameters: readonly unknown[]) => {
      if (signal?.aborted) throw new QueryCanceled()
      running = true
      try {
        if (executionModes.get(parameters) === 'copy') return { rows: [await startCopy(client, text, parameters)] }
        return await statementChannel.tracePromise(() => client.query(statement(text, parameters)), { text })
      } catch (error) {
        if (isQueryTimeout(error)) cancel()
        throw signal?.aborted ? new QueryCanceled() : error
      } finally {
        running = false
      }
    }
    return { query: query as unknown as PostgresPoolClient['query'], release }
  },
  end: () => pool.end(),
  options: pool.options,
})

const statement = (text: string, parameters: readonly unknown[]): pg.QueryConfig => ({
  text,
  values: [...parameters],
  ...(executionModes.get(parameters) === 'prepared'
    ? { name: createHash('sha256').update(text).digest('hex').slice(0, 32) }
    : {}),
})

/** The schema that a connection finds tables in first. A new connection begins in that of its pool. */
const schemaOf = new WeakMap<pg.PoolClient, string>()

const useSchema = async (client: pg.PoolClient, wanted: string): Promise<pg.PoolClient> => {
  if ((schemaOf.get(client) ?? defaultGroup) === wanted) return client
  try {
    await client.query(`set search_path to ${pg.escapeIdentifier(wanted)}, public`)
    schemaOf.set(client, wanted)
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Does not wait for a connection beyond the signal; one that comes later goes back to the pool. */
const connection = async (pool: Connections, signal: AbortSignal | undefined): Promise<pg.PoolClient> => {
  if (!signal) return pool.connect()
  if (signal.aborted) throw new QueryCanceled()
  const connecting = pool.connect()
  return untilAborted(connecting, signal, () =>
    connecting.then(
      (client) => client.release(),
      () => {},
    ),
  )
}

/** Always handles the rejection of `work`, also after the signal aborted: without a handler it would be nobody's. */
const untilAborted = <T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onAbort: () => unknown = () => {},
): Promise<T> => {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const cancel = () => {
      reject(new QueryCanceled())
      onAbort()
    }
    signal.addEventListener('abort', cancel)
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
    if (signal.aborted) cancel()
  })
}

const cancelRequestCode = 80877102
const cancelTimeoutMs = 1_000

/** Sends the protocol's CancelRequest on its own connection: otherwise PostgreSQL notices a lost client only when it sends the result. */
const requestCancel = (client: pg.PoolClient): void => {
  const { host, port, processID, secretKey } = client as pg.PoolClient & Backend
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const message = Buffer.alloc(16)
  for (const [at, value] of [message.length, cancelRequestCode, processID, secretKey].entries())
    message.writeInt32BE(value, 4 * at)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => {})
  socket.setTimeout(cancelTimeoutMs, () => socket.destroy())
  socket.end(message)
}

/** The server process of a connection. pg has these fields, but its types omit them. */
interface Backend {
  host: string
  port: number
  processID?: unknown
  secretKey?: unknown
}
