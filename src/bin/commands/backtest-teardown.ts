// `lotline backtest teardown`: the teardown score on freshly invented markets, against the chances behind them.

import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { dayOf } from '../../contract/day.ts'
import { openServices } from '../open-services.ts'
import { stepLine } from '../progress.ts'
import { inFolder } from '../sample-markets.ts'
import { type Judgement, type TeardownTrial, teardownTrial } from '../teardown-trial.ts'
import { using } from './using.ts'

export const backtestTeardownCommand = (): Command =>
  new Command('teardown')
    .description('Calibration and ranking of the teardown score on sample markets of seeds it has never seen')
    .option('--seeds <list>', 'whole numbers, one market each', '1001')
    .option('--date <date>', 'the day the sample stands at (YYYY-MM-DD); without it, today')
    .option('--json', 'print the figures as JSON')
    .action(async (options: { seeds: string; date?: string; json?: true }, command: Command) => {
      const seeds = options.seeds.split(',').map(Number)
      if (seeds.some((seed) => !Number.isInteger(seed) || seed < 0))
        command.error(`--seeds must be whole numbers like 1001,1002, not "${options.seeds}"`)
      const today = options.date ?? dayOf(new Date())
      if (!/^\d{4}-\d{2}-\d{2}$/.test(today) || Number.isNaN(Date.parse(today)))
        command.error(`--date must be a date like 2026-11-15, not "${options.date}"`)
      const progress = stepLine(process.stderr)
      const trials: TeardownTrial[] = []
      try {
        for (const [at, seed] of seeds.entries()) {
          progress.show(at / seeds.length, `seed ${seed}`)
          trials.push(await inOwnStore(seed, today))
        }
      } finally {
        progress.clear()
      }
      console.log(options.json ? JSON.stringify(trials, null, 2) : trials.map(tableOf).join('\n\n'))
    })

/** A store of its own that is gone afterwards: the trial's invented rows never meet anyone's data. */
const inOwnStore = (seed: number, today: string): Promise<TeardownTrial> =>
  inFolder((dir) =>
    using(
      () => openServices({ ...readConfig(), DATABASE_URL: undefined, DATA_DIR: dir }, { statementTimeoutMs: 0 }),
      (services) => teardownTrial(services, { seed, today }),
    ),
  )

const tableOf = ({ seed, today, markets, together }: TeardownTrial): string =>
  [
    `Seed ${seed}, ${today}: detached homes on offer or lately sold`,
    ...markets.flatMap((market) => [
      '',
      `${market.market}: ${market.modelVersion}, fitted on ${market.demolitions} demolitions after ${market.sales} sales`,
      ...judgementLines(market),
    ]),
    '',
    'together',
    ...judgementLines(together),
  ].join('\n')

const judgementLines = (trial: Judgement): string[] => [
  `${trial.homes} homes   AUC ${trial.auc.toFixed(4)}   process's own ${trial.processAuc.toFixed(4)}   gap ${trial.gap.toFixed(4)}   ECE ${trial.ece.toFixed(4)}`,
  'decile  homes  predicted  true chance',
  ...trial.deciles.map(
    (bin, k) =>
      `${String(k + 1).padStart(6)}  ${String(bin.n).padStart(5)}  ${bin.predicted.toFixed(4).padStart(9)}  ${bin.observed.toFixed(4).padStart(11)}`,
  ),
]
