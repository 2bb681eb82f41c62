import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { assessShares, assessWithView } from '../../src/assess/assess-market.ts'
import { fitMarketModels } from '../../src/assess/fit-and-assess.ts'
import { fitsHere } from '../../src/assess/fits.ts'
import { cutIntoShares } from '../../src/assess/shares.ts'
import { type AssessorThread, startAssessor } from '../../src/bin/assess-thread.ts'
import { valueHome } from '../../src/intelligence/valuation/value-home.ts'
import { type Db, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { newDatabase } from '../setup/database.ts'
import { type SmallMarket, smallMarket, today } from '../setup/small-market.ts'

const market = 'sf-peninsula'
const whole = { market, firstAt: today.toISOString() } as const

let address: Awaited<ReturnType<typeof newDatabase>>
let db: Db
let town: SmallMarket
const threads: AssessorThread[] = []

const thread = (idleMs?: number) => {
  const opened = startAssessor({ address, idleMs })
  threads.push(opened)
  return opened
}

/** Connections the threads hold: none once they have ended. */
const connections = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = ${address.database} and application_name = 'lotline-assessor'`.execute(db)
  return rows[0]!.n
}

beforeAll(async () => {
  address = await newDatabase()
  const open = openDatabase(address)
  const queue = await openQueue(address)
  db = open.db
  town = await smallMarket(db)
  return async () => {
    await queue.close()
    await open.close()
  }
}, 60_000)

afterEach(async () => {
  for (const each of threads.splice(0)) await each.stop()
})

describe('the assessment thread', () => {
  test('does the work of a job and says what it came to', async () => {
    const result = await thread().run(whole)
    expect(result).toEqual({ considered: town.ids.length, changed: town.ids.length })
    const { rows } = await sql<{ n: number }>`select count(*) as n from assessment`.execute(db)
    expect(rows[0]!.n).toBe(town.ids.length)
  }, 60_000)

  test('shares of a run taken by the thread come to what a lone run comes to', async () => {
    const now = new Date(whole.firstAt)
    const view = await fitMarketModels(db, market, { now, quick: true })
    await assessWithView(db, view, { now })
    const content = () => sql`select property_id, content_hash from assessment order by 1`.execute(db)
    const alone = await content()
    expect(alone.rows).toHaveLength(town.ids.length)
    await sql`delete from assessment`.execute(db)

    const shares = await cutIntoShares(db, market, 20)
    const { sales, value, meanRoiPct, teardown, biddingWar } = view
    const seen = { sales, value, meanRoiPct, teardown, biddingWar }
    const job = { market, at: whole.firstAt, shares, seen } as const
    const parts = await Promise.all([thread().run(job), assessShares(db, view, shares, { now })])
    expect(parts.reduce((sum, { considered }) => sum + considered, 0)).toBe(town.ids.length)
    expect((await content()).rows).toEqual(alone.rows)
    expect(await thread().run(job)).toEqual({ considered: 0, changed: 0 })
  }, 60_000)

  test('what cannot be sent is refused at once, and the thread still ends when idle', async () => {
    const one = thread(1)
    await expect(one.run({ market, touched: true, by: () => {} } as never)).rejects.toThrow(/could not be cloned/)
    await one.run({ market, touched: true })
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
  }, 60_000)

  test('two jobs asked for at once each get their own answer', async () => {
    const one = thread()
    const [first, second] = await Promise.all([one.run(whole), one.run({ market: 'nantucket', touched: true })])
    expect(first.considered).toBe(town.ids.length)
    expect(second).toEqual({ considered: 0, changed: 0 })
  }, 60_000)

  test('a job that fails says why, and the next one is done', async () => {
    const one = thread()
    await sql`alter table market_heat rename to market_heat_away`.execute(db)
    await expect(one.run(whole)).rejects.toThrow(/market_heat/)
    await sql`alter table market_heat_away rename to market_heat`.execute(db)
    expect((await one.run(whole)).considered).toBe(town.ids.length)
  }, 60_000)

  test('a thread without work ends, and another is opened when there is some', async () => {
    const one = thread(1)
    await one.run({ market, touched: true })
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
    expect((await one.run(whole)).considered).toBe(town.ids.length)
  }, 60_000)

  test('a job asked for while the thread before it is still ending is done by the next', async () => {
    const one = thread()
    await one.run({ market, touched: true })
    const ending = one.stop()
    const asked = one.run(whole)
    await ending
    expect((await asked).considered).toBe(town.ids.length)
  }, 60_000)

  test('a stop ends the thread, and a job cut off by it is told so', async () => {
    const one = thread()
    await one.run({ market, touched: true })
    const cut = one.run(whole)
    const told = expect(cut).rejects.toThrow('The assessment thread was stopped')
    await one.stop()
    await told
    expect(await connections()).toBe(0)
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
}))

describe('fits in the thread', () => {
  test('values learned in a thread are those learned here, and serve to value a home', async () => {
    const here = (await fitsHere.values(sales, '2026-01-01'))!
    const beside = (await thread().fits.values(sales, '2026-01-01'))!
    expect(beside).toEqual(here)
    const { priceUsd: _, soldOn: __, saleId: ___, ...home } = sales[0]!
    expect(valueHome(beside, home, '2026-01-01')).toEqual(valueHome(here, home, '2026-01-01'))
  })

  test('too few sales teach nothing, in a thread as here', async () => {
    expect(await thread().fits.values(sales.slice(0, 5), '2026-01-01')).toBeUndefined()
  })

  test('bidding-war odds fitted in a thread are those fitted here', async () => {
    const here = await fitsHere.biddingWar(closings)
    expect(here.kind).toBe('fitted')
    expect(await thread().fits.biddingWar(closings)).toEqual(here)
  })

  test('a fit that fails in its thread says why', async () => {
    await expect(thread().fits.biddingWar(undefined as never)).rejects.toThrow(/undefined/)
  })
})
