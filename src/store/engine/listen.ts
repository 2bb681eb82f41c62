// A separate connection that receives NOTIFY and reports when it is connected and when it is not.
import pg from 'pg'
import { type DatabaseOptions, serverAddress } from './database.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'

interface ListenOptions {
  channels: Record<string, (payload: string) => void>
  /** Called with true when the connection listens, with false when it is lost. */
  onListening: (listening: boolean) => void
}

const retryMs = 250
const heartbeat = { everyMs: 600, timeoutMs: 5_000 }
/** A database that does not answer a heartbeat within this time counts as stalled. */
const stalledMs = 1_000

export const listen = async (address: DatabaseOptions, { channels, onListening }: ListenOptions) => {
  let closed = false
  let client: pg.Client | undefined
  let beating: Heartbeat | undefined

  const connect = async () => {
    const next = new pg.Client({ ...serverAddress(address), application_name: 'lotline-listen', keepAlive: true })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    try {
      await next.connect()
      for (const channel of Object.keys(channels)) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    client = next
    onListening(true)
    beating = startHeartbeat(next, heartbeat, () => lost(next))
  }

  const lost = (broken: pg.Client) => {
    if (client !== broken) return
    client = undefined
    beating?.stop()
    onListening(false)
    broken.end().catch(() => {})
    if (!closed) setTimeout(reconnect, retryMs).unref()
  }

  const reconnect = () => {
    if (closed) return
    connect().catch(() => setTimeout(reconnect, retryMs).unref())
  }

  await connect().catch((error: { code?: string }) => {
    // A standby accepts no LISTEN. When it is promoted, the next attempt succeeds.
    if (error.code !== '25006') throw error
    setTimeout(reconnect, retryMs).unref()
  })
  return {
    /** False while the database does not answer. */
    answers: () => client !== undefined && beating!.answersWithin(stalledMs),
    close: async () => {
      closed = true
      beating?.stop()
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
