import { expect, test } from 'vitest'
import { claimApi } from '../../src/store/engine/api-lock.ts'
import { listKeys, revokeKey } from '../../src/store/keys/keys.ts'
import { recordEvent } from '../setup/record-event.ts'
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
  expect([again.status, again.body.code]).toEqual([403, 'forbidden'])
})

test('a key and its replacement share one rate limit', async () => {
  const old = await service().proKey()
  const next = await rotated(old)
  const first = await call(old, 'GET', '/usage')
  const second = await call(next, 'GET', '/usage')
  expect(Number(second.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1)
})

test('for 24 hours the old key can read its webhooks and change nothing', async () => {
  const old = await service().proKey()
  const made = await call(old, 'POST', '/webhooks/register', { url: 'http://127.0.0.1:9/hook' })
  const { id } = made.body
  const next = await rotated(old)
  const ids = async () => (await call(old, 'GET', '/webhooks')).body.data?.map((each: { id: string }) => each.id)
  await expect.poll(ids).toEqual([id])
  for (const [method, url] of [
    ['POST', '/webhooks/register'],
    ['POST', `/webhooks/${id}/rotate`],
    ['POST', `/webhooks/${id}/test`],
    ['POST', `/webhooks/${id}/enable`],
    ['DELETE', `/webhooks/${id}`],
    ['POST', '/keys/rotate'],
  ] as const) {
    const { status, body } = await call(
      old,
      method,
      url,
      method === 'POST' ? { url: 'https://thief.example' } : undefined,
    )
    expect([url, status, body.error]).toEqual([url, 403, expect.stringMatching(/replaced and can only read/)])
  }
  expect((await call(next, 'GET', '/webhooks')).body.data).toMatchObject([{ id, url: 'http://127.0.0.1:9/hook' }])
  expect((await call(next, 'POST', `/webhooks/${id}/rotate`)).status).toBe(200)
  expect((await call(old, 'DELETE', '/keys/current')).status).toBe(200)
  expect((await call(next, 'GET', '/usage')).status).toBe(200)
})

test('expireNow ends the old key at once', async () => {
  const old = await service().proKey()
  const { status, body } = await call(old, 'POST', '/keys/rotate', { expireNow: true })
  expect(status).toBe(200)
  expect(Date.parse(body.previousKeyExpiresAt)).toBeLessThanOrEqual(Date.now())
  await expect.poll(async () => (await call(old, 'GET', '/usage')).status).toBe(401)
  expect((await call(body.key, 'GET', '/usage')).status).toBe(200)
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
