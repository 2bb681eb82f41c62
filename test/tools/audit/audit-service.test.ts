import { expect, test } from 'vitest'
import { auditService } from '../../../tools/audit/audit-service.ts'
import type { ServiceReader } from '../../../tools/audit/service-reader.ts'

const found = { id: 'listed' }

/** Serves one listed property, a second one that is on no list, and a permit in each of two markets. */
const service: ServiceReader = {
  json: async (path, sent) => {
    if (path.startsWith('/market-signals?market=nantucket')) return { data: [found] }
    if (path === '/search') {
      const { criteria, cursor } = sent as { criteria: { market: string }; cursor?: string }
      if (criteria.market !== 'nantucket') return { data: [] }
      return cursor
        ? { data: [{ id: 'on no list' }], pagination: { nextCursor: null } }
        : { data: [found], pagination: { nextCursor: 'second page' } }
    }
    if (path.startsWith('/permits?market=all')) return { data: [{ city: 'Nantucket' }, { city: 'Palo Alto' }] }
    return path.startsWith('/properties/') ? { data: {} } : { data: [] }
  },
  page: async () => undefined,
  tool: async () => undefined,
}

test('properties on no list and the permits of every market are checked', async () => {
  const { checked } = await auditService(service)
  expect(checked).toMatchObject({ properties: 2, permits: 2 })
})

test('a service without a search is checked by its lists', async () => {
  const older: ServiceReader = {
    ...service,
    json: async (path, sent) => (path === '/search' ? undefined : await service.json(path, sent)),
  }
  expect((await auditService(older)).checked.properties).toBe(1)
})
