import { expect, test } from 'vitest'
import { keyCache } from '../../src/api/key-cache.ts'
import { sql } from '../../src/store/engine/database.ts'
import { hashOf, insertKey, revokeKey } from '../../src/store/keys/keys.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { startService, useService } from '../setup/service.ts'

const service = useService()
/** A notification takes milliseconds, and longer on a busy machine. Without it a cached key would be accepted forever. */
const notified = { timeout: 20_000 }
const usage = (key: string) => ask(service(), '/v1/usage', { key })

test('rotating returns a new key of the same plan, and the old key works for 24 more hours', async () => {
  const start = new Date('2026-11-15T12:00:00Z')
  service().setNow(start)
  const old = await service().proKey()
  const { status, body } = await ask(service(), '/v1/keys/rotate', { key: old, method: 'POST' })
  expect([status, body.tier, body.previousKeyExpiresAt]).toEqual([200, 'pro', '2026-11-16T12:00:00.000Z'])
  expect(body.key).not.toBe(old)
  expect((await usage(body.key)).body.data.keyId).toBe(body.id)
  service().setNow(new Date('2026-11-16T11:59:59Z'))
  expect((await usage(old)).status).toBe(200)
  service().setNow(new Date('2026-11-16T12:00:00Z'))
  await expect.poll(async () => (await usage(old)).status, notified).toBe(401)
  expect((await usage(body.key)).status).toBe(200)
  service().setNow(undefined)
})

test('rotating again does not extend the old key', async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const old = await service().freeKey()
  await ask(service(), '/v1/keys/rotate', { key: old, method: 'POST' })
  service().setNow(new Date('2026-11-16T06:00:00Z'))
  await ask(service(), '/v1/keys/rotate', { key: old, method: 'POST' })
  service().setNow(new Date('2026-11-16T12:00:01Z'))
  await expect.poll(async () => (await usage(old)).status, notified).toBe(401)
  service().setNow(undefined)
})

test('a deleted key is rejected once the notification arrives', async () => {
  const key = await service().freeKey()
  expect((await usage(key)).status).toBe(200)
  expect((await ask(service(), '/v1/keys/current', { key, method: 'DELETE' })).body).toEqual({ success: true })
  await expect.poll(async () => (await usage(key)).status, notified).toBe(401)
})

test('the shared demo key can be neither rotated nor deleted', async () => {
  expect((await ask(service(), '/v1/keys/rotate', { key: demoKey, method: 'POST' })).status).toBe(400)
  expect((await ask(service(), '/v1/keys/current', { key: demoKey, method: 'DELETE' })).status).toBe(400)
})

test('a key revoked by one process is rejected by another that has cached it', async () => {
  const other = await startService({ database: service().address })
  try {
    const { id, key } = await insertKey(service().db, { plan: 'pro', email: 'two@example.com' })
    for (const each of [service(), other]) expect((await ask(each, '/v1/usage', { key })).status).toBe(200)
    await revokeKey(service().db, id, new Date())
    for (const each of [service(), other])
      await expect.poll(async () => (await ask(each, '/v1/usage', { key })).status, notified).toBe(401)
  } finally {
    await other.close()
  }
})

test('a key that is changed or revoked while it is looked up is not cached in its old state', async () => {
  const { db } = service()
  const cache = keyCache({ within: () => db })
  cache.setListening(true)
  const { id, key } = await insertKey(db, { plan: 'pro', email: 'race@example.com' })
  const now = new Date()
  const read = (): unknown => cache.find(key, now, new AbortController().signal)
  const begun = read()
  cache.evict(hashOf(key).toString('hex'))
  expect(await begun).toMatchObject({ id })
  expect(cache.findCached(key, now)).toBeUndefined()
  expect(await read()).toMatchObject({ id })
  expect(cache.findCached(key, now)).toMatchObject({ id })
})

test('a cached key is used until it expires, and only while notifications of changes arrive', async () => {
  const { db } = service()
  const cache = keyCache({ within: () => db })
  const now = new Date()
  const find = async (text: string, at = now) => (await cache.find(text, at, new AbortController().signal))?.id
  const [plain, ends, ended] = await Promise.all(
    ['plain', 'ends', 'ended'].map((name) => insertKey(db, { plan: 'pro', email: `${name}@example.com` })),
  )
  await sql`update api_key set expires_at = ${now} where id = ${ends!.id}`.execute(db)
  await sql`update api_key set revoked_at = ${now} where id = ${ended!.id}`.execute(db)
  expect(await find(plain!.key)).toBe(plain!.id)
  expect(cache.findCached(plain!.key, now)).toBeUndefined()
  cache.setListening(true)
  const earlier = new Date(now.getTime() - 1)
  for (const round of [1, 2]) {
    expect([round, await find(plain!.key), await find(ends!.key, earlier), await find(ends!.key)]).toEqual([
      ...[round, plain!.id, ends!.id, undefined],
    ])
    expect([await find(ended!.key), await find('x'), await find(`${plain!.key.slice(0, -1)}_`)]).toEqual(
      Array(3).fill(undefined),
    )
  }
  expect(cache.findCached(plain!.key, now)?.id).toBe(plain!.id)
  expect([cache.findCached(ends!.key, earlier)?.id, cache.findCached(ends!.key, now)]).toEqual([ends!.id, undefined])
  cache.setListening(false)
  expect(cache.findCached(plain!.key, now)).toBeUndefined()
})

test('successful requests are logged at the debug level, rejected requests at the info level', async () => {
  const levels = async (path: string, key?: string) => {
    const before = service().logs.length
    const { status } = await ask(service(), path, { key })
    const line = () =>
      service()
        .logs.slice(before)
        .find((each) => each.includes('"answered"'))
    await expect.poll(line).toBeDefined()
    return [status, JSON.parse(line()!).level]
  }
  expect(await levels('/v1/usage', await service().freeKey())).toEqual([200, 20])
  expect(await levels('/v1/usage')).toEqual([401, 30])
})

test('keys are not cached while the listener is disconnected, so a revocation still takes effect', async () => {
  const { id, key } = await insertKey(service().db, { plan: 'pro', email: 'deaf@example.com' })
  expect((await usage(key)).status).toBe(200)
  service().setListening(false)
  await revokeKey(service().db, id, new Date())
  expect((await usage(key)).status).toBe(401)
  service().setListening(true)
})
