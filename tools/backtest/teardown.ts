// Compares the teardown score on newly generated markets with the probabilities they were generated from:
// npx node tools/backtest/teardown.ts --seeds 1001,1002 [--date 2026-11-15] [--json]
import { parseArgs } from 'node:util'
import { makeDataDir } from '../../src/config.ts'
import { dayOf, isDay } from '../../src/domain/day.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { inTemporaryFolder } from '../../src/ingest/sample-feeds.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import '../packs.ts'
import { backtestTeardown, type ScoreQuality, type TeardownBacktest } from './backtest-teardown.ts'

/** A temporary database, so that generated rows never mix with stored data. */
const inTemporaryStore = (seed: number, today: string): Promise<TeardownBacktest> =>
  inTemporaryFolder(async (dir) => {
    makeDataDir(dir)
    const server = await startEmbedded(dir)
    const address = { socketDir: server.socketDir }
    const store = openDatabase({ ...address, statementTimeoutMs: 0 })
    try {
      await migrate(store)
      const queue = await openQueue(address)
      return await backtestTeardown({ store, queue }, { seed, today }).finally(() => queue.close())
    } finally {
      await store.close()
      await server.stop()
    }
  })

const tableOf = ({ seed, today, markets, together }: TeardownBacktest): string =>
  [
    `Seed ${seed}, ${today}: detached homes for sale or recently sold`,
    ...markets.flatMap((market) => [
      '',
      `${market.market}: ${market.modelVersion}, fitted on ${market.demolitions} demolitions after ${market.sales} sales`,
      ...resultLines(market),
    ]),
    '',
    'all markets',
    ...resultLines(together),
  ].join('\n')

const resultLines = (result: ScoreQuality): string[] => [
  `${result.homes} homes   AUC ${result.auc.toFixed(4)}   maximum ${result.processAuc.toFixed(4)}   gap ${result.gap.toFixed(4)}   ECE ${result.ece.toFixed(4)}`,
  'decile  homes  predicted  true probability',
  ...result.deciles.map(
    (bin, k) =>
      `${String(k + 1).padStart(6)}  ${String(bin.n).padStart(5)}  ${bin.predicted.toFixed(4).padStart(9)}  ${bin.observed.toFixed(4).padStart(11)}`,
  ),
]

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1001' }, date: { type: 'string' }, json: { type: 'boolean' } },
})
const seeds = values.seeds.split(',').map(Number)
const today = values.date ?? dayOf(new Date())
if (seeds.some((seed) => !Number.isInteger(seed) || seed < 0))
  throw new Error(`--seeds must be whole numbers like 1001,1002, not "${values.seeds}"`)
if (!isDay(today)) throw new Error(`--date must be a date like 2026-11-15, not "${today}"`)
const results: TeardownBacktest[] = []
for (const seed of seeds) results.push(await inTemporaryStore(seed, today))
console.log(values.json ? JSON.stringify(results, null, 2) : results.map(tableOf).join('\n\n'))
