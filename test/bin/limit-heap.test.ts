import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Allocates short-lived objects, like rows being loaded, in a child process. Returns its young generation in MiB. */
const youngMb = (lean: boolean): number => {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { limitHeap } from ${JSON.stringify(join(import.meta.dirname, '../../src/bin/limit-heap.ts'))}
    const look = ${lean} ? limitHeap() : () => {}
    let held = []
    for (let at = 0; at < 15_000_000; at += 1) {
      held.push({ at })
      if (held.length === 100_000) held = []
      if (at % 10_000 === 0) look()
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}

test('the young generation stops growing at a quarter of the V8 default', () => {
  const [lean, usual] = [youngMb(true), youngMb(false)]
  expect(usual).toBeGreaterThanOrEqual(64)
  expect(lean).toBeLessThanOrEqual(32)
})
