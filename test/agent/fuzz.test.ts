// Random calls: no crash, and every call gets a result. LOTLINE_FUZZ_CALLS=10000 does the full run.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { estimateTokens } from '../../src/agent/budget.ts'
import { operationList } from '../../src/wire/operations/list.ts'
import { type Connection, connectAgent } from './connection.ts'
import { injectionStrings } from './injection-strings.ts'
import { list, ordinary, type Reply, type Seen, type StandIn, signal, standInService } from './stand-in-service.ts'

const calls = Number(process.env.LOTLINE_FUZZ_CALLS ?? 1000)

let service: StandIn
let agent: Connection
beforeAll(async () => {
  service = await standInService(ordinary)
  agent = await connectAgent(service.baseUrl, { apiKey: 'll_free_0123456789secret', deadlineMs: 200 })
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

const names = [
  'search_permits',
  'list_sb9_inventory',
  'list_adu_leads',
  'list_sales',
  'list_redevelopment_leads',
  'list_market_signals',
  'get_coverage',
  'get_property_intelligence',
  'run_proforma',
]
const argumentNames = [
  ...new Set(operationList.flatMap(({ input }) => Object.keys(input.properties))),
  'fields',
  '__proto__',
  'constructor',
  'toString',
  '',
]

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...injectionStrings, 'San Mateo', 'p1', '2026-11-01', 'any'),
)
const value = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
)
const args = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...argumentNames), value, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

/** Responses of a healthy, a broken and a hostile service. */
const replies: ((seen: Seen) => Reply)[] = [
  ordinary,
  ordinary,
  ordinary,
  () => ({ status: 500, body: 'oops' }),
  () => ({ status: 429, headers: { 'retry-after': 'soon' }, body: {} }),
  () => ({ status: 204, body: '' }),
  () => ({ body: { success: true } }),
  () => ({ body: { success: true, data: null, pagination: null } }),
  () => ({ body: { success: true, data: {}, pagination: {}, asOf: 7 } }),
  () => ({ body: { success: true, data: [null, 1, 'x', [], {}], pagination: { total: 'x' }, asOf: null } }),
  () => ({ body: list(Array.from({ length: 300 }, () => signal({ address: '漢'.repeat(2000) }))) }),
  () => ({ body: { success: true, data: 'text', asOf: '2026-01-01' } }),
  () => ({ body: '[1,2' }),
]

test(`${calls} random calls each return a result or an error with advice, within the token budget`, async () => {
  let made = 0
  const outcomes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, fc.constantFrom(...replies), async (name, given, reply) => {
      service.answer(reply)
      made++
      const answered = await agent.call(name, given as Record<string, unknown>).catch((error: Error) => {
        // Arguments that are not an object violate the protocol: the server rejects the request and keeps running.
        if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
        throw error
      })
      if (!answered) return
      outcomes.set(answered.answer.outcome, (outcomes.get(answered.answer.outcome) ?? 0) + 1)
      expect(answered.text.length).toBeGreaterThan(10)
      expect(estimateTokens(answered.raw)).toBeLessThan(20_000)
      expect(answered.raw).not.toContain('0123456789secret')
      expect(answered.raw).not.toMatch(/at .*\.ts:\d+|TypeError|undefined is not|Cannot read/)
    }),
    { numRuns: calls, seed: 20_261_115 },
  )
  expect(made).toBe(calls)
  // The run included successes as well as errors.
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['ok', 'unavailable', 'bad_request']))
  await expect(agent.client.listTools()).resolves.toBeDefined()
}, 600_000)
