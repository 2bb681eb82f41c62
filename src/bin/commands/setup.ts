// `lotline setup`: the first day of an operator. Lists what a place needs and what ships for it, writes the pack and the
// sources, loads, assesses, and reports what works and what is missing.
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { fitAndAssess } from '../../assess/fit-and-assess.ts'
import { OperatorError } from '../../common/operator-error.ts'
import { didYouMean } from '../../common/suggest.ts'
import { keysOf, messageOf, pick } from '../../common/typed.ts'
import { packFolders } from '../../config.ts'
import { isDefault } from '../../domain/assumptions/assumptions.ts'
import { dayOf } from '../../domain/day.ts'
import { type Dataset, datasets, type MarketId } from '../../domain/facts.ts'
import { defaultMarket, findCity, jurisdictions, type Market, marketOf, markets } from '../../domain/packs/markets.ts'
import type { SourceConfig } from '../../domain/packs/source-config.ts'
import { packOf } from '../../domain/packs/use-packs.ts'
import { nameOfState, zoneOfState } from '../../domain/states.ts'
import { type AvailableFeed, feedFolders } from '../../ingest/available.ts'
import { readSource, readSourceFolder } from '../../ingest/config.ts'
import { type NewSourceOptions, newSource, parcelsOfSales } from '../../ingest/new-source.ts'
import { runIngest } from '../../ingest/run.ts'
import { lawsOfState, missingLaws } from '../../laws/list.ts'
import { writeSkeleton } from '../../packs/skeleton.ts'
import { isAddress } from '../../sources/source.ts'
import { locatedRecords, valuedHomes } from '../../store/assessments/accuracy.ts'
import type { Db } from '../../store/engine/database.ts'
import { coverage } from '../../store/ingest/coverage.ts'
import { runReports } from '../../store/ingest/run.ts'
import { mapLayers } from '../../store/map/places.ts'
import { Canceled } from '../operator-error.ts'
import { applicable, textTable } from '../text-table.ts'
import { useMarketPacks } from '../use-market-packs.ts'
import { day } from './assess.ts'
import { namesNoCity, proposalLines, UnsureSource, writeNewSource } from './new-source.ts'
import { boxOf, freeNumber, timeZoneOf } from './pack.ts'
import { enableFeed, feedLines, feedsOf } from './public-feeds.ts'
import { rejectedLines } from './source-lines.ts'
import { type SourcesDeps, sourcesDeps } from './sources.ts'

type Need = Dataset | 'zoning' | 'layers' | 'costs'

/** What a market needs, what it gives, and where to look for it. */
const needs: Readonly<Record<Need, { gives: string; from: string }>> = {
  parcels: {
    gives: 'properties, outlines, lot and house facts',
    from: "county assessor or GIS: ArcGIS layer, Socrata, GeoJSON or CSV. Search for '<county> parcels FeatureServer'",
  },
  sales: { gives: 'values and comparable sales', from: 'county recorder or assessor (CSV), or an MLS (RESO)' },
  listings: {
    gives: 'signals, Explore, price and heat',
    from: 'an MLS (RESO, with a license) or a portal download (redfin CSV)',
  },
  permits: {
    gives: 'teardown scores, builders, permit search',
    from: 'city open data: Socrata, CKAN, ArcGIS, BLDS, or a CSV on request',
  },
  zoning: {
    gives: 'envelopes, pro formas, redevelopment leads',
    from: 'the municipal code, written as packs/<market>/zoning/<city>.json',
  },
  layers: {
    gives: 'flood, fire, fault and other zones, slope and buildings, without which laws are not fully tested',
    from: 'lotline sources available lists those that ship; for others see "Layers" in docs/sources.md',
  },
  rents: {
    gives: 'returns of rentals',
    from: 'HUD fair market rents (https://www.huduser.gov/portal/datasets/fmr.html): save the file of counties as CSV under its name, such as FY27_FMRs.csv, and give it with --file; other counties are left out. Or a CSV of rents by ZIP code or county',
  },
  costs: {
    gives: 'flips and pro formas at local costs; the defaults are those of an expensive place',
    from: 'bids of builders and terms of lenders, written as packs/<market>/assumptions.json; lotline pack check lists the defaults in use',
  },
}

type Ask = NonNullable<SourcesDeps['ask']>

interface Options {
  state?: string
  stateName?: string
  county?: string
  box?: ReturnType<typeof boxOf>
  timeZone?: string
  file: string[]
  city?: string
  asOf?: Date
  yes?: boolean
  assess?: boolean
  json?: boolean
}

export const setupCommand = (deps: SourcesDeps = sourcesDeps()): Command =>
  new Command('setup')
    .description('Set up a place: pack, sources, load, assessment, and a report of what is missing.')
    .argument('[place]', 'market, city or the name of a new place')
    .option('--file <file or URL...>', 'your data; what it holds is detected', [])
    .option('--city <name>', 'city of the rows of files that name none')
    .option('--state <XX>', 'new place: state in two letters', (state: string) => state.toUpperCase())
    .option('--state-name <state>', 'new place: name of the state, if it is not one of the 50 and DC')
    .option('--county <county>', 'new place: county')
    .option('--box <west,south,east,north>', 'new place: bounding box in degrees', boxOf)
    .option('--time-zone <zone>', 'new place: IANA time zone; by default that of most of the state', timeZoneOf)
    .option('--as-of <day>', 'assess as of this day, for data that ends in the past', day)
    .option('--yes', 'ask nothing; also enable the public feeds that ship for the place')
    .option('--no-assess', 'do not assess')
    .option('--json', 'print the report as JSON; asks nothing')
    .action((place: string | undefined, options: Options) => setup(deps, place, options))

const setup = async (deps: SourcesDeps, given: string | undefined, options: Options): Promise<void> => {
  const say = options.json ? () => {} : deps.print
  const ask = options.yes || options.json ? undefined : (deps.ask ?? (process.stdin.isTTY ? askTerminal : undefined))
  const known = markets().map(({ id }) => id)
  const name = given ?? (await ask?.(`Which place? A market (${known.join(', ')}), a city of one, or a new place: `))
  if (!name) throw new OperatorError('Name a market, a city or a new place, for example: lotline setup Springfield')
  const existing = marketNamed(name)
  if (!existing && packFolders().length === 0)
    throw new OperatorError(
      `${unknownPlace(name)} For a new market, set PACKS_DIR to the folder for your market packs, for example: export PACKS_DIR=~/packs`,
    )
  const market = existing ?? newMarket(name, { ...options, ...(ask && (await askPlace(name, options, ask))) }, say)
  if (existing && (options.state ?? options.county ?? options.box ?? options.timeZone))
    say(
      `${existing.name} already exists, so --state, --county, --box and --time-zone were ignored. Edit its pack.json and cities.json to change its area or time zone.`,
    )
  const { feeds } = await feedsOf(deps)
  const shipped = feeds.filter((feed) => isOfPlace(feed, market))
  say(`${market.name} needs:`)
  say(needsTable(market, shipped))
  const problems: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof Error)) throw error
      const problem = error.message.includes(what) ? error.message : `${what}: ${error.message}`
      problems.push(problem)
      say(problem)
    })
  }
  const paths: string[] = []
  const answers = {
    cityOf: async (file: string) =>
      options.city ?? (await ask?.(`${file} names no city. The city of all its rows (Enter to leave the file out): `)),
    holdsOf: (problem: string) => askHolds(problem, ask),
  }
  const adding = { deps, market, paths, say, answers }
  const add = (file: string) => attempt(file, () => addFile(adding, file))
  for (const file of options.file) await add(file)
  for (let file = await ask?.(fileQuestion); file; file = await ask?.(fileQuestion))
    if (isAddress(file) || existsSync(pathOf(file))) await add(pathOf(file))
    else say(`There is no file ${resolve(pathOf(file))}.`)
  for (const feed of shipped) for (const line of feedLines(feed)) say(line)
  for (const folder of deps.feedFolders ?? (await feedFolders(deps.packFolders)))
    if (folder.endsWith(join(market.id, 'sources')) && existsSync(join(folder, 'README.md')))
      say(`Feeds that are known and do not ship: ${join(folder, 'README.md')}`)
  if (shipped.length > 0 && !ask && !options.yes) say('Nothing is asked here; --yes enables these feeds.')
  for (const id of options.yes ? shipped.map((feed) => feed.id) : await askFeeds(shipped, ask))
    await attempt(id, () => enableFeed({ ...deps, print: say }, id, { assess: false, market: market.id }))
  const loaded = new Set(shipped.flatMap(({ sources }) => sources.map(({ config }) => config.id)))
  const store = await deps.openStore()
  try {
    for (const path of paths)
      await attempt(path, async () => {
        const { config, folder } = await readSource(path)
        loaded.add(config.id)
        const { counts } = await runIngest(store, config, { folder, now: deps.now(), highValueUsd: deps.highValueUsd })
        say(
          `${config.id}: ${counts.loaded.toLocaleString('en-US')} rows loaded, ${counts.rejected.toLocaleString('en-US')} rejected.`,
        )
      })
    const held = (await coverage(store.db, deps.now())).filter((row) => row.market === market.id)
    if (options.assess !== false && held.length > 0) {
      const asOf = options.asOf ? { asOf: options.asOf } : {}
      const { considered, fitted } = await fitAndAssess(store.db, market.id, { now: deps.now(), ...asOf })
      say(`${considered.toLocaleString('en-US')} properties assessed.`)
      for (const line of fitted) say(`  ${line}`)
    }
    const report = await reportOf(store.db, market, held, loaded)
    if (options.json) {
      const rejected = report.rejected.map((run) => pick(run, 'sourceId', 'rowsRead', 'rowsRejected', 'reasons'))
      const success = problems.length === 0
      return deps.print(JSON.stringify({ success, market: market.id, ...report, rejected, problems }))
    }
    for (const line of reportLines(report, market, deps.now(), options.asOf)) deps.print(line)
    for (const problem of problems) deps.print(`Did not work: ${problem}`)
    deps.print(
      'To see it: lotline serve, then /coverage. A running service reads new source files within 30 seconds; a new pack needs a restart.',
    )
  } finally {
    await store.close()
  }
  if (problems.length > 0) process.exitCode = 1
}

const needsTable = (market: Market, shipped: readonly AvailableFeed[]): string => {
  const pack = packOf(market.id)!
  const ships = (need: Need): string => {
    if (need === 'zoning') return `${pack.districts.length} districts`
    if (need === 'costs') return isDefault(pack, 'baseCostPerSqft') ? 'defaults' : 'those of the pack'
    const holds = need === 'layers' ? 'layer' : need
    const feeds = shipped.filter(({ sources }) => sources.some(({ config }) => config.holds === holds))
    return feeds.map(({ id }) => id).join(', ') || 'nothing'
  }
  return textTable(keysOf(needs), [
    { title: 'Data', value: (need) => need },
    { title: 'Gives', value: (need) => needs[need].gives },
    { title: 'Ships', value: ships },
  ])
}

/** What is there after the loads and what is missing. `loaded` are the sources of this run. */
const reportOf = async (
  db: Db,
  market: Market,
  held: Awaited<ReturnType<typeof coverage>>,
  loaded: ReadonlySet<string>,
) => {
  const data = datasets.map((dataset) => {
    const rows = held.filter((row) => row.dataset === dataset)
    return {
      dataset,
      rows: rows.reduce((sum, row) => sum + row.rows, 0),
      sample: rows.some(({ sources }) => sources.some(({ sample }) => sample)),
      newest:
        rows.reduce((newest, row) => (newest > (row.newestRecord ?? '') ? newest : row.newestRecord!), '') || null,
    }
  })
  const districts = packOf(market.id)!.districts.length
  const located = await locatedRecords(db, market.id)
  const missing: (Need | 'coordinates')[] = [
    ...(lacksPoints(located) ? ['coordinates' as const] : []),
    ...data.filter(({ rows, sample }) => rows === 0 || sample).map(({ dataset }) => dataset),
    ...(districts === 0 ? ['zoning' as const] : []),
    ...((await mapLayers(db, market.id)).every(({ sample }) => sample) ? ['layers' as const] : []),
    ...(isDefault(packOf(market.id), 'baseCostPerSqft') ? ['costs' as const] : []),
  ]
  return {
    data,
    values: await valuedHomes(db, market.id),
    located,
    districts,
    missing,
    missingLaws: missingLaws(market),
    rejected: (await runReports(db)).filter(({ sourceId, rowsRejected }) => loaded.has(sourceId) && rowsRejected > 0),
  }
}

const reportLines = (
  { data, values, located, districts, missing, missingLaws, rejected }: Awaited<ReturnType<typeof reportOf>>,
  market: Market,
  now: Date,
  asOf: Date | undefined,
): string[] => {
  const lastSale = data.find(({ dataset }) => dataset === 'sales')?.newest
  const yearAgo = dayOf(new Date(now.getTime() - 365 * 86_400_000))
  const isOld = values === 0 && !asOf && located.salesLocated > 0 && lastSale && lastSale < yearAgo
  const count = (rows: number) => rows.toLocaleString('en-US')
  return applicable(
    `What works in ${market.name}: ${count(values)} homes with a value, ${districts} zoning districts.`,
    isOld &&
      `The newest sale is of ${lastSale}, too old for values of today. For values of that time: lotline assess --market ${market.id} --fit --as-of ${lastSale}`,
    data.map(
      ({ dataset, rows, sample, newest }) =>
        `  ${dataset}: ${count(rows)}${sample ? ', among them generated sample data' : ''}${newest ? `, newest ${newest}` : ''}`,
    ),
    locationLines(located, market),
    missing.flatMap((need) =>
      need === 'coordinates' ? [] : `Missing: ${need} (for ${needs[need].gives}). Where to look: ${needs[need].from}.`,
    ),
    missingLaws.map((law) => `Missing: ${law}.`),
    rejected.flatMap((run) => {
      const share = Math.round((100 * run.rowsRejected) / run.rowsRead)
      return [
        `Rejected: ${count(run.rowsRejected)} of ${count(run.rowsRead)} rows of ${run.sourceId} (${share < 1 ? 'less than 1' : share}%). The rows: lotline ingest report ${run.sourceId}`,
        ...rejectedLines(run),
      ]
    }),
  )
}

type Located = Awaited<ReturnType<typeof locatedRecords>>
const lacksPoints = ({ homes, homesLocated, sales, salesLocated }: Located): boolean =>
  homes > 0 && (homesLocated < 0.9 * homes || salesLocated < 0.9 * sales)

/** Assessors publish addresses without coordinates; address points or outlines of the same places have them. */
const locationLines = (located: Located, { name, state, stateName }: Market): string[] => {
  const { homes, homesLocated, sales, salesLocated } = located
  if (homes === 0 || (homesLocated === homes && salesLocated === sales)) return []
  const of = (some: number, all: number) => `${some.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`
  const line = `Coordinates: ${of(homesLocated, homes)} homes and ${of(salesLocated, sales)} sales have them. The others have no values.`
  return !lacksPoints(located)
    ? [line]
    : [
        line,
        `Missing: coordinates (for values, maps and comparable sales). Load address points or parcel outlines of ${name}; they are matched by address or parcel number: lotline setup "${name}" --file points.csv. Where to look: OpenAddresses (https://batch.openaddresses.io, sources us/${state.toLowerCase()}), the National Address Database of the US Department of Transportation, or the address points of the county or of the GIS office of ${stateName}. A ZIP code alone places nothing.`,
      ]
}

/** Feeds of the market, national maps, and those of other markets in the same state. Stations are those of a region. */
const isOfPlace = ({ market, sources }: AvailableFeed, { id, state }: Market): boolean =>
  market === id ||
  (sources.every(({ config: { sets } }) => sets && sets.fact !== 'stations') &&
    (market === undefined || markets().some((other) => other.id === market && other.state === state)))

const marketNamed = (name: string): Market | undefined => {
  const id = marketOf(name) ?? findCity(name)?.market
  return markets().find((market) => market.id === id)
}

const unknownPlace = (name: string): string => {
  const ids = markets().map(({ id }) => id)
  return `"${name}" is neither a market (${ids.join(', ')}) nor a city of one.${suggestedPlace(name)}`
}

const suggestedPlace = (name: string): string =>
  didYouMean(name, [
    ...markets().flatMap((market) => [market.id, market.name]),
    ...jurisdictions().map((city) => city.name),
  ])

/** Writes the pack of a new place and loads it into this process. */
const newMarket = (
  name: string,
  { state = '', stateName = stateNamed(state), county, box, timeZone = zoneOfState(state) }: Options,
  say: (line: string) => void,
): Market => {
  if (!state || !stateName || !county || !box)
    throw new OperatorError(
      `${unknownPlace(name)} To make it a market: lotline setup "${name}" --state IL --county Sangamon --time-zone America/Chicago --box -89.80,39.60,-89.50,39.90`,
    )
  const [folder] = packFolders()
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const pack = { id, number: freeNumber(), name, state, stateName, county, timeZone, box }
  writeSkeleton(folder!, pack, dayOf(new Date()).slice(0, 7))
  say(`Wrote the pack ${resolve(folder!, id)}, time zone ${timeZone}.`)
  say(
    `Requests without a market use ${defaultMarket()}. To make ${name} the default, add "default": true to its pack.json.`,
  )
  const lawful = lawsOfState(state)
  if (lawful.length > 0)
    say(
      `Laws of ${stateName} in the pack: ${lawful.map(({ id: law, title }) => `${title} (${law})`).join(', ')}. Rules of a single town are not included.`,
    )
  const { problems } = useMarketPacks()
  const made = markets().find((market) => market.id === (id as MarketId))
  if (!made) throw new OperatorError(`The new pack cannot be used: ${problems.map(({ reason }) => reason).join('; ')}`)
  return made
}

interface Adding {
  deps: SourcesDeps
  market: Market
  paths: string[]
  say: (line: string) => void
  answers: {
    cityOf: (file: string) => Promise<string | undefined>
    holdsOf: (problem: string) => Promise<Dataset | undefined>
  }
}

/** Adds the source files of a feed to `paths`. Those that an earlier setup wrote are used as they are. */
const addFile = async (adding: Adding, file: string) => {
  const { deps, market, paths, say, answers } = adding
  const url = isAddress(file) ? file : resolve(file)
  const { sources } = await readSourceFolder(deps.sourcesDir)
  const held = sources.filter(({ config }) => config.where.url === url && config.market === market.id)
  for (const { path } of held) say(`${file} has the source file ${path}, which is used. Delete it to map anew.`)
  if (held.length === 0) {
    const options: NewSourceOptions = { market: market.id }
    let written = await writeNewSource(deps, file, options).catch(async (error: Error) => {
      options.holds = error instanceof UnsureSource ? await answers.holdsOf(error.lines.join('\n')) : undefined
      if (!options.holds) throw error
      return writeNewSource(deps, file, options)
    })
    if (namesNoCity(written.config, written.preview)) {
      for (const { id } of [written.config, ...written.others]) await rm(join(deps.sourcesDir, `${id}.json`))
      const city = await answers.cityOf(file)
      if (!city) throw new OperatorError('the rows name no city. Run setup again with --city <name>.')
      written = await writeNewSource(deps, file, { ...options, city })
    }
    for (const line of proposalLines(written)) say(line)
    for (const config of [written.config, ...written.others])
      held.push({ config, path: join(deps.sourcesDir, `${config.id}.json`), folder: deps.sourcesDir })
  }
  const hasParcels = held.some(({ config }) => config.holds === 'parcels')
  for (const { config, path } of held) {
    if (config.holds === 'parcels') paths.unshift(path)
    else paths.push(path)
    if (config.holds === 'sales' && !hasParcels) await parcelsOf(adding, config)
  }
}

/** Sales with facts of the homes also give the parcels, if the market has no parcel feed: values need properties. */
const parcelsOf = async ({ deps, market, paths, say }: Adding, sales: SourceConfig) => {
  const { fields = {} } = sales
  const path = join(deps.sourcesDir, `${market.id}-parcels.json`)
  if (!('apn' in fields || 'address' in fields) || existsSync(path)) return
  const context = { folder: deps.sourcesDir, now: deps.now() }
  const { mapping } = await newSource(sales.where.url, { market: market.id, holds: 'parcels' }, context)
  const config = { ...parcelsOfSales(sales, mapping), id: basename(path, '.json') }
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`)
  paths.unshift(path)
  say(`The homes of these sales are loaded as parcels too: ${path}`)
}

/** Asks for what a new place needs and the options do not give. A wrong answer is asked again. */
const askPlace = async (name: string, given: Options, ask: Ask) => {
  if (given.state && (given.stateName ?? stateNamed(given.state)) && given.county && given.box) return {}
  if (!isYes(await ask(`There is no market "${name}".${suggestedPlace(name)} Create it? (y/N) `)))
    throw new Canceled('Nothing was changed.')
  const until = async <T>(question: string, read: (answer: string) => T): Promise<T> => {
    for (let problem = ''; ; )
      try {
        return read(await ask(`${problem}${question}: `))
      } catch (error) {
        if (error instanceof Canceled) throw error
        problem = `${messageOf(error)}\n`
      }
  }
  const matching = (pattern: RegExp, what: string) => (answer: string) => {
    if (!pattern.test(answer)) throw new Error(`It must be ${what}.`)
    return answer
  }
  const state =
    given.state ??
    (await until('State in two letters', matching(/^[a-z]{2}$/i, 'two letters, for example IL'))).toUpperCase()
  return {
    state,
    stateName:
      given.stateName ??
      stateNamed(state) ??
      (await until('Name of the state', matching(/^[A-Z]/, 'a name, for example Illinois'))),
    county: given.county ?? (await until('County', matching(/./, 'a name, for example Sangamon'))),
    box:
      given.box ??
      (await until(
        'Edges of the place in degrees as west,south,east,north (for example -89.80,39.60,-89.50,39.90)',
        boxOf,
      )),
    timeZone: await until(`Time zone (Enter for ${given.timeZone ?? zoneOfState(state)})`, (answer) =>
      timeZoneOf(answer || given.timeZone || zoneOfState(state)),
    ),
  }
}

const stateNamed = (state: string | undefined): string | undefined =>
  state && nameOfState(state) !== state ? nameOfState(state) : undefined

/** One question for all feeds: their ids. A wrong answer is asked again. */
const askFeeds = async (shipped: readonly AvailableFeed[], ask: Ask | undefined): Promise<string[]> => {
  const known = shipped.map(({ id }) => id)
  for (let problem = ''; ask && known.length > 0; ) {
    const answer = await ask(`${problem}Public feeds to check and load (names with commas, "all", or Enter for none): `)
    const named = answer.split(/[\s,]+/).filter((id) => id !== '')
    const wrong = named.find((id) => id !== 'all' && !known.includes(id))
    if (!wrong) return named.includes('all') ? known : named
    problem = `There is no feed "${wrong}". Available: ${known.join(', ')}.\n`
  }
  return []
}

/** What the rows of a file are whose columns do not show it. A wrong answer is asked again. */
const askHolds = async (problem: string, ask: Ask | undefined): Promise<Dataset | undefined> => {
  for (let before = problem; ask; ) {
    const answer = await ask(`${before}\nWhat are its rows? (${datasets.join(', ')}; Enter to leave the file out): `)
    const named = datasets.find((dataset) => dataset === answer.toLowerCase())
    if (named || answer === '') return named
    before = `"${answer}" is none of them.`
  }
  return undefined
}

/** No shell expands the answer to a question. */
const pathOf = (file: string): string => (isAddress(file) ? file : file.replace(/^~(?=\/)/, homedir()))

const fileQuestion = 'A file or URL of your data (Enter for no more): '
const isYes = (answer: string): boolean => /^y/i.test(answer)

const askTerminal: Ask = async (question) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question)).trim()
  } catch (cause) {
    throw new Canceled('\nCanceled. What was written and loaded so far stays.', { cause })
  } finally {
    terminal.close()
  }
}
