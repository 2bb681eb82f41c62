import { setImmediate } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { demoKey } from '../../contract/plans.ts'
import { startSample } from '../sample-loader.ts'
import type { Role, Running } from '../serve.ts'
import { onStop } from '../stop-signals.ts'

const roles: readonly Role[] = ['all', 'api', 'worker']

export const serveCommand = (): Command =>
  new Command('serve')
    .description('Serve the API and pages, and do the background work.')
    .addOption(new Option('--role <role>', 'which part of it to run').choices([...roles]).default('all'))
    .action(async ({ role }: { role: Role }) => {
      const config = readConfig()
      const sample = role === 'api' ? undefined : await startSample(config)
      let stopped = false
      if (sample?.begun)
        onStop(() => {
          stopped = true
          process.stderr.write('Stopping…\n')
          void sample.stop().finally(() => process.exit(0))
        })
      // Loaded only now, so that a bad setting is named at once.
      const { serve } = await import('../serve.ts').catch(async (error: unknown) => {
        await sample?.stop()
        throw error
      })
      // Signals are heard between turns alone: most that came while that was read in are heard here, before a store is opened.
      await setImmediate()
      if (stopped) return
      const starting = serve(config, role, sample)
      const stopping = stopOnSignal(starting)
      const running = await starting.catch((error: unknown) => {
        throw portTaken(error, config) ?? error
      })
      await running.ready.catch(async (error: unknown) => {
        await running.stop()
        throw error
      })
      if (stopping()) return
      // Since the process began.
      const seconds = (performance.now() / 1000).toFixed(1)
      process.stdout.write(
        running.url ? banner(config, running.url, seconds) : `Lotline worker running (${seconds} s).\n`,
      )
    })

const portTaken = (error: unknown, { PORT, HOST }: Config) => {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== 'listen') return undefined
  if (code === 'EADDRINUSE')
    return new ConfigError(
      `Port ${PORT} is taken by another program. Stop it, or choose another: PORT=${PORT + 1} npm start`,
    )
  if (code === 'EACCES') return new ConfigError(`Port ${PORT} may not be used by this user. Choose one above 1023.`)
  if (code === 'EADDRNOTAVAIL') return new ConfigError(`HOST ${HOST} is not an address of this machine.`)
  return undefined
}

/** The same Ctrl-C may arrive several times: from the terminal, from npm, from the launcher. */
const sameSignalMs = 2_000

/**
 * Stops once, in order, and a start that is half way when it is through: what it has opened is then known. A signal that
 * comes well after the first ends it at once. Tells whether it was asked to.
 */
const stopOnSignal = (starting: Promise<Running>): (() => boolean) => {
  let asked: number | undefined
  const stop = () => {
    if (asked !== undefined) {
      if (performance.now() - asked > sameSignalMs) process.exit(1)
      return
    }
    asked = performance.now()
    process.stderr.write('Stopping…\n')
    const end = (running: Running) =>
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${(error as Error).message}\n`)
          process.exit(1)
        },
      )
    // A start that fails puts away what it had opened, and says itself why.
    starting.then(end, () => {})
  }
  onStop(stop)
  return () => asked !== undefined
}

const banner = (config: Config, listening: string, seconds: string): string => {
  const url = config.PORT === 0 ? listening : config.PUBLIC_URL
  return `
  Lotline is running at ${url}  (ready in ${seconds} s)

  Docs        ${url}/docs
  Playground  ${url}/playground
  Demo key    ${demoKey}
${config.WEBHOOK_ALLOW_PRIVATE ? '\n  WARNING: WEBHOOK_ALLOW_PRIVATE is on. Webhooks may reach private addresses: never in production.\n' : ''}
  Try:
    curl -H 'x-api-key: demo' '${url}/api/v1/market-signals?city=palo-alto'
    curl -H 'x-api-key: demo' '${url}/api/v1/permits?q=adu&minValuation=100000'
    curl -X POST -H 'content-type: application/json' -d '{"email":"you@example.com"}' '${url}/api/v1/keys'

`
}
