import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, connectAgent, type ToolResult } from './connection.ts'
import { injectionStrings } from './injection-strings.ts'
import { errorBody, list, one, type Seen, type StandIn, standInService } from './stand-in-service.ts'

const apiKey = 'll_free_0123456789abcdefSECRET'
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u

/** A record whose every text field that comes from a feed contains the injected string. */
const poisoned = (text: string) => {
  const record = {
    id: 'p1',
    permitId: text,
    address: text,
    city: text,
    description: text,
    projectType: text,
    contractor: text,
    architect: text,
    visionAnalysis: text,
    zoning: text,
    valuation: null,
    issuedDate: '2026-11-01',
    status: text,
    warnings: [text],
    blockReasons: [{ code: text, reason: text, citation: text }],
    blockers: [{ code: text, reason: text }],
    units: [{ kind: text, sqft: 1 }],
    lot: { sqft: 1 },
    far: {},
    lotSplit: { eligible: false, lots: [{ [text]: text }] },
    metadata: {},
    intelligence: { modelVersion: text },
    comparables: {},
    facts: { [text]: text },
    explanation: { [text]: { parts: [{ name: text, points: 1, because: text }], used: [text] } },
    comps: [{ address: text, [text]: text }],
    proforma: { unmodellableReason: null, assumptions: { buildSizeBasis: text, [text]: text } },
    source: { source: text, title: text, licence: text },
    dataset: text,
    sources: [{ id: text, title: text, sample: false }],
  }
  return { record, envelope: { asOf: text, historyWindow: { days: 30, oldestDate: text } } }
}

let service: StandIn
let agent: Connection
beforeAll(async () => {
  service = await standInService(() => ({ body: list([]) }))
  agent = await connectAgent(service.baseUrl, { apiKey })
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

const tools: [string, Record<string, unknown>][] = [
  ['search_permits', {}],
  ['search_permits', { fields: ['description', 'address'] }],
  ['list_sb9_inventory', {}],
  ['list_adu_leads', {}],
  ['list_sales', {}],
  ['list_redevelopment_leads', {}],
  ['list_market_signals', { fields: ['visionAnalysis', 'source'] }],
  ['get_coverage', {}],
  ['get_property_intelligence', { id: 'p1' }],
  ['run_proforma', { id: 'p1' }],
]

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...strings(inner)])
}

/** Problems in a result. Collected and asserted once, because a hundred thousand assertions would be slow. */
const faults = ({ text, answer }: ToolResult): string[] => [
  ...strings(answer).filter((each) => invisible.test(each)),
  // Feed text is cut to less than 800 characters; the longest other text is a note that lists field names.
  ...strings(answer).filter((each) => each.length > 800),
  ...(invisible.test(text.replaceAll('\n', '')) ? ['invisible in text'] : []),
  ...(text.match(/[<>`[\]]/g) ?? []),
  // No line may start with feed text: each starts with our own text or a table border.
  ...text.split('\n').filter((line) => /^\s*(?:Human|Assistant|SYSTEM|#|!|IMPORTANT|Ignore)/.test(line)),
]

test('there are 200 different injected strings', () => {
  expect(new Set(injectionStrings).size).toBe(200)
})

test('injected strings appear only as visible data in the results of every tool', async () => {
  const wrong: string[] = []
  const check = async (name: string, args: Record<string, unknown>) => {
    const result = await agent.call(name, args)
    wrong.push(...faults(result))
    if (result.isError || (result.answer.provenance as { untrusted?: boolean }).untrusted !== true)
      wrong.push(result.text)
  }
  for (const text of injectionStrings) {
    service.answer(() => ({ body: { ...one(poisoned(text).record), asOf: text } }))
    for (const [name, args] of tools.filter(([, { id }]) => id)) await check(name, args)
  }
  // A list result contains several strings at once, which saves calls.
  for (let first = 0; first < injectionStrings.length; first += 5) {
    const planted = injectionStrings.slice(first, first + 5)
    service.answer(({ path }: Seen) => ({
      body: list(
        planted.map((text) => poisoned(text).record),
        { nextCursor: path === '/v1/permits' ? planted[0] : undefined },
        poisoned(planted[0]!).envelope,
      ),
    }))
    for (const [name, args] of tools.filter(([, { id }]) => !id)) await check(name, args)
  }
  expect(wrong).toEqual([])
})

test('injected strings never appear in errors, tool descriptions or prompts', async () => {
  const before = JSON.stringify([await agent.client.listTools(), await agent.client.listPrompts()])
  const wrong: string[] = []
  for (const text of injectionStrings)
    for (const status of [401, 403, 404, 429, 500, 503]) {
      service.answer(() => ({ status, headers: { 'retry-after': '99' }, body: errorBody('x', text) }))
      const result = await agent.call('search_permits')
      wrong.push(...faults(result))
      if (!result.isError || /ignore all|PWNED|evil\.example|attacker@/i.test(result.raw)) wrong.push(result.raw)
    }
  expect(wrong).toEqual([])
  expect(JSON.stringify([await agent.client.listTools(), await agent.client.listPrompts()])).toBe(before)
})

test('results never contain the key, even when the service echoes it', async () => {
  const leaks = [
    () => ({ body: list([{ ...poisoned(apiKey).record, note: `x${apiKey}y` }]) }),
    () => ({ body: one(poisoned(apiKey).record) }),
    () => ({ status: 400, body: errorBody('bad_request', `key ${apiKey} is odd`) }),
    () => ({ status: 401, body: errorBody('unauthorized', `no such key: ${apiKey}`) }),
    () => ({ status: 302, headers: { location: `http://127.0.0.1:1/?apiKey=${apiKey}` }, body: '' }),
  ]
  for (const leak of leaks) {
    service.answer(leak)
    for (const [name, args] of tools) {
      const { raw } = await agent.call(name, args)
      expect(raw).not.toContain(apiKey)
    }
  }
  const { raw } = await agent.call('search_permits', { q: apiKey, town: apiKey })
  expect(raw).not.toContain(apiKey)
})
