// Limits shared by several processes, against a real Redis.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RateLimits, redisLimits, redisOptions } from '../../src/api/rate-limits.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { ask } from '../setup/ask.ts'
import { type Service, startService } from '../setup/service.ts'

const found = (() => {
  try {
    return execFileSync('redis-server', ['--version']).toString()
  } catch {
    return undefined
  }
})()
if (!found) console.warn('skipped: no redis-server on this machine (Debian: apt-get install redis-server)')

describe.skipIf(!found)('limits in Redis', () => {
  let dir: string
  let start: () => Promise<void>
  let stop: () => Promise<unknown>
  let url: string
  const services: Service[] = []
  const counters: RateLimits[] = []

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lotline-redis-'))
    const socket = join(dir, 'redis.sock')
    start = async () => {
      const server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', dir], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const exited = once(server, 'exit')
      stop = () => {
        server.kill('SIGTERM')
        return exited
      }
      await new Promise<void>((ready) => {
        server.stdout.on('data', (chunk: Buffer) => {
          if (/ready to accept connections/i.test(chunk.toString())) ready()
        })
      })
    }
    await start()
    url = socket
    for (let i = 0; i < 2; i++) {
      const limits = await redisLimits(url)
      counters.push(limits)
      services.push(await startService({ limits, database: services[0]?.address }))
    }
  })
  afterAll(async () => {
    for (const service of services) await service.close()
    for (const counter of counters) await counter.close()
    await stop?.()
    await rm(dir, { recursive: true, force: true })
  })

  test('200 concurrent requests to two processes get exactly the plan’s 120', async () => {
    const { key } = await insertKey(services[0]!.db, { plan: 'pro', email: 'redis@example.com' })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ask(services[i % 2]!, '/v1/usage', { key })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(80)
    for (const { headers } of limited) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  test('a request counted by one process is visible in the other', async () => {
    const { key } = await insertKey(services[0]!.db, { plan: 'free', email: 'redis@example.com' })
    const left = async (i: number) => (await ask(services[i]!, '/v1/usage', { key })).headers['x-ratelimit-remaining']
    expect([await left(0), await left(1), await left(0)]).toEqual(['29', '28', '27'])
  })

  test('reading the limit does not count a request', async () => {
    const bucket = 'look'
    await counters[0]!.hit(bucket, 10)
    for (let i = 0; i < 5; i++) expect((await counters[1]!.peek(bucket, 10)).remaining).toBe(9)
  })

  test('while Redis is unavailable, requests with a key get 503, and others are counted by each process', async () => {
    const { key } = await insertKey(services[0]!.db, { plan: 'free', email: 'redis@example.com' })
    await ask(services[0]!, '/v1/usage', { key })
    await stop()
    const { status, headers } = await ask(services[0]!, '/v1/usage', { key })
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    const ip = '192.0.2.200'
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => ask(services[0]!, '/v1/usage', { key: 'demo', ip })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  test('after a restart of Redis a key gets one more window, counted exactly over both processes', async () => {
    const { key } = await insertKey(services[0]!.db, { plan: 'free', email: 'redis@example.com' })
    await start()
    for (const service of services)
      await expect.poll(async () => (await ask(service, '/v1/markets', { key })).status, { timeout: 10_000 }).toBe(200)
    const used = 30 - Number((await ask(services[0]!, '/v1/usage', { key })).headers['x-ratelimit-remaining'])
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(services[i % 2]!, '/v1/usage', { key })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30 - used)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 + used)
  })
})

test('after a long outage, Redis is found again within a second', () => {
  expect([1, 100].map(redisOptions.retryStrategy)).toEqual([100, 1_000])
})

test('an unreachable Redis is named at startup', async () => {
  await expect(redisLimits('redis://127.0.0.1:1')).rejects.toThrow(/REDIS_URL is set but Redis does not answer/)
})
