// `lotline assess`: assesses whole markets, and refits their models first with --fit.
import { Command, InvalidArgumentError, Option } from 'commander'
import { announceTo } from '../../assess/announce.ts'
import { type AssessResult, assessMarket } from '../../assess/assess-market.ts'
import { type FitResult, fitAndAssess } from '../../assess/fit-and-assess.ts'
import { gradePhotos, type PhotoRuns } from '../../assess/grade-photos.ts'
import { chosenDay } from '../../assess/jobs.ts'
import { type Config, readConfig, servedUrl } from '../../config.ts'
import { dayOf, isDay } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { createVision } from '../../sources/vision.ts'
import { visionCache } from '../../store/assessments/vision-cache.ts'
import type { Db } from '../../store/engine/database.ts'
import { openWithQueue } from '../open-store.ts'
import { stepLine, stepsOf } from '../progress.ts'

interface Options {
  market?: MarketId
  fit?: boolean
  emit?: boolean
  asOf?: Date
  photos?: boolean
  photoSpendUsd?: number
  json?: boolean
}

export const assessCommand = (): Command =>
  new Command('assess')
    .description('Compute the value, scores and leads of every property and store what changed.')
    .addOption(new Option('--market <market>', 'only this market').choices([...marketIds()]))
    .option('--fit', 'first refit the models to the stored data, and store their accuracy')
    .option('--emit', 'also emit property.score_updated for scores that changed only because of a new model')
    .option('--photos', 'first grade the photos of ungraded listings with the vision model at VISION_URL')
    .option('--photo-spend-usd <dollars>', 'spending limit of --photos, all markets together', dollars, 2)
    .option(
      '--as-of <date>',
      'assess as of this day (YYYY-MM-DD), for data that ends in the past; kept until a run without it',
      day,
    )
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      process.exitCode = await assess(options)
    })

/** Noon, so that the day is the same in every time zone of the United States. */
export const day = (text: string): Date => {
  if (!isDay(text)) throw new InvalidArgumentError('It must be a day, for example 2015-05-27.')
  return new Date(`${text}T12:00:00Z`)
}

const assess = async (options: Options): Promise<number> => {
  const config = readConfig()
  if (options.photos && !(config.VISION_URL && config.VISION_MODEL)) {
    process.stderr.write('--photos needs VISION_URL and VISION_MODEL, and VISION_KEY if the model requires a key.\n')
    return 1
  }
  const store = await openWithQueue(config, { applicationName: 'lotline-assess', statementTimeoutMs: 600_000 })
  const progress = stepLine(process.stderr)
  const started = performance.now()
  try {
    const ids = options.market ? [options.market] : marketIds()
    const photos = options.photos ? await gradeWithConfig(config, options, store.db, ids, progress.show) : {}
    const markets: Record<string, object> = {}
    for (const market of ids) {
      const now = new Date()
      const run = {
        now,
        asOf: options.asOf,
        emit: options.emit,
        announce: announceTo(
          { queue: store.queue, publicUrl: servedUrl(config), minScoreChange: config.SCORE_EVENT_MIN_CHANGE },
          now,
        ),
        onProgress: stepsOf(market, progress.show),
      }
      const before = options.asOf ? undefined : await chosenDay(store.db, market)
      const result = options.fit ? await fitAndAssess(store.db, market, run) : await assessMarket(store.db, market, run)
      markets[market] = { ...result, ...(photos[market] ? { photos: photos[market] } : {}) }
      progress.clear()
      if (!options.json) process.stdout.write(`${line(market, result)}\n`)
      if (!options.json && 'fitted' in result)
        for (const text of (result as FitResult).fitted) process.stdout.write(`  ${text}\n`)
      if (before)
        process.stderr.write(
          `${market} was assessed as of ${dayOf(before)} and is now assessed as of today. To return: lotline assess --market ${market} --fit --as-of ${dayOf(before)}\n`,
        )
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10
    if (options.json) process.stdout.write(`${JSON.stringify({ success: true, markets, seconds })}\n`)
    return 0
  } finally {
    progress.clear()
    await store.close()
  }
}

const gradeWithConfig = (
  config: Config,
  { photoSpendUsd }: Options,
  db: Db,
  markets: readonly MarketId[],
  show: Parameters<typeof stepsOf>[1],
): Promise<PhotoRuns> => {
  const { VISION_URL: url, VISION_KEY: key, VISION_MODEL: model } = config
  // One instance for all markets, since it counts what the run spends.
  const vision = createVision({ url, key, model, maxSpendUsd: photoSpendUsd }, visionCache(db))
  return gradePhotos(db, markets, vision, (market, done, total) => stepsOf(market, show)(done, total, 'photos'))
}

/** Rejects text that is not a number: NaN would be a limit that is never reached. */
const dollars = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new InvalidArgumentError('It must be an amount in dollars, for example 2 or 0.50.')
}

const line = (market: string, { considered, changed, withheld }: AssessResult): string => {
  const count = (number: number) => number.toLocaleString('en-US')
  const silent = withheld
    ? `; ${count(withheld)} events of a new model or version not sent (run with --emit to send such events)`
    : ''
  return `${market}: ${count(considered)} properties, ${count(changed)} changed${silent}`
}
