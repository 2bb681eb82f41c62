// The program as an operator starts it: a child process with its own data folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unhandledMessage } from '../../src/bin/unhandled-rejections.ts'

export const root = join(import.meta.dirname, '../..')
const entry = join(root, 'bin/lotline.mjs')

export interface Program {
  child: ChildProcess
  output(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

const running = new Set<ChildProcess>()

export const run = (args: string[], env: Record<string, string> = {}): Program =>
  runProgram(process.execPath, [entry, ...args], env)

/** Any command line, with the same environment. */
export const runProgram = (command: string, args: string[], env: Record<string, string> = {}): Program => {
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', SAMPLE_DATA: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      // Thrown out of any test, so that the whole run fails.
      if (output.includes(unhandledMessage)) throw new Error(`The program had an ${output}`)
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => output, ended }
}

/** Runs a command to its end. */
export const runToEnd = async (args: string[], env: Record<string, string> = {}) => {
  const program = run(args, env)
  const code = await program.ended
  return { code, output: program.output() }
}

/** Starts the service and waits for its banner. */
export const serve = async (env: Record<string, string>, args: string[] = []): Promise<Program & { url: string }> =>
  untilServing(run(['serve', ...args], env))

export const untilServing = async (program: Program): Promise<Program & { url: string }> => {
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /running at (\S+)/.exec(program.output())
      if (found) resolve(found[1]!)
    }
    program.child.stdout!.on('data', look)
    void program.ended.then((code) => reject(new Error(`ended with ${code}: ${program.output()}`)))
  })
  return { ...program, url }
}

export const dataFolder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-bin-'))
  await chmod(dir, 0o755)
  return dir
}

export const endPrograms = async (): Promise<void> => {
  const ended = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ended)
}

/** Removes a data folder and stops the programs and the database server that a test may have left running. */
export const clearAway = async (dir: string): Promise<void> => {
  for (const child of running) child.kill('SIGKILL')
  const pid = Number((await readFile(join(dir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0) {
    process.kill(pid, 'SIGQUIT')
    while (alive(pid)) await new Promise((resolve) => setImmediate(resolve))
  }
  await rm(dir, { recursive: true, force: true })
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
