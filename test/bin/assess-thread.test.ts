import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fitsInThisThread } from '../../src/assess/model-fits.ts'
import { startAssessor } from '../../src/bin/assess-thread.ts'
import { valueHome } from '../../src/intelligence/valuation/value-home.ts'
import { beginAssessRun, endAssessRun } from '../../src/store/assessments/assess-runs.ts'
import { type Db, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { newDatabase } from '../setup/database.ts'
import { type SmallMarket, smallMarket } from '../setup/small-market.ts'

const market = 'sf-peninsula'
const touched = { market, touched: true } as const

let address: Awaited<ReturnType<typeof newDatabase>>
let db: Db
let town: SmallMarket
const threads: ReturnType<typeof startAssessor>[] = []

const thread = (idleMs?: number) => {
  const opened = startAssessor({ address, idleMs })
  threads.push(opened)
  return opened
}

/** The number of connections that the threads hold; 0 once they have ended. */
const connections = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = ${address.database} and application_name like 'lotline-assessor %'`.execute(db)
  return rows[0]!.n
}

/** Queues every property for assessment. */
const touchAll = () =>
  sql`insert into touched_property (market, property_id, touched_at) select market, id, now() from property on conflict do nothing`.execute(
    db,
  )

beforeAll(async () => {
  address = await newDatabase()
  const open = openDatabase(address)
  const queue = await openQueue(address)
  db = open.db
  town = await smallMarket(db)
  // Touched properties are assessed only in a market that has had a complete run.
  const runId = await beginAssessRun(db, market, new Date())
  await endAssessRun(db, market, runId, { considered: 0, changed: 0 }, new Date())
  return async () => {
    await queue.close()
    await open.close()
  }
}, 60_000)

afterEach(async () => {
  for (const each of threads.splice(0)) await each.stop()
})

describe('the assessment thread', () => {
  test('runs a job and returns its counts', async () => {
    await touchAll()
    const result = await thread().run(touched)
    expect(result).toEqual({ considered: town.ids.length, changed: town.ids.length })
    const { rows } = await sql<{ n: number }>`select count(*) as n from assessment`.execute(db)
    expect(rows[0]!.n).toBe(town.ids.length)
  }, 60_000)

  test('a job that cannot be cloned is rejected immediately, and the thread still ends when idle', async () => {
    const one = thread(1)
    await expect(one.run({ market, touched: true, by: () => {} } as never)).rejects.toThrow(/could not be cloned/)
    await one.run(touched)
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
  }, 60_000)

  test('two concurrent jobs each get their own result', async () => {
    const one = thread()
    await touchAll()
    const [first, second] = await Promise.all([one.run(touched), one.run({ market: 'nantucket', touched: true })])
    expect(first.considered).toBe(town.ids.length)
    expect(second).toEqual({ considered: 0, changed: 0 })
  }, 60_000)

  test('a failed job reports its error, and the next one runs', async () => {
    const one = thread()
    await touchAll()
    await sql`alter table touched_property rename to touched_property_away`.execute(db)
    await expect(one.run(touched)).rejects.toThrow(/touched_property/)
    await sql`alter table touched_property_away rename to touched_property`.execute(db)
    expect((await one.run(touched)).considered).toBe(town.ids.length)
  }, 60_000)

  test('an idle thread ends, and a new one starts with the next job', async () => {
    const one = thread(1)
    await one.run(touched)
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
    await touchAll()
    expect((await one.run(touched)).considered).toBe(town.ids.length)
  }, 60_000)

  test('a job sent while the thread is ending runs in the next thread', async () => {
    const one = thread()
    await one.run(touched)
    await touchAll()
    const ending = one.stop()
    const asked = one.run(touched)
    await ending
    expect((await asked).considered).toBe(town.ids.length)
  }, 60_000)

  test('stop ends the thread and rejects the job in progress', async () => {
    const one = thread()
    await one.run(touched)
    await touchAll()
    const cut = one.run(touched)
    const rejected = expect(cut).rejects.toThrow('The assessment thread was stopped')
    await one.stop()
    await rejected
    // PostgreSQL notices a closed connection a moment later.
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
  }, 60_000)
})

const sales = Array.from({ length: 80 }, (_, i) => ({
  saleId: `s${i}`,
  soldOn: `2025-${String(1 + (i % 12)).padStart(2, '0')}-15`,
  priceUsd: 1_500_000 + ((i * 37) % 50) * 20_000,
  city: 'Palo Alto',
  propertyType: 'single_family' as const,
  livingSqft: 1_200 + ((i * 53) % 30) * 60,
  lotSqft: 6_000 + ((i * 29) % 40) * 100,
  yearBuilt: 1940 + ((i * 17) % 80),
  lat: 37.42 + ((i * 11) % 20) * 0.001,
  lng: -122.14 + ((i * 7) % 20) * 0.001,
}))
const closings = Array.from({ length: 120 }, (_, i) => ({
  facts: {
    market: 'sf-peninsula' as const,
    area: 'Palo Alto',
    listPriceUsd: 1_000_000 + i * 9_000,
    livingSqft: 1_200 + i * 7,
    words: [i % 3 === 0 ? 'remodeled' : 'original', i % 2 === 0 ? 'view' : 'quiet'],
  },
  over: i % 3 === 0 || i % 7 === 0,
  saleToList: i % 3 === 0 || i % 7 === 0 ? 1.05 : 0.98,
}))

describe('fits in the thread', () => {
  test('a value model fitted in a thread equals one fitted in this thread, and values a home', async () => {
    const here = (await fitsInThisThread.values(sales, '2026-01-01'))!
    const inThread = (await thread().fits.values(sales, '2026-01-01'))!
    expect(inThread).toEqual(here)
    const { priceUsd: _, soldOn: __, saleId: ___, ...home } = sales[0]!
    const valued = (model: typeof here) => {
      const { parts, ...value } = valueHome(model, home, '2026-01-01')!
      return { ...value, parts: parts() }
    }
    expect(valued(inThread)).toEqual(valued(here))
  })

  test('too few sales give no model', async () => {
    expect(await thread().fits.values(sales.slice(0, 5), '2026-01-01')).toBeUndefined()
  })

  test('a bidding-war model fitted in a thread equals one fitted in this thread', async () => {
    const here = await fitsInThisThread.biddingWar(closings)
    expect(here.kind).toBe('fitted')
    expect(await thread().fits.biddingWar(closings)).toEqual(here)
  })

  test('a fit that fails in the thread reports its error', async () => {
    await expect(thread().fits.biddingWar(undefined as never)).rejects.toThrow(/undefined/)
  })
})
