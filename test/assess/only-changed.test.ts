// Runs that assess only what can have changed, against runs of all properties: random records, days and ways to run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillMarket, market, now } from '../../bench/market-data.ts'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { assessor } from '../../src/assess/jobs.ts'
import type { Dataset } from '../../src/domain/facts.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { type Database, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { newDatabase } from '../setup/database.ts'

/** Thirty rounds take minutes. */
const rounds = process.env.LOTLINE_WEEKLY ? 30 : 6
const homes = 120
const dayMs = 86_400_000

let store: Database & { queue: Queue }
let folder: string
beforeAll(async () => {
  const address = await newDatabase()
  await fillMarket(address, { homes, permits: homes, assessed: false })
  store = { ...openDatabase(address), queue: await openQueue(address) }
  folder = await mkdtemp(join(tmpdir(), 'lotline-changed-'))
}, 120_000)
afterAll(async () => {
  await store?.queue.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The same numbers in every run. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const headers = {
  listings: 'listingId,apn,city,status,priceUsd,originalPriceUsd,listedOn,remarks',
  permits: 'permitId,apn,city,description,valuation,status,issuedOn,finaledOn',
  parcels: 'apn,address,city,lotSqft,yearBuilt',
  sales: 'saleId,apn,city,soldOn,priceUsd',
}
type Kind = keyof typeof headers

const load = async (kind: Kind, rows: readonly string[], at: Date) => {
  const place = { market, where: { url: `${kind}.csv` }, sameNames: true }
  const config = {
    id: `feed-${kind}`,
    title: kind,
    kind: 'csv',
    holds: kind satisfies Dataset,
    ...place,
  } as SourceConfig
  await writeFile(join(folder, `${kind}.csv`), [headers[kind], ...rows].join('\n'))
  await runIngest(store, config, { now: at, folder, highValueUsd: 1e12, accept: 'test' }).catch((error) => {
    // A feed of rows that are all rejected, such as listings of the future.
    if (error.code !== 'all_rejected' && !String(error.message).startsWith('All ')) throw error
  })
}

test('a run of what can have changed leaves nothing that a run of all properties would change', async () => {
  const { db, queue } = store
  const any = randomFrom(43)
  const { rows: known } = await sql<{ apn: string; address: string; city: string }>`
    select apn, address, city from property where market = ${market} order by id`.execute(db)
  let at = now
  const day = (days: number) => new Date(at.getTime() + days * dayMs).toISOString().slice(0, 10)
  const pick = <T>(values: readonly T[]) => values[any(values.length)]!
  const rowOf: Record<Kind, (n: number) => string> = {
    listings: (n) => {
      const { apn, city } = pick(known)
      const price = 900_000 + any(3_000_000)
      const status = pick(['Active', 'Active', 'Active', 'Coming Soon', 'Pending', 'Withdrawn'])
      return `L${apn}x${n % 2},${apn},${city},${status},${price},${price + any(2) * 100_000},${day(5 - any(40))},Fixer with a large lot`
    },
    permits: (n) => {
      const { apn, city } = pick(known)
      const kind = pick(['New single family residence', 'Demolish entire house', 'Kitchen remodel', 'New detached ADU'])
      const issued = 12 - any(25)
      return `P${n},${apn},${city},${kind},${50_000 + any(900_000)},${pick(['ISSUED', 'FINALED', 'EXPIRED'])},${day(issued)},${any(2) ? day(issued + any(12)) : ''}`
    },
    parcels: () => {
      const { apn, address, city } = pick(known)
      return `${apn},"${address}",${city},${4_000 + any(9_000)},${1920 + any(100)}`
    },
    sales: (n) => {
      const { apn, city } = pick(known)
      return `S${n},${apn},${city},${day(-any(60))},${1_000_000 + any(2_000_000)}`
    },
  }
  const worker = assessor({ db, queue, clock: () => at, batchSize: 25 })
  const daily = async () => {
    await worker.run({ market })
    const { rows } = await sql<{ data: never }>`
      delete from pgboss.job where name = 'assess' and data ? 'runId' returning data`.execute(db)
    for (const { data } of rows) await worker.run(data)
    const { rows: runs } = await sql<{ considered: number; state: string }>`
      select considered, state from assess_run order by id desc limit 1`.execute(db)
    expect(runs[0]!.state).toBe('completed')
    return runs[0]!.considered
  }
  await assessMarket(db, market, { now: at })
  let partly = 0
  for (let round = 0; round < rounds; round++) {
    // Days, weeks, and from time to time a month with a new valuation.
    at = new Date(at.getTime() + pick([0, 1, 1, 1, 2, 6, 7, 11]) * dayMs + 3_600_000)
    const kinds = pick<Kind[]>([[], ['listings'], ['permits'], ['parcels'], ['listings', 'permits'], ['sales']])
    for (const kind of kinds)
      await load(
        kind,
        Array.from({ length: 1 + any(6) }, (_, n) => rowOf[kind](round * 10 + n)),
        at,
      )
    if (any(3) === 0) await worker.run({ market, touched: true })
    const considered =
      any(2) === 0 ? await daily() : (await assessMarket(db, market, { now: at, onlyChanged: true })).considered
    if (considered < homes) partly++
    // Not after every round, so that what one misses stays for the next.
    if (round % 3 < 2) continue
    expect(await indexMarket(db, market), `round ${round}: rows of the search`).toBe(false)
    const all = await assessMarket(db, market, { now: at })
    expect(all.changed, `round ${round}`).toBe(0)
  }
  expect(partly).toBeGreaterThan(rounds / 2)
}, 300_000)
