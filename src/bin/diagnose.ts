// The checks of `lotline doctor`. Each says what it found, and how to fix what is wrong.
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import { messageOf } from '../common/typed.ts'
import { type Config, secretKeyOf, secretKeyWarning } from '../config.ts'
import { packOf, packProblems, packs, problemText } from '../domain/packs/use-packs.ts'
import { type EmbeddedServer, startEmbedded } from '../embedded/server.ts'
import { readSourceFolder } from '../ingest/config.ts'
import { type Sealer, sealerOf } from '../secrets/seal.ts'
import { forecastLedger, type Ledger } from '../store/assessments/accuracy.ts'
import { type Database, type DatabaseOptions, type Db, openDatabase } from '../store/engine/database.ts'
import { databaseStatus } from '../store/engine/database-status.ts'
import {
  anySealedValue,
  dataSummary,
  isStandby,
  marketsWithData,
  pendingMigrations,
  serverVersion,
} from '../store/engine/health.ts'
import { migrationProblem } from '../store/engine/migration-problem.ts'
import { checkServer, rejectTransactionPooler } from '../store/engine/server-check.ts'
import { sourceStates } from '../store/ingest/source-states.ts'
import { type Check, databaseChecks, type Finding, fail, feedsFinding, ok, warn } from './operator-report.ts'

export async function* diagnose(config: Config): AsyncGenerator<Check> {
  yield await check('node', () => nodeVersion())
  yield await check('disk', () => disk(config.DATA_DIR))
  let sealer: Sealer | undefined
  yield await check('secret key', async () => {
    sealer = sealerOf(secretKeyOf(config))
    const warning = secretKeyWarning(config)
    if (warning) return warn(warning)
    return ok(config.secretKeyGiven ? 'from SECRET_KEY' : `stored in ${config.DATA_DIR}`)
  })
  let engine: EmbeddedServer | undefined
  yield await check('engine', async () => {
    if (config.DATABASE_URL) return ok('the server at DATABASE_URL')
    engine = await startEmbedded(config.DATA_DIR)
    return ok(engine.adopted ? 'embedded, already running' : 'embedded, started for this check')
  })
  if (config.DATABASE_URL || engine) {
    const address = engine ? { socketDir: engine.socketDir } : { connectionString: config.DATABASE_URL }
    const database = openDatabase({ ...address, poolSize: 1 })
    try {
      yield* diagnoseDatabase(database, address, sealer, config)
    } finally {
      await database.close()
      await engine?.stop()
    }
  }
  yield await check('markets', () => marketPacks())
  yield await check('sources', () => sourceFiles(config.SOURCES_DIR))
  yield await check('redis', () => redis(config.REDIS_URL))
  yield await check('smtp', () => smtp(config))
}

async function* diagnoseDatabase(
  { db }: Database,
  address: DatabaseOptions,
  sealer: Sealer | undefined,
  config: Config,
): AsyncGenerator<Check> {
  const server = await check('database', async () => {
    await checkServer(db)
    if (address.connectionString !== undefined) await rejectTransactionPooler(address)
    const version = `PostgreSQL ${await serverVersion(db)}`
    return (await isStandby(db))
      ? warn(
          `${version}, a standby: it accepts no writes. Point DATABASE_URL at the primary, or at a proxy that follows it`,
        )
      : ok(`${version}, durable`)
  })
  yield server
  if (server.state === 'fail') return
  const migrations = await check('migrations', async () => {
    const pending = await pendingMigrations(db)
    const problem = await migrationProblem(db)
    if (problem) return fail(problem)
    return pending.length > 0 ? warn(`${pending.length} pending; the next start applies them`) : ok('all applied')
  })
  yield migrations
  if (migrations.state !== 'ok') return
  yield await check('secrets', async () => {
    const sealed = await anySealedValue(db)
    if (!sealed) return ok('none stored yet')
    sealer?.open('webhook-secret', sealed)
    return ok('can be decrypted')
  })
  yield await check('data', () => storedData(db, config))
  yield await check('feeds', async () => feedsFinding(await sourceStates(db, new Date())))
  yield await check('accuracy', async () => forecastFinding(await forecastLedger(db)))
  try {
    yield* databaseChecks(await databaseStatus(db, config.BACKUP_DIR), config, new Date())
  } catch (error) {
    yield { name: 'statistics', ...fail(messageOf(error)) }
  }
}

export const storedData = async (db: Db, { SAMPLE_DATA }: Pick<Config, 'SAMPLE_DATA'>): Promise<Finding> => {
  const { sources, sampleSources, properties, assessed } = await dataSummary(db)
  const unknown = (await marketsWithData(db)).filter((market) => !packOf(market))
  if (unknown.length > 0)
    return fail(
      `the database has records of ${unknown.join(', ')}, and no market pack describes them, so they are not served: set PACKS_DIR to the folder of their packs`,
    )
  if (properties === 0)
    return warn(
      `no properties: run lotline setup or lotline ingest${SAMPLE_DATA ? ', or the next start loads the sample markets' : ''}`,
    )
  const counts = `${properties.toLocaleString('en')} properties, ${assessed.toLocaleString('en')} assessed, from ${sources} sources`
  if (assessed === 0) return warn(`${counts}: run lotline assess`)
  return ok(sampleSources > 0 ? `${counts}, ${sampleSources} of them generated sample data` : counts)
}

export const forecastFinding = ({ since, live }: Ledger): Finding => {
  if (since.size === 0) return ok('no forecasts kept yet')
  const alarms = live.filter(({ alarm }) => alarm)
  if (alarms.length === 0) return ok(`${live.length} figures of kept forecasts, no alarm`)
  const places = alarms.map(({ market, city, model, month }) => `${model} in ${city ?? market} (${month})`)
  return warn(
    `forecasts outside their band two months in a row: ${places.join(', ')}. Look at /coverage#forecasts, then run lotline assess --fit`,
  )
}

const check = async (name: string, look: () => Finding | Promise<Finding>): Promise<Check> => {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    return { name, ...fail(messageOf(error)) }
  }
}

const nodeVersion = (): Finding =>
  Number(process.versions.node.split('.')[0]) >= 24
    ? ok(process.version)
    : fail(`${process.version}; Node 24 or later is required`)

export const marketPacks = (): Finding =>
  packProblems().length > 0
    ? fail(
        `${packProblems().length} of ${packs().length + packProblems().length} market packs cannot be used and are left out: ${packProblems().map(problemText).join('; ')}`,
      )
    : ok(`${packs().length} market packs, all valid`)

const sourceFiles = async (folder: string): Promise<Finding> => {
  const { sources, broken } = await readSourceFolder(folder)
  if (broken.length > 0)
    return fail(
      `${broken.length} of ${sources.length + broken.length} files cannot be used and are left out: ${broken.map(({ reason }) => reason).join('; ')}`,
    )
  return ok(sources.length === 0 ? `none in ${folder}` : `${sources.length} files, all valid`)
}

/** Twice the size of the sample. With less, PostgreSQL may stop in the middle of a load. */
const minFreeBytes = 1e9

const disk = async (dataDir: string): Promise<Finding> => {
  await mkdir(dataDir, { recursive: true })
  await access(dataDir, constants.W_OK)
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const detail = `${(free / 1e9).toFixed(1)} GB free at ${dataDir}`
  return free < minFreeBytes ? warn(`${detail}: free at least 1 GB`) : ok(detail)
}

const redis = async (url: string | undefined): Promise<Finding> => {
  if (!url) return ok('not used: one API process keeps rate limits in memory')
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    retryStrategy: () => null,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return ok('reachable')
  } catch {
    return fail('Redis does not respond at REDIS_URL: start it, or unset REDIS_URL')
  } finally {
    client.disconnect()
  }
}

const smtp = async ({ SMTP_URL, DATA_DIR }: Config): Promise<Finding> => {
  if (!SMTP_URL) return ok(`not used: mails are written to ${DATA_DIR}/outbox`)
  const transport = createTransport({ url: SMTP_URL, connectionTimeout: 5_000, greetingTimeout: 5_000 })
  try {
    await transport.verify()
    return ok('reachable and accepts mail')
  } catch {
    return fail(
      'the mail server at SMTP_URL does not respond or rejects the login; mails stay in the queue until it works',
    )
  } finally {
    transport.close()
  }
}
