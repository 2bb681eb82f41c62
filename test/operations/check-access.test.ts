import { expect, test } from 'vitest'
import { checkAccess } from '../../src/operations/check-access.ts'

const key = (currentKeyId = 'k') => ({ id: 'k', currentKeyId })
const callers = {
  demo: { plan: 'demo', limits: { webhooks: false } },
  free: { plan: 'free', limits: { webhooks: false }, key: key() },
  promoted: { plan: 'free', limits: { webhooks: true }, key: key() },
  pro: { plan: 'pro', limits: { webhooks: true }, key: key() },
  replaced: { plan: 'pro', limits: { webhooks: true }, key: key('another') },
}
/** Who may run it, and what the others are told. */
const refused = (operation: object) =>
  Object.entries(callers).map(([name, caller]) => {
    try {
      checkAccess({ tag: 'Deals', access: 'key', method: 'GET', name: 'x', ...operation } as never, caller as never)
      return name
    } catch (error) {
      return `no ${name}: ${(error as Error).message.split(/[.;]/)[0]}`
    }
  })

test('each access is given to its plans, and a key that was replaced only reads, or revokes itself', () => {
  const all = Object.keys(callers)
  expect(refused({})).toEqual(all)
  const [, ...keyed] = all
  expect(refused({ access: 'ownKey' }).slice(1)).toEqual(keyed)
  expect(refused({ access: 'ownKey' })[0]).toMatch(/^no demo: /)
  const shut = (operation: object) =>
    refused(operation).flatMap((text) => (text.startsWith('no ') ? [text.slice(3).split(':')[0]] : []))
  expect(shut({ access: 'pro' })).toEqual(['demo', 'free'])
  expect(shut({ access: 'proPlan' })).toEqual(['demo', 'free', 'promoted'])
  expect(shut({ method: 'POST' })).toEqual(['replaced'])
  expect(shut({ method: 'POST', onlyReads: true })).toEqual([])
  expect(shut({ method: 'DELETE', name: 'delete_key' })).toEqual([])
  expect(refused({ method: 'POST' }).at(-1)).toBe(
    'no replaced: This key was replaced and can only read until it expires',
  )
})
