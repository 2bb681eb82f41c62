// The stored valuation of each market: what its properties are assessed with until the market is valued again.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Dataset, MarketId } from '../../domain/facts.ts'
import type { MarketModel } from '../../intelligence/valuation/market-model.ts'
import { type Db, execute, firstRow, firstValue, rowsOf } from '../engine/database.ts'
import type { DatasetCountTable, ValuationTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

export type RecordCounts = Partial<Record<Dataset, number>>

export type ValuationHeader = Pick<ValuationTable, 'valuedOn' | 'version' | 'counts'>

export const valuationHeader = (db: Db, market: MarketId) =>
  firstRow<ValuationHeader>(groupOf(db, market))`
    select valued_on, version, counts from valuation where market = ${market}`

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const packed = async (value: unknown): Promise<Buffer> => compress(serialize(value))
const unpacked = async <T>(bytes: Buffer): Promise<T> => deserialize(await decompress(bytes)) as T

/** Names what was stored: two valuations with the same stamp are equal. */
const stampOf = (facts: Buffer, model: Buffer | null) =>
  hash('sha1', model ? Buffer.concat([facts, model]) : facts, 'base64url')

/** Of this version; undefined if there are none. Plain data, as it was saved. */
export const valuationFacts = async <Facts extends { value?: MarketModel; stamp?: string }>(
  db: Db,
  market: MarketId,
  version: string,
): Promise<Facts | undefined> => {
  const row = await firstRow<Pick<ValuationTable, 'facts' | 'model'>>(groupOf(db, market))`
    select facts, model from valuation where market = ${market} and version = ${version}`
  if (!row) return undefined
  const value = row.model ? await unpacked<MarketModel>(row.model) : undefined
  return { ...(await unpacked<Facts>(row.facts)), value, stamp: stampOf(row.facts, row.model) }
}

/** Returns the stamp. */
export const saveValuation = async (
  db: Db,
  market: MarketId,
  { valuedOn, version, counts }: ValuationHeader,
  { value, stamp: _, ...fitted }: { value?: MarketModel; stamp?: string },
): Promise<string> => {
  const model = value ? await packed(value) : null
  const facts = await packed(fitted)
  await execute(groupOf(db, market))`insert into valuation (market, valued_on, version, counts, facts, model)
    values (${market}, ${valuedOn}, ${version}, ${JSON.stringify(counts)}, ${facts}, ${model})
    on conflict (market) do update set valued_on = excluded.valued_on, version = excluded.version,
      counts = excluded.counts, facts = excluded.facts, model = excluded.model`
  return stampOf(facts, model)
}

interface DatedModel {
  /** The day the market was valued. */
  on: string
  model: MarketModel
}

/** Of markets with 150,000 sales, four models take about 400 MB. */
const mostKept = 4
const modelCache = new WeakMap<Db, Map<MarketId, { stamp: string; model: Promise<DatedModel | undefined> }>>()

/** The value model of a market, for questions while a request waits. Kept in memory until the market is valued again. */
export const valueModel = async (db: Db, market: MarketId): Promise<DatedModel | undefined> => {
  const group = groupOf(db, market)
  const row = await firstRow<{ stamp: string; on: string }>(group)`
    select xmin::text as stamp, valued_on as on from valuation where market = ${market} and model is not null`
  if (!row) return undefined
  const models = modelCache.get(db) ?? new Map()
  modelCache.set(db, models)
  let cached = models.get(market)
  if (cached?.stamp !== row.stamp) cached = { stamp: row.stamp, model: readModel(group, market, row.on) }
  // The least recently used is the first.
  models.delete(market)
  models.set(market, cached)
  if (models.size > mostKept) models.delete(models.keys().next().value!)
  return cached.model
}

const readModel = async (db: Db, market: MarketId, on: string): Promise<DatedModel | undefined> => {
  const bytes = await firstValue<Buffer>(db)`select model from valuation where market = ${market}`
  return bytes ? { on, model: await unpacked<MarketModel>(bytes) } : undefined
}

/** Records of the market by data set, without removed ones. */
export const recordCounts = async (db: Db, market: MarketId): Promise<RecordCounts> => {
  const rows = await rowsOf<Pick<DatasetCountTable, 'dataset'> & { present: number }>(groupOf(db, market))`
    select dataset, sum(rows - removed) as present from dataset_count where market = ${market} group by dataset`
  return Object.fromEntries(rows.map(({ dataset, present }) => [dataset, present]))
}
