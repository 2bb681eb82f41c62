// `lotline assess`: whole markets assessed now, with their models refitted first when asked.
import { Command, Option } from 'commander'
import { announceScores } from '../../assess/announce-scores.ts'
import { assessMarket } from '../../assess/assess-market.ts'
import { fitAndAssess } from '../../assess/fit-and-assess.ts'
import { lookAtPhotos } from '../../assess/look-at-photos.ts'
import { readConfig } from '../../config.ts'
import { type MarketId, marketIds } from '../../contract/facts.ts'
import { createVision } from '../../sources/vision.ts'
import { openQueue } from '../../store/queue.ts'
import { visionCache } from '../../store/vision-cache.ts'
import { openStore } from '../open-store.ts'
import { stepLine, stepsOf } from '../progress.ts'

interface Options {
  market?: MarketId
  fit?: boolean
  emit?: boolean
  photos?: boolean
  photoSpendUsd?: number
  json?: boolean
}

export function assessCommand(): Command {
  return new Command('assess')
    .description('Work out value, scores and leads of every property and store what changed.')
    .addOption(new Option('--market <market>', 'only this one').choices([...marketIds]))
    .option('--fit', 'refit the teardown and bidding-war models on the data held first, and store their accuracy')
    .option('--emit', 'write property.score_updated also for scores that only a new model moved')
    .option('--photos', 'first let the vision model of VISION_URL grade the photos of listings not graded yet')
    .option('--photo-spend-usd <dollars>', 'most that --photos may spend', Number, 2)
    .option('--json', 'print one JSON object instead of lines')
    .action(async (options: Options) => {
      process.exitCode = await assess(options)
    })
}

async function assess(options: Options): Promise<number> {
  const config = readConfig()
  if (options.photos && !(config.VISION_URL && config.VISION_MODEL)) {
    process.stderr.write('--photos needs VISION_URL and VISION_MODEL (and VISION_KEY if the model asks for one).\n')
    return 1
  }
  const store = await openStore(config, { applicationName: 'lotline-assess', statementTimeoutMs: 600_000 })
  const queue = await openQueue(store.address)
  const progress = stepLine(process.stderr)
  const started = performance.now()
  try {
    const markets: Record<string, object> = {}
    for (const market of options.market ? [options.market] : marketIds) {
      const now = new Date()
      const run = {
        now,
        emit: options.emit,
        announce: announceScores(queue, now),
        onProgress: stepsOf(market, progress.show),
      }
      const vision = createVision(
        {
          url: config.VISION_URL,
          key: config.VISION_KEY,
          model: config.VISION_MODEL,
          maxSpendUsd: options.photoSpendUsd,
        },
        visionCache(store.db),
      )
      const photos = options.photos
        ? await lookAtPhotos(store.db, market, vision, (done, total) => run.onProgress(done, total, 'photos'))
        : undefined
      const result = options.fit ? await fitAndAssess(store.db, market, run) : await assessMarket(store.db, market, run)
      markets[market] = { ...result, ...(photos ? { photos } : {}) }
      progress.clear()
      if (!options.json) process.stdout.write(`${line(market, result)}\n`)
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10
    if (options.json) process.stdout.write(`${JSON.stringify({ success: true, markets, seconds })}\n`)
    return 0
  } finally {
    progress.clear()
    await queue.close()
    await store.close()
  }
}

const line = (market: string, { considered, changed }: { considered: number; changed: number }): string =>
  `${market}: ${considered.toLocaleString('en-US')} properties, ${changed.toLocaleString('en-US')} changed`
