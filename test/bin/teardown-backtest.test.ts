import { describe, expect, it } from 'vitest'
import { backtestTeardown } from '../../src/bin/teardown-backtest.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'

const store = useDatabaseWithQueue()

describe('the teardown score on a sample market it has never seen', () => {
  it(
    'is calibrated and ranks almost as well as the process that generated the data',
    { timeout: 300_000 },
    async () => {
      const { db, pool, queue } = store()
      // A seed that was not used in development. docs/methods/teardown.md has the figures over several seeds.
      const { markets } = await backtestTeardown({ store: { db, pool }, queue }, { seed: 9001, today: '2026-11-15' })
      const [peninsula, island] = markets
      expect(markets.map(({ market }) => market)).toEqual(['sf-peninsula', 'nantucket'])
      expect(peninsula!.homes).toBeGreaterThan(400)
      expect(peninsula!.demolitions).toBeGreaterThan(40)
      expect(peninsula!.processAuc).toBeGreaterThan(0.9)
      expect(peninsula!.ece).toBeLessThanOrEqual(0.03)
      // The mean over seeds is below 0.02, and a single market varies by about 0.005.
      expect(peninsula!.gap).toBeLessThanOrEqual(0.03)
      expect(peninsula!.gap).toBeGreaterThan(0)
      // Nantucket has few homes and fewer demolitions, so its model is mostly learned from the Peninsula.
      expect(island!.homes).toBeGreaterThan(100)
      expect(island!.ece).toBeLessThanOrEqual(0.03)
      expect(island!.auc).toBeGreaterThan(0.85)
    },
  )
})
