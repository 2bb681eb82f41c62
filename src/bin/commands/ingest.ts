// `lotline ingest`: loads sources, checks one without writing, and shows rejected rows with their reasons.
import { Command } from 'commander'
import { fitAndAssess } from '../../assess/fit-and-assess.ts'
import { messageOf } from '../../common/typed.ts'
import { readConfig, servedUrl, tokenNamed } from '../../config.ts'
import { type ConfiguredSource, readSource, SourceConfigError } from '../../ingest/config.ts'
import { type Preview, previewSource } from '../../ingest/preview.ts'
import { type RunResult, runIngest } from '../../ingest/run.ts'
import { SourceError } from '../../sources/source.ts'
import { lastAssessed, marketsTouched } from '../../store/assessments/assess-runs.ts'
import type { Database } from '../../store/engine/database.ts'
import type { Queue } from '../../store/engine/queue.ts'
import { SampleRejected } from '../../store/ingest/load.ts'
import { FeedTooShort } from '../../store/ingest/removed.ts'
import { type RunReport, rejectedRows, runReports } from '../../store/ingest/run.ts'
import { limitHeap } from '../limit-heap.ts'
import { openWithQueue } from '../open-store.ts'
import { progressBar, stepLine, stepsOf } from '../progress.ts'
import { applicable } from '../text-table.ts'
import { withOpened } from '../with-opened.ts'
import { wholeNumber } from './arguments.ts'
import { leftOutLines, notIssuedText, previewLines } from './preview-lines.ts'
import { rejectedLines } from './source-lines.ts'

export interface IngestDeps {
  openStore(): Promise<Database & { queue: Queue }>
  /** Returns a token by the name of its environment variable. */
  token(name: string): string | undefined
  highValueUsd: number
  publicUrl?: string
  now(): Date
  print(line: string): void
  /** Where progress is shown; undefined without a terminal. */
  terminal?: { write(text: string): unknown; isTTY?: boolean; columns?: number }
}

export const ingestCommand = (deps: IngestDeps = ingestDeps()): Command =>
  new Command('ingest')
    .description('Load parcels, listings, sales and permits from sources.')
    // Makes --json after `report` an option of `report`.
    .enablePositionalOptions()
    .argument('<source...>', 'source configuration files, such as those in sources/examples')
    .option('--check', 'read the rows and show which would be loaded or rejected, without writing')
    .option('--rows <n>', 'with --check: read only this many rows', rowCount)
    .option('--accept <reason>', 'load this once although the feed differs from the last run; the reason is recorded')
    .option('--no-assess', 'do not assess a market after its first load')
    .option('--json', 'print JSON')
    .action(
      (
        paths: string[],
        options: { check?: boolean; rows?: number; accept?: string; assess?: boolean; json?: boolean },
      ) => (options.check ? check(deps, paths, options) : load(deps, paths, options)),
    )
    .addCommand(
      new Command('report')
        .description('Show the last run of each source, or of one source with its rejected rows and their reasons.')
        .argument('[source]', 'source id')
        .option('--rows <n>', 'number of rejected rows to show', rowCount, 20)
        .option('--json', 'print JSON')
        .action((source: string | undefined, options: { rows: number; json?: boolean }) =>
          report(deps, source, options),
        ),
    )

const load = async (
  given: IngestDeps,
  paths: string[],
  { json, accept, assess }: { json?: boolean; accept?: string; assess?: boolean },
) => {
  const deps = json ? { ...given, print: () => {}, terminal: undefined } : given
  // All configurations are read before the first load, so that a mistake in the last does not show up an hour later.
  const sources = await Promise.all(paths.map(readSource))
  const store = await deps.openStore()
  const checkHeap = limitHeap()
  const results: Result[] = []
  try {
    for (const source of sources) {
      const bar = progressBar(source.config.id, deps.terminal)
      try {
        const result = await runIngest(store, source.config, {
          ...context(deps, source),
          highValueUsd: deps.highValueUsd,
          publicUrl: deps.publicUrl,
          accept,
          onProgress: (progress) => {
            checkHeap()
            bar.show(progress)
          },
        })
        results.push(result)
        bar.clear()
        for (const line of resultLines(result)) deps.print(line)
      } catch (error) {
        bar.clear()
        if (![SourceError, SampleRejected, FeedTooShort].some((kind) => error instanceof kind)) throw error
        // The other sources are still loaded.
        results.push({ sourceId: source.config.id, error: messageOf(error) })
        deps.print(`${source.config.id}: failed. ${messageOf(error)}`)
      }
    }
    if (assess !== false) {
      const homes = new Set(
        sources.filter(({ config }) => ['parcels', 'listings'].includes(config.holds)).map(({ config }) => config.id),
      )
      await assessForTheFirstTime(deps, store, marketsOf(results.filter(({ sourceId }) => homes.has(sourceId))))
    }
    const loaded = marketsOf(results)
    for (const market of (await marketsTouched(store.db, deps.now())).filter((each) => loaded.has(each)))
      deps.print(
        `${market}: changed homes are not assessed yet; scores, events and watches follow the assessment. A running service does it within about a minute; otherwise: lotline assess --market ${market}`,
      )
  } finally {
    await store.close()
  }
  if (json) given.print(JSON.stringify(results))
  if (results.some((result) => 'error' in result)) process.exitCode = 1
}

type Result = RunResult | { sourceId: string; error: string }

const marketsOf = (results: readonly Result[]): ReadonlySet<string> =>
  new Set(results.flatMap((result) => ('markets' in result ? result.markets : [])))

/** A new market is useless until it is assessed, so the first load of parcels or listings is followed by a whole assessment. */
const assessForTheFirstTime = async (
  { print, terminal, now }: IngestDeps,
  { db }: Pick<Database, 'db'>,
  markets: ReadonlySet<string>,
): Promise<void> => {
  for (const market of markets) {
    if ((await lastAssessed(db, market)) !== undefined) continue
    print(`${market}: assessing all properties for the first time`)
    const line = stepLine(terminal)
    const { considered, fitted } = await fitAndAssess(db, market, {
      now: now(),
      quick: true,
      onProgress: stepsOf(market, line.show),
    })
    line.clear()
    print(`${market}: ${considered.toLocaleString('en-US')} properties assessed`)
    for (const text of fitted) print(`  ${text}`)
  }
}

const context = (deps: IngestDeps, { config, folder }: ConfiguredSource) => {
  const { tokenEnv } = config.where
  const token = tokenEnv && deps.token(tokenEnv)
  if (tokenEnv && !token && !config.where.tokenOptional)
    throw new SourceConfigError(`${config.id} needs a token: set ${tokenEnv}.`)
  return { now: deps.now(), loadedAt: deps.now, folder, token }
}

const check = async (deps: IngestDeps, paths: string[], { json, rows }: { json?: boolean; rows?: number }) => {
  const previews: Preview[] = []
  for (const source of await Promise.all(paths.map(readSource)))
    previews.push(await previewSource(source.config, context(deps, source), rows))
  if (json) deps.print(JSON.stringify(previews))
  else for (const preview of previews) for (const line of previewLines(preview)) deps.print(line)
  if (previews.some(({ wouldLoad }) => wouldLoad === 0)) process.exitCode = 1
}

const report = async (
  deps: IngestDeps,
  source: string | undefined,
  { json, rows }: { json?: boolean; rows: number },
) => {
  const { runs, rejected } = await withOpened(deps.openStore, async ({ db }) => {
    const runs = await runReports(db, source)
    return { runs, rejected: source && runs[0] ? await rejectedRows(db, runs[0].runId, rows) : undefined }
  })
  if (source && runs.length === 0)
    throw new SourceConfigError(`No run of source "${source}". List the sources with: lotline ingest report`)
  if (json) return deps.print(JSON.stringify(rejected ? { ...runs[0], rejected } : runs))
  for (const run of runs) for (const line of reportLines(run)) deps.print(line)
  for (const row of rejected ?? []) deps.print(`  row ${row.rowNumber}: ${row.reason}\n    ${JSON.stringify(row.raw)}`)
}

const resultLines = ({ sourceId, counts, notIssued, events, accepted, ...run }: RunResult): string[] =>
  run.notModified
    ? [`${sourceId}: unchanged since the last run`]
    : applicable(
        `${sourceId}: ${counts.read} rows read, ${counts.loaded} loaded (${counts.inserted} new, ${counts.changed - counts.inserted} changed), ${counts.rejected} rejected${removedText(run.removed, run.returned)}${events ? `, ${events} events` : ''}`,
        notIssued ? `  ${notIssuedText(notIssued)}` : undefined,
        accepted?.map((problem) => `  accepted: ${problem}`),
        leftOutLines(run.leftOut),
        counts.rejected > 0 && `  reasons: lotline ingest report ${sourceId}`,
      )

const removedText = (removed: number, restored: number): string =>
  (removed > 0 ? `, ${removed} removed` : '') + (restored > 0 ? `, ${restored} restored` : '')

const reportLines = (run: RunReport): string[] =>
  applicable(
    `${run.sourceId}${run.sample ? ' (sample)' : ''}: ${run.state} ${(run.finishedAt ?? run.startedAt).toISOString()}, ${run.rowsRead} read, ${run.rowsLoaded} loaded, ${run.rowsInserted} new, ${run.rowsRejected} rejected${removedText(run.rowsRemoved, run.rowsReturned)}${run.error ? `\n  ${run.error}` : ''}`,
    run.accepted && `  accepted (${run.accepted.reason}): ${run.accepted.problems.join('; ') || 'no difference'}`,
    rejectedLines(run),
    leftOutLines(run.leftOut),
  )

const rowCount = wholeNumber('must be a whole number above 0')

export const ingestDeps = (): IngestDeps => ({
  openStore: () => openWithQueue(readConfig()),
  token: tokenNamed,
  get highValueUsd() {
    return readConfig().HIGH_VALUE_PERMIT_USD
  },
  get publicUrl() {
    return servedUrl(readConfig())
  },
  now: () => new Date(),
  print: (line) => process.stdout.write(`${line}\n`),
  terminal: process.stderr,
})
