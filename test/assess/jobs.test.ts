import { expect, test } from 'vitest'
import { evictOldestViews } from '../../src/assess/jobs.ts'

test('cached views of markets are dropped, the least recently used first, and the one in use stays', () => {
  const views = new Map([
    ['a', { sales: 100 }],
    ['b', { sales: 50 }],
    ['c', { sales: 60 }],
  ])
  evictOldestViews(views, 120)
  expect([...views.keys()]).toEqual(['b', 'c'])
  evictOldestViews(views, 10)
  expect([...views.keys()]).toEqual(['c'])
})
