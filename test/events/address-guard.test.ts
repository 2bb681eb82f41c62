import type { LookupAddress } from 'node:dns'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliveryAgent, type Resolve } from '../../src/events/address-guard.ts'
import { send } from '../../src/events/send.ts'
import { certificate } from './certificate.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let canary: Receiver
beforeEach(async () => {
  canary = await openReceiver(200, certificate)
})
afterEach(() => canary.close())

const answers =
  (...each: string[][]): Resolve =>
  (_host, done) => {
    const addresses = each.length > 1 ? each.shift()! : each[0]!
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }

const attempt = (url: string) => ({ url, eventId: 'evt_1', body: '{}', at: new Date(), secret: 'whsec_c2VjcmV0' })

const trying = async (url: string, resolve: Resolve, options: { ca?: string; allowPrivate?: boolean } = {}) => {
  const allowPrivate = options.allowPrivate ?? false
  const dispatcher = deliveryAgent({ allowPrivate, timeoutMs: 2_000, resolve, ca: options.ca })
  const outcome = await send({ dispatcher, allowPrivate, userAgent: 'test', timeoutMs: 2_000 }, attempt(url))
  await dispatcher.destroy()
  return outcome
}

test('a host name that now resolves to loopback is never connected to, in a thousand attempts', async () => {
  const dispatcher = deliveryAgent({
    allowPrivate: false,
    timeoutMs: 2_000,
    resolve: answers(['127.0.0.1']),
    ca: certificate.cert,
  })
  const sender = { dispatcher, allowPrivate: false, userAgent: 'test' }
  for (let round = 0; round < 10; round++) {
    const tries = await Promise.all(
      Array.from({ length: 100 }, () => send(sender, attempt(`https://receiver.test:${canary.port}/`))),
    )
    for (const { ok, error } of tries) {
      expect(ok).toBe(false)
      expect(error).toBe('address rejected: the host name resolves to an address that is not public')
    }
  }
  await dispatcher.destroy()
  expect(canary.received).toHaveLength(0)
})

test('a host name with public and private addresses is rejected', async () => {
  const { error } = await trying(`https://receiver.test:${canary.port}/`, answers(['127.0.0.1', '8.8.8.8']))
  expect(error).toContain('address rejected')
  expect(error).not.toContain('127.0.0.1')
})

test('an IP address in the URL is checked before every attempt', async () => {
  const { error } = await trying(`https://127.0.0.1:${canary.port}/`, answers(['8.8.8.8']))
  expect(error).toContain('address rejected')
  expect(canary.received).toHaveLength(0)
})

test('an untrusted certificate and one for another host name are rejected', async () => {
  const toCanary = answers(['127.0.0.1'])
  const unknown = await trying(`https://receiver.test:${canary.port}/`, toCanary, { allowPrivate: true })
  expect(unknown).toMatchObject({ ok: false, error: expect.stringContaining('certificate rejected') })
  const misnamed = await trying(`https://other.test:${canary.port}/`, toCanary, {
    allowPrivate: true,
    ca: certificate.cert,
  })
  expect(misnamed).toMatchObject({ ok: false, error: 'certificate rejected: issued for another host name' })
  expect(canary.received).toHaveLength(0)
  const right = await trying(`https://receiver.test:${canary.port}/`, toCanary, {
    allowPrivate: true,
    ca: certificate.cert,
  })
  expect(right).toMatchObject({ ok: true, status: 200 })
})

test('a host name that does not resolve fails with a plain message', async () => {
  const { ok, error } = await trying('https://receiver.test/', (_host, done) =>
    done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), []),
  )
  expect({ ok, error }).toEqual({ ok: false, error: 'the host name does not resolve' })
})
