// Starts the service as an operator would: as its own process, through the CLI.
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const program = join(import.meta.dirname, '../bin/lotline.mjs')

export type Service = Awaited<ReturnType<typeof startService>>

export type Environment = Record<string, string>

/** Excludes environment variables that could change the measurement. */
const environment = (own: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  PORT: '0',
  LOG_LEVEL: 'error',
  ...own,
})

/** Child processes are killed when this process exits for any reason. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

export const startService = async (own: Environment, role = 'all', nodeOptions: string[] = []) => {
  const child = spawn(process.execPath, [...nodeOptions, program, 'serve', '--role', role], {
    env: environment(own),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text).slice(-4000)
  })
  return {
    url: await urlOf(child, () => said),
    process: child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Where a service that was started serves; empty for a worker. */
export const urlOf = (child: ChildProcess, said = () => ''): Promise<string> =>
  new Promise((found, fail) => {
    let out = ''
    child.stdout!.on('data', (text: Buffer) => {
      out += text
      const running = /running at (\S+)/.exec(out)
      if (running) found(running[1]!.replace('localhost', '127.0.0.1'))
      else if (out.includes('worker running')) found('')
    })
    child.on('exit', (code) => fail(new Error(`The service ended with ${code} before it was ready.\n${said()}${out}`)))
  })

/** The status of an answer that was read whole. */
export const statusOf = async ({ url }: Pick<Service, 'url'>, path: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  await answer.text()
  return answer.status
}

/** A plain server that sends these bytes to everyone. */
export const startBare = async (dir: string, headers: Headers, body: string) => {
  const file = join(dir, 'bare.json')
  const sent = [...headers].filter(([name]) => !['connection', 'keep-alive', 'date'].includes(name)).flat()
  await writeFile(file, JSON.stringify({ headers: sent, body }))
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [file])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, process: child }
}

export const proKeysOf = async (own: Environment, count: number): Promise<string[]> => {
  const args = [program, ...`keys create --plan pro --email bench@example.com --count ${count} --json`.split(' ')]
  const options = { env: environment(own), maxBuffer: 256 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return (JSON.parse(stdout) as { key: string }[]).map(({ key }) => key)
}

/** CPU time of a process in milliseconds, in steps of 10 ms (Linux clock ticks). */
export const cpuMs = async (pid: number): Promise<number> => ticksOf(pid, 11, 13)

/** The same of a database server, with the connections that are open and those that ended. */
export const serverCpuMs = async (dataDir: string): Promise<number> => {
  const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const open = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const sums = await Promise.all([ticksOf(pid, 11, 15), ...open.map((each) => cpuMs(each).catch(() => 0))])
  return sums.reduce((sum, ms) => sum + ms, 0)
}

const ticksOf = async (pid: number, from: number, to: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}
