// Reads a market pack, packs/<id>/, into the form the program uses. Throws BrokenPack with the mistakes of every file.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bareName, closestName } from '../common/suggest.ts'
import { assumptionTable, flipAssumptionTable, retiredAssumptions } from '../domain/assumptions/assumptions.ts'
import { cityFact, FactsFile } from '../domain/packs/city-facts.ts'
import { AssumptionsFile, type Box, CitiesFile, PackManifest, VectorsFile } from '../domain/packs/market-pack.ts'
import type { City, Market } from '../domain/packs/markets.ts'
import type { MarketPack } from '../domain/packs/pack.ts'
import { LandFile } from '../domain/packs/pack-land.ts'
import { SampleMarketFile, SampleZonesFile } from '../domain/packs/pack-sample.ts'
import { SourceConfig } from '../domain/packs/source-config.ts'
import { type District, ZoningFile } from '../domain/packs/zoning.ts'
import { cronProblem } from '../sources/cron.ts'
import { BrokenPack, type Mistake, readPackFile } from './read-file.ts'

/** What the other code of the program can do for a pack; passed in, because this folder is below it. */
export interface PackCapabilities {
  /** The state of each law. */
  laws: ReadonlyMap<string, string>
  /** Also what only the generator of the sample reads. */
  checksSample?: boolean
}

/** `others`: the packs that are already loaded. A pack may not use their ids, numbers, names or city slugs. */
export const loadPack = (dir: string, abilities: PackCapabilities, others: readonly MarketPack[]): MarketPack => {
  const broken: BrokenPack[] = []
  const read = <T>(file: () => T): T | undefined => {
    try {
      return file()
    } catch (error) {
      if (!(error instanceof BrokenPack)) throw error
      broken.push(error)
      return undefined
    }
  }
  const market = read(() => readManifest(dir, abilities, others))
  const cities = read(() => readCities(dir, market, others))
  // Names of cities are not checked while cities.json is broken.
  const slugs: Slugs = cities ? new Set(cities.map(({ slug }) => slug)) : { has: () => true }
  const districts = jsonFiles(join(dir, 'zoning')).map((file) => read(() => readDistricts(file, slugs)) ?? [])
  const assumptions = read(() => readAssumptions(dir, slugs))
  const facts = read(() => readFacts(dir, slugs)) ?? []
  if (existsSync(join(dir, 'land.geojson'))) read(() => readPackFile(join(dir, 'land.geojson'), LandFile))
  for (const file of jsonFiles(join(dir, 'sources'))) read(() => checkSourceFile(file, market))
  if (cities && abilities.checksSample) read(() => checkSample(dir, cities))
  read(() => readVectors(dir, slugs))
  const [first, ...further] = broken
  if (first) throw new BrokenPack(first.file, first.line, first.reason, further)
  const pack = { dir, market: market!, cities: cities!, districts: districts.flat(), assumptions: assumptions!, facts }
  const reviewed = pack.districts.map((each) => {
    const review = cityFact(pack, each.city, 'sizeReview')
    return review ? { ...each, sizeReview: review.value } : each
  })
  return { ...pack, districts: reviewed }
}

type Slugs = Pick<ReadonlySet<string>, 'has'>

const checkSourceFile = (file: string, market: Market | undefined): void => {
  const { value, refuse } = readPackFile(file, SourceConfig)
  const wrong: Mistake[] = []
  const badCron = value.schedule === undefined ? undefined : cronProblem(value.schedule)
  if (badCron) wrong.push([['schedule'], badCron])
  if (market && value.market !== undefined && value.market !== market.id)
    wrong.push([['market'], `market must be "${market.id}", the pack's own; it is "${value.market}"`])
  refuse(wrong)
}

const checkSample = (dir: string, cities: readonly City[]): void => {
  const [marketFile, zonesFile] = [join(dir, 'sample/market.json'), join(dir, 'sample/zones.json')]
  if (!existsSync(marketFile) && !existsSync(zonesFile)) return
  const { value: market } = readPackFile(marketFile, SampleMarketFile)
  const { value, refuse } = readPackFile(zonesFile, SampleZonesFile)
  const wrong: Mistake[] = []
  value.zones.forEach((zone, at) => {
    const city = cities.find(({ name }) => name === zone.city)
    if (!city) wrong.push([['zones', at, 'city'], `city "${zone.city}" is not in cities.json`])
    zone.anchors.forEach(({ zip }, anchor) => {
      if (city && zip !== undefined && !city.zipCodes.includes(zip))
        wrong.push([
          ['zones', at, 'anchors', anchor, 'zip'],
          `zip ${zip} is not a ZIP code of ${city.name} in cities.json`,
        ])
    })
    const missing = paceFields.filter((field) => zone[field] === undefined)
    if (!market.cityActivity && missing.length > 0)
      wrong.push([
        ['zones', at],
        `zones.${at} lacks ${missing.join(', ')}: set them, or set cityActivity in market.json`,
      ])
  })
  refuse(wrong)
}
const paceFields = ['salesPerYear', 'medianDom', 'saleToList', 'shareAboveList', 'permitsPerYear', 'permits'] as const

const manifestMistakes = (value: unknown): Mistake[] => {
  const { laws, timeZone } = (value ?? {}) as { laws?: unknown; timeZone?: unknown }
  const bareLaws = (Array.isArray(laws) ? [...laws.entries()] : []).flatMap(([at, law]): Mistake[] =>
    typeof law === 'string'
      ? [
          [
            ['laws', at],
            `laws.${at} must be { "id": "${law}", "since": "YYYY-MM-DD" }, with the day since when it applies`,
          ],
        ]
      : [],
  )
  return typeof timeZone === 'string' && !isTimeZone(timeZone)
    ? [[['timeZone'], `timeZone "${timeZone}" is not an IANA time zone`], ...bareLaws]
    : bareLaws
}

const readManifest = (dir: string, { laws }: PackCapabilities, others: readonly MarketPack[]): Market => {
  const { value, refuse } = readPackFile(join(dir, 'pack.json'), PackManifest, manifestMistakes)
  const { $schema: _schema, ...market } = value
  const wrong: Mistake[] = []
  if (market.id !== basename(dir)) wrong.push([['id'], `id must be the folder's name, "${basename(dir)}"`])
  wrong.push(...boxMistakes(market, [], 'center is outside box'))
  market.laws.forEach((law, at) => {
    const state = laws.get(law.id)
    if (state === undefined)
      wrong.push([['laws', at, 'id'], `law "${law.id}" does not exist. Laws: ${[...laws.keys()].sort().join(', ')}`])
    else if (state !== market.state)
      wrong.push([['laws', at, 'id'], `law "${law.id}" is a law of ${state}, and the market is in ${market.state}`])
  })
  if (market.ranking === 'flip_and_charm' && !market.charm)
    wrong.push([['ranking'], 'the ranking flip_and_charm needs charm in this file'])
  for (const { market: other, dir: otherDir } of others) {
    const used = (field: keyof Market, what: string) =>
      wrong.push([[field], `${what} is already used by the market ${other.id}`])
    if (market.id === other.id) used('id', `id "${market.id}"`)
    if (market.number === other.number) used('number', `number ${market.number}`)
    const name = namesOf(market).find((each) => each !== bareName(market.id) && namesOf(other).includes(each))
    if (name !== undefined) used('name', `name or alias "${name}"`)
    // A pack of the operator replaces the built-in default.
    if (market.default && other.default && dirname(otherDir) === dirname(dir)) used('default', 'default')
  }
  refuse(wrong)
  return market
}

const namesOf = ({ id, name, aliases }: Market): string[] => [id, name, ...aliases].map(bareName)

const readCities = (dir: string, market: Market | undefined, others: readonly MarketPack[]): City[] => {
  const { value, refuse } = readPackFile(join(dir, 'cities.json'), CitiesFile)
  const wrong: Mistake[] = []
  const slugs = new Set<string>()
  value.cities.forEach((entry, at) => {
    const path = ['cities', at] as const
    if (slugs.has(entry.slug)) wrong.push([[...path, 'slug'], `slug "${entry.slug}" is used twice`])
    slugs.add(entry.slug)
    const other = others.find(({ cities }) => cities.some(({ slug }) => slug === entry.slug))
    if (other) {
      const hint = market ? ` (add the state: "${entry.slug}-${market.state.toLowerCase()}")` : ''
      wrong.push([
        [...path, 'slug'],
        `city slug "${entry.slug}"${hint} is already used by the market ${other.market.id}`,
      ])
    }
    wrong.push(...boxMistakes(entry, path, `center of ${entry.name} is outside its box`))
    if (market && !overlaps(entry.box, market.box))
      wrong.push([[...path, 'box'], `box of ${entry.name} lies outside the box of the market in pack.json`])
  })
  refuse(wrong)
  return value.cities.map((entry) => ({ ...entry, market: market?.id ?? '', state: market?.state ?? '' }))
}

const readDistricts = (path: string, slugs: Slugs): readonly District[] => {
  const file = readPackFile(path, ZoningFile)
  const wrong: Mistake[] = []
  if (!slugs.has(file.value.city)) wrong.push([['city'], `city "${file.value.city}" is not in cities.json`])
  file.value.districts.forEach((district, at) => {
    if (!district.modelled && district.unmodelledReason === undefined)
      wrong.push([['districts', at], `district ${district.codes[0]} is not modeled and has no unmodelledReason`])
  })
  file.refuse(wrong)
  return file.value.districts.map((district) => ({ ...district, city: file.value.city }))
}

const assumptionNames = {
  assumptions: ['an assumption', 'data/assumptions.json', Object.keys(assumptionTable)],
  flip: ['an assumption of a flip', 'data/flip-assumptions.json', Object.keys(flipAssumptionTable)],
} as const

const unknownNames = (value: unknown): Mistake[] =>
  Object.entries(assumptionNames).flatMap(([part, [what, file, known]]) =>
    Object.keys((value as Partial<Record<string, object>> | null)?.[part] ?? {})
      .filter((name) => !known.includes(name) && !Object.hasOwn(retiredAssumptions, name))
      .map((name): Mistake => {
        const close = closestName(name, known)
        const hint = close === undefined ? '.' : `; did you mean ${close}?`
        return [[part, name], `${name} is not ${what}${hint} See ${file} for the names`]
      }),
  )

const readAssumptions = (dir: string, slugs: Slugs) => {
  const path = join(dir, 'assumptions.json')
  if (!existsSync(path)) return { assumptions: {} }
  const { value, refuse } = readPackFile(path, AssumptionsFile, unknownNames)
  const wrong: Mistake[] = []
  for (const [name, { value: number, byCity = {} }] of Object.entries(value.assumptions)) {
    for (const [slug, each] of [['', number], ...Object.entries(byCity)] as [string, number][]) {
      const where = slug === '' ? ['assumptions', name, 'value'] : ['assumptions', name, 'byCity', slug]
      if (slug !== '' && !slugs.has(slug)) wrong.push([where, `city "${slug}" is not in cities.json`])
      if (each < 0) wrong.push([where, `${name} must not be negative; it is ${each}`])
    }
  }
  for (const [name, { value: number, byCity }] of Object.entries(value.flip ?? {})) {
    if (byCity) wrong.push([['flip', name, 'byCity'], 'an assumption of a flip has one value for the whole market'])
    if (number < 0) wrong.push([['flip', name, 'value'], `${name} must not be negative; it is ${number}`])
  }
  const { C6 = -1, C5 = -1, C3 = 1, C2 = 1, C1 = 1 } = value.condition ?? {}
  if (value.condition && !(C6 < C5 && C5 < 0 && 0 < C3 && C3 < C2 && C2 < C1))
    wrong.push([['condition'], 'percentages must rise from C6 to C1, with C4 at 0: -25, -12, 0, 4, 8, 15'])
  for (const slug of Object.keys(value.permitDays?.byCity ?? {}))
    if (!slugs.has(slug)) wrong.push([['permitDays', 'byCity', slug], `city "${slug}" is not in cities.json`])
  refuse(wrong)
  const { assumptions, flip, condition, permitDays } = value
  return { assumptions, flip, condition, permitDays }
}

const readFacts = (dir: string, slugs: Slugs): FactsFile['facts'] => {
  const path = join(dir, 'facts.json')
  if (!existsSync(path)) return []
  const { value, refuse } = readPackFile(path, FactsFile)
  const seen = new Set<string>()
  const wrong: Mistake[] = []
  value.facts.forEach(({ fact, cities = [''] }, at) => {
    for (const slug of cities) {
      if (slug !== '' && !slugs.has(slug)) wrong.push([['facts', at, 'cities'], `city "${slug}" is not in cities.json`])
      if (seen.has(`${fact} ${slug}`))
        wrong.push([['facts', at, 'fact'], `${fact} is stated twice for ${slug || 'the market'}`])
      seen.add(`${fact} ${slug}`)
    }
  })
  refuse(wrong)
  return value.facts
}

/** With `error`, which makes an error at a value of the file. Undefined if the pack has no vectors. */
export const readVectors = (dir: string, slugs: Slugs) => {
  const path = join(dir, 'vectors.json')
  if (!existsSync(path)) return undefined
  const { value, error, refuse } = readPackFile(path, VectorsFile)
  const unknown = [...value.vectors.entries()].filter(([, { city }]) => !slugs.has(city))
  refuse(unknown.map(([at, { city }]) => [['vectors', at, 'city'], `city "${city}" is not in cities.json`]))
  return { vectors: value.vectors, error }
}

const jsonFiles = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(dir, name))
    : []

const boxMistakes = (
  { box, center }: { box: Box; center: { lat: number; lng: number } },
  path: readonly (string | number)[],
  outside: string,
): Mistake[] => {
  const wrong: Mistake[] = []
  if (box.south >= box.north) wrong.push([[...path, 'box', 'south'], 'south must be less than north'])
  if (box.west >= box.east) wrong.push([[...path, 'box', 'west'], 'west must be less than east'])
  if (wrong.length === 0 && !inBox(center, box)) wrong.push([[...path, 'center'], outside])
  return wrong
}

const inBox = ({ lat, lng }: { lat: number; lng: number }, box: Box): boolean =>
  lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east

const overlaps = (a: Box, b: Box): boolean =>
  a.south <= b.north && b.south <= a.north && a.west <= b.east && b.west <= a.east

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
