import { expect, test } from 'vitest'
import { routes } from '../../src/client/routes.ts'
import type { Operation } from '../../src/wire/operation.ts'
import { operations } from '../../src/wire/operations/list.ts'

const pagingOf = ({ output, input }: Operation): string | undefined => {
  const fields = (output as unknown as { properties: Record<string, { type?: string }> }).properties
  if (fields.data?.type !== 'array') return undefined
  return ['cursor', 'after', 'offset'].find((name) => name in input.properties)
}

test('the client’s routes equal those of the contract', () => {
  const fromContract = Object.entries(operations).map(([name, operation]) => {
    const paging = pagingOf(operation)
    return [name, paging ? [operation.method, operation.path, paging] : [operation.method, operation.path]]
  })
  expect(routes).toEqual(Object.fromEntries(fromContract))
})
