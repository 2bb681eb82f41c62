import { beforeAll, describe, expect, test } from 'vitest'
import { announceTo } from '../../src/assess/announce.ts'
import {
  type AssessOptions,
  assessInRun,
  assessMarket,
  assessProperties,
  assessRange,
  openView,
} from '../../src/assess/assess-market.ts'
import { fitAndAssess } from '../../src/assess/fit-and-assess.ts'
import { fitTeardownOn, readTeardownTrainingData } from '../../src/assess/fit-teardown.ts'
import { assessor } from '../../src/assess/jobs.ts'
import { packVersion } from '../../src/assess/pack-version.ts'
import { countsMoved, isValuationDue } from '../../src/assess/valuation.ts'
import { dayOf } from '../../src/domain/day.ts'
import type { BiddingFinding, FlipDeal, ScorePart } from '../../src/domain/findings/findings.ts'
import type { Proforma } from '../../src/domain/findings/proforma.ts'
import { parcelWithHome } from '../../src/domain/home-facts.ts'
import { packOf, packs, usePacks } from '../../src/domain/packs/use-packs.ts'
import { percentileIn } from '../../src/intelligence/scores/score-ranks.ts'
import { teardownPrior } from '../../src/intelligence/teardown/teardown.ts'
import { conditionLog, conditionPrior } from '../../src/intelligence/valuation/condition-value.ts'
import { askValue } from '../../src/operations/ask-value.ts'
import { latestAccuracy } from '../../src/store/assessments/accuracy.ts'
import { idRanges } from '../../src/store/assessments/assess-runs.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { marketRanks } from '../../src/store/assessments/score-distributions.ts'
import { valuationHeader } from '../../src/store/assessments/valuations.ts'
import { type Db, sql } from '../../src/store/engine/database.ts'
import { currentListing, propertyById } from '../../src/store/properties/properties.ts'
import type { StoredExplanation } from '../../src/wire/explanation.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { listing, permit, property } from '../setup/rows.ts'
import { countyRents, type SmallMarket, smallMarket, today } from '../setup/small-market.ts'

const store = useDatabaseWithQueue()
const market = 'sf-peninsula'
let town: SmallMarket

const count = async (db: Db, table: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n

const setPrice = async (db: Db, id: string, usd: number) => {
  await sql`update listing set price_usd = ${usd} where property_id = ${id} and current`.execute(db)
  await sql`insert into touched_property (property_id, market, touched_at) values (${id}, ${market}, now()) on conflict do nothing`.execute(
    db,
  )
}

const options = (): AssessOptions => ({ now: today, announce: announceTo({ queue: store().queue }, today) })

beforeAll(async () => {
  town = await smallMarket(store().db)
  await assessMarket(store().db, market, options())
}, 120_000)

describe('a whole run', () => {
  test('assesses every property and creates no event for a first score', async () => {
    const { db } = store()
    expect(await count(db, 'assessment')).toBe(town.ids.length)
    // What the laws allow is stored with it and can be searched.
    const { rows } = await sql<{ homes: number; allows: string }>`
      select homes, allows from property_search where homes is not null and allows like '%add_unit%'`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ homes }) => homes >= 2)).toBe(true)
    expect(await count(db, 'event')).toBe(0)
    expect(await count(db, 'assessment_history')).toBe(0)
  })

  test('rewrites nothing when nothing changed', async () => {
    const { db } = store()
    const state = () => sql`select property_id, xmin::text from assessment order by 1`.execute(db)
    const before = await state()
    const result = await assessMarket(db, market, options())
    expect(result).toEqual({ considered: town.ids.length, changed: 0 })
    expect((await state()).rows).toEqual(before.rows)
  })

  test('listings are ordered by the scores of their properties', async () => {
    const { rows } = await sql<{ rank: number; score: number }>`
      select s.rank_score as rank, a.teardown_score as score from property_search s
      join assessment a on a.property_id = s.property_id where s.status is not null`.execute(store().db)
    expect(rows.length).toBe(town.listed.length)
    for (const { rank, score } of rows) expect(rank).toBe(score)
  })

  test('the stored pro forma can be recomputed from its own terms', async () => {
    const { rows } = await sql<{ proforma: never; developerRoi: number; price: number }>`
      select a.proforma, a.developer_roi, l.price_usd as price from assessment a join listing l on l.property_id = a.property_id
      where l.current and a.proforma->'unmodellableReason' = 'null'`.execute(store().db)
    expect(rows.length).toBeGreaterThan(10)
    for (const { proforma, developerRoi, price } of rows) {
      const { roiPct, buildSqft, arvPerSqft, capital, resaleNet, assumptions } = proforma as Record<string, number> & {
        assumptions: Record<string, number> & { carry: Record<string, number> }
      }
      const { costPerSqft, softCosts, demoCost, sellingCostPct, acquisition, contingency, carry } = assumptions
      const { shrinkWeight, marketMeanRoiPct } = assumptions
      const spent = price + buildSqft! * costPerSqft! + softCosts! + demoCost!
      expect(Math.abs(capital! - spent)).toBeLessThanOrEqual(1)
      expect(Math.abs(resaleNet! - buildSqft! * arvPerSqft! * (1 - sellingCostPct! / 100))).toBeLessThanOrEqual(1)
      expect(roiPct).toBeCloseTo((100 * (resaleNet! - capital!)) / capital!, 1)
      const extra = acquisition! + contingency! + carry.interest! + carry.points! + carry.tax! + carry.insurance!
      const own = (100 * (resaleNet! - capital! - extra)) / (capital! + extra)
      expect(developerRoi).toBeCloseTo(shrinkWeight! * own + (1 - shrinkWeight!) * marketMeanRoiPct!, 1)
    }
  })

  test('a flip resells the house in the condition its budget buys, never as a new house', async () => {
    const { rows } = await sql<{ deal: FlipDeal; value: number; condition: number; yearBuilt: number }>`
      select a.explanation->'flippability'->'deal' as deal, a.value_usd as value, a.condition_score as condition, p.year_built
      from assessment a join property p on p.id = a.property_id where p.id = any(${town.listed}) and a.value_usd is not null`.execute(
      store().db,
    )
    expect(rows.length).toBeGreaterThan(town.listed.length / 2)
    for (const { deal, value, condition } of rows) {
      expect(deal.conditionAfter).toBe(Math.max(85, condition))
      // One present value: the flip starts from the value estimate.
      expect(deal.valueNowUsd).toBe(value)
      const gain = deal.afterRepairValueUsd / deal.valueNowUsd!
      expect(gain).toBeGreaterThanOrEqual(1)
      const most = conditionLog(conditionPrior(), deal.conditionAfter) - conditionLog(conditionPrior(), condition)
      expect(gain).toBeLessThanOrEqual(Math.exp(most) + 1e-5)
    }
  })

  test('the value model can be asked while a request waits: the same value, and that of other facts', async () => {
    const { db } = store()
    const id = town.listed[2]!
    const facts = parcelWithHome((await propertyById(db, id))!, await currentListing(db, id))
    const [asIs, larger] = [
      await askValue(db, facts),
      await askValue(db, facts, { livingSqft: 1.2 * facts.livingSqft! }),
    ]
    expect(larger!.value!.valueUsd).toBeGreaterThan(asIs!.value!.valueUsd)
    const { rows } = await sql<{ parts: ScorePart[]; value: number }>`
      select explanation->'value'->'parts' as parts, value_usd as value from assessment where property_id = ${id}`.execute(
      db,
    )
    const { parts: stored, value } = rows[0]!
    const sum = (of: readonly ScorePart[]) => of.reduce((total, { points }) => total + points, 0)
    // The contributions add up to the value; the model knows all of them but the condition that remarks show, which is stored.
    const ofModel = asIs!.value!.parts()
    expect(sum(ofModel)).toBe(Math.round(asIs!.value!.valueUsd))
    expect(sum([...ofModel, ...stored])).toBe(value)
    expect(ofModel.map(({ name }) => name)).toContain('place')
    expect(stored.length).toBeLessThanOrEqual(1)
  })

  test('stores the distribution of its scores; listing scores are compared with homes on the market', async () => {
    const ranks = (await marketRanks(store().db, market))!
    expect(ranks.teardown).toEqual({ kind: 'prior', rows: 0, positives: 0 })
    expect(ranks.distributions.teardownScore!.count).toBe(town.listed.length)
    expect(ranks.distributions.redevelopmentScore!.count).toBeGreaterThan(town.listed.length)
    const { quantiles } = ranks.distributions.teardownScore!
    expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b))
    const { rows } = await sql<{ score: number }>`
      select teardown_score as score from assessment where property_id = any(${town.listed}) order by 1`.execute(
      store().db,
    )
    const percentiles = rows.map(({ score }) => percentileIn(ranks.distributions.teardownScore!, score))
    for (const [k, percentile] of percentiles.entries())
      expect(Math.abs(percentile - (100 * (k + 0.5)) / rows.length)).toBeLessThan(0.5)
  })

  test('every finding states the inputs it used, the inputs it lacked and its confidence', async () => {
    const { rows } = await sql<{ explanation: Record<string, Record<string, unknown>> }>`
      select explanation from assessment where property_id = any(${town.listed})`.execute(store().db)
    for (const { explanation } of rows) {
      expect(Object.keys(explanation)).toEqual(
        expect.arrayContaining(['teardown', 'condition', 'flippability', 'biddingWar', 'proforma', 'value']),
      )
      for (const finding of Object.values(explanation)) {
        expect(finding.parts).toBeInstanceOf(Array)
        expect(finding.used).toBeInstanceOf(Array)
        expect(finding.missing).toBeInstanceOf(Array)
        expect(['high', 'medium', 'low']).toContain(finding.confidence)
      }
    }
  })
})

test('a run clears the touched properties it has assessed and keeps those that a load adds while it runs', async () => {
  const { db } = store()
  const [seen, late] = [town.listed[1]!, town.listed[2]!]
  const { rows: before } = await sql<{ priceUsd: number }>`
    select price_usd from listing where property_id = ${seen} and current`.execute(db)
  await setPrice(db, seen, 1_234_000)
  const announce = async () => {
    // The load began long before the run, and the run has read the property already.
    await sql`insert into touched_property (property_id, market, touched_at)
      values (${late}, ${market}, ${new Date(today.getTime() - 3_600_000)})`.execute(db)
    return 0
  }
  await assessMarket(db, market, { now: today, announce })
  const { rows } = await sql<{ propertyId: string }>`select property_id from touched_property`.execute(db)
  expect(rows).toEqual([{ propertyId: late }])
  await setPrice(db, seen, before[0]!.priceUsd)
  await assessMarket(db, market, { now: today })
  await sql`delete from assessment_history`.execute(db)
  expect(await count(db, 'touched_property')).toBe(0)
})

describe('a changed listing', () => {
  test('is assessed alone, with its history and its event in one transaction', async () => {
    const { db, queue } = store()
    const id = town.listed[3]!
    await setPrice(db, id, 900_000)
    const failing = assessor({ db, queue, clock: () => today })
    await sql`alter table event rename to event_away`.execute(db)
    await expect(failing.run({ touched: true })).rejects.toThrow()
    await sql`alter table event_away rename to event`.execute(db)
    expect(await count(db, 'assessment_history')).toBe(0)
    expect(await count(db, 'touched_property')).toBe(1)

    const result = await assessor({ db, queue, clock: () => today }).run({ touched: true })
    expect(result).toEqual({ considered: 1, changed: 1 })
    expect(await count(db, 'touched_property')).toBe(0)
    const { rows: history } = await sql<{ propertyId: string; reason: string }>`
      select property_id, reason from assessment_history`.execute(db)
    expect(history).toEqual([{ propertyId: id, reason: expect.stringMatching(/\w/) }])
    const { rows: events } = await sql<{ type: string; body: string }>`select type, body from event`.execute(db)
    expect(events.map(({ type }) => type)).toEqual(['property.score_updated'])
    expect(JSON.parse(events[0]!.body).data).toMatchObject({
      propertyId: id,
      address: expect.any(String),
      city: 'Palo Alto',
      price: 900_000,
      status: 'active',
      previous: { teardownScore: expect.any(Number) },
      reason: expect.any(String),
    })
  })

  test('waits until the whole market has been assessed once', async () => {
    const { db, queue } = store()
    await sql`insert into touched_property (property_id, market, touched_at) values ('elsewhere', 'nantucket', now())`.execute(
      db,
    )
    expect(await assessor({ db, queue, clock: () => today }).run({ touched: true })).toEqual({
      considered: 0,
      changed: 0,
    })
    await sql`delete from touched_property`.execute(db)
  })
})

describe('a pending or sold listing', () => {
  test('has the bidding-war odds of the day it was listed', async () => {
    const { db } = store()
    const id = town.listed[5]!
    const odds = async (change: ReturnType<typeof sql>) => {
      await sql`update listing set listed_on = '2026-06-01', ${change} where property_id = ${id} and current`.execute(
        db,
      )
      await assessProperties(db, [id], await openView(db, market, today), { now: today })
      const { rows } = await sql<{ odds: number; finding: BiddingFinding }>`
        select bidding_war as odds, explanation->'biddingWar' as finding from assessment where property_id = ${id}`.execute(
        db,
      )
      return rows[0]!
    }
    const active = await odds(sql`status = 'active', original_price_usd = 2000000, price_usd = 1500000`)
    const pending = await odds(sql`status = 'pending', pending_on = '2026-10-01'`)
    expect(pending.odds).not.toBe(active.odds)
    const said = pending.finding.parts.map(({ because }) => because).join(' ')
    expect(said).toContain('Listed at $2,000,000')
    expect(said).toContain('Less than a week on the market')
    expect(said).not.toContain('was cut')
    const sold = await odds(sql`status = 'sold', sold_on = '2026-11-01', sold_price_usd = 1600000, price_usd = 1550000`)
    expect(sold.odds).toBe(pending.odds)
    await odds(sql`status = 'active', pending_on = null, sold_on = null, sold_price_usd = null`)
  })
})

describe('a day without new data', () => {
  const days = (count: number) => new Date(today.getTime() + count * 86_400_000)
  const active = sql`select count(*) as n from listing where current and status in ('active', 'coming_soon')`

  test('rewrites only the listings that begin another week on the market, and announces nothing', async () => {
    const { db } = store()
    await assessMarket(db, market, options())
    const before = await count(db, 'event')
    const listings = (await sql<{ n: number }>`${active}`.execute(db)).rows[0]!.n
    let changed = 0
    // Rents are those of the valuation: a new one would change the accessory units of a whole county.
    await countyRents(db, '2026-11-15')
    for (const day of [1, 4, 7]) changed += (await assessMarket(db, market, { ...options(), today: days(day) })).changed
    expect(changed).toBeGreaterThan(0)
    expect(changed).toBeLessThanOrEqual(listings)
    expect(await count(db, 'event')).toBe(before)
    await sql`delete from rent`.execute(db)
    await assessMarket(db, market, options())
  })

  test('moves the market heat index, which is stored once per city, and keeps one day and the month ends of it', async () => {
    const { db } = store()
    const dated = async () =>
      (
        await sql<{
          asOf: string
        }>`select distinct as_of from market_heat where market = ${market} order by 1 desc`.execute(db)
      ).rows.map(({ asOf }) => asOf)
    await assessMarket(db, market, { ...options(), today: days(1) })
    const before = await dated()
    await assessMarket(db, market, { ...options(), today: days(2) })
    const after = await dated()
    expect(after[0]).toBe(dayOf(days(2)))
    expect(after.slice(1)).toEqual(before.slice(1))
    await assessMarket(db, market, options())
  })
})

test('a market whose records changed by more than a tenth is valued again before the month ends', () => {
  const counts = { parcels: 1000, listings: 200, sales: 400, permits: 90 }
  expect(countsMoved(counts, { ...counts, sales: 440 })).toBe(false)
  expect(countsMoved(counts, { ...counts, sales: 450 })).toBe(true)
  expect(countsMoved(counts, { ...counts, permits: 0 })).toBe(true)
  expect(countsMoved({}, { sales: 1 })).toBe(true)
  expect(countsMoved(counts, { ...counts, rents: 1 })).toBe(true)
})

describe('a refit', () => {
  test('changes scores without events unless events are requested, and does not write the leads again', async () => {
    const { db } = store()
    const before = await count(db, 'event')
    const leads = () => sql`select property_id, law, ctid::text as written from lead order by 1, 2`.execute(db)
    const { rows: leadsBefore } = await leads()
    expect(leadsBefore.length).toBeGreaterThan(0)
    const moved = (shift: number) => ({
      ...teardownPrior,
      version: `moved-${shift}`,
      intercept: teardownPrior.intercept + shift,
    })
    await saveModel(db, 'teardown', market, 'moved-2', moved(2), new Date('2026-11-14T13:00:00Z'))
    const silent = await assessMarket(db, market, options())
    expect(silent.changed).toBe(town.ids.length)
    expect(silent.withheld).toBeGreaterThan(0)
    expect(await count(db, 'event')).toBe(before)
    expect((await leads()).rows).toEqual(leadsBefore)
    await saveModel(db, 'teardown', market, 'moved-3', moved(3), new Date('2026-11-14T14:00:00Z'))
    await assessMarket(db, market, { ...options(), emit: true })
    expect(await count(db, 'event')).toBeGreaterThan(before)
  })

  test('that changes no result writes no row, and a later change of a listing still creates an event', async () => {
    const { db } = store()
    // The intercept is high, so that scores are large, and the limit does not flatten them.
    const model = (version: string) => ({ ...teardownPrior, version, limit: 1, intercept: teardownPrior.intercept + 3 })
    await saveModel(db, 'teardown', market, 'same-1', model('same-1'), new Date('2026-11-14T14:10:00Z'))
    await assessMarket(db, market, options())
    await saveModel(db, 'teardown', market, 'same-2', model('same-2'), new Date('2026-11-14T14:20:00Z'))
    expect((await assessMarket(db, market, options())).changed).toBe(0)
    const before = await count(db, 'event')
    const { rows } = await sql<{ id: string }>`
      select property_id as id from listing where current and price_usd is not null order by 1 limit 1`.execute(db)
    await sql`update listing set price_usd = price_usd * 0.4 where current and property_id = ${rows[0]!.id}`.execute(db)
    await assessProperties(db, [rows[0]!.id], await openView(db, market, today), options())
    expect(await count(db, 'event')).toBe(before + 1)
    await sql`update listing set price_usd = price_usd / 0.4 where current and property_id = ${rows[0]!.id}`.execute(db)
    await assessProperties(db, [rows[0]!.id], await openView(db, market, today), { now: today })
  })

  test('stores its models and the accuracy of each', async () => {
    const { db } = store()
    const result = await fitAndAssess(db, market, { ...options(), now: new Date('2026-11-14T15:00:00Z') })
    expect(result.teardown).toMatch(/^teardown-/)
    const rows = await latestAccuracy(db)
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bidding-war', 'heat-coverage', 'teardown', 'value-held-out']),
    )
    for (const row of rows)
      expect(row).toMatchObject({ market, data: expect.any(String), modelVersion: expect.any(String) })
    const values = rows.find(({ name }) => name === 'value-held-out')!.measures
    expect(values.trimmed!.n).toBeLessThanOrEqual(values.n!)
    expect(values.limits!.medianRatio.low).toBeLessThanOrEqual(values.medianRatio!)
    expect(new Set(values.groups!.map(({ by }) => by))).toEqual(new Set(['area', 'type']))
    const { measures } = rows.find(({ name }) => name === 'teardown')!
    expect(measures).toMatchObject({ rows: expect.any(Number), positives: expect.any(Number) })
    expect(measures.learnedFrom).toMatch(
      measures.kind === 'prior' ? /too few recorded demolitions/ : /past sales in this market, \d+ of them followed/,
    )
  })

  test('another market learns nothing from it', async () => {
    const { db } = store()
    expect((await readTeardownTrainingData(db, market, '2026-11-14')).sales.length).toBeGreaterThan(0)
    const past = await readTeardownTrainingData(db, 'nantucket', '2026-11-14')
    expect([past.sales, past.rebuilds]).toEqual([[], []])
    const model = fitTeardownOn(past, await openView(db, 'nantucket', today))
    expect(model).toMatchObject({ kind: 'prior', rows: 0, positives: 0 })
  })
})

describe('a change of the pack', () => {
  test('changes scores and leads without events unless events are requested', async () => {
    const { db } = store()
    const shipped = packs()
    await assessMarket(db, market, options())
    const before = await count(db, 'event')
    try {
      // Without zoning, a lot has no room for a larger house.
      usePacks(shipped.map((pack) => ({ ...pack, districts: [] })))
      expect((await assessMarket(db, market, options())).changed).toBeGreaterThan(0)
      expect(await count(db, 'event')).toBe(before)
    } finally {
      usePacks(shipped)
      await assessMarket(db, market, { ...options(), emit: true })
    }
    expect(await count(db, 'event')).toBeGreaterThan(before)
  })

  test('is a new version, and so are a law and the first day of a rule', () => {
    const pack = packOf(market)!
    const now = packVersion(pack, '2026-11-14')
    expect(packVersion(pack, '2026-11-15')).toBe(now)
    expect(packVersion(pack, '2025-12-31')).not.toBe(packVersion(pack, '2026-01-01'))
    expect(packVersion({ ...pack, market: { ...pack.market, laws: [] } }, '2026-11-14')).not.toBe(now)
  })
})

describe('a run in batches', () => {
  test('measures the new models before it divides the market into batches', async () => {
    const { db, queue } = store()
    const later = new Date('2026-11-14T18:00:00Z')
    await assessor({ db, queue, clock: () => later }).run({ market, fit: true })
    const measured = await latestAccuracy(db)
    expect(measured.find(({ name }) => name === 'teardown')?.measuredAt).toEqual(later)
    const { rows } = await sql`select state from assess_run order by id desc limit 1`.execute(db)
    expect(rows).toEqual([{ state: 'running' }])
    await sql`delete from pgboss.job where name = 'assess'`.execute(db)
  })

  test('completes once and counts each property once when a batch is killed and repeated', async () => {
    const { db, queue } = store()
    const worker = () => assessor({ db, queue, clock: () => today, batchSize: 30 })
    await sql`delete from assessment`.execute(db)
    await sql`update assess_run set basis = null`.execute(db)
    await worker().run({ market })
    const { rows: jobs } = await sql<{ data: never }>`
      select data from pgboss.job where name = 'assess' and data ? 'runId' order by data->>'afterId'`.execute(db)
    expect(jobs.length).toBe(3)
    const one = worker()
    await one.run(jobs[0]!.data)
    // Killed before it could report: another worker gets the job again.
    await worker().run(jobs[0]!.data)
    await one.run(jobs[1]!.data)
    const open = () => sql<{ state: string }>`select state from assess_run order by id desc limit 1`.execute(db)
    expect((await open()).rows[0]!.state).toBe('running')
    await one.run(jobs[2]!.data)
    const { rows } = await sql`
      select state, considered, changed from assess_run order by id desc limit 1`.execute(db)
    expect(rows[0]).toEqual({ state: 'completed', considered: town.ids.length, changed: town.ids.length })
    expect(await count(db, 'assessment')).toBe(town.ids.length)
  })
})

test('a property added during a run is assessed by it, and none is skipped', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  const ranges = await idRanges(db, market, 40)
  await property(db, { id: 'p_001home_0005b' })
  await sql`delete from assessment`.execute(db)
  let considered = 0
  for (const range of ranges) considered += (await assessRange(db, range, view, options())).considered
  expect(considered).toBe(town.ids.length + 1)
  await sql`delete from property where id = 'p_001home_0005b'`.execute(db)
})

test('a run that fails is recorded with its error, and the next one completes', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  await sql`delete from assessment`.execute(db)
  const failing = {
    ...options(),
    onProgress: (done: number) => {
      if (done > 0) throw new Error('out of memory')
    },
  }
  await expect(assessInRun(db, market, failing, async () => view)).rejects.toThrow('out of memory')
  const { rows } = await sql`select state, error from assess_run order by id desc limit 1`.execute(db)
  expect(rows[0]).toEqual({ state: 'failed', error: 'out of memory' })
  await assessInRun(db, market, options(), async () => view)
  expect(await count(db, 'assessment')).toBe(town.ids.length)
})

test('a run that another thread assists assesses each property once, and fails when that thread fails', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  const opened = async () => view
  await sql`delete from assessment`.execute(db)
  const failed = assessInRun(db, market, { ...options(), assist: () => Promise.reject(new Error('it ended')) }, opened)
  await expect(failed).rejects.toThrow('it ended')
  let assisted = 0
  const assist: AssessOptions['assist'] = async (range) => {
    assisted++
    return assessRange(db, range, view, options())
  }
  const { considered, changed } = await assessInRun(db, market, { ...options(), assist }, opened)
  expect([considered, changed, assisted > 0]).toEqual([town.ids.length, town.ids.length, true])
  expect(await count(db, 'assessment')).toBe(town.ids.length)
})

test('a cached market view gives the same results as a new one', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  await assessProperties(db, town.ids, view, options())
  expect(await assessProperties(db, town.listed, await openView(db, market, today), options())).toMatchObject({
    changed: 0,
  })
})

test('a vacant lot for sale is a lead, and its pro forma builds a house without demolition', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  const lot = { property_type: 'land', lot_sqft: 8_000 }
  const id = await property(db, { id: 'vacant', zoning: 'R-1', lat: 37.43, lng: -122.13, overlays: {}, ...lot })
  await listing(db, { property_id: id, price_usd: 2_000_000, remarks: 'Bring your architect.', ...lot })
  await assessProperties(db, [id], view, options())
  const { rows } = await sql<{ class: string; score: number; condition: number | null; proforma: Proforma }>`
    select redevelopment_class as class, redevelopment_score as score, condition_score as condition, proforma
    from assessment where property_id = ${id}`.execute(db)
  expect(rows[0]!.condition).toBeNull()
  expect(rows[0]!.class).toBe('vacant_lot')
  expect(rows[0]!.score).toBeGreaterThan(60)
  expect(rows[0]!.proforma).toMatchObject({ unmodellableReason: null, assumptions: { demoCost: 0 } })
  expect(rows[0]!.proforma.roiPct).toBeDefined()
})

test('a home whose house is being replaced is no lead, and the value of the recorded house has low confidence', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  const id = town.listed[1]!
  const assessed = async () => {
    await assessProperties(db, [id], view, options())
    const { rows } = await sql<{
      teardownScore: number | null
      flippabilityScore: number | null
      redevelopmentBlocked: boolean
      aduScore: number | null
      explanation: StoredExplanation
    }>`
      select a.teardown_score, a.flippability_score, a.redevelopment_blocked, l.score as adu_score, a.explanation
      from assessment a left join lead l on l.market = a.market and l.property_id = a.property_id and l.kind = 'accessory_unit'
      where a.property_id = ${id}`.execute(db)
    return rows[0]!
  }
  const before = await assessed()
  expect(before.teardownScore).not.toBeNull()
  expect(before.flippabilityScore).not.toBeNull()
  expect(before.explanation.value!.note).toBeUndefined()
  const issued = { property_id: id, status: 'issued', issued_on: '2026-02-02' }
  const permits = [
    await permit(db, { ...issued, permit_class: 'new_house' }),
    await permit(db, { ...issued, permit_class: 'adu' }),
  ]
  const { explanation, ...scores } = await assessed()
  await sql`delete from permit where permit_id = any(${permits})`.execute(db)
  expect(await assessed()).toEqual(before)
  expect(scores).toEqual({ teardownScore: null, flippabilityScore: null, redevelopmentBlocked: true, aduScore: null })
  const { note, confidence } = explanation.value!
  expect(note).toBe(
    'A permit for a new house was issued after the house on record was built, so that house may be gone.',
  )
  expect(confidence).toBe('low')
  expect([explanation.teardown!.excluded, explanation.flippability!.excluded]).toEqual([note, note])
})

test('a listing with outdated scores is corrected even if the assessment of its property did not change', async () => {
  const { db } = store()
  const view = await openView(db, market, today)
  await assessProperties(db, town.ids, view, options())
  const shown = async () =>
    (
      await sql<{ rankScore: number; sb9Status: string }>`
        select rank_score, sb9_status from property_search where property_id = ${town.listed[0]}`.execute(db)
    ).rows
  const before = await shown()
  expect(before).toHaveLength(1)
  await sql`update property_search set rank_score = 1, sb9_status = 'likely' where property_id = ${town.listed[0]}`.execute(
    db,
  )
  expect(await assessProperties(db, town.listed, view, options())).toMatchObject({ changed: 0 })
  expect(await shown()).toEqual(before)
})

test('the first run of a month values the market again; a run of the same month uses the stored valuation', async () => {
  const { db } = store()
  const valuedOn = async () => (await valuationHeader(db, market))?.valuedOn
  // The tests above added records, which may be enough to value the market again.
  await assessMarket(db, market, options())
  const first = await valuedOn()
  await assessMarket(db, market, { ...options(), today: new Date(today.getTime() + 86_400_000) })
  expect(await valuedOn()).toBe(first)
  const next = new Date('2026-12-03T12:00:00Z')
  expect(await isValuationDue(db, market, '2026-12-03')).toBe(true)
  await assessor({ db, queue: store().queue, clock: () => next }).run({ market })
  expect(await valuedOn()).toBe('2026-12-03')
})
