import { expect, test } from 'vitest'
import { auditService } from '../../src/audit/audit-service.ts'
import { compareSearch } from '../../src/audit/search-rules.ts'
import type { ServiceReader } from '../../src/audit/service-reader.ts'

const found = { id: 'listed' }

/** Serves one listed property, and a second one that is on no list. */
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
    return path.startsWith('/properties/') ? { data: {} } : { data: [] }
  },
  page: async () => undefined,
  tool: async () => undefined,
}

test('properties on no list are checked', async () => {
  const { checked } = await auditService(service)
  expect(checked).toMatchObject({ properties: 2 })
})

test('a service without a search is checked by its lists', async () => {
  const older: ServiceReader = {
    ...service,
    json: async (path, sent) => (path === '/search' ? undefined : await service.json(path, sent)),
  }
  expect((await auditService(older)).checked.properties).toBe(1)
})

test('a list that takes an unknown score for 0 differs from brute force in its bounds and orders', async () => {
  const rows = [40, undefined, 10, 0, 25].map((conditionScore, at) => ({ id: `p_${at}`, conditionScore }))
  const compared = async (unknown: number | undefined) => {
    const list: ServiceReader = {
      ...service,
      json: async (path) => {
        const asked = new URL(path, 'http://list').searchParams
        const [sort, least, most] = ['sort', 'minConditionScore', 'maxConditionScore'].map((name) => asked.get(name))
        const value = (row: (typeof rows)[number]) => row.conditionScore ?? unknown
        const last = sort?.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
        const data = rows
          .filter((row) => !least || (value(row) ?? -1) >= Number(least))
          .filter((row) => !most || (value(row) ?? 101) <= Number(most))
          .sort((a, b) => (sort?.startsWith('-') ? -1 : 1) * ((value(a) ?? last) - (value(b) ?? last)))
        return { data, pagination: { total: data.length } }
      },
    }
    const found = await compareSearch(list, { kind: 'listings', path: '/market-signals?', rows }, 500)
    return found.filter(({ asked }) => asked.includes('onditionScore')).map(({ differs }) => differs !== undefined)
  }
  expect(await compared(undefined)).toEqual([false, false, false, false])
  // minConditionScore=25 keeps the right rows either way.
  expect(await compared(0)).toEqual([false, true, true, true])
})
