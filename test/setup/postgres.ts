// One real PostgreSQL for the whole test run, with a migrated template that each test file clones.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import type { MarketPack } from '../../src/contract/use-packs.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { writeGroupViews } from '../../src/store/engine/group-views.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { addShard } from '../../src/store/engine/shards.ts'

declare module 'vitest' {
  interface ProvidedContext {
    socketDir: string
    packs: readonly MarketPack[]
  }
}

/** Distributes the markets over this many shard groups, so that the tests run in both layouts. */
const layOutGroups = async (database: Database, groups: number) => {
  if (groups === 1) return
  for (let group = 1; group < groups; group++) await addShard(database, `g0${group}`)
  await database.pool.query(`update public.market set shard_group = 'g0' || number % $1::int`, [groups])
  await writeGroupViews(database.db)
}

export default async function setup(project: TestProject) {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-test-'))
  await chmod(dir, 0o755)
  const server = await startEmbedded(dir)
  const template = openDatabase({ socketDir: server.socketDir })
  project.provide('packs', useMarketPacks([]).packs)
  await migrate(template)
  await layOutGroups(template, Number(process.env.LOTLINE_TEST_GROUPS ?? 1))
  await template.close()
  const client = new pg.Client({ host: server.socketDir, user: 'lotline', database: 'postgres' })
  await client.connect()
  await client.query('alter database lotline with is_template true allow_connections false')
  await client.end()
  project.provide('socketDir', server.socketDir)
  return async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
