// A source's configuration, read from its file and checked before anything is asked of the feed.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Compile } from 'typebox/compile'
import { marketOf } from '../contract/markets.ts'
import { SourceConfig } from '../contract/source-config.ts'
import { mapper, rulesOf, targetFields } from './map.ts'

export interface ConfiguredSource {
  config: SourceConfig
  /** Where files it names are looked for. */
  folder: string
  path: string
}

/** What is wrong with a source's file, and where in it. */
export class BadSource extends Error {}

const shape = Compile(SourceConfig)

export const readSource = async (path: string): Promise<ConfiguredSource> => {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT'
        ? 'there is no such file. A source is a JSON file: sources/examples has some to start from'
        : cause.message
    throw new BadSource(`${path} cannot be read: ${why}.`, { cause })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BadSource(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  return { config: checkSource(value, path), folder: dirname(resolve(path)), path }
}

export const checkSource = (value: unknown, name: string): SourceConfig => {
  if (!shape.Check(value)) {
    const [first] = shape.Errors(value)
    throw new BadSource(`${name}: ${first ? inWords(first) : 'not a source'}`)
  }
  const config = value
  const fail = (message: string): never => {
    throw new BadSource(`${name}: ${message}`)
  }
  try {
    mapper(config)
  } catch (cause) {
    fail((cause as Error).message)
  }
  if (config.market !== undefined && !marketOf(config.market)) fail(`there is no market "${config.market}"`)
  const given = (field: string) => config.sameNames || field in rulesOf(config)
  if (!config.city && !given('city')) fail('say the city of every row ("city"), or map the field "city"')
  if (config.complete && (config.where.updatedField || config.kind === 'reso'))
    fail('a feed that is asked only for what changed cannot be complete: leave out "complete" or where.updatedField')
  if (config.maxGonePct !== undefined && !config.complete) fail('"maxGonePct" needs "complete": true')
  for (const field of requiredFields[config.holds])
    if (!given(field)) fail(`map the field "${field}": ${config.holds} cannot be without it`)
  for (const [field, given] of Object.entries(config.fields ?? {}))
    for (const rule of Array.isArray(given) ? given : [given]) {
      if (typeof rule === 'string') continue
      const ways = ['field', 'join', 'constant'].filter((way) => way in rule)
      if (ways.length !== 1) fail(`fields.${field} needs exactly one of field, join or constant`)
      if (rule.unit && !['number', 'integer'].includes(targetFields[config.holds][field]!))
        fail(`fields.${field} is no number: it has no unit`)
    }
  return config
}

/** A name that is not known is most often mistyped. */
const inWords = ({ keyword, instancePath, message }: { keyword: string; instancePath: string; message: string }) =>
  keyword === 'boolean'
    ? `${instancePath} is not a setting there is: mistyped? sources/source.schema.json has them all`
    : `${instancePath || 'the file'} ${message}`

const requiredFields: Readonly<Record<SourceConfig['holds'], readonly string[]>> = {
  parcels: [],
  listings: ['listingId', 'status'],
  sales: ['saleId', 'soldOn', 'priceUsd'],
  permits: ['permitId'],
}

/** Every source configured in a folder; its examples and sample lie in folders of their own. */
export const readSources = async (folder: string): Promise<ConfiguredSource[]> => {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.json') && name !== 'source.schema.json')
    .sort()
  return Promise.all(names.map((name) => readSource(join(folder, name))))
}
