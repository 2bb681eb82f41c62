import { expect, test } from 'vitest'
import { claimApi } from '../../src/store/engine/api-lock.ts'
import { listKeys, revokeKey } from '../../src/store/keys/keys.ts'
import { recordEvent } from '../../src/store/webhooks/events.ts'
import { permitCreated } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService({ webhookAllowPrivate: true })

const call = async (key: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
  const answer = await service().app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, payload })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}
const rotated = async (key: string): Promise<string> => (await call(key, 'POST', '/keys/rotate')).body.key

test('a replaced key cannot be rotated again, so that a leaked key cannot be kept valid', async () => {
  const old = await service().proKey()
  await rotated(old)
  const again = await call(old, 'POST', '/keys/rotate')
  expect(again.status).toBe(400)
  expect(again.body.error).toMatch(/replaced or revoked already/)
})

test('a key and its replacement share one rate limit', async () => {
  const old = await service().proKey()
  const next = await rotated(old)
  const first = await call(old, 'GET', '/usage')
  const second = await call(next, 'GET', '/usage')
  expect(Number(second.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1)
})

test('for 24 hours the old key can read and replace the same webhooks', async () => {
  const old = await service().proKey()
  const made = await call(old, 'POST', '/webhooks/register', { url: 'http://127.0.0.1:9/hook' })
  const next = await rotated(old)
  const ids = async () => (await call(old, 'GET', '/webhooks')).body.data.map(({ id }: { id: string }) => id)
  await expect.poll(ids).toEqual([made.body.id])
  const again = await call(old, 'POST', '/webhooks/register', { url: 'http://127.0.0.1:9/hook' })
  expect(again.body.id).toBe(made.body.id)
  expect((await call(next, 'GET', '/webhooks')).body.pagination.total).toBe(1)
})

test('revoking a key family revokes every replacement of the key', async () => {
  const old = await service().freeKey()
  const next = await rotated(old)
  const first = (await listKeys(service().db, { plan: 'free' })).find((key) => old.startsWith(key.hint))!
  await revokeKey(service().db, first.id, new Date(), 'family')
  await expect.poll(async () => (await call(next, 'GET', '/usage')).status).toBe(401)
  expect((await call(old, 'GET', '/usage')).status).toBe(401)
})

test('the event feed responds while an API process holds its database lock', async () => {
  const claim = await claimApi(service().address, true)
  const key = await service().proKey()
  await recordEvent(
    service().db,
    service().services.queue,
    { type: 'permit.created', market: 'sf-peninsula', data: permitCreated('X1') },
    new Date(),
  )
  const feed = await call(key, 'GET', '/events')
  expect(feed.status).toBe(200)
  expect(feed.body.count).toBe(1)
  await claim.release()
})
