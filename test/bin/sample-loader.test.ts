import { expect, test } from 'vitest'
import { sampleLoader } from '../../src/bin/serve.ts'

const ending = (done: Promise<void>) => ({ done, stop: async () => {} })

test('a failed load is reported and retried with the current task', async () => {
  const ran: string[] = []
  const failures: [string, number][] = []
  const due: (() => Promise<'load' | 'advance'>)[] = [
    async () => 'load',
    () => Promise.reject(new Error('no database')),
    async () => 'advance',
  ]
  const loader = sampleLoader({
    firstRetryMs: 1,
    onFailed: (error, retryInMs) => failures.push([(error as Error).message, retryInMs]),
    runCommand: (args) => {
      ran.push(args.join(' '))
      return ending(ran.length === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve())
    },
  })
  await loader.run(() => due.shift()!())
  expect(failures).toEqual([
    ['disk full', 1],
    ['no database', 2],
  ])
  expect(ran).toEqual(['sample load', 'sample advance'])
})

test('a stop ends the wait for the next attempt', async () => {
  const loader = sampleLoader({
    firstRetryMs: 60_000,
    onFailed: () => void loader.stop(),
    runCommand: () => ending(Promise.reject(new Error('disk full'))),
  })
  await loader.run(async () => 'load')
})
