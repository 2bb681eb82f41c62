// The parts of a delivery that need no database: one POST, what is recorded of it, and the loop that polls.
import { MockAgent } from 'undici'
import { afterEach, expect, test, vi } from 'vitest'
import { attemptRecord, retrySeconds } from '../../src/events/delivery-attempt.ts'
import { pollLoop } from '../../src/events/poll-loop.ts'
import { send, signatureHeaders } from '../../src/events/send.ts'

const at = new Date('2026-03-01T00:00:00Z')
const attempt = { url: 'https://hooks.example.com/x', eventId: 'evt_1', body: '{}', at, secret: 'whsec_QUJD' }
const agent = () => {
  const mock = new MockAgent()
  mock.disableNetConnect()
  return mock
}
const posted = async (status: number, headers = {}, body = 'thanks') => {
  const dispatcher = agent()
  dispatcher.get('https://hooks.example.com').intercept({ path: '/x', method: 'POST' }).reply(status, body, { headers })
  return send({ dispatcher, allowPrivate: false, userAgent: 'Lotline/test' }, attempt)
}

test('statuses from 200 to 299 are a success; others say what the receiver did', async () => {
  const errors: [number, string | undefined][] = []
  for (const status of [200, 204, 299, 300, 302, 399, 400, 410, 429, 500, 503]) {
    const before = performance.now()
    const outcome = await posted(status)
    expect(outcome).toMatchObject({ ok: status < 300, status, response: 'thanks' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0)
    expect(outcome.durationMs).toBeLessThanOrEqual(performance.now() - before + 1)
    errors.push([status, outcome.error])
  }
  expect(errors).toEqual([
    ...[200, 204, 299].map((status) => [status, undefined]),
    ...[300, 302, 399].map((status) => [status, `redirects are not followed (${status})`]),
    ...[400, 410, 429, 500, 503].map((status) => [status, `the receiver returned ${status}`]),
  ])
})

test('only 429 and 503 may ask to wait', async () => {
  const waits: [number, number | undefined][] = []
  for (const status of [200, 400, 429, 500, 502, 503, 504])
    waits.push([status, (await posted(status, { 'retry-after': '900' })).retryAfterSeconds])
  expect(waits).toEqual(
    [200, 400, 429, 500, 502, 503, 504].map((status) => [status, [429, 503].includes(status) ? 900 : undefined]),
  )
  const date = { 'retry-after': new Date(at.getTime() + 60_000).toUTCString() }
  expect((await posted(503, date)).retryAfterSeconds).toBe(60)
})

test('the response is cut at 20,000 bytes', async () => {
  for (const [sent, kept] of [
    [19_999, 19_999],
    [20_000, 20_000],
    [20_001, 20_000],
  ] as const)
    expect((await posted(200, {}, 'x'.repeat(sent))).response).toHaveLength(kept)
})

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['UND_ERR_SOCKET', 'connection closed by the receiver'],
  ['CERT_HAS_EXPIRED', 'certificate rejected: expired'],
  ['ESOMETHING', 'connection failed (ESOMETHING)'],
])('a failure with %s is reported without what the system says of it', async (code, error) => {
  const dispatcher = agent()
  const thrown = Object.assign(new Error('the request with its signature'), { code })
  dispatcher.get('https://hooks.example.com').intercept({ path: '/x', method: 'POST' }).replyWithError(thrown)
  const outcome = await send({ dispatcher, allowPrivate: false, userAgent: 'Lotline/test' }, attempt)
  expect(outcome).toEqual({ ok: false, error, durationMs: expect.any(Number) })
  expect(outcome.durationMs).toBeLessThan(30_000)
})

test('a private address is refused before a request', async () => {
  const sender = { dispatcher: agent(), allowPrivate: false, userAgent: 'Lotline/test' }
  const outcome = await send(sender, { ...attempt, url: 'https://127.0.0.1/x' })
  expect(outcome.error).toMatch(/^address rejected: /)
})

test('the signature of the previous secret is there only after a rotation', () => {
  const headers = signatureHeaders(attempt)
  expect(Object.keys(headers)).toEqual(['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
  expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1772323200' })
  const both = signatureHeaders({ ...attempt, previousSecret: 'whsec_REVG' })
  expect(both['x-service-signature-previous']).toMatch(/^sha256=[0-9a-f]{64}$/)
  expect(both['webhook-signature']!.split(' ')).toHaveLength(2)
})

const due = (attempts: number) => ({ id: 'del_1', endpointId: 'whk_1', attempts }) as never
const job = { id: 'job', retryCount: 0, data: {} }
const recordOf = (attempts: number, outcome: object, random = 0.5) =>
  attemptRecord({ job, due: due(attempts) }, at, { durationMs: 250, ok: false, ...outcome }, random)
const secondsUntil = (record: ReturnType<typeof attemptRecord>) =>
  record.nextAttemptAt && (record.nextAttemptAt.getTime() - at.getTime() - 250) / 1000

test('the wait after each attempt is its scheduled time, 20% less or more; after the last there is none', () => {
  for (const [made, base] of retrySeconds.entries()) {
    const waits = [0, 0.25, 0.5, 1].map((random) => secondsUntil(recordOf(made, { status: 500 }, random))!)
    for (const [index, share] of [0.8, 0.9, 1, 1.2].entries()) expect(waits[index]).toBeCloseTo(base * share, 2)
    expect(recordOf(made, { status: 500 })).toMatchObject({ attempt: made + 1, state: 'waiting', gone: false })
  }
  expect(recordOf(retrySeconds.length, { status: 500 })).toMatchObject({
    attempt: 10,
    state: 'failed',
    nextAttemptAt: undefined,
  })
})

test('Retry-After only ever lengthens the wait, up to a day', () => {
  const waitOf = (retryAfterSeconds: number) => secondsUntil(recordOf(1, { status: 503, retryAfterSeconds }))
  expect([1, 300, 900, 86_400, 999_999].map(waitOf)).toEqual([300, 300, 900, 86_400, 86_400])
})

test('a success and a 410 are the last attempt', () => {
  expect(recordOf(0, { ok: true, status: 200 })).toMatchObject({
    state: 'delivered',
    gone: false,
    nextAttemptAt: undefined,
  })
  expect(recordOf(0, { status: 410 })).toMatchObject({ state: 'failed', gone: true, nextAttemptAt: undefined })
})

afterEach(() => void vi.useRealTimers())

/** Times of the polls in the first `ms`, with the jobs that each one finds. */
const pollsWithin = async (ms: number, found: (poll: number) => number, more: object = {}) => {
  vi.useFakeTimers({ now: at })
  const times: number[] = []
  const loop = pollLoop(
    { busyFrom: 10, busyMs: 100, quietMs: 1_000 },
    {
      poll: async () => {
        times.push(Date.now() - at.getTime())
        return found(times.length)
      },
      onError: () => {},
      ...more,
    },
  )
  loop.start()
  loop.start()
  await vi.advanceTimersByTimeAsync(ms)
  await loop.stop()
  const polls = times.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(times).toHaveLength(polls)
  return times
}

test('polls at once after a full batch, often for five seconds after work, and else rarely', async () => {
  expect(await pollsWithin(3_500, () => 0)).toEqual([0, 1000, 2000, 3000])
  expect(await pollsWithin(250, (poll) => (poll <= 2 ? 10 : 9))).toEqual([0, 0, 0, 100, 200])
  const afterOne = await pollsWithin(8_000, (poll) => (poll === 1 ? 1 : 0))
  expect(afterOne.filter((time) => time <= 5_000)).toHaveLength(51)
  expect(afterOne.filter((time) => time > 5_000)).toEqual([6000, 7000, 8000])
})

test('does its other work once a minute, and goes on a second after an error', async () => {
  const minutes: number[] = []
  await pollsWithin(185_000, () => 0, { everyMinute: async () => void minutes.push(Date.now() - at.getTime()) })
  expect(minutes).toEqual([61_000, 122_000, 183_000])
  const errors: unknown[] = []
  const times = await pollsWithin(2_500, () => Promise.reject(new Error('down')) as never, {
    onError: (error: Error) => errors.push(error.message),
  })
  expect(times).toEqual([0, 1000, 2000])
  expect(errors).toEqual(['down', 'down', 'down'])
})
