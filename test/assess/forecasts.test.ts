import { expect, test } from 'vitest'
import { scoreForecasts } from '../../src/assess/save-live-accuracy.ts'
import { forecastLedger } from '../../src/store/assessments/accuracy.ts'
import {
  endedTeardowns,
  soldForecasts,
  withdrawnForecasts,
  writeForecasts,
} from '../../src/store/assessments/forecasts.ts'
import { sql } from '../../src/store/engine/database.ts'
import { groupOf } from '../../src/store/engine/shard-groups.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { assessment, listing, permit, property, sale } from '../setup/rows.ts'

const store = useDatabaseWithQueue()
const market = 'sf-peninsula'
const db = () => groupOf(store().db, market)

const assessed = {
  value_usd: 1_000_000,
  value_low_usd: 900_000,
  value_high_usd: 1_100_000,
  bidding_war: 40,
  teardown_score: 5,
}

const kept = async (id: string) =>
  (
    await sql<{ model: string; madeOn: string; listingId: string | null }>`
      select model, made_on, listing_id from forecast where property_id = ${id} order by made_on, model`.execute(db())
  ).rows.map(({ model, madeOn, listingId }) => [madeOn, model, listingId])

const setValue = (id: string, usd: number) =>
  sql`update assessment set value_usd = ${usd} where property_id = ${id}`.execute(db())

const sold = (id: string, sold_on: string, given = {}) =>
  sale(db(), { property_id: id, sold_on, match_confidence: 'high', match_method: 'apn', ...given })

test('a home that is not listed keeps a value, once a month and only if it changed by 1%', async () => {
  const id = await property(db())
  await assessment(db(), id, assessed)
  const steps: [string, number][] = [
    ['2026-01-10', 1_000_000],
    ['2026-01-20', 1_100_000],
    ['2026-02-03', 1_009_000],
    ['2026-03-03', 1_010_000],
    ['2026-03-04', 1_200_000],
  ]
  for (const [day, usd] of steps) {
    await setValue(id, usd)
    await writeForecasts(db(), market, [id], day)
  }
  expect(await kept(id)).toEqual([
    ['2026-01-10', 'value', null],
    ['2026-03-03', 'value', null],
  ])
})

test('a new listing keeps every model on the day it is first seen, and the next listing again', async () => {
  const id = await listing(db(), { listing_id: 'A' })
  await assessment(db(), id, assessed)
  await writeForecasts(db(), market, [id], '2026-05-04')
  await writeForecasts(db(), market, [id], '2026-05-05')
  await sql`update listing set listing_id = 'B' where property_id = ${id}`.execute(db())
  await writeForecasts(db(), market, [id], '2026-05-06')
  const all = (day: string, of: string) => ['bidding-war', 'teardown', 'value'].map((model) => [day, model, of])
  expect(await kept(id)).toEqual([...all('2026-05-04', 'A'), ...all('2026-05-06', 'B')])
})

test('a forecast is scored against the first sale after it, with the last forecast before that sale', async () => {
  const id = await listing(db(), { city: 'Menlo Park', price_usd: 950_000 })
  await assessment(db(), id, assessed)
  await writeForecasts(db(), market, [id], '2026-04-01')
  await setValue(id, 1_050_000)
  await writeForecasts(db(), market, [id], '2026-05-01')
  await sold(id, '2026-06-10', { price_usd: 1_000_000 })
  await sold(id, '2026-09-10', { price_usd: 2_000_000 })
  const own = (await soldForecasts(db(), market)).filter(({ city }) => city === 'Menlo Park')
  expect(own.sort((a, b) => (a.model < b.model ? -1 : 1))).toEqual([
    {
      model: 'bidding-war',
      city: 'Menlo Park',
      month: '2026-06',
      probability: 0.4,
      priceUsd: 1_000_000,
      listPriceUsd: 950_000,
    },
    {
      model: 'value',
      city: 'Menlo Park',
      month: '2026-06',
      valueUsd: 1_050_000,
      lowUsd: 900_000,
      highUsd: 1_100_000,
      priceUsd: 1_000_000,
      listPriceUsd: 950_000,
    },
  ])
})

test('a sale that was known when the forecast was made is never scored', async () => {
  const city = 'Atherton'
  const [before, sameDay, otherRecord, chosenDay] = [
    await property(db(), { city }),
    await property(db(), { city }),
    await property(db(), { city }),
    await property(db(), { city }),
  ]
  const ids = [before, sameDay, otherRecord, chosenDay]
  for (const id of ids) await assessment(db(), id, assessed)
  await sold(before, '2026-06-01')
  await sold(sameDay, '2026-06-15')
  await sold(otherRecord, '2026-06-10', { price_usd: 1_234_000 })
  // An assessment as of a day in the past: the sale after that day is already stored.
  await sold(chosenDay, '2026-08-01')
  await writeForecasts(db(), market, ids, '2026-06-15')
  // The county records the same transfer later.
  await sold(otherRecord, '2026-06-20', { price_usd: 1_234_000 })
  expect(await kept(chosenDay)).toEqual([])
  expect((await soldForecasts(db(), market)).filter((row) => row.city === city)).toEqual([])
})

test('the bidding war of a withdrawn listing is counted and not scored', async () => {
  const id = await listing(db(), { city: 'Woodside', listing_id: 'W' })
  await assessment(db(), id, assessed)
  await writeForecasts(db(), market, [id], '2026-05-01')
  await sql`update listing set status = 'withdrawn' where property_id = ${id}`.execute(db())
  await sql`insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, status, previous_status)
    values (${market}, 'test', 'W', now(), '2026-07-02', ${id}, 'withdrawn', 'active')`.execute(db())
  await sold(id, '2026-09-10')
  const own = (await soldForecasts(db(), market)).filter(({ city }) => city === 'Woodside')
  expect(own.map(({ model }) => model)).toEqual(['value'])
  expect(await withdrawnForecasts(db(), market)).toEqual([{ model: 'bidding-war', city: 'Woodside', month: '2026-07' }])
})

test('a teardown is scored at the end of its horizon, only where permits cover it', async () => {
  const homes: string[] = []
  for (const city of ['Los Altos', 'Los Altos', 'Belmont']) {
    const id = await listing(db(), { city })
    await assessment(db(), id, assessed)
    await writeForecasts(db(), market, [id], '2023-01-10')
    await sold(id, '2023-02-15')
    homes.push(id)
  }
  await permit(db(), { city: 'Los Altos', issued_on: '2022-01-01' })
  await permit(db(), { city: 'Los Altos', issued_on: '2025-06-01' })
  await permit(db(), {
    city: 'Los Altos',
    issued_on: '2024-12-01',
    property_id: homes[0],
    permit_class: 'whole_house_demolition',
  })
  expect(await endedTeardowns(db(), market, '2025-02-14', 24)).toEqual([])
  const ended = await endedTeardowns(db(), market, '2025-02-15', 24)
  expect(ended.map(({ city, month, probability }) => [city, month, probability])).toEqual(
    Array.from({ length: 2 }, () => ['Los Altos', '2025-02', 0.05]),
  )
  expect(ended.map(({ demolished }) => demolished).sort()).toEqual([false, true])
})

test('the stored figures are those of the ledger', async () => {
  for (let at = 0; at < 10; at++) {
    const id = await property(db(), { city: 'Redwood City' })
    await assessment(db(), id, assessed)
    await writeForecasts(db(), market, [id], '2025-03-01')
    await sold(id, '2025-04-01', { price_usd: at < 7 ? 1_000_000 : 1_250_000 })
  }
  await scoreForecasts(db(), { market, today: '2026-11-15' }, new Date('2026-11-15T12:00:00Z'))
  const { since, live } = await forecastLedger(store().db)
  expect(since.get(market)).toBe('2023-01-10')
  expect(live.filter(({ city }) => city === 'Redwood City')).toEqual([
    {
      market,
      city: 'Redwood City',
      model: 'value',
      month: '2025-04',
      n: 10,
      mdape: 0,
      within10: 70,
      withinRange: 70,
      medianRatio: 1,
    },
  ])
})
