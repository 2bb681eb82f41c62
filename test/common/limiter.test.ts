import { expect, test } from 'vitest'
import { LimiterFull, type LimiterOptions, limiter } from '../../src/common/limiter.ts'

/** A limiter on a clock that the test sets; `order` is what started, in order. */
const open = (options: LimiterOptions = {}) => {
  let now = 0
  const limits = limiter({ ...options, now: () => now })
  const order: string[] = []
  const release = new Map<string, () => void>()
  const take = (key: string, most = 9, name = key, signal?: AbortSignal) =>
    limits.take(key, most, signal).then((end) => {
      order.push(name)
      release.set(name, end)
    })
  /** Ends what started under this name, after the time. */
  const end = async (name: string, afterMs = 0) => {
    now += afterMs
    release.get(name)!()
    await settled()
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { ...limits, take, end, pass, order }
}
const settled = () => new Promise((done) => setImmediate(done))

test('a key over its own limit waits in order, and other keys do not wait for it', async () => {
  const { take, end, order } = open({ total: 9 })
  for (const name of ['a1', 'a2', 'a3']) void take('a', 1, name)
  void take('b')
  await settled()
  expect(order).toEqual(['a1', 'b'])
  await end('a1')
  await end('a2')
  expect(order).toEqual(['a1', 'b', 'a2', 'a3'])
})

test('a free slot goes to the key that has used the least time, running time included', async () => {
  const { take, end, order } = open({ total: 2 })
  await take('heavy', 9, 'heavy1')
  await take('light', 9, 'light1')
  await end('light1', 10)
  await take('running', 9, 'running')
  void take('heavy', 9, 'heavy2')
  void take('light', 9, 'light2')
  await end('heavy1', 1_000)
  expect(order.at(-1)).toBe('light2')
  await end('light2', 1)
  expect(order.at(-1)).toBe('heavy2')
})

test('a total that falls lets what runs end, and starts fewer after it', async () => {
  let total = 2
  const { take, end, order, running } = open({ total: () => total })
  for (const name of ['a', 'b', 'c', 'd']) void take(name)
  await settled()
  total = 1
  await end('a')
  expect([running(), order]).toEqual([1, ['a', 'b']])
  await end('b')
  total = 2
  await end('c')
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test('time counts in proportion to the limit of the key', async () => {
  const { take, end, order } = open({ total: 1 })
  await take('pro', 8, 'pro1')
  void take('demo', 2, 'demo1')
  await end('pro1', 300)
  void take('pro', 8, 'pro2')
  void take('demo', 2, 'demo2')
  await end('demo1', 100)
  expect(order.at(-1)).toBe('pro2')
})

test('a free slot wakes one waiting request, and freeing it twice frees one', async () => {
  const { take, end, order } = open({ total: 1 })
  await take('a')
  void take('b')
  void take('c')
  await end('a')
  await end('a')
  expect(order).toEqual(['a', 'b'])
})

test('more waiting requests of one key than allowed are rejected', async () => {
  const { take } = open({ total: 1, waitingPerKey: 1 })
  await take('a')
  void take('a', 1)
  await expect(take('a', 1)).rejects.toThrow(LimiterFull)
})

test('when too many keys wait, the one that has used the most time is rejected with all it waits for', async () => {
  const { take, end, order } = open({ total: 1, waitingKeys: 1 })
  await take('heavy', 9, 'heavy1')
  await end('heavy1', 500)
  await take('other')
  const waiting = [take('heavy'), take('heavy')].map((each) => expect(each).rejects.toThrow(LimiterFull))
  void take('light')
  await Promise.all(waiting)
  await end('other')
  expect(order).toEqual(['heavy1', 'other', 'light'])
})

test('a request whose signal aborts leaves the queue', async () => {
  const { take, end, order } = open({ total: 1 })
  await take('a')
  const ending = new AbortController()
  const waiting = take('b', 9, 'b', ending.signal)
  void take('c')
  ending.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(take('d', 9, 'd', ending.signal)).rejects.toThrow('gone')
  await end('a')
  expect(order).toEqual(['a', 'c'])
})

test('keys that are no longer used are removed from memory after a minute, and use is forgotten', async () => {
  const { take, end, pass, size, order } = open({ total: 1 })
  for (let i = 0; i < 100; i++) {
    await take(`caller ${i}`)
    await end(`caller ${i}`, 10)
  }
  expect(size()).toBe(100)
  await take('stays', 9, 'stays1')
  pass(60_000)
  void take('stays', 9, 'stays2')
  expect(size()).toBe(1)
  await end('stays1')
  await end('stays2')
  pass(60_000)
  await take('last')
  expect([size(), order.at(-1)]).toEqual([1, 'last'])
})
