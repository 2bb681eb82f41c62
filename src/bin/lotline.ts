// The command line. Each command is a file in commands/.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { OperatorError } from '../common/operator-error.ts'
import { readConfig } from '../config.ts'
import { problemText } from '../domain/packs/use-packs.ts'
import { stopStartedServers } from '../embedded/server.ts'
import { openServices } from './open-services.ts'
import { failureText } from './operator-error.ts'
import { onStopSignal } from './stop-signals.ts'
import { useMarketPacks } from './use-market-packs.ts'

/** Opened only by the commands that need them, so that `--help` is fast. */
const deps = {
  openServices: () => openServices(readConfig()),
  highValueUsd: () => readConfig().HIGH_VALUE_PERMIT_USD,
}

/** In the order of the help. Only the requested command is imported: importing all takes seconds on a small machine. */
const commands: Record<string, () => Promise<Command>> = {
  setup: async () => (await import('./commands/setup.ts')).setupCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  assess: async () => (await import('./commands/assess.ts')).assessCommand(),
  ingest: async () => (await import('./commands/ingest.ts')).ingestCommand(),
  sources: async () => (await import('./commands/sources.ts')).sourcesCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  'sign-in': async () => (await import('./commands/sign-in.ts')).signInCommand(),
  pack: async () => (await import('./commands/pack.ts')).packCommand(),
  sample: async () => (await import('./commands/sample.ts')).sampleCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  webhooks: async () => (await import('./commands/webhooks.ts')).webhooksCommand(deps),
  newsletter: async () => (await import('./commands/newsletter.ts')).newsletterCommand(deps),
  builders: async () => (await import('./commands/builders.ts')).buildersCommand(deps),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  backtest: async () => (await import('./commands/backtest.ts')).backtestCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
  shards: async () => (await import('./commands/shards.ts')).shardsCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
}

const { problems } = useMarketPacks()
// These commands report the mistakes themselves.
if (!/^(pack check|doctor)\b/.test(process.argv.slice(2).join(' ')))
  for (const problem of problems) process.stderr.write(`A market pack was not loaded: ${problemText(problem)}.\n`)

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('lotline')
  .description('Real-estate intelligence you run yourself.')
  .version(version)
  .showHelpAfterError()
  .enablePositionalOptions()

const requested = process.argv[2] ?? ''
for (const [name, load] of Object.entries(commands))
  if (name === requested || !Object.hasOwn(commands, requested)) program.addCommand(await load())

/**
 * A reader that closes the pipe (`lotline doctor | head -1`) ends the output, not the command: it still has to close the
 * database. Further writes are ignored.
 */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

// `serve` stops in order, and the agent tools when their client has gone.
let stopping: Promise<void> | undefined
if (requested !== 'serve' && requested !== 'mcp')
  onStopSignal((code) => {
    stopping ??= stopStartedServers().finally(() => process.exit(code))
  })

try {
  await program.parseAsync()
} catch (error) {
  // The database that a signal stops ends the command's queries.
  if (stopping) await stopping
  process.stderr.write(`${failureText(error)}\n`)
  process.exitCode = error instanceof OperatorError ? error.exitCode : 1
}
