import { expect, test } from 'vitest'
import { newDatabase } from '../setup/database.ts'
import { runChaos } from './delivery-chaos.ts'

test('killing the worker repeatedly loses no delivery, and duplicates are identical', async () => {
  const result = await runChaos(await newDatabase(), {
    events: 200,
    endpoints: 3,
    kills: 3,
    leaseSeconds: 2,
    patienceMs: 50_000,
  })
  expect(result).toMatchObject({ expected: 600, arrived: 600, lost: 0, altered: 0 })
}, 120_000)
