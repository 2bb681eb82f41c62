import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedServer, sharedBuffersMb, startEmbedded } from '../../src/embedded/server.ts'

let dir: string
const started: EmbeddedServer[] = []
const newFolder = async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-embedded-'))
  await chmod(dir, 0o755)
}
const removeFolder = async () => {
  await rm(dir, { recursive: true, force: true })
  // What a root-only folder could not hold.
  for (const name of await readdir('/var/lib/lotline').catch(() => []))
    if (name.startsWith(basename(dir))) await rm(join('/var/lib/lotline', name), { recursive: true, force: true })
}
const stopAll = async () => {
  for (const server of started.splice(0)) await server.stop()
}

const start = async () => {
  const server = await startEmbedded(dir)
  started.push(server)
  return server
}

const ask = async (server: EmbeddedServer, question: string) => {
  const client = new pg.Client({ host: server.socketDir, user: server.user, database: 'lotline' })
  await client.connect()
  const { rows } = await client.query(question)
  await client.end()
  return rows[0]
}

describe('a first start', () => {
  beforeEach(newFolder)
  afterEach(async () => {
    await stopAll()
    await removeFolder()
  })

  test('of two concurrent first starts, one creates the server and the other uses it', async () => {
    const both = await Promise.all([start(), start()])
    expect(both.map(({ adopted }) => adopted).sort()).toEqual([false, true])
    expect(both[0]!.socketDir).toBe(both[1]!.socketDir)
  })

  test('an interrupted first start is repeated from the beginning', async () => {
    await mkdir(join(dir, 'postgres.new'), { recursive: true })
    await writeFile(join(dir, 'postgres.new/PG_VERSION'), '18')
    expect(await ask(await start(), 'select 1 as one')).toEqual({ one: 1 })
  })

  test('the server starts in a folder that only its owner can enter, with the strictest umask', async () => {
    await chmod(dir, 0o700)
    const program = `process.umask(0o077)
      const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/embedded/server.ts'))})
      const server = await startEmbedded(${JSON.stringify(join(dir, 'closed'))})
      await server.stop()
      console.log('started')`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    expect(stdout.trim()).toBe('started')
  })
})

// One folder, because creating a database takes most of the time of a first start.
describe('later starts', () => {
  beforeAll(newFolder)
  afterEach(stopAll)
  afterAll(removeFolder)

  test('a query of an ended process does not keep the server running', async () => {
    const server = await start()
    const client = new pg.Client({ host: server.socketDir, user: server.user, database: 'lotline' })
    client.on('error', () => {})
    await client.connect()
    client.query('select pg_sleep(600)').catch(() => {})
    const sleeping = "select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'"
    await expect.poll(() => ask(server, sleeping)).toEqual({ n: 1 })
    // As when it is killed: nothing said, the socket closed.
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    await server.stop()
    expect(await readdir(join(dir, 'postgres'))).not.toContain('postmaster.pid')
  })

  test('a process that joined a running server does not stop it while others use it', async () => {
    const [first, second] = [await start(), await start()]
    const client = new pg.Client({ host: first.socketDir, user: first.user, database: 'lotline' })
    await client.connect()
    await second.stop()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  test.runIf(process.getuid?.() === 0)('under root, other programs of the server’s user cannot log in', async () => {
    const server = await start()
    const script = `
      const client = require('node:net').connect(${JSON.stringify(join(server.socketDir, '.s.PGSQL.5432'))})
      const parameters = Buffer.from('user\\0lotline\\0database\\0lotline\\0\\0')
      const head = Buffer.alloc(8)
      head.writeInt32BE(8 + parameters.length, 0)
      head.writeInt32BE(196608, 4)
      client.write(Buffer.concat([head, parameters]))
      client.once('data', (bytes) => { process.stdout.write(bytes.toString('latin1', 0, 1)); client.destroy() })`
    const asUser = async (uid: number) =>
      (
        await promisify(execFile)('/usr/bin/env', ['node', '-e', script], {
          uid,
          gid: uid,
          cwd: '/',
          env: { PATH: process.env.PATH },
        })
      ).stdout
    expect([await asUser(0), await asUser(65534)]).toEqual(['R', 'E'])
  })

  test('no port is open, even if the configuration file opens one', async () => {
    const server = await start()
    await server.stop()
    started.length = 0
    await writeFile(join(dir, 'postgres/postgresql.auto.conf'), "listen_addresses = '*'\n")
    expect(await ask(await start(), 'show listen_addresses')).toEqual({ listen_addresses: '' })
  })

  test('a damaged pid file is named in the error with what to do', async () => {
    await (await start()).stop()
    started.length = 0
    await writeFile(join(dir, 'postgres/postmaster.pid'), 'garbage\n')
    await expect(start()).rejects.toThrow(/postmaster\.pid is damaged\. If no PostgreSQL uses this folder, delete/)
  })
})

test('shared buffers are an eighth of the memory, at least 96 MB and at most 1 GB', () => {
  const gigabyte = 2 ** 30
  expect([0.5, 1, 4, 64].map((each) => sharedBuffersMb(each * gigabyte))).toEqual([96, 128, 512, 1024])
})
