// Reserves a folder for the PostgreSQL server of this test run and stops the server at the end. The first test that needs a database
// starts it: server.ts.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    serverDir: string
  }
}

export default function setup(project: TestProject) {
  const dir = mkdtempSync(join(tmpdir(), 'lotline-test-'))
  chmodSync(dir, 0o755)
  project.provide('serverDir', dir)
  process.once('exit', () => {
    stopServer(dir)
    rmSync(dir, removal)
  })
  // Vitest ends on these signals without calling the function below.
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)
    process.once(signal, () => process.exit(128 + number))
  return () => {
    stopServer(dir)
    // Not synchronous: it takes seconds, in which Vitest would not notice that its workers have ended and report a timeout.
    return rm(dir, removal)
  }
}

const removal = { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }

/** The data is thrown away, so the server need not write it. */
const stopServer = (dir: string): void => {
  try {
    process.kill(Number.parseInt(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
  } catch {
    // It was never started, or has ended.
  }
}
