// Background jobs as a worker process starts and stops them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase, urlOf } from '../setup/database.ts'
import { clearAway, dataFolder, run } from './program.ts'

let dir: string
let url: string
beforeAll(async () => {
  dir = await dataFolder()
  url = urlOf(await newDatabase())
})
afterAll(() => clearAway(dir))

test('a worker exits with 0 on SIGTERM', { timeout: 60_000 }, async () => {
  const { child, ended, output } = run(['serve', '--role', 'worker'], {
    DATABASE_URL: url,
    DATA_DIR: dir,
    SECRET_KEY: '0'.repeat(64),
  })
  await expect.poll(output, { timeout: 30_000 }).toContain('worker running')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
