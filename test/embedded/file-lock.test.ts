import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFileLock } from '../../src/embedded/file-lock.ts'

let dir: string
let lock: string
let log: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-lock-'))
  lock = join(dir, 'lock')
  log = join(dir, 'log')
  await writeFile(log, '')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const startProcess = (rounds: number, holdMs: number): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'lock-process.ts'), lock, log, `${rounds}`, `${holdMs}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

const kill = async (child: ChildProcess) => {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const entered = (child: ChildProcess) =>
  expect.poll(() => readFileSync(log, 'utf8'), { timeout: 20_000 }).toContain(`enter ${child.pid}\n`)

test('two callers in one process work one after the other', async () => {
  const order: string[] = []
  const work = (name: string) =>
    withFileLock(lock, async () => {
      order.push(`${name} in`)
      await new Promise(setImmediate)
      order.push(`${name} out`)
    })
  await Promise.all([work('a'), work('b')])
  expect(order.map((each) => each.split(' ')[1])).toEqual(['in', 'out', 'in', 'out'])
})

test('the lock of a killed process is free at once', async () => {
  const child = startProcess(1, 60_000)
  await entered(child)
  await kill(child)
  expect(await withFileLock(lock, async () => 'done', { maxWaitMs: 0 })).toBe('done')
}, 30_000)

test.each([process.pid, 1])('a lock file left by process %i, which exists, does not block', async (pid) => {
  await writeFile(lock, '')
  await writeFile(`${lock}.holder`, `process ${pid} since 2026-01-01T00:00:00.000Z`)
  expect(await withFileLock(lock, async () => 'done', { maxWaitMs: 0 })).toBe('done')
  expect(existsSync(`${lock}.holder`)).toBe(false)
})

test('a waiting process says who holds the lock, and gives up after a time', async () => {
  const child = startProcess(1, 60_000)
  await entered(child)
  const notices: string[] = []
  const waiting = withFileLock(lock, async () => 'done', {
    noticeAfterMs: 100,
    maxWaitMs: 600,
    notify: (line) => notices.push(line),
  })
  await expect(waiting).rejects.toThrow(`was still locked after 1 s, by process ${child.pid} since`)
  expect(notices).toEqual([expect.stringContaining(`locked by process ${child.pid} since`)])
  await kill(child)
}, 30_000)

test('a lock file with other content is an error that says what to do', async () => {
  await writeFile(lock, 'not a lock file\n'.repeat(100))
  await expect(withFileLock(lock, async () => 'done')).rejects.toThrow(
    /cannot be locked: file is not a database\. .*delete the file and start again/,
  )
})

test('work that throws releases the lock', async () => {
  await expect(withFileLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withFileLock(lock, async () => 'done', { maxWaitMs: 0 })).toBe('done')
})

test('several processes never hold the lock at once, while holders are killed and replaced', async () => {
  const killed = new Set<string>()
  const running = new Map<string, ChildProcess>()
  const startOne = () => {
    const child = startProcess(1_000, 2)
    running.set(`${child.pid}`, child)
  }
  for (let i = 0; i < 4; i++) startOne()
  const entries = () => readFileSync(log, 'utf8').split('enter').length - 1
  for (let wanted = 50; wanted <= 600; wanted += 50) {
    while (entries() < wanted) await wait(5)
    // Most often the process that holds the lock now, so that several take over at once.
    const pid = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)!.split(' ')[1] ?? ''
    const victim = running.get(pid)
    if (!victim) continue
    running.delete(pid)
    killed.add(pid)
    await kill(victim)
    startOne()
  }
  for (const [pid, child] of running) {
    killed.add(pid)
    await kill(child)
  }
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  expect(killed.size).toBeGreaterThan(10)
  expect(overlaps(lines)).toEqual([])
}, 60_000)

/** Processes that entered or left while another one was inside and went on afterward. */
const overlaps = (lines: readonly string[]): string[] => {
  const found: string[] = []
  let inside: string | undefined
  for (const [at, line] of lines.entries()) {
    const [what, pid] = line.split(' ') as ['enter' | 'leave', string]
    // A killed process never leaves; it must not write another line after somebody else has entered.
    const diedInside = inside !== undefined && !lines.slice(at).some((later) => later.endsWith(` ${inside}`))
    if (what === 'enter' && inside !== undefined && !diedInside) found.push(`${line} while ${inside} was inside`)
    if (what === 'leave' && inside !== pid) found.push(`${line} without having entered`)
    inside = what === 'enter' ? pid : undefined
  }
  return found
}
