import { expect, test } from 'vitest'
import { clientOf } from '../../src/api/client-address.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const direct = useService()
const behindProxy = useService({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'] })

/** Remaining requests of the demo key, which is limited per IP address. */
const left = async (service: ReturnType<typeof direct>, ip: string, forwardedFor?: string): Promise<number> => {
  const headers: Record<string, string> = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}
  return Number((await ask(service, '/v1/usage', { key: demoKey, ip, headers })).headers['x-ratelimit-remaining'])
}

test('an IPv6 address counts as its /64, and an IPv4-mapped one as IPv4', () => {
  expect(clientOf('2001:db8:1:2:aaaa::1')).toBe(clientOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  expect(clientOf('2001:db8:1:2::1')).not.toBe(clientOf('2001:db8:1:3::1'))
  expect(clientOf('::ffff:192.0.2.1')).toBe(clientOf('192.0.2.1'))
  expect(clientOf('192.0.2.1')).not.toBe(clientOf('192.0.2.2'))
  expect(clientOf('not an address')).toBe('unknown')
})

test('IPv6 addresses in the same /64 share one limit', async () => {
  expect(await left(direct(), '2001:db8:1:2::1')).toBe(9)
  expect(await left(direct(), '2001:db8:1:2:ffff::9')).toBe(8)
  expect(await left(direct(), '2001:db8:1:3::1')).toBe(9)
})

test('X-Forwarded-For is ignored without trusted proxies', async () => {
  const seen = []
  for (let i = 0; i < 12; i++) seen.push(await left(direct(), '192.0.2.50', `203.0.113.${i}`))
  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
})

test('the client behind trusted proxies is the rightmost untrusted address', async () => {
  const service = behindProxy()
  expect(await left(service, '10.0.0.1', '6.6.6.6, 203.0.113.9')).toBe(9)
  expect(await left(service, '10.0.0.2', '7.7.7.7, 203.0.113.9')).toBe(8)
  expect(await left(service, '10.0.0.1', '203.0.113.9, 10.0.0.9')).toBe(7)
  expect(await left(service, '10.0.0.1', '203.0.113.10')).toBe(9)
  expect(await left(service, 'fd00::1', '203.0.113.9')).toBe(6)
})

test('X-Forwarded-For from an address outside the trusted proxies is ignored', async () => {
  const service = behindProxy()
  expect(await left(service, '198.51.100.1', '203.0.113.77')).toBe(9)
  expect(await left(service, '198.51.100.1', '203.0.113.78')).toBe(8)
})

test('an invalid X-Forwarded-For is not an error', async () => {
  const service = behindProxy()
  const answer = await ask(service, '/v1/usage', {
    key: demoKey,
    ip: '10.0.0.1',
    headers: { 'x-forwarded-for': '<script>, nonsense' },
  })
  expect(answer.status).toBe(200)
})
