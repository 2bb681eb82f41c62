// lotline ingest: load sources, try one out without writing, show what was refused and why.
import { Command, InvalidArgumentError } from 'commander'
import { readConfig, tokenNamed } from '../../config.ts'
import { BadSource, type ConfiguredSource, readSource } from '../../ingest/config.ts'
import { type Preview, previewSource } from '../../ingest/preview.ts'
import { type RunResult, runIngest } from '../../ingest/run.ts'
import { SourceError } from '../../sources/source.ts'
import type { Database } from '../../store/engine/database.ts'
import { openQueue, type Queue } from '../../store/engine/queue.ts'
import { SampleRefused } from '../../store/ingest/load.ts'
import { FeedTooShort } from '../../store/ingest/removed.ts'
import { type RunReport, refusedRows, runReports } from '../../store/ingest/run.ts'
import { keepHeapLean } from '../lean-heap.ts'
import { openStore } from '../open-store.ts'
import { progressBar } from './progress-bar.ts'

export interface IngestDeps {
  openStore(): Promise<Database & { queue: Queue }>
  /** A token by the name of its environment variable. */
  token(name: string): string | undefined
  highValueUsd: number
  now(): Date
  print(line: string): void
  /** Where progress is drawn; undefined where there is no terminal. */
  terminal?: { write(text: string): unknown; isTTY?: boolean; columns?: number }
}

export const ingestCommand = (deps: IngestDeps = usualDeps()): Command =>
  new Command('ingest')
    .description('Load sources: parcels, listings, sales, permits.')
    // So that --json after `report` is the report's.
    .enablePositionalOptions()
    .argument('<source...>', 'source configurations, as in sources/examples')
    .option('--check', 'read a sample of each and show what would be loaded and refused, without writing')
    .option('--rows <n>', 'with --check: how many rows to read', wholeNumber, 1000)
    .option('--json', 'print JSON')
    .action((paths: string[], options: { check?: boolean; rows: number; json?: boolean }) =>
      expected(() => (options.check ? check(deps, paths, options) : load(deps, paths, options))),
    )
    .addCommand(
      new Command('report')
        .description('Show the last run of each source, or of one with its refused rows and the reasons.')
        .argument('[source]', 'id of a source')
        .option('--rows <n>', 'how many refused rows to show', wholeNumber, 20)
        .option('--json', 'print JSON')
        .action((source: string | undefined, options: { rows: number; json?: boolean }) =>
          expected(() => report(deps, source, options)),
        ),
    )

const load = async (deps: IngestDeps, paths: string[], { json }: { json?: boolean }) => {
  // All files are read before the first is loaded: a slip in the last should not cost an hour.
  const sources = await Promise.all(paths.map(readSource))
  const store = await deps.openStore()
  const lean = keepHeapLean()
  const results: (RunResult | { sourceId: string; error: string })[] = []
  try {
    for (const source of sources) {
      const bar = progressBar(source.config.id, json ? undefined : deps.terminal)
      try {
        const result = await runIngest(store, source.config, {
          ...context(deps, source),
          highValueUsd: deps.highValueUsd,
          onProgress: (progress) => {
            lean()
            bar.show(progress)
          },
        })
        results.push(result)
        bar.clear()
        if (!json) for (const line of resultLines(result)) deps.print(line)
      } catch (error) {
        bar.clear()
        if (![SourceError, SampleRefused, FeedTooShort].some((kind) => error instanceof kind)) throw error
        // One feed that is down is no reason to leave the others.
        results.push({ sourceId: source.config.id, error: (error as Error).message })
        if (!json) deps.print(`${source.config.id}: failed. ${(error as Error).message}`)
      }
    }
  } finally {
    await store.close()
  }
  if (json) deps.print(JSON.stringify(results))
  if (results.some((result) => 'error' in result)) process.exitCode = 1
}

const context = (deps: IngestDeps, { config, folder }: ConfiguredSource) => {
  const { tokenEnv } = config.where
  const token = tokenEnv && deps.token(tokenEnv)
  if (tokenEnv && !token) throw new BadSource(`${config.id} needs a token: set ${tokenEnv}.`)
  return { now: deps.now(), folder, token }
}

const check = async (deps: IngestDeps, paths: string[], { json, rows }: { json?: boolean; rows: number }) => {
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
  const store = await deps.openStore()
  try {
    const runs = await runReports(store.db, source)
    if (source && runs.length === 0) throw new BadSource(`There is no run of a source "${source}".`)
    const refused = source && runs[0] ? await refusedRows(store.db, runs[0].runId, rows) : undefined
    if (json) deps.print(JSON.stringify(refused ? { ...runs[0], refused } : runs))
    else {
      for (const run of runs) for (const line of reportLines(run)) deps.print(line)
      for (const row of refused ?? [])
        deps.print(`  row ${row.rowNumber}: ${row.reason}\n    ${JSON.stringify(row.raw)}`)
    }
  } finally {
    await store.close()
  }
}

const resultLines = ({ sourceId, counts, notModified, events, leftOut, gone, returned }: RunResult): string[] =>
  notModified
    ? [`${sourceId}: unchanged since the last run`]
    : [
        `${sourceId}: ${counts.read} rows read, ${counts.loaded} loaded (${counts.inserted} new, ${counts.changed - counts.inserted} changed), ${counts.refused} refused${goneWords(gone, returned)}${events ? `, ${events} events` : ''}`,
        ...tally(leftOut, 'left out'),
        ...(counts.refused > 0 ? [`  why: lotline ingest report ${sourceId}`] : []),
      ]

const goneWords = (gone: number, returned: number): string =>
  (gone > 0 ? `, ${gone} gone` : '') + (returned > 0 ? `, ${returned} back again` : '')

const previewLines = ({ sourceId, holds, read, wouldLoad, refused, leftOut, filled, examples }: Preview): string[] => [
  `${sourceId}: of ${read} rows read, ${wouldLoad} ${holds} would be loaded, ${read - wouldLoad} refused. Nothing was written.`,
  ...refused.map(({ code, rows, example }) => `  refused ${rows} (${code}), as row ${example.row}: ${example.reason}`),
  ...tally(leftOut, 'left out'),
  `  filled: ${Object.entries(filled)
    .map(([name, rows]) => `${name} ${Math.round((100 * rows) / wouldLoad)} %`)
    .join(', ')}`,
  ...examples.slice(0, 1).map((example) => `  for example: ${JSON.stringify(example)}`),
]

const reportLines = (run: RunReport): string[] => [
  `${run.sourceId}${run.sample ? ' (sample)' : ''}: ${run.state} ${(run.finishedAt ?? run.startedAt).toISOString()}, ${run.rowsRead} read, ${run.rowsLoaded} loaded, ${run.rowsInserted} new, ${run.rowsRefused} refused${goneWords(run.rowsGone, run.rowsReturned)}${run.error ? `\n  ${run.error}` : ''}`,
  ...run.reasons.map(({ code, rows, example }) => `  refused ${rows} (${code}): ${example}`),
  ...tally(run.leftOut, 'left out'),
]

const tally = (reasons: Record<string, number>, what: string): string[] =>
  Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([reason, rows]) => `  ${what} ${rows}: ${reason}`)

const expected = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    // What the operator can mend is told in a line, without a stack.
    if (error instanceof BadSource || error instanceof SourceError) Object.assign(error, { expected: true })
    throw error
  }
}

const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('must be a whole number above 0')
  return number
}

const usualDeps = (): IngestDeps => ({
  openStore: async () => {
    const store = await openStore(readConfig())
    const queue = await openQueue(store.address)
    return {
      ...store,
      queue,
      close: async () => {
        await queue.close()
        await store.close()
      },
    }
  },
  token: tokenNamed,
  get highValueUsd() {
    return readConfig().HIGH_VALUE_PERMIT_USD
  },
  now: () => new Date(),
  print: (line) => process.stdout.write(`${line}\n`),
  terminal: process.stderr,
})
