// Uncached reads over HTTP, with key, limits and serialization, compared with the same SQL through plain pg.
import './packs.ts'
import type pg from 'pg'
import { Client } from 'undici'
import type { Implementation } from '../src/operations/context.ts'
import { getPropertyRun } from '../src/operations/get-property.ts'
import { listMarketSignalsRun } from '../src/operations/list-market-signals.ts'
import { searchPermitsRun } from '../src/operations/permits.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { plans } from '../src/wire/plans.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, timed } from './figure.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const service = await context.startService()
  try {
    return await context.withStore(async (store) => {
      const keys = await context.proKeys(100)
      const { rows } = await store.pool.query('select property_id from listing where current limit 1')
      const id = rows[0].property_id as string
      const reads: [title: string, path: string, run: Implementation, input: object][] = [
        ['signals page', '/api/v1/market-signals?limit=25', listMarketSignalsRun, { limit: 25 }],
        ['a property', `/api/v1/properties/${id}?`, getPropertyRun, { id }],
        [
          'permits page',
          '/api/v1/permits?city=palo%20alto&limit=25',
          searchPermitsRun,
          { city: 'palo alto', limit: 25 },
        ],
      ]
      const figures: Figure[] = []
      for (const [title, path, run, input] of reads) {
        const statements = await statementsOf(store.address, run, input)
        const client = new Client(service.url)
        let n = 0
        const ask = async () => {
          // An unknown parameter is ignored, but makes the URL new, so the response is not cached.
          const { statusCode, body } = await client.request({
            method: 'GET',
            path: `${path}&n=${n}`,
            headers: { 'x-api-key': keys[n++ % keys.length]! },
          })
          await body.text()
          if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
        }
        const bare = () => Promise.all(statements.map((each) => store.pool.query(each)))
        for (let i = 0; i < context.sized(100, 100, 3); i++) await Promise.all([ask(), bare()])
        const ours: number[] = []
        const rival: number[] = []
        for (let run = 0; run < context.runs; run++) {
          const pairs: [number, number][] = []
          for (let i = 0; i < context.sized(60, 60, 3); i++) pairs.push([await timed(ask), await timed(bare)])
          ours.push(median(pairs.map(([mine]) => mine)))
          rival.push(median(pairs.map(([, theirs]) => theirs)))
        }
        await client.close()
        figures.push(
          figureOf(`cold reads: ${title}`, 'ms', ours, {
            rival,
            target: atMost(2),
            note: `over HTTP, against its ${statements.length} statements through bare pg at once`,
          }),
        )
      }
      return figures
    })
  } finally {
    await service.stop()
  }
}

/** Records the SQL statements of an operation. */
const statementsOf = async (address: object, { run }: Implementation, input: object) => {
  const database = openDatabase(address as never)
  const statements: { text: string; values: unknown[] }[] = []
  const recorded = new WeakSet<pg.PoolClient>()
  const connect = database.pool.connect.bind(database.pool)
  database.pool.connect = (async () => {
    const client = (await connect()) as pg.PoolClient
    if (recorded.has(client)) return client
    recorded.add(client)
    const query = client.query.bind(client)
    client.query = ((given: string | pg.QueryConfig, values: unknown[] = []) => {
      const { text, values: sent = [] } = typeof given === 'string' ? { text: given, values } : given
      if (!/^(begin|commit|set)/.test(text)) statements.push({ text, values: sent })
      return typeof given === 'string' ? query(given, values) : query(given)
    }) as never
    return client
  }) as never
  const caller = { plan: 'pro', limits: plans.pro, client: 'bench', remaining: 1, windowResetsInSeconds: 60 }
  await run({ db: database.db, caller, now: new Date(), publicUrl: 'http://localhost' } as never, input)
  await database.close()
  return statements
}
