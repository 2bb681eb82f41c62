// `lotline backtest teardown`: compares the teardown score on newly generated markets with the probabilities they were
// generated from.

import { Command } from 'commander'
import {
  backtestTeardown,
  type ScoreQuality,
  type TeardownBacktest,
} from '../../../tools/backtest/backtest-teardown.ts'
import { readConfig } from '../../config.ts'
import { dayOf } from '../../domain/day.ts'
import { inTemporaryFolder } from '../../ingest/sample-feeds.ts'
import { openServices } from '../open-services.ts'
import { stepLine } from '../progress.ts'
import { withOpened } from '../with-opened.ts'

export const backtestTeardownCommand = (): Command =>
  new Command('teardown')
    .description('Measure calibration and ranking of the teardown score on sample markets with new seeds.')
    .option('--seeds <list>', 'comma-separated whole numbers, one run each', '1001')
    .option('--date <date>', 'date of the sample (YYYY-MM-DD); defaults to today')
    .option('--json', 'print JSON')
    .action(async (options: { seeds: string; date?: string; json?: true }, command: Command) => {
      const seeds = options.seeds.split(',').map(Number)
      if (seeds.some((seed) => !Number.isInteger(seed) || seed < 0))
        command.error(`--seeds must be whole numbers like 1001,1002, not "${options.seeds}"`)
      const today = options.date ?? dayOf(new Date())
      if (!/^\d{4}-\d{2}-\d{2}$/.test(today) || Number.isNaN(Date.parse(today)))
        command.error(`--date must be a date like 2026-11-15, not "${options.date}"`)
      const progress = stepLine(process.stderr)
      const results: TeardownBacktest[] = []
      try {
        for (const [at, seed] of seeds.entries()) {
          progress.show(at / seeds.length, `seed ${seed}`)
          results.push(await inTemporaryStore(seed, today))
        }
      } finally {
        progress.clear()
      }
      console.log(options.json ? JSON.stringify(results, null, 2) : results.map(tableOf).join('\n\n'))
    })

/** A temporary database, so that generated rows never mix with stored data. */
const inTemporaryStore = (seed: number, today: string): Promise<TeardownBacktest> =>
  inTemporaryFolder((dir) =>
    withOpened(
      () => openServices({ ...readConfig(), DATABASE_URL: undefined, DATA_DIR: dir }, { statementTimeoutMs: 0 }),
      (services) => backtestTeardown(services, { seed, today }),
    ),
  )

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
