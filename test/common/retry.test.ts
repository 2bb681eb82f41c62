import { expect, test } from 'vitest'
import { doubling, retry } from '../../src/common/retry.ts'
import { UnusableServer } from '../../src/store/engine/server-check.ts'
import { untilAvailable } from '../../src/store/engine/unavailable.ts'

const failing = (errors: unknown[]) => async () => {
  if (errors.length > 0) throw errors.shift()
  return 'done'
}
const gone = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('work is repeated with the pauses asked for, until an error is final', async () => {
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const work = failing([new Error('1'), new Error('2'), new Error('3')])
  expect(await retry(work, (_error, attempt) => doubling(10, attempt, 25), { pause })).toBe('done')
  expect(pauses).toEqual([10, 20, 25])
  await expect(retry(failing([new Error('final')]), () => undefined)).rejects.toThrow('final')
})

test('an abort ends the pause and throws the last error', async () => {
  const stopping = new AbortController()
  const retrying = retry(failing([new Error('down')]), () => 3_600_000, { signal: stopping.signal })
  stopping.abort()
  await expect(retrying).rejects.toThrow('down')
})

test('a start waits for a database that dies in its middle, but not for one that was never there', async () => {
  const refused = () => new UnusableServer('The PostgreSQL server cannot be used', { cause: gone() })
  const waited: unknown[] = []
  const onWait = (error: unknown) => waited.push(error)
  expect(await untilAvailable(failing([gone(), refused()]), { onWait })).toBe('done')
  expect(waited).toHaveLength(2)
  await expect(untilAvailable(failing([refused()]))).rejects.toThrow(UnusableServer)
  await expect(untilAvailable(failing([gone()]), { forMs: -1 })).rejects.toThrow('ECONNREFUSED')
  await expect(untilAvailable(failing([new Error('relation does not exist')]))).rejects.toThrow('relation')
})
