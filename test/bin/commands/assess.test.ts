import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latestAccuracy } from '../../../src/store/assessments/accuracy.ts'
import { type Database, openDatabase } from '../../../src/store/engine/database.ts'
import { newDatabase, urlOf } from '../../setup/database.ts'
import { type SmallMarket, smallMarket } from '../../setup/small-market.ts'
import { dataFolder, runToEnd } from '../program.ts'

let dir: string
let env: Record<string, string>
let store: Database
let town: SmallMarket

beforeAll(async () => {
  const address = await newDatabase()
  dir = await dataFolder()
  env = { DATA_DIR: dir, DATABASE_URL: urlOf(address), SECRET_KEY: '11'.repeat(32) }
  store = openDatabase(address)
  town = await smallMarket(store.db)
}, 60_000)
afterAll(async () => {
  await store?.close()
  await rm(dir, { recursive: true, force: true })
})

test('without a terminal it prints one line per market and nothing else', { timeout: 120_000 }, async () => {
  const { code, output } = await runToEnd(['assess', '--market', 'sf-peninsula'], env)
  expect([code, output]).toEqual([0, `sf-peninsula: ${town.ids.length} properties, ${town.ids.length} changed\n`])
})

test('--json prints one object with every market, and a second run changes nothing', { timeout: 120_000 }, async () => {
  const { code, output } = await runToEnd(['assess', '--json'], env)
  expect(code, output).toBe(0)
  expect(JSON.parse(output)).toEqual({
    success: true,
    markets: {
      'sf-peninsula': { considered: town.ids.length, changed: 0 },
      nantucket: { considered: 0, changed: 0 },
    },
    seconds: expect.any(Number),
  })
})

test(
  '--fit names the fitted models and stores their accuracy',
  {
    timeout: 120_000,
  },
  async () => {
    const { code, output } = await runToEnd(['assess', '--fit', '--market', 'sf-peninsula', '--json'], env)
    expect(code, output).toBe(0)
    expect(JSON.parse(output).markets['sf-peninsula']).toMatchObject({
      considered: town.ids.length,
      teardown: expect.stringMatching(/^teardown-/),
      biddingWar: expect.stringMatching(/^bidding-war-/),
    })
    expect((await latestAccuracy(store.db)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['value-held-out', 'teardown', 'bidding-war', 'heat-coverage']),
    )
  },
)

test(
  'a run without --as-of says that the chosen day is dropped, and how to return to it',
  { timeout: 120_000 },
  async () => {
    const assess = async (...args: string[]) =>
      (await runToEnd(['assess', '--market', 'sf-peninsula', ...args], env)).output
    expect(await assess('--as-of', '2026-10-11')).not.toContain('as of today')
    expect(await assess()).toContain(
      'sf-peninsula was assessed as of 2026-10-11 and is now assessed as of today. To return: lotline assess --market sf-peninsula --fit --as-of 2026-10-11',
    )
    expect(await assess()).not.toContain('as of today')
  },
)

test('an unknown market is rejected with the list of markets', { timeout: 60_000 }, async () => {
  const { code, output } = await runToEnd(['assess', '--market', 'mars'], env)
  expect(code).toBe(1)
  expect(output).toContain('sf-peninsula, nantucket')
})

test('an invalid spend cap is rejected before any request is sent', { timeout: 60_000 }, async () => {
  for (const cap of ['two', '-1', '']) {
    const { code, output } = await runToEnd(['assess', '--photos', '--photo-spend-usd', cap], env)
    expect([code, output]).toEqual([1, expect.stringContaining('It must be an amount in dollars')])
  }
})
