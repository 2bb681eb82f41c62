// `lotline setup`: the first day of an operator. Lists what a place needs and what ships for it, writes the pack and the
// sources, loads, assesses, and reports what works and what is missing.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { fitAndAssess } from '../../assess/fit-and-assess.ts'
import { keysOf, messageOf } from '../../common/typed.ts'
import { packFolders } from '../../config.ts'
import { dayOf } from '../../domain/day.ts'
import { type Dataset, datasets, type MarketId } from '../../domain/facts.ts'
import { findCity, type Market, marketOf, markets } from '../../domain/packs/markets.ts'
import { packOf } from '../../domain/packs/use-packs.ts'
import { readSource } from '../../ingest/config.ts'
import { targetFields } from '../../ingest/map.ts'
import { runIngest } from '../../ingest/run.ts'
import { writeSkeleton } from '../../packs/skeleton.ts'
import { valuedHomes } from '../../store/assessments/accuracy.ts'
import { coverage } from '../../store/ingest/coverage.ts'
import { Canceled, OperatorError } from '../operator-error.ts'
import { textTable } from '../text-table.ts'
import { useMarketPacks } from '../use-market-packs.ts'
import { day } from './assess.ts'
import { proposalLines, writeNewSource } from './new-source.ts'
import { boxOf } from './pack.ts'
import { enableFeed, feedsOf } from './public-feeds.ts'
import { type SourcesDeps, sourcesDeps } from './sources.ts'

type Need = Dataset | 'zoning' | 'rents'

/** What a market needs, what it gives, and where it is usually had. */
const needs: Readonly<Record<Need, { gives: string; had: string }>> = {
  parcels: {
    gives: 'properties, outlines, lot and house facts',
    had: "county assessor or GIS: ArcGIS layer, Socrata, GeoJSON or CSV. Search for '<county> parcels FeatureServer'",
  },
  sales: { gives: 'values and comparable sales', had: 'county recorder or assessor (CSV), or an MLS (RESO)' },
  listings: {
    gives: 'signals, Explore, price and heat',
    had: 'an MLS (RESO, with a license) or a portal download (redfin CSV)',
  },
  permits: {
    gives: 'teardown scores, builders, permit search',
    had: 'city open data: Socrata, CKAN, ArcGIS, BLDS, or a CSV on request',
  },
  zoning: {
    gives: 'envelopes, pro formas, redevelopment leads',
    had: 'the municipal code, written as packs/<market>/zoning/<city>.json',
  },
  rents: { gives: 'returns of rentals', had: 'assumptions.json of the pack, for example from HUD fair market rents' },
}

interface Options {
  state?: string
  stateName?: string
  county?: string
  box?: ReturnType<typeof boxOf>
  timeZone: string
  file: string[]
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
    .option('--state <XX>', 'new place: state in two letters')
    .option('--state-name <state>', 'new place: name of the state')
    .option('--county <county>', 'new place: county')
    .option('--box <west,south,east,north>', 'new place: bounding box in degrees', boxOf)
    .option('--time-zone <zone>', 'new place: IANA time zone', 'America/New_York')
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
  const market =
    marketNamed(name) ?? newMarket(name, { ...options, ...(ask && (await askPlace(name, options, ask))) }, say)
  const { feeds } = await feedsOf(deps)
  const shipped = feeds.filter((feed) => feed.market === market.id)
  const ships = (need: Need): string =>
    need === 'zoning'
      ? `${packOf(market.id)!.districts.length} districts`
      : shipped
          .filter(({ sources }) => sources.some(({ config }) => config.holds === need))
          .map(({ id, confidence }) => `${id} (confidence ${confidence}, not tried live)`)
          .join(', ') || 'nothing'
  say(`${market.name} needs:`)
  say(
    textTable(
      [
        { title: 'Data', value: (need: Need) => need },
        { title: 'Gives', value: (need) => needs[need].gives },
        { title: 'Ships', value: ships },
        { title: 'Usually had from', value: (need) => needs[need].had },
      ],
      keysOf(needs),
    ),
  )
  const problems: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof Error)) throw error
      problems.push(`${what}: ${error.message}`)
      say(`${what}: ${error.message}`)
    })
  }
  for (const { id } of shipped)
    if (options.yes || (ask && isYes(await ask(`Check and load the public feed ${id}? (y/N) `))))
      await attempt(id, () => enableFeed({ ...deps, print: say }, id, { assess: false }))
  const paths: string[] = []
  const add = (file: string) => attempt(file, () => addFile(deps, market, file, paths, say))
  for (const file of options.file) await add(file)
  for (let file = await ask?.(fileQuestion); file; file = await ask?.(fileQuestion)) await add(file)
  const store = await deps.openStore()
  try {
    for (const path of paths)
      await attempt(path, async () => {
        const { config, folder } = await readSource(path)
        const { counts } = await runIngest(store, config, { folder, now: deps.now(), highValueUsd: deps.highValueUsd })
        say(`${config.id}: ${counts.loaded.toLocaleString('en-US')} rows loaded, ${counts.rejected} rejected.`)
      })
    const held = (await coverage(store.db, deps.now())).filter((row) => row.market === market.id)
    if (options.assess !== false && held.length > 0) {
      const asOf = options.asOf ? { asOf: options.asOf } : {}
      const { considered, fitted } = await fitAndAssess(store.db, market.id, { now: deps.now(), ...asOf })
      say(`${considered.toLocaleString('en-US')} properties assessed.`)
      for (const line of fitted) say(`  ${line}`)
    }
    const values = await valuedHomes(store.db, market.id)
    const data = datasets.map((dataset) => {
      const rows = held.filter((row) => row.dataset === dataset)
      return {
        dataset,
        rows: rows.reduce((sum, row) => sum + row.rows, 0),
        sample: rows.some(({ sources }) => sources.some(({ sample }) => sample)),
        newest:
          rows
            .map(({ newestRecord }) => newestRecord ?? '')
            .sort()
            .at(-1) || null,
      }
    })
    const districts = packOf(market.id)!.districts.length
    const missing: Need[] = [
      ...data.filter(({ rows, sample }) => rows === 0 || sample).map(({ dataset }) => dataset),
      ...(districts === 0 ? ['zoning' as const] : []),
    ]
    if (options.json)
      return deps.print(
        JSON.stringify({
          success: problems.length === 0,
          market: market.id,
          data,
          values,
          districts,
          missing,
          problems,
        }),
      )
    deps.print(
      `What works in ${market.name}: ${values.toLocaleString('en-US')} homes with a value, ${districts} zoning districts.`,
    )
    const lastSale = data.find(({ dataset }) => dataset === 'sales')?.newest
    if (values === 0 && lastSale && lastSale < dayOf(new Date(deps.now().getTime() - 365 * 86_400_000)))
      deps.print(
        `The newest sale is of ${lastSale}, too old for values of today. For values of that time: lotline assess --market ${market.id} --fit --as-of ${lastSale}`,
      )
    for (const { dataset, rows, sample, newest } of data)
      deps.print(
        `  ${dataset}: ${rows.toLocaleString('en-US')}${sample ? ', among them generated sample data' : ''}${newest ? `, newest ${newest}` : ''}`,
      )
    for (const need of missing)
      deps.print(`Missing: ${need}, which gives ${needs[need].gives}. Usually had from ${needs[need].had}.`)
    for (const problem of problems) deps.print(`Did not work: ${problem}`)
    deps.print('A running service reads new source files within 30 seconds; a new pack needs a restart. See /coverage.')
  } finally {
    await store.close()
  }
  if (problems.length > 0) process.exitCode = 1
}

const marketNamed = (name: string): Market | undefined => {
  const id = marketOf(name) ?? findCity(name)?.market
  return markets().find((market) => market.id === id)
}

/** Writes the pack of a new place and loads it into this process. */
const newMarket = (
  name: string,
  { state, stateName, county, box, timeZone }: Options,
  say: (line: string) => void,
): Market => {
  if (!state || !stateName || !county || !box)
    throw new OperatorError(
      `"${name}" is not a market of Lotline. To make one: lotline setup "${name}" --state IL --state-name Illinois --county Sangamon --box -89.80,39.60,-89.50,39.90`,
    )
  const [folder] = packFolders()
  if (!folder) throw new OperatorError('Set PACKS_DIR to the folder for your market packs.')
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const used = new Set(markets().map(({ number }) => number))
  let number = 1
  while (used.has(number)) number += 1
  writeSkeleton(
    folder,
    { id, number, name, state, stateName, county, timeZone, box },
    new Date().toISOString().slice(0, 7),
  )
  say(`Wrote the pack ${resolve(folder, id)}.`)
  const { problems } = useMarketPacks()
  const made = markets().find((market) => market.id === (id as MarketId))
  if (!made) throw new OperatorError(`The new pack cannot be used: ${problems.map(({ reason }) => reason).join('; ')}`)
  return made
}

/** Sales with facts of the homes also give the parcels, if there are none: values need properties. */
const addFile = async (
  deps: SourcesDeps,
  market: Market,
  file: string,
  paths: string[],
  say: (line: string) => void,
) => {
  const written = await writeNewSource(deps, file, { market: market.id })
  for (const line of proposalLines(written)) say(line)
  paths.push(written.path)
  const { fields = {} } = written.config
  if (written.config.holds !== 'sales' || !('apn' in fields || 'address' in fields)) return
  const known = Object.entries(fields).filter(([field]) => field in targetFields.parcels)
  const id = `${market.id}-parcels`
  const path = join(deps.sourcesDir, `${id}.json`)
  const config = { ...written.config, id, holds: 'parcels', fields: Object.fromEntries(known) }
  // The market has a parcel feed.
  if (existsSync(path)) return
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`)
  paths.unshift(path)
  say(`The homes of these sales are loaded as parcels too: ${path}`)
}

/** Asks for what a new place needs and the options do not give. A wrong answer is asked again. */
const askPlace = async (name: string, given: Options, ask: (question: string) => Promise<string>) => {
  if (given.state && given.stateName && given.county && given.box) return {}
  if (!isYes(await ask(`There is no market "${name}". Create it? (y/N) `))) throw new Canceled('Nothing was changed.')
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
  return {
    state:
      given.state ??
      (await until('State in two letters', matching(/^[A-Z]{2}$/, 'two capital letters, for example IL'))),
    stateName:
      given.stateName ?? (await until('Name of the state', matching(/^[A-Z]/, 'a name, for example Illinois'))),
    county: given.county ?? (await until('County', matching(/./, 'a name, for example Sangamon'))),
    box: given.box ?? (await until('Bounding box as west,south,east,north in degrees', boxOf)),
    timeZone: await until(`Time zone (${given.timeZone})`, (answer) => {
      const zone = answer || given.timeZone
      new Intl.DateTimeFormat('en-US', { timeZone: zone })
      return zone
    }),
  }
}

const fileQuestion = 'A file or URL of your data (Enter for no more): '
const isYes = (answer: string): boolean => /^y/i.test(answer)

const askTerminal = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question)).trim()
  } catch (cause) {
    throw new Canceled('\nCanceled. What was written and loaded so far stays.', { cause })
  } finally {
    terminal.close()
  }
}
