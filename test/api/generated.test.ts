// Sends random requests to every operation, generated from its OpenAPI description. FUZZ_RUNS sets how many.
import fc from 'fast-check'
import Value from 'typebox/value'
import { beforeAll, expect, test } from 'vitest'
import { errorStatuses } from '../../src/api/openapi.ts'
import { implementations } from '../../src/operations/list.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { ErrorEnvelope } from '../../src/wire/pagination.ts'
import {
  adu,
  assessment,
  listing,
  manyPermits,
  permit,
  proforma,
  property,
  redevelopment,
  sale,
  sb9,
} from '../setup/rows.ts'
import { useService } from '../setup/service.ts'
import { anyRequest, type GeneratedRequest } from './generated-input.ts'

const runs = Number(process.env.FUZZ_RUNS ?? (process.env.LOTLINE_WEEKLY ? 3_000 : 250))
const service = useService({ logLevel: 'error' })
const known: Record<string, string[]> = {}
const operations = new Map(implementations.map(({ operation }) => [operation.name, operation]))

beforeAll(async () => {
  const { db } = service()
  await manyPermits(db, 300)
  await permit(db, { permit_id: 'one', valuation_usd: 5, sqft: 2, description: 'ADU' })
  for (let i = 0; i < 30; i++) {
    const id = await property(db, { lot_sqft: 5000 + i, zoning: 'R-1' })
    const status = (['active', 'pending', 'sold', 'coming_soon'] as const)[i % 4]!
    await listing(db, { property_id: id, status, ...(status === 'sold' ? { sold_on: '2026-11-01' } : {}) })
    await assessment(db, id, {
      rank_score: i,
      teardown_score: i,
      sb9: sb9(),
      sb9_status: 'eligible',
      sb9_max_units: 4,
      adu: adu(),
      adu_score: 80,
      redevelopment: redevelopment(),
      redevelopment_score: 80,
      proforma: proforma({ roiPct: 1.5 }),
    })
    await sale(db, { property_id: id, living_sqft: 1_800, sold_on: `2026-1${i % 2}-0${1 + (i % 9)}` })
    known.id = [...(known.id ?? []), id]
  }
  known.citySlug = ['palo-alto', 'menlo-park']
  known.permitId = ['one', 'M-000001']
  known.city = ['palo alto', 'Palo-Alto', 'menlo park']
  known.q = ['adu', 'reroof 7', '%']
})

/** Operations whose fields exclude or restrict each other, so that valid fields together can be a 400. */
const combined = new Set([
  'get_property_schemes',
  'look_up_address',
  'create_watch',
  'update_watch',
  'list_events',
  'create_export',
  'register_webhook',
  'update_webhook',
])
/** Operations that answer an invalid item with an error of its own. */
const perItem = new Set(['look_up_batch'])

let sent = 0
let key = ''
let keyUsed = 0
/** A new key and mailbox for each operation that changes keys, otherwise one per 100 requests: below every limit of a plan. */
const keyFor = async ({ name }: GeneratedRequest) => {
  const apart = ['rotate_key', 'delete_key', 'register_webhook', 'create_export'].includes(name)
  const made = async () => (await insertKey(service().db, { plan: 'pro', email: `fuzz${sent}@example.com` })).key
  if (apart) return made()
  if (keyUsed++ % 100 === 0) key = await made()
  return key
}

const hasFields = (path: string, body: string | undefined): boolean =>
  path.includes('fields=') || (body?.includes('"fields":[') ?? false)

/** With `fields`, rows lack what was not asked for; what they have must still fit, and nothing else may be there. */
const withFewerFields = (output: object): Record<string, unknown> => {
  const schema = JSON.parse(JSON.stringify(output)) as { properties: { data: { items: unknown } } }
  schema.properties.data.items = partial(schema.properties.data.items)
  return schema as unknown as Record<string, unknown>
}

const partial = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(partial)
  if (typeof schema !== 'object' || schema === null) return schema
  const { required: _, ...rest } = schema as Record<string, unknown>
  const kept = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, partial(value)]))
  return 'properties' in kept ? { ...kept, additionalProperties: false } : kept
}

const addressOf = (count: number) => `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`

test(
  'no request returns 5xx, every 200 matches its schema, and every invalid request is rejected',
  { timeout: 1_800_000 },
  async () => {
    const counts = { right: 0, wrong: 0 }
    const statuses = new Map<number, number>()
    const driven = new Set<string>()
    await fc.assert(
      fc.asyncProperty(anyRequest([...operations.values()], known), async (request) => {
        const { name, wrong, path, body } = request
        const operation = operations.get(name)!
        const apiKey = await keyFor(request)
        const answer = await service().app.inject({
          method: operation.method,
          url: path,
          headers: {
            ...(operation.access === 'open' ? {} : { 'x-api-key': apiKey }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          remoteAddress: addressOf(++sent),
          ...(body === undefined ? {} : { payload: body }),
        })
        const { statusCode: status } = answer
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        driven.add(name)
        counts[wrong === undefined ? 'right' : 'wrong']++
        // CSV and GeoJSON have schemas of their own.
        const isJson = String(answer.headers['content-type']).startsWith('application/json')
        const json: unknown = isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined
        expect(status, answer.body).toBeLessThan(500)
        expect(answer.headers['x-request-id']).toBeTruthy()
        expect(answer.headers['x-ratelimit-limit']).toBeDefined()
        const succeeded = operation.accepted ? 202 : 200
        if (status === succeeded && isJson) {
          const output =
            !operation.accepted && hasFields(path, body) ? withFewerFields(operation.output) : operation.output
          if (!Value.Check(output, json))
            expect.fail(`${JSON.stringify([...Value.Errors(output, json)].slice(0, 3))} ${answer.body.slice(0, 300)}`)
        } else if (status !== succeeded) {
          expect(errorStatuses(operation)).toContain(status)
          expect(Value.Check(ErrorEnvelope, json), answer.body).toBe(true)
        }
        if (wrong !== undefined)
          expect(perItem.has(name) ? [200, 400] : [400, 404], `${wrong}: ${answer.body}`).toContain(status)
        else expect([succeeded, 404, ...(combined.has(name) ? [400] : [])], answer.body).toContain(status)
      }),
      { numRuns: runs },
    )
    console.info(
      `generated requests: ${sent} (${counts.right} right, ${counts.wrong} wrong) over ${driven.size} operations; ` +
        `statuses ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
    )
  },
)
