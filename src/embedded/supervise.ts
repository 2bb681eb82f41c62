// Restarts the embedded PostgreSQL when it dies. Without this a killed server stays down until some other command
// happens to start it, and every uncached read fails meanwhile.
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

interface SupervisorOptions {
  socketDir: string
  /** Starts the server if it is not running, and resolves once it accepts connections. */
  ensureRunning: () => Promise<unknown>
  onDown?: () => void
  onRestarted?: (downMs: number) => void
  /** A restart failed; another is tried after a pause. */
  onRestartFailed?: (error: Error) => void
  checkEveryMs?: number
}

/** Two checks a second cost nothing measurable and leave most of the ten seconds of an outage for recovery itself. */
const defaultCheckMs = 500
/** A server that cannot start now (no disk space, old processes still ending) is not asked more often than this. */
const retryMs = 1_000

export const supervise = (options: SupervisorOptions) => {
  const { socketDir, ensureRunning, checkEveryMs = defaultCheckMs } = options
  const stopping = new AbortController()

  const restart = async () => {
    const since = performance.now()
    options.onDown?.()
    while (!stopping.signal.aborted) {
      try {
        await ensureRunning()
        options.onRestarted?.(performance.now() - since)
        return
      } catch (error) {
        options.onRestartFailed?.(error instanceof Error ? error : new Error(String(error)))
        await pause(retryMs)
      }
    }
  }

  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  const loop = async () => {
    while (!stopping.signal.aborted) {
      await pause(checkEveryMs)
      if (!stopping.signal.aborted && !(await isListening(socketDir))) await restart()
    }
  }

  const running = loop()
  return {
    /** Stops checking; resolves once a restart that is under way has ended. */
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/**
 * Whether a process holds the server's socket. The kernel answers for it, so a server that is busy, recovering or
 * suspended counts as listening; only one that is gone does not.
 */
export const isListening = (socketDir: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(join(socketDir, '.s.PGSQL.5432'))
    const done = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => done(true))
    // A full backlog (EAGAIN) means a server that does not keep up, not one that is gone.
    socket.once('error', (error: NodeJS.ErrnoException) => done(!['ENOENT', 'ECONNREFUSED'].includes(error.code ?? '')))
  })
