import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../../src/embedded/server.ts'
import { isListening, supervise } from '../../src/embedded/supervise.ts'
import { openDatabase, sql } from '../../src/store/engine/database.ts'

let dir: string
let supervisor: ReturnType<typeof supervise> | undefined
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-supervise-'))
  await chmod(dir, 0o755)
})
afterEach(async () => {
  await supervisor?.stop()
  supervisor = undefined
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const postmasterPid = async () => Number((await readFile(join(dir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

test('a killed server is restarted with its data, and connection pools reconnect', async () => {
  const server = await startEmbedded(dir)
  const database = openDatabase({ socketDir: server.socketDir })
  await sql`create table kept (n int)`.execute(database.db)
  await sql`insert into kept values (7)`.execute(database.db)
  const restarted = new Promise<number>((resolve) => {
    supervisor = supervise({
      socketDir: server.socketDir,
      ensureRunning: () => startEmbedded(dir),
      onRestarted: resolve,
    })
  })
  process.kill(await postmasterPid(), 'SIGKILL')
  expect(await restarted).toBeGreaterThan(0)
  const rows = async () => (await sql<{ n: number }>`select n from kept`.execute(database.db)).rows
  await expect.poll(() => rows().catch(() => [])).toEqual([{ n: 7 }])
  await supervisor!.stop()
  await database.close()
  await server.stop()
  expect(await isListening(server.socketDir)).toBe(false)
})

test('a start that fails is tried again until it succeeds', async () => {
  const server = await startEmbedded(dir)
  let tries = 0
  const failures: string[] = []
  const restarted = new Promise<void>((resolve) => {
    supervisor = supervise({
      socketDir: server.socketDir,
      ensureRunning: async () => {
        if (++tries < 3) throw new Error('no space left')
        return startEmbedded(dir)
      },
      onRestartFailed: (error) => failures.push(error.message),
      onRestarted: () => resolve(),
    })
  })
  process.kill(await postmasterPid(), 'SIGKILL')
  await restarted
  expect(failures).toEqual(['no space left', 'no space left'])
  await supervisor!.stop()
  await server.stop()
})

test('a supervisor that was stopped starts nothing', async () => {
  const server = await startEmbedded(dir)
  let tries = 0
  supervisor = supervise({
    socketDir: server.socketDir,
    ensureRunning: async () => void tries++,
    checkEveryMs: 20,
  })
  await supervisor.stop()
  await server.stop()
  await expect.poll(() => isListening(server.socketDir)).toBe(false)
  expect(tries).toBe(0)
})

// Only Linux refuses a connection to a full backlog with an error of its own.
test.runIf(process.platform === 'linux')(
  'a server that does not accept connections for a while counts as running',
  async () => {
    const path = join(dir, '.s.PGSQL.5432')
    const busy = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => {
    process.stdout.write('listening', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })`
    const server = spawn(process.execPath, ['-e', busy], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(server.stdout, 'data')
    const opened = Array.from({ length: 20 }, () => connect(path))
    const errors = opened.map((socket) =>
      once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
    )
    expect(await Promise.any(errors)).toBe('EAGAIN')
    expect(await isListening(dir)).toBe(true)
    for (const socket of opened) socket.destroy()
    server.kill('SIGKILL')
    await once(server, 'exit')
    expect(await isListening(dir)).toBe(false)
  },
)
