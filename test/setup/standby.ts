// A primary and a hot standby from the embedded binaries.
import { execFile, spawn } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresProgramsFor } from '../../src/embedded/binaries.ts'
import { ownedBy, serverUser } from '../../src/embedded/paths.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'

const run = promisify(execFile)

export interface PostgresServer {
  socketDir: string
  url: string
  /** Ends the server at once, as a power failure would. */
  kill(): Promise<void>
  promote(): Promise<void>
}

export interface StandbyPair {
  primary: PostgresServer
  standby: PostgresServer
  close(): Promise<void>
}

/** `fill` runs on the primary before the standby is copied from it. */
export const openStandbyPair = async (fill: (socketDir: string) => Promise<void>): Promise<StandbyPair> => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-pair-'))
  await chmod(dir, 0o755)
  const as = serverUser()
  const engine = await postgresProgramsFor(as)
  const first = join(dir, 'a')
  await mkdir(first)
  const embedded = await startEmbedded(first)
  const database = openDatabase({ socketDir: embedded.socketDir })
  await migrate(database)
  await database.close()
  await fill(embedded.socketDir)
  await embedded.stop()
  const [filesA, filesB] = [join(first, 'postgres'), join(dir, 'b/postgres')]
  await cp(filesA, filesB, { recursive: true })
  if (as.asNobody) await run('chown', ['-R', `${as.spawn.uid}:${as.spawn.gid}`, join(dir, 'b')])
  await run('chmod', ['-R', 'go-rwx', filesB])
  const pgCtl = (files: string, ...args: string[]) =>
    run(join(engine, 'bin/pg_ctl'), ['-D', files, ...args], { ...as.spawn, cwd: '/' })
  const start = async (files: string, socketDir: string): Promise<PostgresServer> => {
    await mkdir(socketDir, { recursive: true })
    await ownedBy(socketDir, as)
    const settings = `-k '${socketDir}' -c listen_addresses='' -c max_connections=60 -c wal_keep_size=256MB -c log_min_messages=fatal`
    await new Promise<void>((done, fail) => {
      const child = spawn(
        join(engine, 'bin/pg_ctl'),
        ['-D', files, '-l', join(files, 'server.log'), '-o', settings, '-w', '-t', '60', 'start'],
        { ...as.spawn, cwd: '/', stdio: 'ignore' },
      )
      child.on('error', fail)
      child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`The server in ${files} did not start.`))))
    })
    return {
      socketDir,
      url: `postgres://lotline@/lotline?host=${encodeURIComponent(socketDir)}`,
      kill: async () => {
        await pgCtl(files, 'stop', '-m', 'immediate', '-w')
      },
      promote: async () => {
        await pgCtl(files, 'promote', '-w')
      },
    }
  }
  const primary = await start(filesA, join(dir, 'pa'))
  await writeFile(join(filesB, 'standby.signal'), '')
  await appendFile(
    join(filesB, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.socketDir} user=lotline application_name=standby'\n`,
  )
  for (const name of ['standby.signal', 'postgresql.auto.conf']) await ownedBy(join(filesB, name), as)
  const standby = await start(filesB, join(dir, 'pb'))
  return {
    primary,
    standby,
    close: async () => {
      for (const { kill } of [standby, primary]) await kill().catch(() => {})
      await rm(dir, { recursive: true, force: true })
    },
  }
}
