import { describe, expect, test } from 'vitest'
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

describe('a share beside others', () => {
  const share = { most: 2, activeMs: 100 }

  test('a key that has used more than an active one runs only its share', async () => {
    const { take, end, pass, order } = open({ share })
    for (const name of ['h1', 'h2', 'h3', 'h4']) await take('heavy', 4, name)
    for (const name of ['h5', 'h6', 'h7']) void take('heavy', 4, name)
    pass(1_000)
    await take('light', 4)
    // What runs ends. Only below its share of two the key gets a new slot.
    await end('h1')
    await end('h2')
    expect(order).toEqual(['h1', 'h2', 'h3', 'h4', 'light'])
    await end('h3')
    expect(order.slice(5)).toEqual(['h5'])
    // The other key is active for a while after its last request.
    await end('light')
    await end('h4', 50)
    expect(order.slice(5)).toEqual(['h5', 'h6'])
    await end('h5', 100)
    expect(order.slice(5)).toEqual(['h5', 'h6', 'h7'])
  })

  test('the key that has used less may use all of its own limit', async () => {
    const { take, pass, order } = open({ share })
    for (const name of ['h1', 'h2', 'h3']) await take('heavy', 3, name)
    pass(1_000)
    for (const name of ['l1', 'l2', 'l3']) void take('light', 3, name)
    await settled()
    expect(order).toEqual(['h1', 'h2', 'h3', 'l1', 'l2', 'l3'])
  })

  test('a key alone, and one beside keys with a lower limit, are not held to a share', async () => {
    const { take, end, pass, order } = open({ share })
    for (const name of ['p1', 'p2', 'p3']) await take('pro', 4, name)
    pass(1_000)
    await take('free', 3)
    await take('pro', 4, 'p4')
    void take('pro', 4, 'p5')
    await end('p1')
    expect(order).toEqual(['p1', 'p2', 'p3', 'free', 'p4', 'p5'])
  })

  test('a key that was inactive for long enough no longer counts, and a waiting one counts', async () => {
    const { take, end, pass, order, size } = open({ total: 3, share })
    await take('light', 4, 'l1')
    await end('l1')
    pass(100)
    for (const name of ['h1', 'h2', 'h3']) await take('heavy', 4, name)
    pass(10)
    void take('light', 4, 'l2')
    void take('heavy', 4, 'h4')
    await end('h1')
    expect(order).toEqual(['l1', 'h1', 'h2', 'h3', 'l2'])
    // Below its share again.
    await end('h2')
    expect(order.at(-1)).toBe('h4')
    expect(size()).toBe(2)
  })
})
