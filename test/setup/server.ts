// One real PostgreSQL for the whole test run, with a migrated template that each test file clones. The first test that needs it starts it.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { markets } from '../../src/domain/packs/markets.ts'
import { withFileLock } from '../../src/embedded/file-lock.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { writeGroupViews } from '../../src/store/engine/group-views.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { addShard } from '../../src/store/engine/shards.ts'

const root = join(import.meta.dirname, '../..')
/** Distributes the markets over this many shard groups, so that the tests run in both layouts. */
const groups = Number(process.env.LOTLINE_TEST_GROUPS ?? 1)

let started: Promise<string> | undefined

/** Returns the socket folder of the server. */
export const testServer = (): Promise<string> => {
  started ??= startOnce(inject('serverDir'))
  return started
}

const startOnce = async (dir: string): Promise<string> => {
  const socket = join(dir, 'socket')
  if (!existsSync(socket))
    await withFileLock(join(dir, 'start.lock'), async () => {
      if (existsSync(socket)) return
      await migratedDataFolder(dir)
      const { socketDir } = await startEmbedded(dir, { create: false })
      await writeFile(`${socket}.new`, socketDir)
      await rename(`${socket}.new`, socket)
    })
  return readFile(socket, 'utf8')
}

/** Makes `dir` a data folder whose database is migrated, for tests that need a server of their own. */
export const migratedDataFolder = async (dir: string): Promise<void> =>
  copyFiles(await migratedFiles(), join(dir, 'postgres'))

/** The files of a stopped server with the migrated template, kept between runs until something that made them changes. */
const migratedFiles = async (): Promise<string> => {
  const cache = join(root, 'node_modules/.cache/lotline-test')
  const kept = join(cache, await templateHash())
  if (existsSync(kept)) return kept
  return withFileLock(`${cache}.lock`, async () => {
    if (existsSync(kept)) return kept
    await rm(cache, { recursive: true, force: true })
    await mkdir(cache, { recursive: true })
    const dir = await mkdtemp(join(tmpdir(), 'lotline-template-'))
    await chmod(dir, 0o755)
    const server = await startEmbedded(dir)
    const template = openDatabase({ socketDir: server.socketDir })
    await migrate(template)
    await layOutGroups(template)
    await template.close()
    // Creating the tables of the queue takes as long as the migrations.
    await (await openQueue({ socketDir: server.socketDir })).close()
    await server.stop()
    await copyFiles(join(dir, 'postgres'), `${kept}.new`)
    await rename(`${kept}.new`, kept)
    await rm(dir, { recursive: true, force: true })
    return kept
  })
}

const layOutGroups = async (database: Database) => {
  if (groups === 1) return
  for (let group = 1; group < groups; group++) await addShard(database, `g0${group}`)
  await database.pool.query(`update public.market set shard_group = 'g0' || number % $1::int`, [groups])
  await writeGroupViews(database.db)
}

const templateHash = async (): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify([groups, process.getuid?.(), markets()]))
  for (const path of ['package-lock.json', 'src/embedded/server.ts', 'test/setup/server.ts'])
    hash.update(await readFile(join(root, path)))
  for (const folder of ['migrations/shared', 'migrations/group', 'views', 'src/store/engine'])
    for (const name of (await readdir(join(root, folder))).sort())
      hash.update(name).update(await readFile(join(root, folder, name)))
  return hash.digest('hex').slice(0, 16)
}

/** With their owners: as root, the server runs as another user. */
const copyFiles = async (from: string, to: string): Promise<void> => {
  await cp(from, to, { recursive: true })
  if (process.getuid?.() !== 0) return
  const nobody = 65534
  for (const name of ['', ...(await readdir(to, { recursive: true }))]) await chown(join(to, name), nobody, nobody)
}
