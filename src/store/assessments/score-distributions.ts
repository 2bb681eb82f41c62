// How the scores of a market are distributed, measured once per whole assessment and read when ranks are served.
import type { MarketId } from '../../domain/facts.ts'
import {
  listingScores,
  type MarketRanks,
  parcelScores,
  type RankedScore,
  rankDecimals,
  type ScoreDistribution,
} from '../../domain/findings/score-rank.ts'
import { columnOf } from '../engine/columns.ts'
import { type Db, onlyRow, prepared, rowsOf, sql } from '../engine/database.ts'
import { askEachGroup } from '../engine/shard-groups.ts'
import { onMarket } from '../properties/listing-status.ts'
import { latestModel, saveModel } from './models.ts'

const modelName = 'score-ranks'

/** A fifth of a percent between two quantiles: finer than the whole percentiles that are served. */
const steps = 500

export const saveScoreDistributions = async (
  db: Db,
  market: MarketId,
  teardown: MarketRanks['teardown'],
  now: Date,
  asOf?: string,
): Promise<void> => {
  const [listings, parcels] = await Promise.all([
    distributionsOf(
      db,
      listingScores,
      sql`assessment a join listing l on l.market = a.market and l.property_id = a.property_id and l.current
        where a.market = ${market} and ${onMarket('l.status')}`,
    ),
    distributionsOf(
      db,
      parcelScores,
      sql`(
        select f.redevelopment_score, u.score as adu_score from assessment f
        left join lead u on u.market = f.market and u.property_id = f.property_id and u.kind = 'accessory_unit' and u.best
        where f.market = ${market}) a`,
    ),
  ])
  const { kind, rows, positives } = teardown
  const ranks: MarketRanks = {
    distributions: { ...listings, ...parcels },
    teardown: { kind, rows, positives },
    ...(asOf === undefined ? {} : { asOf }),
  }
  await saveModel(db, modelName, market, modelName, ranks, now)
}

export const marketRanks = (db: Db, market: MarketId) => latestModel<MarketRanks>(db, modelName, market)

/** Markets whose operator chose a day because their data ends in the past, with that day. */
export const pastDays = async (db: Db, markets: readonly MarketId[]): Promise<Map<MarketId, string>> => {
  // Each market has one row, whose other figures are thousands of numbers.
  const rows = await askEachGroup(
    db,
    markets,
    (group, some) => rowsOf<{ market: MarketId; day: string }>(group)`${prepared}
      select market, body->>'asOf' as day from model
      where name = ${modelName} and version = ${modelName} and market = any(${some}::text[])
        and body->>'asOf' is not null`,
  )
  return new Map(rows.flat().map(({ market, day }) => [market, day]))
}

const distributionsOf = async (db: Db, names: readonly RankedScore[], from: ReturnType<typeof sql>) => {
  const fractions = Array.from({ length: steps + 1 }, (_, k) => k / steps)
  const measured = names.map((name) => {
    const column = sql.ref(`a.${name === 'biddingWarPredictor' ? 'bidding_war' : columnOf(name)}`)
    return sql`count(${column}) as ${sql.ref(`${columnOf(name)}_count`)},
      percentile_disc(${fractions}::float8[]) within group (order by ${column}) as ${sql.ref(columnOf(name))}`
  })
  const row = await onlyRow<Record<string, number | number[] | null>>(db)`
    select ${sql.join(measured)} from ${from}`
  const distributions: Partial<Record<RankedScore, ScoreDistribution>> = {}
  for (const name of names) {
    const quantiles = row[name] as number[] | null
    const count = row[`${name}Count`] as number
    if (quantiles && count > 0)
      distributions[name] = { count, quantiles: quantiles.map((value) => Number(value.toFixed(rankDecimals))) }
  }
  return distributions
}
