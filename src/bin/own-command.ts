// Runs one of our own commands in a process of its own: heavy work then neither holds up the API nor keeps its memory.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../bin/lotline.mjs')

export interface OwnCommand {
  /** Resolves when it succeeds; rejects with what it said when it does not. */
  done: Promise<void>
  stop(): void
}

export const runOwnCommand = (args: readonly string[]): OwnCommand => {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  let stopped = false
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    // The progress line goes through; what is left at the end explains a failure.
    if (process.stderr.isTTY) process.stderr.write(text)
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
    done,
    stop: () => {
      stopped = true
      child.kill('SIGTERM')
    },
  }
}
