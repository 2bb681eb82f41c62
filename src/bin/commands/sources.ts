// `lotline sources`: lists, shows, pauses, removes and moves the sources of this installation.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import { messageOf } from '../../common/typed.ts'
import { packFolders, readConfig, tokenNamed } from '../../config.ts'
import { type ConfiguredSource, readSource, readSourceFolder } from '../../ingest/config.ts'
import { type ClassMeasure, measureClasses, readLabels, type Share } from '../../ingest/measure-classes.ts'
import { previewSource } from '../../ingest/preview.ts'
import { runIngest } from '../../ingest/run.ts'
import { createHttp } from '../../sources/http.ts'
import type { Http } from '../../sources/http-response.ts'
import type { Database } from '../../store/engine/database.ts'
import { removeSource, sourceRows } from '../../store/ingest/remove-source.ts'
import { runReports } from '../../store/ingest/run.ts'
import { pausedSources, pauseSource, resumeSource } from '../../store/ingest/source-state.ts'
import { withOpened } from '../with-opened.ts'
import { type Printed, printing, subcommands } from './arguments.ts'
import { type IngestDeps, ingestDeps } from './ingest.ts'
import { knownMarket, newSourceCommand } from './new-source.ts'
import { availableLines, contextOf, enableFeed } from './public-feeds.ts'
import { type ListedSource, listLines, showLines } from './source-lines.ts'

export interface SourcesDeps extends IngestDeps {
  sourcesDir: string
  /** Folders of public feeds; defaults to those that ship with Lotline and those of `packFolders`. */
  feedFolders?: readonly string[]
  /** Folders of further market packs. */
  packFolders?: readonly string[]
  /** Reads feeds that are enabled; defaults to one for each feed. */
  http?: Http
  /** Asks the operator; defaults to the terminal, if there is one. */
  ask?: (question: string) => Promise<string>
}

export const sourcesCommand = (deps: SourcesDeps = sourcesDeps()): Command => {
  const command = new Command('sources').description('Manage the sources that data is loaded from.')
  const addTo = subcommands(command, { say: deps.print })
  const inStore = <T>(work: (store: Store) => Promise<T>) => withOpened(deps.openStore, work)
  const add = <Given extends readonly unknown[]>(
    name: string,
    description: string,
    run: (deps: SourcesDeps, store: Store, ...given: Given) => Promise<Printed>,
    shaped?: (sub: Command) => Command,
  ) => addTo(name, description, (...given: Given) => inStore((store) => run(deps, store, ...given)), shaped)
  const withId = (sub: Command) => sub.argument('<id>', 'source id')
  add('list', 'List configured and loaded sources, with their state and last run.', list)
  add('show', 'Show one source: configuration, rows, last run, fields and rejected rows.', show, withId)
  add('pause', 'Stop loading a source on its schedule. Its data stays.', pause, withId)
  add('resume', 'Load a paused source on its schedule again.', resume, withId)
  add('remove', 'Remove a source with all its data. Its file is renamed to *.removed.', remove, (sub) =>
    withId(sub).option('--yes', 'remove; without it, only show what would be removed'),
  )
  add(
    'move',
    'Move a source to another market: its data is removed, its file changed, and the feed loaded again.',
    move,
    (sub) => withId(sub).argument('<market>', 'market id'),
  )
  addTo(
    'available',
    'List the public feeds of Lotline and of the packs in PACKS_DIR, with their contents, license and confidence.',
    () => availableLines(deps),
  )
  return command
    .addCommand(
      new Command('enable')
        .description(
          'Check a public feed, load it, assess its market and load it on schedule from then on. It replaces the sample data of its data set only.',
        )
        .argument('<feed>', 'id of a feed or of one of its sources, from lotline sources available')
        .option('--force', 'load even if the feed does not match its description')
        .option('--no-assess', 'do not assess the market afterward')
        .option('--json', 'print JSON')
        .action((id: string, options: { force?: boolean; assess?: boolean; json?: boolean }) =>
          enableFeed(deps, id, options),
        ),
    )
    .addCommand(newSourceCommand(deps))
    .addCommand(sourceClassesCommand(deps.print))
}

type Store = Awaited<ReturnType<SourcesDeps['openStore']>>

const listed = async (deps: SourcesDeps, store: Database): Promise<ListedSource[]> => {
  const { sources, broken } = await readSourceFolder(deps.sourcesDir)
  const [runs, paused] = await Promise.all([runReports(store.db), pausedSources(store.db)])
  const byId = new Map(runs.map((run) => [run.sourceId, run]))
  return [
    ...sources.map(({ config }): ListedSource => {
      const run = byId.get(config.id)
      const state = paused.has(config.id) ? 'paused' : config.schedule ? 'scheduled' : 'manual'
      return { id: config.id, holds: config.holds, state, schedule: config.schedule, run }
    }),
    ...runs
      .filter(({ sourceId }) => !sources.some(({ config }) => config.id === sourceId))
      .map(
        (run): ListedSource => ({ id: run.sourceId, holds: run.holds, state: run.sample ? 'sample' : 'no file', run }),
      ),
    ...broken.map(({ file, reason }): ListedSource => ({ id: file, state: 'broken', problem: reason })),
  ]
}

const list = async (deps: SourcesDeps, store: Store): Promise<Printed> => {
  const all = await listed(deps, store)
  return { json: all, text: listLines(all, deps.sourcesDir) }
}

const show = async (deps: SourcesDeps, store: Store, id: string): Promise<Printed> => {
  const source = (await listed(deps, store)).find((each) => each.id === id)
  if (!source) throw unknown(id)
  const rows = await sourceRows(store.db, id)
  const file = await fileOf(deps, id)
  return { json: { ...source, rows, config: file?.config }, text: showLines(source, rows, file) }
}

const pause = async (deps: SourcesDeps, store: Store, id: string): Promise<Printed> => {
  await expectSource(deps, store, id)
  await pauseSource(store.db, id, deps.now())
  const text = `${id} is paused. A running service notices within 30 seconds. Resume: lotline sources resume ${id}`
  return { json: { success: true, id, paused: true }, text }
}

const resume = async (_deps: SourcesDeps, store: Store, id: string): Promise<Printed> => {
  if (!(await resumeSource(store.db, id)))
    throw new OperatorError(`${id} is not paused. List the sources with: lotline sources list`)
  return { json: { success: true, id, paused: false }, text: `${id} is loaded on its schedule again.` }
}

const remove = async (deps: SourcesDeps, store: Store, id: string, { yes }: { yes?: boolean }): Promise<Printed> => {
  await expectSource(deps, store, id)
  const before = await sourceRows(store.db, id)
  if (!yes) {
    const text = `${id} has ${rowsText(before)}. Nothing was removed. To remove them: lotline sources remove ${id} --yes`
    return { json: { success: true, id, removed: false, rows: before }, text }
  }
  const file = await fileOf(deps, id)
  if (file) await rename(file.path, `${file.path}.removed`)
  const rows = (await removeSource(store.db, id, deps.now())) ?? before
  const text = `${id} was removed with ${rowsText(rows)}.${file ? ` Its file is now ${file.path}.removed.` : ''} Run lotline assess to compute scores without it.`
  return { json: { success: true, id, removed: true, rows }, text }
}

const move = async (deps: SourcesDeps, store: Store, id: string, name: string): Promise<Printed> => {
  const market = knownMarket(name)
  const file = await fileOf(deps, id)
  if (!file) throw new OperatorError(`${id} has no file in ${deps.sourcesDir}, so it cannot be loaded again.`)
  const config = { ...file.config, market }
  const context = contextOf(deps, { ...file, config })
  // Checked before anything is removed: if the feed cannot be read or is for another place, the data stays.
  const preview = await previewSource(config, context, 2000)
  if (preview.wouldLoad === 0)
    throw new OperatorError(
      `No row of ${id} would be loaded into ${market}: ${preview.rejected[0]?.examples[0]?.reason ?? 'the feed is empty'}. Nothing was changed.`,
    )
  const written = JSON.parse(await readFile(file.path, 'utf8')) as object
  await writeFile(file.path, `${JSON.stringify({ ...written, market }, null, 2)}\n`)
  await removeSource(store.db, id, deps.now())
  const { highValueUsd, publicUrl } = deps
  const { counts } = await runIngest(store, config, { ...context, highValueUsd, publicUrl })
  const text = `${id} is now in ${market}: ${counts.loaded} rows loaded, ${counts.rejected} rejected.`
  return { json: { success: true, id, market, ...counts }, text }
}

const fileOf = async (deps: SourcesDeps, id: string): Promise<ConfiguredSource | undefined> =>
  (await readSourceFolder(deps.sourcesDir)).sources.find(({ config }) => config.id === id)

const expectSource = async (deps: SourcesDeps, store: Database, id: string): Promise<void> => {
  if (!(await listed(deps, store)).some((source) => source.id === id)) throw unknown(id)
}

const unknown = (id: string) =>
  new OperatorError(`There is no source "${id}". List the sources with: lotline sources list`)

const rowsText = (rows: Readonly<Record<string, number>>): string => {
  const nonEmpty = Object.entries(rows).filter(([, count]) => count > 0)
  return nonEmpty.length === 0
    ? 'no rows'
    : nonEmpty.map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`).join(', ')
}

export const sourcesDeps = (): SourcesDeps => {
  const deps = ingestDeps() as SourcesDeps
  // The configuration is read when a command needs it, not for its help.
  Object.defineProperty(deps, 'sourcesDir', { get: () => join(readConfig().SOURCES_DIR), enumerable: true })
  return Object.assign(deps, { packFolders: packFolders() })
}

// `lotline sources classes`: how well the permit classes of a source agree with labels made by hand.
const sourceClassesCommand = (say: (line: string) => void): Command =>
  printing(
    new Command('classes')
      .description('Measure the permit classes of a source against rows labeled by hand.')
      .argument('<source>', 'source configuration file')
      .requiredOption('--labels <file>', 'CSV file with the lines "row,class" after a header; rows count from 1'),
    async (path: string, { labels }: { labels: string }) => {
      const measured = await measure(path, labels)
      return { json: measured, text: measureLines(measured) }
    },
    { say },
  )

const measure = async (path: string, labelsPath: string): Promise<ClassMeasure[]> => {
  const { config, folder } = await readSource(path)
  if (config.holds !== 'permits')
    throw new OperatorError(`${path} holds ${config.holds}; classes are measured on permits.`)
  const labels = readLabels(await readFile(labelsPath, 'utf8'))
  const http = createHttp()
  try {
    const { tokenEnv } = config.where
    return await measureClasses(config, labels, {
      http,
      folder,
      now: new Date(),
      token: tokenEnv && tokenNamed(tokenEnv),
    })
  } catch (cause) {
    throw new OperatorError(messageOf(cause), { cause })
  } finally {
    await http.close()
  }
}

const measureLines = (measured: readonly ClassMeasure[]): string[] => [
  'class                    labeled  precision (95% interval, permits)   recall (95% interval, permits)',
  ...measured
    .filter(({ labeled, precision }) => labeled > 0 || precision.of > 0)
    .map(
      ({ permitClass, labeled, precision, recall }) =>
        `${permitClass.padEnd(24)} ${String(labeled).padStart(7)}  ${shareText(precision).padEnd(34)} ${shareText(recall)}`,
    ),
  ...[...new Map(measured.flatMap(({ errors }) => errors.map((error) => [error.row, error] as const))).values()].map(
    ({ row, labeled, classified, words }) =>
      `  row ${row}: labeled ${labeled}, classified ${classified}${words.length > 0 ? ` for "${words.join('", "')}"` : ''}`,
  ),
]

const shareText = ({ share, of, low, high }: Share): string =>
  share === undefined
    ? 'none'
    : `${(100 * share).toFixed(1)}% (${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}%, ${of})`
