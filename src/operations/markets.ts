import type { Static } from 'typebox'
import { pick } from '../common/typed.ts'
import { allDefaultedAssumptions } from '../domain/assumptions/assumptions.ts'
import { datasets } from '../domain/facts.ts'
import type { Coverage } from '../domain/findings/coverage-and-accuracy.ts'
import { defaultMarket, jurisdictions, type Market, markets } from '../domain/packs/markets.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { lawById, lawReference } from '../laws/list.ts'
import { lastAssessed, runInProgress } from '../store/assessments/assess-runs.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import type { Db } from '../store/engine/database.ts'
import { coverage } from '../store/ingest/coverage.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { listMarkets, type MarketItem } from '../wire/operations/markets.ts'
import { implement } from './context.ts'
import { listAnswer } from './listing-page.ts'

export const listMarketsRun = implement(listMarkets, async ({ db, now }) => {
  const [held, current] = await Promise.all([coverage(db, now), asOf(db, datasets)])
  const items = await Promise.all(markets().map((market) => marketItem(db, market, held)))
  // On one page for every plan: callers need the whole list to name a market.
  return listAnswer({ limit: Math.max(1, items.length), offset: 0 }, items, items.length, { asOf: current })
})

const marketItem = async (db: Db, market: Market, rows: readonly Coverage[]): Promise<Static<typeof MarketItem>> => {
  const { id } = market
  const marketRows = rows.filter((row) => row.market === id)
  const [current, assessedAt, ranks] = await Promise.all([
    asOf(db, datasets, id),
    lastAssessed(db, id),
    marketRanks(db, id),
  ])
  const underWay = assessedAt === undefined && marketRows.length > 0 ? await runInProgress(db, id) : undefined
  return {
    ...pick(market, 'id', 'name', 'aliases'),
    default: id === defaultMarket(),
    ...pick(market, 'country', 'state', 'timeZone', 'box', 'ranking'),
    laws: market.laws.map(({ id: lawId, since }) => {
      const law = lawById(lawId)!
      return { ...lawReference(law), leads: law.leads, since }
    }),
    cities: jurisdictions()
      .filter((city) => city.market === id)
      .map((city) => pick(city, 'name', 'slug', 'county', 'aliases', 'incorporated')),
    dataSets: datasets.flatMap((dataset) => dataSetOf(marketRows.filter((row) => row.dataset === dataset))),
    assessment:
      assessedAt !== undefined
        ? { state: 'assessed', assessedAt: assessedAt.toISOString(), asOf: ranks?.asOf }
        : {
            state: marketRows.length === 0 ? 'no_data' : 'not_assessed',
            startedAt: underWay?.startedAt.toISOString(),
            progressPct: underWay?.progressPct,
          },
    defaultAssumptions: allDefaultedAssumptions(packOf(id)),
    packVersion: market.version,
    asOf: current,
  }
}

const dataSetOf = (rows: readonly Coverage[]) => {
  if (rows.length === 0) return []
  const newest = rows.flatMap(({ newestRecord }) => newestRecord ?? []).sort()
  return [
    {
      dataset: rows[0]!.dataset,
      rows: rows.reduce((sum, row) => sum + row.rows, 0),
      newestRecord: newest.at(-1) ?? null,
      sample: rows.some(({ sources }) => sources.some(({ sample }) => sample)),
    },
  ]
}
