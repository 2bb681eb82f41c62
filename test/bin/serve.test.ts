import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migratedDataFolder } from '../setup/server.ts'
import { clearAway, dataFolder, endPrograms, root, run, runProgram, runToEnd, serve, untilServing } from './program.ts'

let dir: string
/** The folder of a program with the sample of the smaller market. */
let small: string
beforeAll(async () => {
  dir = await dataFolder()
  small = await smallProgram()
})
afterAll(async () => {
  await clearAway(dir)
  await rm(small, { recursive: true, force: true })
})

// What a failed test left running would make its retry and the next test fail.
afterEach(endPrograms)

const runSmall = (env: Record<string, string>, program = small) =>
  runProgram(process.execPath, [join(program, 'bin/lotline.mjs'), 'serve'], { SAMPLE_DATA: 'true', ...env })

/** Asks again after 503: on a busy machine a query may take longer than its limit. */
const get = async (url: string, path: string, init: RequestInit = {}): Promise<Response> => {
  let response: Response | undefined
  await expect
    .poll(async () => {
      response = await fetch(url + path, { headers: { 'x-api-key': 'demo' }, ...init })
      return response.status
    })
    .not.toBe(503)
  return response!
}
const postmaster = async () => Number((await readFile(join(dir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

test(
  'starts on an empty folder, prints how to try it, serves requests and stops on SIGTERM',
  { timeout: 600_000 },
  async () => {
    const backups = join(dir, 'backups')
    const settings = { BACKUP_DIR: backups, METRICS_PORT: '0', LOG_LEVEL: 'debug' }
    const { child, url, output, ended } = await serve({ DATA_DIR: dir, ...settings })
    expect(output()).toMatch(/Docs.*\n.*Playground.*\n.*Demo key\s+demo/)
    expect(output().match(/curl /g)).toHaveLength(3)
    expect((await get(url, '/api/v1/permits')).status).toBe(200)
    expect((await get(url, '/readyz')).status).toBe(200)
    // With PORT=0 pages show the port that was assigned.
    const home = await (await get(url, '/')).text()
    expect(home).toContain(`http://localhost:${new URL(url).port}/api/v1/market-signals`)
    expect(home).not.toContain('localhost:0')
    // A worker with BACKUP_DIR makes the first backup at once, and the operator's page knows it.
    await expect
      .poll(() => readdir(backups).catch(() => []), { timeout: 300_000 })
      .toContainEqual(expect.stringMatching(/^lotline-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/))
    const port = /"port":(\d+),"msg":"metrics are served"/.exec(output())![1]
    const status = async () => (await fetch(`http://127.0.0.1:${port}/operation.json`)).json()
    await expect
      .poll(async () => ((await status()) as { rows: object[] }[]).at(-1)!.rows, { timeout: 600_000 })
      .toEqual([expect.objectContaining({ file: expect.stringContaining(backups), rows: expect.any(Number) })])
    const [feeds, statements] = (await status()) as { name: string; rows: object[] }[]
    expect(feeds).toMatchObject({ name: 'feeds', state: 'ok' })
    expect(statements!.rows).toContainEqual(expect.objectContaining({ statement: expect.stringContaining('select') }))
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toMatch(/<h2>backup: ok<\/h2><p>\d{4}-/)
    // Hidden at other levels: what the database itself has to say.
    expect(await readFile(join(dir, 'postgres/server.log'), 'utf8')).toContain('ready to accept connections')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  },
)

test(
  'a second process on the same data exits with a message, after kill -9 the next start uses the running database, and restarts it',
  { timeout: 600_000 },
  async () => {
    const first = await serve({ DATA_DIR: dir })
    const second = await runToEnd(['serve'], { DATA_DIR: dir })
    expect(second.code).toBe(1)
    expect(second.output).toMatch(
      /Another Lotline API process is using this database. Stop it first, or give both a REDIS_URL/,
    )
    expect(second.output).not.toMatch(/\.ts:\d|node_modules/)
    expect((await get(first.url, '/api/v1/permits')).status).toBe(200)

    const issued = await get(first.url, '/api/v1/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"a@example.com"}',
    })
    const { key } = (await issued.json()) as { key: string }
    const server = await postmaster()
    first.child.kill('SIGKILL')
    await first.ended
    const again = await serve({ DATA_DIR: dir })
    expect(await postmaster()).toBe(server)
    const usage = await get(again.url, '/api/v1/usage', { headers: { 'x-api-key': key } })
    expect(usage.status).toBe(200)

    // A database that is killed while the service runs is restarted by it.
    process.kill(server, 'SIGKILL')
    await expect.poll(() => again.output(), { timeout: 300_000 }).toContain('the embedded database is running again')
    // Each URL is requested once, so that no response comes from the cache.
    let asked = 0
    await expect
      .poll(async () => (await get(again.url, `/api/v1/permits?offset=${asked++}`)).status, { timeout: 300_000 })
      .toBe(200)
    expect(await postmaster()).not.toBe(server)
    process.kill(await postmaster(), 'SIGKILL')
    again.child.kill('SIGKILL')
    await again.ended
  },
)

test(
  'a database that was killed with its service is recovered by the next start; SIGTERM during requests rejects new connections and completes every request',
  { timeout: 600_000 },
  async () => {
    const { child, url, ended } = await serve({ DATA_DIR: dir })
    expect((await get(url, '/api/v1/permits')).status).toBe(200)
    const { port } = new URL(url)
    // A request is certain to be in progress once the service has sent 100 Continue.
    const requests = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const body = JSON.stringify({ email: `stop${i}@example.com` })
        const socket = connect(Number(port), '127.0.0.1')
        socket.write(
          `POST /api/v1/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
        )
        const [first] = await once(socket, 'data')
        expect(String(first)).toMatch(/^HTTP\/1.1 100 /)
        return { socket, body }
      }),
    )
    child.kill('SIGTERM')
    while (await connects(Number(port)));
    const answers = await Promise.all(
      requests.map(async ({ socket, body }) => {
        socket.write(body)
        const [answer] = await once(socket, 'data')
        return String(answer).slice(0, 12)
      }),
    )
    expect(answers).toEqual(Array(20).fill('HTTP/1.1 200'))
    expect(await ended).toBe(0)
  },
)

test.each([
  ['npx', ['lotline', 'serve']],
  ['npm', ['start']],
] as const)('SIGTERM to %s stops the server and leaves no process', { timeout: 600_000 }, async (command, args) => {
  const { child, url, ended } = await untilServing(runProgram(command, [...args], { DATA_DIR: dir }))
  child.kill('SIGTERM')
  // Resolves when every process that holds the output has ended.
  await ended
  await expect(fetch(url)).rejects.toThrow()
  expect(await readdir(join(dir, 'postgres'))).not.toContain('postmaster.pid')
  expect(await processesOf(dir)).toEqual([])
})

/** Command lines of the processes that were started with this data folder, or run its database. */
const processesOf = async (folder: string): Promise<string[]> => {
  const texts = await Promise.all(
    (await readdir('/proc').catch(() => []))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const [line, environment] = await Promise.all(
          ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')),
        )
        return { line: line!.replaceAll('\0', ' '), environment: environment! }
      }),
  )
  return texts.filter((each) => `${each.line} ${each.environment}`.includes(folder)).map(({ line }) => line)
}

test('SIGTERM to a command that started the database stops both', { timeout: 600_000 }, async () => {
  const { child, ended } = run(['sample', 'load'], { DATA_DIR: dir })
  await expect.poll(() => readdir(join(dir, 'postgres')), { timeout: 300_000 }).toContain('postmaster.pid')
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(await readdir(join(dir, 'postgres'))).not.toContain('postmaster.pid')
  expect(await processesOf(dir)).toEqual([])
})

test('SIGTERM while loading the sample leaves no process and no files', { timeout: 600_000 }, async () => {
  const own = await dataFolder()
  await migratedDataFolder(own)
  const TMPDIR = await mkdtemp(join(tmpdir(), 'lotline-own-'))
  try {
    const { child, output, ended } = runSmall({ DATA_DIR: own, TMPDIR })
    const loading = async () => (await readdir(TMPDIR)).some((name) => name.startsWith('lotline-sample-'))
    await expect.poll(loading, { timeout: 300_000 }).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output()).not.toContain('running at')
    expect(await readdir(join(own, 'postgres'))).not.toContain('postmaster.pid')
    expect(await loading()).toBe(false)
  } finally {
    await clearAway(own)
    await rm(TMPDIR, { recursive: true, force: true })
  }
})

const weekly = Boolean(process.env.LOTLINE_WEEKLY)
const sampled = weekly ? ['sf-peninsula', 'nantucket'] : ['nantucket']

/** Without the sample of the larger market, which takes minutes beside other tests. Weekly the program itself is started. */
const smallProgram = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'lotline-copy-'))
  const left = ['.git', 'node_modules', 'test', 'bench', 'tools'].map((name) => join(root, name))
  await cp(root, copy, { recursive: true, filter: (path) => !left.includes(path) })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await rm(join(copy, 'packs/sf-peninsula/sample/data'), { recursive: true })
  return copy
}

test(
  'the first start serves the sample markets, without contradictions, and the next start does not load them again',
  { timeout: weekly ? 3_000_000 : 600_000 },
  async () => {
    const own = await dataFolder()
    try {
      for (const says of [/Loading the sample markets/, /^(?!.*Loading)/s]) {
        const { child, url, output, ended } = await untilServing(runSmall({ DATA_DIR: own }, weekly ? root : small))
        expect(output()).toMatch(says)
        for (const market of sampled) {
          const { data } = await (await get(url, `/api/v1/market-signals?market=${market}`)).json()
          expect(data.length).toBeGreaterThan(0)
        }
        if (weekly && !says.test('Loading the sample markets')) await auditSample(url, own)
        child.kill('SIGTERM')
        expect(await ended).toBe(0)
      }
    } finally {
      await clearAway(own)
    }
  },
)

/** Takes minutes, so it runs weekly; `test/operations/agreement` has every rule on a small market. */
const auditSample = async (url: string, DATA_DIR: string): Promise<void> => {
  const created = await runToEnd(['keys', 'create', '--email', 'a@example.com', '--count', '12', '--json'], {
    DATA_DIR,
  })
  const keys = (JSON.parse(created.output) as { key: string }[]).map(({ key }) => key)
  const { code, output } = await runToEnd(['audit', '--url', url, '--key', ...keys, '--properties', '2000'], {})
  expect(output).toMatch(/Checked 2,000 properties/)
  expect(output.split('\n').filter((line) => / [1-9]\d* {2}/.test(line))).toEqual([])
  expect(code).toBe(0)
}

test(
  'SIGTERM while modules are loading prints a message and leaves no files',
  {
    timeout: 600_000,
  },
  async () => {
    const own = await dataFolder()
    try {
      // The process sends itself SIGTERM as soon as it adds a signal listener.
      const self = "process.once('newListener', () => process.nextTick(() => process.kill(process.pid, 'SIGTERM')))"
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(self)}`
      const { code, output } = await runToEnd(['serve'], { DATA_DIR: own, NODE_OPTIONS })
      expect(code).toBe(0)
      expect(output).toBe('Stopped before anything was started.\n')
      expect(await readdir(own)).toEqual([])
    } finally {
      await clearAway(own)
    }
  },
)

test('SIGTERM at the start of the sample load stops the load and leaves no files', { timeout: 600_000 }, async () => {
  const own = await dataFolder()
  const TMPDIR = await mkdtemp(join(tmpdir(), 'lotline-own-'))
  try {
    const { child, output, ended } = runSmall({ DATA_DIR: own, TMPDIR })
    const firstOutput = new Promise<void>((resolve) => child.stderr!.once('data', () => resolve()))
    await firstOutput
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output()).toMatch(/^Loading the sample markets.*\nStopping…\n/)
    expect((await readdir(TMPDIR)).filter((name) => name.startsWith('lotline-sample-'))).toEqual([])
    expect(await readdir(own)).not.toContain('postgres.new')
  } finally {
    await clearAway(own)
    await rm(TMPDIR, { recursive: true, force: true })
  }
})

test('a port in use is named, with what to do', { timeout: 600_000 }, async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as { port: number }
  const { code, output } = await runToEnd(['serve'], { DATA_DIR: dir, PORT: String(port) })
  holder.close()
  expect(code).toBe(1)
  expect(output).toContain(
    `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
  )
  expect(output).not.toMatch(/\.ts:\d|node_modules/)
})

test('an invalid setting is named without a stack trace, and a secret is not shown', { timeout: 600_000 }, async () => {
  const bad = await runToEnd(['serve'], { PORT: 'eighty' })
  expect([bad.code, bad.output]).toEqual([
    1,
    'PORT must be a whole number from 0 to 65535, for example 3000 (it is "eighty").\n',
  ])
  const secret = await runToEnd(['serve'], { SECRET_KEY: 'hunter2' })
  expect(secret.output).toMatch(/^SECRET_KEY must be 32 random bytes/)
  expect(secret.output).not.toContain('hunter2')
  const nowhere = await runToEnd(['serve'], { DATA_DIR: '/dev/null/lotline', SAMPLE_DATA: 'true' })
  expect([nowhere.code, nowhere.output]).toEqual([1, expect.stringMatching(/^DATA_DIR must be a folder .*\n$/)])
  const missing = await runToEnd(['serve'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' })
  expect(missing.output).toMatch(/^SECRET_KEY must be set with DATABASE_URL/)
})

const connects = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
