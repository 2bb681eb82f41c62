import { expect, test } from 'vitest'
import type { ToolContext } from '../../src/agent/list-answer.ts'
import { lookUpAnswer } from '../../src/agent/look-up-answer.ts'

const textFor = async (listing: object): Promise<string> => {
  const candidate = {
    id: 'p_001a',
    address: '1 Elm St',
    city: 'Menlo Park',
    market: 'sf-peninsula',
    matched: {},
    listing,
  }
  const data = { match: 'exact', candidates: [candidate], read: {}, covered: true }
  const client = { lookUpAddress: async () => ({ data, asOf: '2026-11-15T12:00:00Z' }) }
  const { content } = await lookUpAnswer({ client, service: 'test', options: {} } as unknown as ToolContext, {})
  return JSON.stringify(content)
}

test('a sold home is stated with its sale price, not with its list price', async () => {
  const sold = { status: 'sold', price: 3_248_888, soldPrice: 3_231_500, soldDate: '2026-10-02' }
  expect(await textFor(sold)).toContain('sold for $3,231,500 on 2026-10-02')
  expect(await textFor(sold)).not.toContain('3,248,888')
  expect(await textFor({ status: 'sold', price: 3_248_888 })).toContain('sold, listed at $3,248,888')
  expect(await textFor({ status: 'active', price: 3_248_888 })).toContain('active at $3,248,888')
})
