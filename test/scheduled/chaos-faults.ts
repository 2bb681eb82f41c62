// The faults of a chaos run. Each is applied, ended, and timed until everything serves again.
import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Outside, Supervised } from './chaos-processes.ts'

export interface Fault {
  name: string
  /** Resolves when the fault has ended; from then on recovery is timed. */
  apply(): Promise<unknown>
}

export interface Parts {
  dataDir: string
  api: Supervised
  worker: Supervised
  redis?: Supervised
  /** The ingest command that runs now. */
  ingest(): ChildProcess | undefined
  mail: Outside
  receiver: Outside
  /** Set where the data folder is a small tmpfs. */
  canFillDisk: boolean
  /** Set where the API runs with libfaketime: the file that holds its clock. */
  clockFile?: string
}

const pauseMs = 4_000

export const faultsOf = ({
  dataDir,
  api,
  worker,
  redis,
  ingest,
  mail,
  receiver,
  canFillDisk,
  clockFile,
}: Parts): Fault[] => {
  const signalOf = (part: Supervised, signal: NodeJS.Signals) => async () => void part.child()?.kill(signal)
  /** The process that works, below npm, its shell and the launcher. */
  const programOf = (part: Supervised) => {
    let pid = part.child()?.pid
    for (let below = pid; below !== undefined; below = childrenOf(below).find(hasRole)) pid = below
    return pid
  }
  const suspended = (pid: () => number | undefined) => async () => {
    const target = pid()
    if (target === undefined) return
    trySignal(target, 'SIGSTOP')
    await wait(pauseMs)
    trySignal(target, 'SIGCONT')
  }
  const away = (outside: Outside) => async () => {
    await outside.close()
    await wait(pauseMs)
    await outside.open()
  }
  const processes = [api, worker, ...(redis ? [redis] : [])].flatMap((part) => [
    { name: `${part.name} killed`, apply: async () => trySignal(programOf(part), 'SIGKILL') },
    { name: `${part.name} stopped`, apply: signalOf(part, 'SIGTERM') },
    { name: `${part.name} suspended`, apply: suspended(() => programOf(part)) },
  ])
  const launchers = [api, worker].map((part) => ({
    name: `launcher of ${part.name} killed`,
    apply: signalOf(part, 'SIGKILL'),
  }))
  const postmaster = () => postmasterOf(dataDir)
  return [
    ...processes,
    ...launchers,
    {
      name: 'ingest killed',
      apply: async () => {
        for (const until = performance.now() + 10_000; !ingest() && performance.now() < until; ) await wait(20)
        await wait(1_000)
        ingest()?.kill('SIGKILL')
      },
    },
    {
      name: 'database connection killed',
      apply: async () => trySignal(childrenOf(postmaster() ?? 0).at(-1), 'SIGKILL'),
    },
    { name: 'database killed', apply: async () => trySignal(postmaster(), 'SIGKILL') },
    { name: 'database stopped', apply: async () => trySignal(postmaster(), 'SIGQUIT') },
    { name: 'database suspended', apply: suspendedGroup(postmaster) },
    { name: 'mail server away', apply: away(mail) },
    { name: 'webhook receiver away', apply: away(receiver) },
    ...(canFillDisk ? [{ name: 'disk full', apply: fillDisk(dataDir) }] : []),
    ...(clockFile
      ? [
          { name: 'clock of the API an hour ahead', apply: async () => setClock(clockFile, '+3600') },
          { name: 'clock of the API an hour behind', apply: async () => setClock(clockFile, '-3600') },
        ]
      : []),
  ]
}

export const postmasterOf = (dataDir: string): number | undefined => {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 1 ? pid : undefined
  } catch {
    // It is not running.
    return undefined
  }
}

const hasRole = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--role')
  } catch {
    return false
  }
}

export const trySignal = (pid: number | undefined, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** The server and its children: a suspended postmaster alone would still serve open connections. */
const suspendedGroup = (pid: () => number | undefined) => async () => {
  const server = pid()
  if (server === undefined) return
  const all = [server, ...childrenOf(server)]
  for (const each of all) trySignal(each, 'SIGSTOP')
  await wait(pauseMs)
  for (const each of all) trySignal(each, 'SIGCONT')
}

const childrenOf = (pid: number): number[] => {
  try {
    return execFileSync('pgrep', ['-P', String(pid)])
      .toString()
      .split('\n')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

const fillDisk = (dataDir: string) => async () => {
  const file = join(dataDir, 'ballast')
  const handle = await open(file, 'w')
  try {
    const block = Buffer.alloc(1 << 20)
    const { bavail, bsize } = statfsSync(dataDir)
    for (let left = bavail * bsize + block.length; left > 0; left -= block.length) await handle.write(block)
  } catch {
    // Full, as intended.
  } finally {
    await handle.close()
  }
  await wait(pauseMs)
  rmSync(file, { force: true })
}

const setClock = (file: string, offset: string): void => writeFileSync(file, offset)
