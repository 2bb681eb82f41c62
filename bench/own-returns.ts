// Homes for sale sorted by the return at a caller's own assumptions, against the same list sorted by the stored return: 20,000 homes,
// both through the operation that serves them, in turn, uncached.
import './packs.ts'
import { startEmbedded } from '../src/embedded/server.ts'
import type { Context as Call } from '../src/operations/context.ts'
import { listMarketSignalsRun } from '../src/operations/list-market-signals.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { plans } from '../src/wire/plans.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { fillMarket, today } from './filter-data.ts'

const forSale = 20_000

export const measure = async (context: Context): Promise<Figure[]> => {
  const server = await startEmbedded(context.environment.DATA_DIR!)
  try {
    const admin = openDatabase({ socketDir: server.socketDir, statementTimeoutMs: 0 })
    await admin.pool.query('drop database if exists own_returns with (force)')
    await admin.pool.query('create database own_returns')
    await admin.close()
    const database = openDatabase({ socketDir: server.socketDir, database: 'own_returns', statementTimeoutMs: 0 })
    try {
      await fillMarket(database, forSale)
      await database.pool.query(`set search_path = g00, public;
        update listing set status = 'active', pending_on = null, sold_on = null, sold_price_usd = null;
        update assessment a set proforma = jsonb_build_object('returnPct', a.proforma->'returnPct', 'roiPct', a.proforma->'roiPct',
          'buildSqft', 3000, 'arvPerSqft', 1500 + length(a.property_id) % 7 * 40, 'capital', 4000000, 'resaleNet', 4200000,
          'compCount', 12, 'compsCityMatched', true, 'compsTypeMatched', true, 'confidence', 'medium', 'unmodellableReason', null,
          'assumptions', jsonb_build_object('costPerSqft', 600, 'existingSqft', 1500, 'softCosts', 270000, 'demoCost', 35000,
            'sellingCostPct', 5.5, 'buildSizeBasis', repeat('zoning limit of 3,000 sq ft ', 6), 'acquisition', 26000,
            'contingencyPct', 7.5, 'contingency', 135000, 'months', 24, 'ratePct', 9, 'shrinkWeight', 0.65, 'marketMeanRoiPct', -14.2,
            'carry', jsonb_build_object('interest', 400000, 'points', 50000, 'tax', 60000, 'insurance', 36000)));
        truncate property_search; insert into property_search select * from property_search_source`)
      for (const table of ['listing', 'assessment', 'property_search'])
        await database.pool.query(`vacuum analyze g00.${table}`)
      const call = {
        db: database.db,
        caller: { plan: 'pro', limits: plans.pro, client: 'bench', remaining: 1, windowResetsInSeconds: 60 },
        now: new Date(`${today}T12:00:00Z`),
        publicUrl: 'http://localhost',
        surface: 'api',
      } as Call
      const stored = { status: ['for_sale'], sort: ['-returnPct'] }
      const own = { ...stored, assumptions: { costPerSqft: 520, ratePct: 7, months: 20 } }
      const timed = async (input: object) => {
        const begun = performance.now()
        const { pagination } = (await listMarketSignalsRun.run(call, input)) as { pagination: { total: number } }
        if (pagination.total !== forSale) throw new Error(`${pagination.total} homes for sale instead of ${forSale}.`)
        return performance.now() - begun
      }
      const times: { ours: number[]; rival: number[] } = { ours: [], rival: [] }
      await Promise.all([timed(stored), timed(own)])
      for (let run = 0; run < (context.quick ? 5 : 15); run++) {
        times.rival.push(await timed(stored))
        times.ours.push(await timed(own))
      }
      return [
        figureOf({
          name: '20,000 homes for sale by own return, against the stored return',
          unit: 'ms',
          ...times,
          target: atMost(10),
        }),
      ]
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
  }
}
