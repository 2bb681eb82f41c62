// From `npm start` to the first 200, with the first load and without, and what the whole takes in memory at rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { type Environment, statusOf, urlOf } from './service.ts'

const root = join(import.meta.dirname, '..')

export const measure = async (context: Context): Promise<Figure[]> => {
  const loads: number[] = []
  for (let run = 0; run < context.runs; run++) {
    if (context.mode !== 'trial') await asInstalled()
    await mkdir(join(context.dir, `start-${run}`))
    const first = await started({ ...context.environment, DATA_DIR: join(context.dir, `start-${run}`) })
    loads.push(first.firstAnswerMs)
    await first.stop()
    if (run > 0) await rm(join(context.dir, `start-${run}`), { recursive: true })
  }
  const dataDir = join(context.dir, 'start-0')
  const warm: number[] = []
  const memory: number[] = []
  for (let run = 0; run < context.runs; run++) {
    const again = await started({ ...context.environment, DATA_DIR: dataDir })
    warm.push(again.firstAnswerMs)
    if (run === context.runs - 1) {
      // At rest: what start-up needed has been given back.
      await wait(context.sized(30_000, 5_000, 0))
      memory.push(await memoryMb(again.pid, dataDir))
    }
    await again.stop()
  }
  return [
    figureOf('start: first load to first 200', 'ms', loads, {
      target: atMost(25_000, 'ours'),
      note: 'npm start of a checkout just installed, in an empty DATA_DIR: pages built, database made, sample loaded, assessed',
    }),
    figureOf('start: warm to first 200', 'ms', warm, {
      target: atMost(5_000, 'ours'),
      note: 'npm start on a loaded DATA_DIR',
    }),
    figureOf('start: memory at rest', 'MB', memory, {
      target: atMost(400, 'ours'),
      note: 'Node and all PostgreSQL processes, each shared page counted once (PSS)',
    }),
  ]
}

/** Nothing compiled, no pages built: what a first start finds after `npm ci`. A service that runs from here misses them meanwhile. */
const asInstalled = async (): Promise<void> => {
  for (const made of ['dist/web', 'node_modules/.cache/lotline'])
    await rm(join(root, made), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

const started = async (environment: Environment) => {
  const begun = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const status = await statusOf({ url: await urlOf(child) }, '/api/v1/market-signals', 'demo')
  if (status !== 200) throw new Error(`The first answer was ${status}.`)
  const firstAnswerMs = performance.now() - begun
  return {
    firstAnswerMs,
    pid: child.pid!,
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await wait(1_000)
    },
  }
}

const processes = async () => {
  const found: { pid: number; parent: number; command: string }[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (stat) found.push({ pid: Number(name), parent: Number(stat.split(') ')[1]!.split(' ')[1]), command })
  }
  return found
}

/** The started program and its descendants but for npm itself, and the database with its own. */
const memoryMb = async (pid: number, dataDir: string): Promise<number> => {
  const all = await processes()
  const under = (top: number): number[] => [
    top,
    ...all.filter(({ parent }) => parent === top).flatMap((child) => under(child.pid)),
  ]
  const server = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const own = new Set([...under(pid), ...under(server)])
  let kilobytes = 0
  for (const { pid: each, command } of all) {
    if (!own.has(each) || /^(npm|sh\0|.*\/sh\0)/.test(command)) continue
    const rollup = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kilobytes / 1024
}
