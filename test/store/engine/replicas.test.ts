import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../../src/bin/open-store.ts'
import { type Database, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { databaseProblem, isStandby } from '../../../src/store/engine/health.ts'
import { listen } from '../../../src/store/engine/listen.ts'
import { openQueue } from '../../../src/store/engine/queue.ts'
import { openReplicas, type Replicas } from '../../../src/store/engine/replicas.ts'
import { readSetting, writeSetting } from '../../../src/store/engine/settings.ts'
import { openStandbyPair, type StandbyPair } from '../../setup/standby.ts'

let pair: StandbyPair
let primary: Database
let replicas: Replicas<'keyed'>
beforeAll(async () => {
  pair = await openStandbyPair(async (socketDir) => {
    await (await openQueue({ socketDir })).close()
  })
  primary = openDatabase({ connectionString: pair.primary.url })
  replicas = openReplicas({ urls: [pair.standby.url], primary, pools: { keyed: {} } })
}, 60_000)
afterAll(async () => {
  await replicas?.close()
  await primary?.close()
  await pair?.close()
})

const soon = { timeout: 10_000 }
const reader = () => replicas.within('keyed', AbortSignal.timeout(5_000))

test('a replica answers only while it has the last change', async () => {
  await expect.poll(() => reader() !== undefined, soon).toBe(true)
  await pausedReplay('pause')
  await writeSetting(primary.db, 'test', 1)
  replicas.changed()
  expect(reader()).toBeUndefined()
  await pausedReplay('resume')
  await expect.poll(() => reader() !== undefined, soon).toBe(true)
  expect(await readSetting(reader()!, 'test')).toBe(1)
})

test('a replica that falls behind is not used, also without a notified change', async () => {
  await expect.poll(() => reader() !== undefined, soon).toBe(true)
  await pausedReplay('pause')
  await writeSetting(primary.db, 'test', 2)
  await expect.poll(() => reader(), soon).toBeUndefined()
  await pausedReplay('resume')
  await expect.poll(() => reader() !== undefined, soon).toBe(true)
  expect(await readSetting(reader()!, 'test')).toBe(2)
})

const pausedReplay = async (what: 'pause' | 'resume') => {
  const standby = openDatabase({ connectionString: pair.standby.url })
  await standby.pool.query(`select pg_wal_replay_${what}()`)
  await standby.close()
}

test('a process started on a standby reads, is not ready, and listens as soon as the standby is promoted', async () => {
  const store = await openStore({ DATABASE_URL: pair.standby.url, DATA_DIR: '/nonexistent' })
  expect(await isStandby(store.db)).toBe(true)
  expect(await databaseProblem(store)).toBe('the database is read-only')
  await expect(writeSetting(store.db, 'test', 2)).rejects.toMatchObject({ code: '25006' })
  const queue = await openQueue({ ...store.address, readOnly: true })
  let listening = false
  const listener = await listen(store.address, {
    channels: { test: () => {} },
    onListening: (is) => {
      listening = is
    },
  })
  expect(listening).toBe(false)
  await pair.primary.kill()
  await pair.standby.promote()
  await expect.poll(() => listening, soon).toBe(true)
  expect(await databaseProblem(store)).toBeUndefined()
  await writeSetting(store.db, 'test', 3)
  expect((await sql`select 1`.execute(store.db)).rows).toHaveLength(1)
  await listener.close()
  await queue.close()
  await store.close()
})
