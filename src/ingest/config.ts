// Reads and validates a source's configuration file before any request is sent.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { Compile } from 'typebox/schema'
import { OperatorError } from '../common/operator-error.ts'
import { messageOf } from '../common/typed.ts'
import type { Holding } from '../domain/facts.ts'
import { marketOf } from '../domain/packs/markets.ts'
import {
  type FieldRule,
  isLayer,
  type SingleRule,
  SourceConfig,
  type SourceKind,
} from '../domain/packs/source-config.ts'
import { cronProblem } from '../sources/cron.ts'
import { mapper, rulesOf, targetFields } from './map.ts'
import { classRules } from './permit-rules.ts'

export interface ConfiguredSource {
  config: SourceConfig
  /** Relative file names in the configuration are resolved against this folder. */
  folder: string
  path: string
}

/** An invalid source configuration; the message names the file and the setting. */
export class SourceConfigError extends OperatorError {}

const shape = Compile(SourceConfig)

export const readSource = async (path: string): Promise<ConfiguredSource> => {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? 'the file does not exist. A source is a JSON file; see sources/examples' : cause.message
    throw new SourceConfigError(`${path} cannot be read: ${why}.`, { cause })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SourceConfigError(`${path} is not JSON: ${messageOf(cause)}`, { cause })
  }
  const folder = dirname(resolve(path))
  const config = checkSource(value, path)
  return { config: await withLookups(config, folder, path), folder, path }
}

/** Replaces the names of lookup files by their content. */
const withLookups = async (config: SourceConfig, folder: string, path: string): Promise<SourceConfig> => {
  const fields: Record<string, FieldRule> = {}
  for (const [name, rule] of Object.entries(config.fields ?? {})) {
    const filled: SingleRule[] = []
    for (const one of Array.isArray(rule) ? rule : [rule])
      filled.push(
        typeof one !== 'string' && typeof one.lookup === 'string'
          ? { ...one, lookup: await readLookup(join(folder, one.lookup), `${path}: fields.${name}.lookup`) }
          : one,
      )
    fields[name] = Array.isArray(rule) ? filled : filled[0]!
  }
  return config.fields ? { ...config, fields } : config
}

const readLookup = async (file: string, setting: string): Promise<Record<string, string>> => {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new SourceConfigError(`${setting}: ${file} cannot be read: ${cause.message}`, { cause })
  })
  try {
    const rows = parse(text, { bom: true, from_line: 2, skip_empty_lines: true, trim: true }) as string[][]
    return Object.fromEntries(rows.map(([from = '', to = '']) => [from, to]))
  } catch (cause) {
    throw new SourceConfigError(`${setting}: ${file} is not CSV: ${messageOf(cause)}`, { cause })
  }
}

export const checkSource = (value: unknown, name: string): SourceConfig => {
  if (!shape.Check(value)) {
    const [, [outer, ...others]] = shape.Errors(value)
    // A field rule is a name, an object or a list, and the first error says "must be string" of an object: the innermost one helps.
    const inner = others.filter(({ instancePath }) => instancePath.startsWith(`${outer?.instancePath}/`))
    const depth = ({ instancePath }: { instancePath: string }) => instancePath.split('/').length
    const [deepest = outer] = inner.sort((a, b) => depth(b) - depth(a))
    const first = outer?.instancePath.startsWith('/fields/') ? deepest : outer
    throw new SourceConfigError(`${name}: ${first ? settingProblem(first) : 'not a source configuration'}`)
  }
  const config = value
  const fail = (message: string): never => {
    throw new SourceConfigError(`${name}: ${message}`)
  }
  try {
    mapper(config)
    classRules(config)
  } catch (cause) {
    fail(messageOf(cause))
  }
  const badCron = config.schedule === undefined ? undefined : cronProblem(config.schedule)
  if (badCron) fail(badCron)
  if (config.market !== undefined && !marketOf(config.market))
    fail(
      `market "${config.market}" does not exist. A new pack is read when the service starts: restart it, and check the pack with lotline pack check`,
    )
  const given = (field: string) => config.sameNames || field in rulesOf(config)
  const isCounty = config.holds === 'rents' && (config.county !== undefined || given('county'))
  if (!isLayer(config) && !config.city && !given('city') && !(config.market && (given('zip') || isCounty)))
    fail(
      `set "city" to the city of all rows, map the field "city", or set "market" and map the field "zip"${config.holds === 'rents' ? ' or "county"' : ''}`,
    )
  if (isLayer(config) !== (config.sets !== undefined))
    fail('"holds": "layer" needs "sets", for example { "overlay": "floodZone" }; other sources cannot have it')
  if (config.sets && (config.sets.overlay === undefined) === (config.sets.fact === undefined))
    fail('"sets" needs exactly one of "overlay" and "fact"')
  if ((config.kind === 'geotiff') !== (config.sets?.fact === 'slopePct'))
    fail('an elevation grid ("kind": "geotiff") sets "fact": "slopePct", and nothing else does')
  if (config.kind === 'gtfs' && !isLayer(config)) fail('a transit feed ("kind": "gtfs") holds a layer')
  for (const setting of requestSettings)
    if (config.where[setting] !== undefined && !(requestKinds[config.kind] ?? []).includes(setting))
      fail(
        `"kind": "${config.kind}" does not read where.${setting}: it would be ignored. Remove it${setting === 'where' ? ' and exclude rows with "require"' : ''}`,
      )
  if (config.complete && (config.where.updatedField || config.kind === 'reso'))
    fail('a source that requests only changed rows cannot be complete: remove "complete" or where.updatedField')
  if (config.kind === 'xml' && !config.where.record)
    fail('set where.record to the XML element of one row, for example "property"')
  if (config.permitClasses && config.holds !== 'permits') fail('"permitClasses" applies to permits only')
  if (config.maxGonePct !== undefined && !config.complete) fail('"maxGonePct" needs "complete": true')
  if (config.uses?.includes('agent') && !config.uses.includes('api'))
    fail('"uses" with "agent" also needs "api": the agent tools read the API')
  for (const field of requiredFields[config.holds])
    if (!given(field)) fail(`map the field "${field}": it is required for ${config.holds}`)
  for (const [field, given] of Object.entries(config.fields ?? {}))
    for (const rule of Array.isArray(given) ? given : [given]) {
      if (typeof rule === 'string') continue
      const kindsOfRule = ['field', 'join', 'sum', 'constant'].filter((kind) => kind in rule)
      if (kindsOfRule.length !== 1)
        fail(`fields.${field} needs exactly one of field, join, sum or constant, for example { "field": "LOT_SIZE" }`)
      const isNumber = ['number', 'integer'].includes(targetFields[config.holds][field]!)
      const computes = ['sum', 'add', 'subtract', 'subtractFrom', 'multiply'].find((step) => step in rule)
      if (computes && !isNumber) fail(`fields.${field} is not a number, so it cannot have "${computes}"`)
      if (rule.unit && !isNumber) fail(`fields.${field} is not a number, so it cannot have a unit`)
    }
  return config
}

/** Which of these settings a kind sends to its service. Ignored, they would load rows or columns that the operator left out. */
const requestSettings = ['where', 'select', 'updatedField'] as const
const requestKinds: Partial<Record<SourceKind, readonly (typeof requestSettings)[number][]>> = {
  socrata: requestSettings,
  arcgis: requestSettings,
  reso: requestSettings,
  ckan: ['select'],
}

/** TypeBox reports an unknown setting as a `boolean` error (false schema), which would not tell the user what to fix. */
const settingProblem = ({ keyword, instancePath, message }: Record<'keyword' | 'instancePath' | 'message', string>) =>
  keyword === 'boolean'
    ? `${instancePath} is not a known setting; sources/source.schema.json lists all settings`
    : `${instancePath || 'the file'} ${message}${/\/join\/\d+$/.test(instancePath) ? ': "join" takes names of columns, for example ["NUM", "STREET"]' : ''}`

const requiredFields: Readonly<Record<Holding, readonly string[]>> = {
  parcels: [],
  listings: ['listingId', 'status'],
  sales: ['soldOn', 'priceUsd'],
  permits: ['permitId'],
  rents: ['bedrooms', 'amountUsd', 'asOf'],
  layer: [],
}

/** A file in the folder of sources that cannot be used. The others are used. */
export interface BrokenSource {
  /** File name within the folder. */
  file: string
  reason: string
}

/** Reads all sources configured in a folder, without its subfolders (examples and sample). Never fails because of one file. */
export const readSourceFolder = async (folder: string) => {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.json') && name !== 'source.schema.json')
    .sort()
  const found = { sources: [] as ConfiguredSource[], broken: [] as BrokenSource[] }
  const files = new Map<string, string>()
  for (const file of names) {
    try {
      const source = await readSource(join(folder, file))
      const other = files.get(source.config.id)
      if (other)
        throw new SourceConfigError(`${file}: the id "${source.config.id}" is already used by ${other}; choose another`)
      files.set(source.config.id, file)
      found.sources.push(source)
    } catch (error) {
      found.broken.push({ file, reason: messageOf(error) })
    }
  }
  return found
}
