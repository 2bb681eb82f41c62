// The only code that reads the environment: one table, parsed once and frozen. An invalid value fails with its name.

import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { OperatorError } from './common/operator-error.ts'
import { codeOf, messageOf } from './common/typed.ts'

/** `about` is in the README's table. */
const variable = <T, Fallback extends string | undefined = undefined>(
  about: string,
  parse: (text: string) => T,
  fallback?: Fallback,
) => ({ about, parse, default: fallback as Fallback })

const text = (value: string) => value
const flag = (value: string) => {
  if (value === 'true') return true
  if (value === 'false') return false
  throw new Error('must be true or false')
}
const whole = (least: number, most: number) => (value: string) => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most)
    throw new Error(`must be a whole number from ${least} to ${most}`)
  return number
}
const url =
  (...protocols: string[]) =>
  (value: string) => {
    const parsed = URL.parse(value)
    if (!parsed || !protocols.includes(parsed.protocol))
      throw new Error(
        `must be a URL starting with ${protocols.map((each) => `${each}//`).join(' or ')}, for example ${protocols.at(-1)}//host.example`,
      )
    return value.replace(/\/+$/, '')
  }
/** Also accepts libpq's form for a Unix socket, `postgres://user@/database?host=/folder`, which has no host name. */
const databaseUrl = (value: string) => {
  url('postgres:', 'postgresql:')(value.replace('@/', '@socket/'))
  return value
}
const listOf = (what: string, isValid: (each: string) => boolean, isNot: string) => (value: string) => {
  const list = value.split(',').flatMap((each) => each.trim() || [])
  const wrong = list.find((each) => !isValid(each))
  if (wrong !== undefined) throw new Error(`must be a comma-separated list of ${what}; "${wrong}" is ${isNot}`)
  return list
}
const cidrs = listOf(
  'addresses or CIDR ranges, for example 10.0.0.0/8,192.168.1.1',
  (each) => ipaddr.isValidCIDR(each) || ipaddr.isValid(each),
  'neither',
)
const hostNames = listOf(
  'host names, for example photos.example.com,*.cdn.example.com',
  (each) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(each),
  'not one',
)
const hosts = (value: string) => hostNames(value.toLowerCase())
const sealingKey = (value: string): Buffer => {
  const key = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64')
  if (key.length !== 32)
    throw new Error(
      'must be 32 random bytes as 64 hexadecimal digits or base64, for example from: openssl rand -hex 32',
    )
  return key
}

export const variables = {
  PORT: variable('Port to listen on; 0 picks a free port', whole(0, 65_535), '3000'),
  HOST: variable('Address to listen on', text, '127.0.0.1'),
  DATA_DIR: variable(
    'Folder for the embedded database, the secret key and unsent mail',
    (value) => resolve(value),
    '.lotline',
  ),
  DATABASE_URL: variable(
    'PostgreSQL 15 or later; if unset, Lotline runs its own PostgreSQL under `DATA_DIR`',
    databaseUrl,
  ),
  DATABASE_REPLICA_URL: variable(
    'Read replicas of `DATABASE_URL`, separated by commas; a replica is used only while it is up to date',
    (value) => value.split(',').map((each) => databaseUrl(each.trim())),
  ),
  REDIS_URL: variable(
    'Redis or Valkey; required to share rate limits between several API processes',
    url('redis:', 'rediss:'),
  ),
  SECRET_KEY: variable(
    '32 random bytes (hex or base64) that encrypt stored secrets; created under `DATA_DIR` if unset, required with `DATABASE_URL`',
    sealingKey,
  ),
  SMTP_URL: variable('Mail server; if unset, mail is written to `DATA_DIR/outbox`', url('smtp:', 'smtps:')),
  MAIL_FROM: variable('From address of outgoing mail', text, 'Lotline <lotline@localhost>'),
  PUBLIC_URL: variable(
    'URL at which users reach the service; defaults to `http://localhost:PORT`',
    url('http:', 'https:'),
  ),
  TRUSTED_PROXIES: variable(
    'Comma-separated addresses or CIDR ranges of proxies whose `X-Forwarded-For` header is trusted',
    cidrs,
    '',
  ),
  EARLY_ACCESS: variable('Gives new keys the early-access limits', flag, 'false'),
  HIGH_VALUE_PERMIT_USD: variable(
    'Minimum valuation, in dollars, for a `permit.created` event',
    whole(0, 1_000_000_000),
    '500000',
  ),
  SCORE_EVENT_MIN_CHANGE: variable(
    'Least change of the flip score, in points, that a webhook receives as `property.score_updated` by default',
    whole(0, 100),
    '3',
  ),
  WEBHOOK_ALLOW_PRIVATE: variable(
    'Allows webhooks to private addresses and over plain HTTP; for tests and local trials only',
    flag,
    'false',
  ),
  VISION_URL: variable(
    'OpenAI-compatible endpoint of a vision model that grades listing photos',
    url('http:', 'https:'),
  ),
  VISION_KEY: variable('API key for the vision model', text),
  VISION_MODEL: variable('Name of the vision model', text),
  MAP_PMTILES: variable('PMTiles file with a Protomaps base map; see docs/maps.md', (value) => resolve(value)),
  MAP_STYLE_URL: variable(
    'MapLibre style for the base map, instead of `MAP_PMTILES` and the built-in one',
    url('http:', 'https:'),
  ),
  MAP_AERIAL_URL: variable(
    'Tiles of an aerial layer for Explore, with `{z}`, `{x}` and `{y}`; pages load them from that host',
    url('http:', 'https:'),
  ),
  MAP_AERIAL_ATTRIBUTION: variable('Attribution that the map shows with the aerial layer', text, ''),
  PRO_OFFER: variable('What Pro costs and how to get it, in a sentence; shown on `/plans`', text),
  PHOTO_HOSTS: variable(
    'Hosts from which pages load listing photos, separated by commas (`photos.example.com,*.example.net`); if unset, pages link to photos and load none',
    hosts,
    '',
  ),
  SAMPLE_DATA: variable('Loads the sample data until a real source has been loaded', flag, 'true'),
  BACKUP_DIR: variable('Folder that gets a backup every day; if unset, none are made', (value) => resolve(value)),
  BACKUP_KEEP: variable('How many backups of `BACKUP_DIR` are kept', whole(1, 10_000), '7'),
  PACKS_DIR: variable('Folder of your own market packs, loaded in addition to the built-in ones', (value) =>
    resolve(value),
  ),
  SOURCES_DIR: variable('Folder of source configurations (`*.json`)', (value) => resolve(value), 'sources'),
  METRICS_TOKEN: variable('Serves `/metrics` on `PORT` to scrapers that send this bearer token', text),
  METRICS_PORT: variable('Serves `/metrics` on a port of its own, without a token', whole(0, 65_535)),
  METRICS_HOST: variable('Address to listen on for `METRICS_PORT`', text, '127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    'OpenTelemetry collector (OTLP over HTTP) that receives traces',
    url('http:', 'https:'),
  ),
  LOG_LEVEL: variable(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; with `debug` or `trace`, the embedded database logs too',
    (value) => {
      if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(value))
        throw new Error('must be fatal, error, warn, info, debug, trace or silent')
      return value
    },
    'info',
  ),
  LOTLINE_API_BASE: variable('API base URL for the agent tools', url('http:', 'https:'), 'http://localhost:3000/api'),
  LOTLINE_API_KEY: variable('API key for the agent tools', text, 'demo'),
} as const

type Variables = typeof variables
type Parsed = {
  readonly [K in keyof Variables]:
    | ReturnType<Variables[K]['parse']>
    | (Variables[K]['default'] extends string ? never : undefined)
}

export interface Config extends Omit<Parsed, 'SECRET_KEY' | 'PUBLIC_URL'> {
  readonly PUBLIC_URL: string
  readonly secretKeyGiven?: Buffer
}

export class ConfigError extends OperatorError {}

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const parsed: Record<string, unknown> = {}
  for (const [name, each] of Object.entries(variables)) {
    const given = env[name] === '' ? undefined : env[name]
    const value = given ?? each.default
    if (value === undefined) continue
    try {
      parsed[name] = each.parse(value)
    } catch (error) {
      const shown = /KEY|URL|TOKEN/.test(name) ? '' : ` (it is "${value}")`
      const example = each.default ? `, for example ${each.default}` : ''
      throw new ConfigError(`${name} ${messageOf(error)}${example}${shown}.`)
    }
  }
  const { SECRET_KEY, ...rest } = parsed as unknown as Parsed
  return Object.freeze({
    ...rest,
    PUBLIC_URL: rest.PUBLIC_URL ?? `http://localhost:${rest.PORT}`,
    secretKeyGiven: SECRET_KEY,
  })
}

const urlFile = (dataDir: string): string => join(dataDir, 'service-url')

/** Commands that run beside the service create links too. A service without a folder of its own runs without it. */
export const keepServedUrl = ({ DATA_DIR, PUBLIC_URL }: Config): void => {
  try {
    makeDataDir(DATA_DIR)
    writeFileSync(urlFile(DATA_DIR), PUBLIC_URL)
  } catch {}
}

/** The URL of the service that runs on this data, for a command that was told neither `PUBLIC_URL` nor `PORT`. */
export const servedUrl = ({ DATA_DIR, PUBLIC_URL }: Config, env: NodeJS.ProcessEnv = process.env): string =>
  env.PUBLIC_URL || env.PORT || !existsSync(urlFile(DATA_DIR))
    ? PUBLIC_URL
    : readFileSync(urlFile(DATA_DIR), 'utf8').trim()

/** Folders with market packs of the operator. Read apart from the rest: packs are loaded before any command. */
export const packFolders = (): string[] => (process.env.PACKS_DIR ? [resolve(process.env.PACKS_DIR)] : [])

/** A source's access token. The operator chooses the variable's name (`tokenEnv`), so it is not in the table. */
export const tokenNamed = (name: string): string | undefined => process.env[name]

/** Creates the folder if it does not exist. */
export const makeDataDir = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a folder that can be created and written, for example /var/lib/lotline (${messageOf(error)}).`,
      { cause: error },
    )
  }
}

/** Why the file with the secret key is not safe, if it is not. */
export const secretKeyWarning = (config: Config): string | undefined => {
  const file = join(config.DATA_DIR, 'secret-key')
  if (config.secretKeyGiven || config.DATABASE_URL || process.platform === 'win32' || !existsSync(file))
    return undefined
  return statSync(file).mode & 0o077 ? `other users can read the secret key: run chmod 600 ${file}` : undefined
}

/** The key that encrypts stored secrets: SECRET_KEY, or one created once under DATA_DIR that only its owner can read. */
export const secretKeyOf = (config: Config): Buffer => {
  if (config.secretKeyGiven) return config.secretKeyGiven
  if (config.DATABASE_URL)
    throw new ConfigError(
      'SECRET_KEY must be set with DATABASE_URL, so that every process encrypts with the same key. Create one with: openssl rand -hex 32',
    )
  const file = join(config.DATA_DIR, 'secret-key')
  makeDataDir(config.DATA_DIR)
  if (!existsSync(file)) {
    // Written to its own file and then linked, so that of two starting processes one wins and neither reads half a key.
    const made = `${file}.${process.pid}`
    writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 })
    try {
      linkSync(made, file)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      unlinkSync(made)
    }
  }
  try {
    return sealingKey(readFileSync(file, 'utf8').trim())
  } catch (error) {
    throw new ConfigError(
      `The secret key in ${file} ${messageOf(error)}. Restore it from a backup: secrets encrypted with it cannot be decrypted without it.`,
    )
  }
}
