// What a cached answer costs, counted instead of timed: a count does not depend on the machine, so it can fail in a test run.
import { createHook } from 'node:async_hooks'
import { Agent, get } from 'node:http'
import { Counter, Histogram } from 'prom-client'
import { beforeAll, expect, test, vi } from 'vitest'
import { usageCounts } from '../../src/api/usage-counts.ts'
import { statementChannel } from '../../src/store/engine/trace-channels.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { usageSince } from '../../src/store/keys/usage.ts'
import { permit, source } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

// prom-client binds these when a metric is made.
const counts = {
  'labels of metrics turned into text': [
    vi.spyOn(Counter.prototype as unknown as { incWithoutExemplar(): void }, 'incWithoutExemplar'),
    vi.spyOn(Histogram.prototype as unknown as { observeWithoutExemplar(): void }, 'observeWithoutExemplar'),
  ],
  'days written out': [vi.spyOn(Date.prototype, 'toISOString')],
}

const service = useService({ logLevel: 'error' })
let url: string
beforeAll(async () => {
  await source(service().db)
  await permit(service().db, { permit_id: 'B-1', issued_on: '2026-01-02' })
  url = await service().app.listen({ port: 0, host: '127.0.0.1' })
})

const requests = 100

/** Without promises of its own, which would be counted. */
const send = (agent: Agent, key: string, left: number, done: () => void): void => {
  get(`${url}/api/v1/permits?limit=5`, { agent, headers: { 'x-api-key': key } }, (answer) => {
    answer.resume().on('end', () => (left > 1 ? send(agent, key, left - 1, done) : done()))
  })
}

/** Everything that happens in the process while cached answers are sent one after another, per answer. */
const perAnswer = async (): Promise<Record<string, number>> => {
  const key = await service().proKey()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const asked = (left: number) => new Promise<void>((done) => send(agent, key, left, done))
  await asked(3)
  for (const spy of Object.values(counts).flat()) spy.mockClear()
  let statements = 0
  const handlers = { start: () => void statements++, end() {}, asyncStart() {}, asyncEnd() {}, error() {} }
  const made: Record<string, number> = {}
  const hook = createHook({
    init: (_id, type) => {
      made[type] = (made[type] ?? 0) + 1
    },
  })
  statementChannel.subscribe(handlers)
  hook.enable()
  await asked(requests)
  hook.disable()
  statementChannel.unsubscribe(handlers)
  agent.destroy()
  const spied = Object.entries(counts).map(([name, spies]) => [
    name,
    spies.reduce((sum, { mock }) => sum + mock.calls.length, 0),
  ])
  const all: Record<string, number> = {
    ...Object.fromEntries(spied),
    statements,
    promises: made.PROMISE ?? 0,
    timers: made.Timeout ?? 0,
  }
  return Object.fromEntries(Object.entries(all).map(([name, count]) => [name, Math.round(count / requests)]))
}

test('a cached answer sends no statement, writes out no day, asks for no metric by its labels and waits rarely', async () => {
  const { promises, timers, ...rest } = await perAnswer()
  expect(rest).toEqual({ 'labels of metrics turned into text': 0, 'days written out': 0, statements: 0 })
  // As measured. Lower them when the path gets shorter; raise them only for something a caller gets.
  expect(promises).toBeLessThanOrEqual(14)
  expect(timers).toBeLessThanOrEqual(2)
})

test('usage is written once per key and day, however many requests there were', async () => {
  const { db } = service()
  const keys = await Promise.all([1, 2].map(() => insertKey(db, { plan: 'pro', email: 'pro@example.com' })))
  const usage = usageCounts(db)
  const [day] = counts['days written out']
  day!.mockClear()
  const [before, after] = [new Date('2026-03-01T23:59:59.999Z'), new Date('2026-03-02T00:00:00Z')]
  for (let n = 0; n < 1_000; n++) for (const { id } of keys) usage.add(id, n % 10 === 0, before)
  expect(day).not.toHaveBeenCalled()
  usage.add(keys[0]!.id, false, after)
  let statements = 0
  const handlers = { start: () => void statements++, end() {}, asyncStart() {}, asyncEnd() {}, error() {} }
  statementChannel.subscribe(handlers)
  await usage.close()
  statementChannel.unsubscribe(handlers)
  expect(statements).toBe(1)
  const of = async (at: number) =>
    (await usageSince(db, keys[at]!.id, '2026-01-01')).map((row) => [
      row.day,
      Number(row.requests),
      Number(row.refused),
    ])
  expect(await of(0)).toEqual([
    ['2026-03-02', 1, 0],
    ['2026-03-01', 1_000, 100],
  ])
  expect(await of(1)).toEqual([['2026-03-01', 1_000, 100]])
})
