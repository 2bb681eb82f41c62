// `lotline sources new`: writes a source file for a feed from a sample of its rows.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import { pick } from '../../common/typed.ts'
import { type Dataset, datasets, type MarketId } from '../../domain/facts.ts'
import { findCity, marketIds, marketOf } from '../../domain/packs/markets.ts'
import type { SourceConfig } from '../../domain/packs/source-config.ts'
import { namesIn } from '../../ingest/map.ts'
import { type NewSource, type NewSourceOptions, newSource, UnsureKind } from '../../ingest/new-source.ts'
import { type Preview, previewSource } from '../../ingest/preview.ts'
import { isAddress } from '../../sources/source.ts'
import { applicable, textTable } from '../text-table.ts'
import { printing } from './arguments.ts'
import { countsText } from './preview-lines.ts'
import type { SourcesDeps } from './sources.ts'

interface SeenSource extends NewSource {
  preview: Preview
}

/** What the rows are is not certain: nothing is written, and the mapping is shown where it is likely. */
export class UnsureSource extends OperatorError {
  readonly seen: SeenSource | undefined

  constructor(cause: UnsureKind, seen?: SeenSource) {
    super(cause.message, { cause })
    this.seen = seen
  }

  get lines(): string[] {
    return [this.message, ...(this.seen ? proposalLines(this.seen) : [])]
  }
}

export const newSourceCommand = (deps: SourcesDeps): Command =>
  printing(
    new Command('new')
      .description('Propose the mapping of a file or URL from a sample of its rows, and write a source file.')
      .argument('<file-or-url>', 'CSV, TSV, GeoJSON or JSON file, or the URL of a feed')
      .requiredOption('--market <id>', 'market of the rows')
      .addOption(new Option('--holds <data set>', 'what the rows are; detected by default').choices(datasets))
      .option('--id <id>', 'id of the source; defaults to the market and the data set')
      .option('--city <name>', 'city of every row, if the feed names none'),
    async (
      url: string,
      { market: name, holds, id, city }: { market: string; holds?: Dataset; id?: string; city?: string },
    ) => {
      const market = knownMarket(name, ' Make one: lotline pack new')
      const shown = (source: SeenSource) => ({
        ...pick(source, 'config', 'others', 'mapping'),
        ...pick(source.preview, 'wouldLoad', 'read'),
      })
      try {
        const written = await writeNewSource(deps, url, { holds, id, city, market })
        return { json: { success: true, path: written.path, ...shown(written) }, text: proposalLines(written) }
      } catch (error) {
        if (!(error instanceof UnsureSource && error.seen)) throw error
        process.exitCode = 1
        return { json: { success: false, problem: error.message, ...shown(error.seen) }, text: error.lines }
      }
    },
    { say: deps.print },
  )

/** `advice`: what to do if there is none. */
export const knownMarket = (name: string, advice = ''): MarketId => {
  const market = marketOf(name)
  if (!market) throw new OperatorError(`There is no market "${name}". Markets: ${marketIds().join(', ')}.${advice}`)
  return market
}

/** Writes the source file and checks it on the first rows of the feed. An existing file is not replaced. */
export const writeNewSource = async (
  deps: Pick<SourcesDeps, 'sourcesDir' | 'now'>,
  given: string,
  options: NewSourceOptions,
) => {
  const url = isAddress(given) ? given : resolve(given)
  const context = { folder: deps.sourcesDir, now: deps.now() }
  const proposed = await newSource(url, options, context).catch(async (cause: unknown) => {
    if (!(cause instanceof UnsureKind)) throw cause
    const seen = cause.proposed && {
      ...cause.proposed,
      preview: await previewSource(cause.proposed.config, context, 2000),
    }
    throw new UnsureSource(cause, seen)
  })
  const preview = await previewSource(proposed.config, context, 2000)
  await mkdir(deps.sourcesDir, { recursive: true })
  const id = options.id ?? (await freeId(deps.sourcesDir, proposed.config.id, url))
  const config = { ...proposed.config, id }
  const others: SourceConfig[] = []
  for (const other of proposed.others) {
    const named = other.id.replace(proposed.config.id, id)
    const isSame = other.holds === config.holds || options.id !== undefined
    others.push({ ...other, id: isSame ? named : await freeId(deps.sourcesDir, named, url) })
  }
  const files = [config, ...others].map((each) => ({ each, path: join(deps.sourcesDir, `${each.id}.json`) }))
  const existing = files.filter(({ path }) => existsSync(path)).map(({ path }) => path)
  if (existing.length > 0)
    throw new OperatorError(
      `${existing.join(', ')} already ${existing.length === 1 ? 'exists. Delete it' : 'exist. Delete them'}, or choose another id with --id.`,
    )
  for (const { each, path } of files) await writeFile(path, `${JSON.stringify(each, null, 2)}\n`, { flag: 'wx' })
  return { ...proposed, config, others, path: files[0]!.path, preview }
}

/** A second feed of the same data set gets a number: "kent-parcels-2". A feed that has a file keeps its id. */
const freeId = async (folder: string, id: string, url: string): Promise<string> => {
  for (let at = 1; ; at += 1) {
    const each = at === 1 ? id : `${id}-${at}`
    const text = await readFile(join(folder, `${each}.json`), 'utf8').catch(() => undefined)
    if (text === undefined || text.includes(JSON.stringify(url))) return each
  }
}

/**
 * Rows without a city belong to no place: the source needs the city of all of them. Parcels that were never sold are rejected as sales
 * before their city is read.
 */
export const namesNoCity = ({ city }: NewSource['config'], { wouldLoad, rejected }: Preview): boolean =>
  !city &&
  wouldLoad === 0 &&
  rejected.find(({ code }) => code !== 'requirement')?.examples[0]?.reason === 'city is missing'

/** `path`: the file that was written. */
export const proposalLines = ({
  path,
  config,
  others,
  mapping,
  rows,
  preview,
}: SeenSource & { path?: string }): string[] => {
  const { fields, unclear, missing, unusedColumns, point } = mapping
  const written = others.length > 0 ? 'files' : 'file'
  const ofOthers = others.flatMap(({ fields = {} }) => Object.values(fields).flatMap(namesIn))
  const unused = unusedColumns.filter((name) => name !== '' && !ofOthers.includes(name))
  const unlisted = Object.entries(preview.cities).filter(([city]) => !findCity(city, config.market))
  const isHome = config.holds === 'parcels' || config.holds === 'listings' || config.holds === 'sales'
  const { duplicates, addresses } = preview
  const firstRows = applicable(
    `${preview.wouldLoad} of the first ${preview.read} rows can be loaded`,
    duplicates > 0 && `${duplicates} ${duplicates === 1 ? 'has' : 'have'} the id of another row`,
    addresses > 0 && `${addresses} only add an address to a permit`,
    preview.rejected.map(({ rows, examples, code }) => `${rows} cannot: ${examples[0]?.reason ?? code}`),
  )
  return applicable(
    path &&
      mapping.because &&
      `These are ${config.holds}, by the columns ${mapping.because}. If not, delete the ${written} and add --holds.`,
    `${config.holds} (${config.kind}), mapped from ${rows.toLocaleString('en-US')} rows${config.where.delimiter ? `, separated by ${JSON.stringify(config.where.delimiter)}` : ''}:`,
    fields.length === 0
      ? `  The fields of the kind ${config.kind} are already mapped.`
      : textTable(fields, [
          { title: 'Field', value: ({ field }) => field },
          { title: 'Feed', value: ({ rule }) => (typeof rule === 'string' ? rule : JSON.stringify(rule)) },
          { title: 'Confidence', value: ({ confidence }) => confidence },
          { title: 'Example', value: ({ examples }) => examples[0] ?? '' },
          { title: 'Note', value: ({ note }) => note ?? '' },
        ]),
    point && `point: ${point}`,
    unclear.map(({ field, column, reason }) =>
      field === 'any' ? `Not mapped: column ${column} ${reason}.` : `Not mapped: ${field} from ${column}: ${reason}.`,
    ),
    missing.length > 0 &&
      `Required and not found: ${missing.join('; ')}. Add them to "fields" in the file; a value that all rows have is { "constant": "…" }.`,
    unused.length > 0 && fields.length > 0 && `Columns not used: ${unused.join(', ')}.`,
    isHome &&
      fields.length > 0 &&
      !fields.some(({ field }) => field === 'livingSqft') &&
      'No living area is mapped (livingSqft). Homes and sales without one get no values and improve none.',
    `${firstRows.join('; ')}.`,
    unlisted.length > 0 &&
      config.holds !== 'rents' &&
      `The market ${config.market} does not list these cities: ${countsText(Object.fromEntries(unlisted))}. Check --market.`,
    namesNoCity(config, preview) &&
      `The feed names no city. If it is of one city, set "city" in the ${written}, or delete the ${written} and add --city <name>.`,
    others.map(({ id, holds, fields = {} }) => {
      const further = Object.entries(fields).filter(([field]) => !Object.hasOwn(config.fields ?? {}, field))
      return holds === 'rents'
        ? `Also: ${id}, from ${fields.amountUsd}`
        : `Each row is a parcel with its last sale. Also: ${id}, the ${holds}${further.map(([field, rule]) => `, ${field} from ${namesIn(rule).join(', ')}`).join('')}`
    }),
    path
      ? `Wrote ${path}. Read the mapping, then: lotline ingest --check ${path}`
      : `Nothing was written. If these are ${config.holds}: lotline sources new FILE --market ID --holds ${config.holds}`,
  )
}
