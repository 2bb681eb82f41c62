import { expect, test } from 'vitest'
import { isWellFormedKey, makeKey } from '../../../src/store/keys/api-key.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key is ll_<plan>_, 30 random characters and a 6-character checksum', () => {
  expect(makeKey('free')).toMatch(/^ll_free_[0-9A-Za-z]{36}$/)
  expect(makeKey('pro')).toMatch(/^ll_pro_[0-9A-Za-z]{36}$/)
})

test('all of 100,000 generated keys are valid', () => {
  let rejected = 0
  for (let i = 0; i < 100_000; i++) if (!isWellFormedKey(makeKey(i % 2 ? 'free' : 'pro'))) rejected++
  expect(rejected).toBe(0)
})

test('every single-character typo is detected', () => {
  let tried = 0
  const passed: string[] = []
  for (let i = 0; i < 20; i++) {
    const key = makeKey('free')
    for (let at = 0; at < key.length; at++)
      for (const letter of `${alphabet}_-`) {
        if (letter === key[at]) continue
        tried++
        const typo = key.slice(0, at) + letter + key.slice(at + 1)
        if (isWellFormedKey(typo)) passed.push(`${key} ${typo}`)
      }
  }
  expect(tried).toBeGreaterThan(50_000)
  expect(passed).toEqual([])
})

test('every swap of two adjacent characters is detected', () => {
  let tried = 0
  const passed: string[] = []
  for (let i = 0; i < 2_000; i++) {
    const key = makeKey('pro')
    for (let at = 0; at + 1 < key.length; at++) {
      if (key[at] === key[at + 1]) continue
      tried++
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
      if (isWellFormedKey(swapped)) passed.push(`${key} ${swapped}`)
    }
  }
  expect(tried).toBeGreaterThan(80_000)
  expect(passed).toEqual([])
})

test('a missing, doubled or invalid character is detected', () => {
  const key = makeKey('free')
  for (const text of [
    '',
    'demo',
    'll_free_',
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    `${key}\0`,
  ])
    expect(isWellFormedKey(text), JSON.stringify(text)).toBe(false)
})
