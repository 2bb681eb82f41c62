import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { assessCommand } from '../../src/bin/commands/assess.ts'
import { auditCommand } from '../../src/bin/commands/audit.ts'
import { backtestCommand } from '../../src/bin/commands/backtest.ts'
import { backupCommand, restoreCommand } from '../../src/bin/commands/backup.ts'
import { doctorCommand } from '../../src/bin/commands/doctor.ts'
import { exportCommand } from '../../src/bin/commands/export.ts'
import { ingestCommand } from '../../src/bin/commands/ingest.ts'
import { keysCommand } from '../../src/bin/commands/keys.ts'
import { packCommand } from '../../src/bin/commands/pack.ts'
import { sampleCommand } from '../../src/bin/commands/sample.ts'
import { shardsCommand } from '../../src/bin/commands/shards.ts'
import { sourcesCommand } from '../../src/bin/commands/sources.ts'

const commands = [
  ...[
    assessCommand,
    auditCommand,
    backtestCommand,
    backupCommand,
    restoreCommand,
    doctorCommand,
    ingestCommand,
    exportCommand,
  ],
  ...[keysCommand, packCommand, sampleCommand, shardsCommand, sourcesCommand],
]

const named = (command: Command, path = command.name()): [string, Command][] =>
  command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap((child) => named(child, `${path} ${child.name()}`))

test.each(commands.flatMap((make) => named(make())))(
  '%s prints JSON on request, and its help is a sentence',
  (_, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json')
    expect(command.description()).toMatch(/^[A-Z].*\.$/)
  },
)
