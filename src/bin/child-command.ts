// Runs one of our own commands in a child process, so that heavy work neither blocks the API nor keeps its memory.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../bin/lotline.mjs')

export interface ChildCommand {
  /** Resolves when the command succeeds; rejects with its last output when it fails. */
  done: Promise<void>
  /** Resolves when the process has ended: until then its connections keep the database running. */
  stop(): Promise<void>
}

/** A process that has not ended this long after SIGTERM is killed, and leaves its temporary files. Generating the sample
 *  blocks its event loop for about a second, on a busy machine for many. */
const stopTimeoutMs = 30_000

export const runChildCommand = (args: readonly string[]): ChildCommand => {
  // On a terminal the child shows its own progress; elsewhere its last output explains a failure.
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', process.stderr.isTTY ? 'inherit' : 'pipe'],
  })
  let output = ''
  let stopped = false
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    output = (output + text).slice(-4000)
  })
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 || stopped) resolve()
      else reject(new Error(`lotline ${args.join(' ')} failed (exit ${code}):\n${output.trim()}`))
    })
  })
  return {
    done,
    stop: async () => {
      stopped = true
      if (!child.kill('SIGTERM')) return
      const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await done.catch(() => {})
      clearTimeout(force)
    },
  }
}
