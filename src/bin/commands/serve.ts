import { setImmediate } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { messageOf } from '../../common/typed.ts'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { demoKey } from '../../wire/plans.ts'
import type { Role, Running } from '../serve.ts'
import { onStop } from '../stop-signals.ts'

const roles: readonly Role[] = ['all', 'api', 'worker']

export const serveCommand = (): Command =>
  new Command('serve')
    .description('Serve the API and the pages, and run the background work.')
    .addOption(
      new Option('--role <role>', 'what to run: the API and pages (api), background work (worker) or both (all)')
        .choices([...roles])
        .default('all'),
    )
    .action(async ({ role }: { role: Role }) => {
      const config = readConfig()
      // Imported only now, so that a wrong setting is reported at once.
      const { serve } = await import('../serve.ts')
      // Signals are handled between event loop turns: most that arrived during the import are handled here.
      await setImmediate()
      const starting = serve(config, role)
      const stopping = stopOnSignal(starting)
      const running = await starting.catch((error: unknown) => {
        throw listenError(error, config) ?? error
      })
      await running.ready
      if (stopping()) return
      // Since the process started.
      const seconds = (performance.now() / 1000).toFixed(1)
      process.stdout.write(
        running.url ? banner(config, running.url, seconds) : `Lotline worker running (${seconds} s).\n`,
      )
    })

const listenError = (error: unknown, { PORT, HOST, METRICS_PORT, METRICS_HOST }: Config) => {
  const { code, syscall, port = PORT } = error as NodeJS.ErrnoException & { port?: number }
  if (syscall !== 'listen') return undefined
  const forMetrics = port !== PORT && port === METRICS_PORT
  const name = forMetrics ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE')
    return new ConfigError(
      `Port ${port} is in use by another program. Stop it, or choose another port: ${name}=${port + 1} npm start`,
    )
  if (code === 'EACCES') return new ConfigError(`This user may not listen on port ${port}. Choose a port above 1023.`)
  if (code === 'EADDRNOTAVAIL')
    return new ConfigError(`${forMetrics ? METRICS_HOST : HOST} is not an address of this machine.`)
  return undefined
}

/** One Ctrl-C may arrive several times: from the terminal, from npm and from the launcher. */
const sameSignalMs = 2_000

/**
 * Stops in order on the first signal. A start in progress is completed first, since only then everything it opened is
 * known. A second signal, well after the first, exits at once. Returns a function that says whether a signal arrived.
 */
const stopOnSignal = (starting: Promise<Running>): (() => boolean) => {
  let askedAt: number | undefined
  const stop = () => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > sameSignalMs) process.exit(1)
      return
    }
    askedAt = performance.now()
    process.stderr.write('Stopping…\n')
    const end = (running: Running) =>
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${messageOf(error)}\n`)
          process.exit(1)
        },
      )
    // A failed start closes what it opened and reports its own error.
    starting.then(end, () => {})
  }
  onStop(stop)
  return () => askedAt !== undefined
}

const banner = (config: Config, listening: string, seconds: string): string => {
  const url = config.PORT === 0 ? listening : config.PUBLIC_URL
  return `
  Lotline is running at ${url}  (ready in ${seconds} s)

  Docs        ${url}/docs
  Playground  ${url}/playground
  Demo key    ${demoKey}
${config.WEBHOOK_ALLOW_PRIVATE ? '\n  WARNING: WEBHOOK_ALLOW_PRIVATE is on. Webhooks may use private addresses. Do not use it in production.\n' : ''}
  Try:
    curl -H 'x-api-key: demo' '${url}/api/v1/market-signals?status=for_sale'
    curl -H 'x-api-key: demo' '${url}/api/v1/permits?q=adu&minValuation=100000'
    curl -X POST -H 'content-type: application/json' -d '{"email":"you@example.com"}' '${url}/api/v1/keys'

`
}
