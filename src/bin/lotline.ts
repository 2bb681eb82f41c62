// The command line: one program, a command for each thing an operator does.
import { Command } from 'commander'
import { ConfigError, readConfig } from '../config.ts'
import { UnfitServer } from '../store/server-check.ts'
import { AnotherProcess } from '../store/sole-process.ts'
import { assessCommand } from './commands/assess.ts'
import { backtestCommand } from './commands/backtest.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { doctorCommand } from './commands/doctor.ts'
import { ingestCommand } from './commands/ingest.ts'
import { keysCommand } from './commands/keys.ts'
import { mcpCommand } from './commands/mcp.ts'
import { newsletterCommand } from './commands/newsletter.ts'
import { sampleCommand } from './commands/sample.ts'
import { serveCommand } from './commands/serve.ts'
import { webhooksCommand } from './commands/webhooks.ts'
import { openServices } from './open-services.ts'

/** Opened by the command that needs them, not before: `--help` costs nothing. */
const deps = {
  openServices: () => openServices(readConfig()),
  highValueUsd: () => readConfig().HIGH_VALUE_PERMIT_USD,
}

const program = new Command('lotline')
  .description('Real-estate intelligence you run yourself.')
  .version('1.0.0')
  .showHelpAfterError()
  .enablePositionalOptions()
  .addCommand(serveCommand())
  .addCommand(assessCommand())
  .addCommand(ingestCommand())
  .addCommand(keysCommand())
  .addCommand(sampleCommand())
  .addCommand(webhooksCommand(deps))
  .addCommand(newsletterCommand(deps))
  .addCommand(backtestCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(doctorCommand())
  .addCommand(mcpCommand())

/** What the operator did or must do; anything else is a fault of ours and shows its stack. */
const expected = [ConfigError, UnfitServer, AnotherProcess]

try {
  await program.parseAsync()
} catch (error) {
  const known = expected.some((kind) => error instanceof kind) || (error as { expected?: boolean }).expected === true
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`)
  process.exitCode = 1
}
