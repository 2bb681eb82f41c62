// `lotline sources available` and `lotline sources enable`: from the sample to real data with one command.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fitAndAssess } from '../../assess/fit-and-assess.ts'
import { chosenDay } from '../../assess/jobs.ts'
import { OperatorError } from '../../common/operator-error.ts'
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { type AvailableFeed, availableFeeds, feedFolders } from '../../ingest/available.ts'
import { checkFeed, type FeedCheck } from '../../ingest/check-feed.ts'
import type { ConfiguredSource } from '../../ingest/config.ts'
import { runIngest } from '../../ingest/run.ts'
import { valuedHomes } from '../../store/assessments/accuracy.ts'
import { progressBar, stepLine, stepsOf } from '../progress.ts'
import type { Printed } from './arguments.ts'
import type { SourcesDeps } from './sources.ts'

export const availableLines = async (deps: SourcesDeps): Promise<Printed> => {
  const { feeds, broken } = await feedsOf(deps)
  const text = [...feeds.flatMap(feedLines), ...broken.map(({ reason }) => `Left out: ${reason}`)]
  return { json: feeds.map(summary), text }
}

export const feedsOf = async (deps: SourcesDeps) =>
  availableFeeds(deps.feedFolders ?? (await feedFolders(deps.packFolders)))

const summary = ({ sources, ...feed }: AvailableFeed) => ({
  ...feed,
  verified: false,
  sources: sources.map(({ config: { id, title, holds, where, feed: about } }) => ({
    id,
    title,
    holds,
    url: where.url,
    about: about?.about,
  })),
})

export const feedLines = ({ id, market, license, confidence, asOf, sources }: AvailableFeed): string[] => [
  `${id}${market ? ` (${market})` : ''}: ${[...new Set(sources.map(({ config }) => config.holds))].join(' and ')}`,
  ...sources.map(({ config }) => `  ${config.holds}: ${[config.title, config.feed?.about].filter(Boolean).join('. ')}`),
  `  license: ${license}`,
  `  confidence: ${confidence}; URL and fields as documented on ${asOf}, not tried on the live feed. Enable it, which checks the feed first: lotline sources enable ${id}`,
]

export const enableFeed = async (
  deps: SourcesDeps,
  id: string,
  { force, assess = true, json, market }: { force?: boolean; assess?: boolean; json?: boolean; market?: MarketId },
): Promise<void> => {
  const say = json ? () => {} : deps.print
  const loaded: { id: string; loaded: number; rejected: number }[] = []
  const lost: Record<string, number> = {}
  const { feeds } = await feedsOf(deps)
  const feed = feeds.find((each) => each.id === id || each.sources.some(({ config }) => config.id === id))
  if (!feed)
    throw new OperatorError(`There is no public feed "${id}". Available: ${feeds.map((each) => each.id).join(', ')}.`)
  const sources = feed.sources
    .filter(({ config }) => feed.id === id || config.id === id)
    .map((source) => ofMarket(source, market))
  await checkAll({ ...deps, print: say }, feed, sources, force ?? false)
  const store = await deps.openStore()
  try {
    await mkdir(deps.sourcesDir, { recursive: true })
    const markets = new Set<MarketId>()
    // Read before the load, which may remove the sample and with it the day and the values.
    const before = new Map<MarketId, { asOf: Date | undefined; values: number }>()
    for (const market of marketIds())
      before.set(market, { asOf: await chosenDay(store.db, market), values: await valuedHomes(store.db, market) })
    for (const source of sources) {
      const bar = progressBar(source.config.id, deps.terminal)
      const { counts, markets: changed } = await runIngest(store, source.config, {
        ...contextOf(deps, source),
        highValueUsd: deps.highValueUsd,
        publicUrl: deps.publicUrl,
        onProgress: bar.show,
      }).catch((cause: Error) => {
        throw new OperatorError(`${source.config.id} was not loaded: ${cause.message}`, { cause })
      })
      bar.clear()
      for (const market of changed) markets.add(market as MarketId)
      loaded.push({ id: source.config.id, loaded: counts.loaded, rejected: counts.rejected })
      say(`${source.config.id}: ${counts.loaded} rows loaded, ${counts.rejected} rejected.`)
      // Copied after the load: from now on the service loads it on its schedule.
      const path = join(deps.sourcesDir, basename(source.path))
      if (feed.sources.includes(source)) await copyFile(source.path, path)
      else await writeFile(path, `${JSON.stringify(source.config, null, 2)}\n`)
    }
    if (assess)
      for (const market of markets) {
        const line = stepLine(deps.terminal)
        const { asOf, values } = before.get(market)!
        const { considered } = await fitAndAssess(store.db, market, {
          now: deps.now(),
          asOf,
          onProgress: stepsOf(market, line.show),
        })
        line.clear()
        const removed = values - (await valuedHomes(store.db, market))
        say(`${market}: ${count(considered)} properties assessed${asOf ? ` as of ${dayOf(asOf)}` : ''}.`)
        if (removed > 0) {
          lost[market] = removed
          say(
            `${market}: ${count(removed)} values were removed; ${count(values - removed)} of ${count(values)} are left.`,
          )
        }
      }
    if (json)
      return deps.print(
        JSON.stringify({ success: true, feed: feed.id, sources: loaded, markets: [...markets], valuesRemoved: lost }),
      )
    deps.print(
      `${feed.id} is enabled. Generated sample data of the same kind is removed; other sample data of the market stays and is marked. See /coverage for what is loaded and missing.`,
    )
  } finally {
    await store.close()
  }
}

/** A map of another market in the same state, read for `market` as a source of its own. */
const ofMarket = (source: ConfiguredSource, market: MarketId | undefined): ConfiguredSource => {
  const { config, folder } = source
  if (market === undefined || config.market === undefined || config.market === market || !config.sets) return source
  const id = `${config.id}-${market}`
  return { config: { ...config, $schema: undefined, id, market }, folder, path: join(folder, `${id}.json`) }
}

const checkAll = async (
  deps: SourcesDeps,
  feed: AvailableFeed,
  sources: readonly ConfiguredSource[],
  force: boolean,
): Promise<void> => {
  const checks: FeedCheck[] = []
  for (const source of sources) checks.push(await checkFeed(source.config, contextOf(deps, source)))
  for (const { sourceId, preview, problems } of checks) {
    deps.print(
      preview
        ? `${sourceId}: ${preview.wouldLoad} of the first ${preview.read} rows can be loaded.`
        : `${sourceId}: cannot be read.`,
    )
    for (const problem of problems) deps.print(`  ${problem}`)
  }
  if (force || checks.every(({ problems }) => problems.length === 0)) return
  if (checks.some(({ unreachable }) => unreachable))
    throw new OperatorError(
      `${feed.id} cannot be reached; nothing was changed. Check the network and the address, then run the command again.`,
    )
  throw new OperatorError(
    `${feed.id} does not match its description of ${feed.asOf}; nothing was changed. The feed has probably changed or is unavailable. Copy ${sources.map(({ path }) => path).join(' and ')} to ${deps.sourcesDir}, correct the mapping and check it with lotline ingest --check, or use --force.`,
  )
}

export const contextOf = ({ now, token, http }: SourcesDeps, { config, folder }: ConfiguredSource) => {
  const { tokenEnv } = config.where
  return { folder, now: now(), token: tokenEnv && token(tokenEnv), http }
}

const count = (value: number): string => value.toLocaleString('en-US')
