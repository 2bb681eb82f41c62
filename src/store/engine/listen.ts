// A connection of its own that hears NOTIFY, and says when it can and cannot hear.
import pg from 'pg'
import { type DatabaseOptions, poolAddress } from './database.ts'

export interface Listener {
  close(): Promise<void>
}

export interface ListenOptions {
  channels: Record<string, (payload: string) => void>
  /** True once listening, false when the connection is lost. */
  onHearing: (hearing: boolean) => void
}

const retryMs = 250
/** A half-open connection hears nothing and says nothing: ask it. */
const heartbeatMs = 5_000

export const listen = async (address: DatabaseOptions, { channels, onHearing }: ListenOptions): Promise<Listener> => {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ ...poolAddress(address), application_name: 'lotline-listen', keepAlive: true })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    await next.connect()
    for (const channel of Object.keys(channels)) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
    onHearing(true)
    timer = setInterval(() => beat(next), heartbeatMs).unref()
  }

  const beat = async (current: pg.Client) => {
    const late = setTimeout(() => lost(current), heartbeatMs).unref()
    try {
      await current.query('select 1')
    } catch {
      lost(current)
    } finally {
      clearTimeout(late)
    }
  }

  const lost = (gone: pg.Client) => {
    if (client !== gone) return
    client = undefined
    clearInterval(timer)
    onHearing(false)
    gone.end().catch(() => {})
    if (!closed) setTimeout(again, retryMs).unref()
  }

  const again = () => {
    if (closed) return
    connect().catch(() => setTimeout(again, retryMs).unref())
  }

  await connect()
  return {
    close: async () => {
      closed = true
      clearInterval(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
