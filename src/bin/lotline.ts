// The command line: one program, a command for each thing an operator does.
import { Command } from 'commander'
import { ConfigError, readConfig } from '../config.ts'
import { AnotherProcess } from '../store/engine/api-lock.ts'
import { UnfitServer } from '../store/engine/server-check.ts'
import { openServices } from './open-services.ts'

/** Opened by the command that needs them, not before: `--help` costs nothing. */
const deps = {
  openServices: () => openServices(readConfig()),
  highValueUsd: () => readConfig().HIGH_VALUE_PERMIT_USD,
}

/** In the order of the help. Each is loaded when it is asked for: the whole program takes seconds on a small machine. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  assess: async () => (await import('./commands/assess.ts')).assessCommand(),
  ingest: async () => (await import('./commands/ingest.ts')).ingestCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  sample: async () => (await import('./commands/sample.ts')).sampleCommand(),
  webhooks: async () => (await import('./commands/webhooks.ts')).webhooksCommand(deps),
  newsletter: async () => (await import('./commands/newsletter.ts')).newsletterCommand(deps),
  backtest: async () => (await import('./commands/backtest.ts')).backtestCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
}

const program = new Command('lotline')
  .description('Real-estate intelligence you run yourself.')
  .version('1.0.0')
  .showHelpAfterError()
  .enablePositionalOptions()

const asked = process.argv[2] ?? ''
for (const [name, load] of Object.entries(commands))
  if (name === asked || !Object.hasOwn(commands, asked)) program.addCommand(await load())

/** What the operator did or must do; anything else is a fault of ours and shows its stack. */
const expected = [ConfigError, UnfitServer, AnotherProcess]

try {
  await program.parseAsync()
} catch (error) {
  const known = expected.some((kind) => error instanceof kind) || (error as { expected?: boolean }).expected === true
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`)
  process.exitCode = 1
}
