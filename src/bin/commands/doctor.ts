import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { diagnose } from '../diagnose.ts'
import type { Check } from '../operator-report.ts'
import { colored } from '../text-table.ts'
import { print } from './arguments.ts'

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('Check what the service depends on, and say how to fix what is wrong.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const checks: Check[] = []
      for await (const check of diagnose(readConfig())) {
        checks.push(check)
        if (!json) print(`${colored(marks[check.state], colors[check.state])} ${check.name.padEnd(11)} ${check.detail}`)
      }
      const healthy = checks.every(({ state }) => state !== 'fail')
      if (json) print(JSON.stringify({ healthy, checks }))
      process.exitCode = healthy ? 0 : 1
    })

const marks = { ok: '✓', warn: '!', fail: '✗' } as const

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const
