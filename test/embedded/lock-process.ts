// A process that takes a file lock again and again: `node lock-process.ts <lock> <log> <rounds> <holdMs>`. It writes a
// line to the log when it enters and when it leaves.
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { withFileLock } from '../../src/embedded/file-lock.ts'

const [lock, log, rounds, holdMs] = process.argv.slice(2) as [string, string, string, string]
for (let round = 0; round < Number(rounds); round++)
  await withFileLock(
    lock,
    async () => {
      appendFileSync(log, `enter ${process.pid}\n`)
      await wait(Number(holdMs))
      appendFileSync(log, `leave ${process.pid}\n`)
    },
    { retryMs: 1 },
  )
