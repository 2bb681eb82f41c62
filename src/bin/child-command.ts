// Runs one of our own commands in a process of its own: heavy work then neither holds up the API nor keeps its memory.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../bin/lotline.mjs')

export interface ChildCommand {
  /** Lets one that waits for its cue go on. */
  cue(): void
  /** Resolves when it succeeds; rejects with what it said when it does not. */
  done: Promise<void>
  /** Resolves when it has ended: until then its connections hold the database open. */
  stop(): Promise<void>
}

/** One that does not end when told to is ended. */
const patienceMs = 5_000

/** Given to a command that is to begin, and then wait for a line on its standard input. */
export const onCue = '--on-cue'

export const runChildCommand = (args: readonly string[]): ChildCommand => {
  // On a terminal the child draws its own progress there; elsewhere what it says last explains a failure.
  const child = spawn(process.execPath, [program, ...args], {
    stdio: [args.includes(onCue) ? 'pipe' : 'ignore', 'ignore', process.stderr.isTTY ? 'inherit' : 'pipe'],
  })
  // One that has ended hears nothing any more; why it ended is told below.
  child.stdin?.on('error', () => {})
  let said = ''
  let stopped = false
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    said = (said + text).slice(-4000)
  })
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 || stopped) resolve()
      else reject(new Error(`lotline ${args.join(' ')} failed (exit ${code}):\n${said.trim()}`))
    })
  })
  return {
    cue: () => void child.stdin?.end('go\n'),
    done,
    stop: async () => {
      stopped = true
      if (!child.kill('SIGTERM')) return
      const force = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      await done.catch(() => {})
      clearTimeout(force)
    },
  }
}
