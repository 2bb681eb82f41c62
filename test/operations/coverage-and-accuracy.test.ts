import { expect, test } from 'vitest'
import { forecastFinding } from '../../src/bin/diagnose.ts'
import { exportWithheld } from '../../src/domain/provenance.ts'
import { forecastLedger, recordAccuracy, saveLiveAccuracy } from '../../src/store/assessments/accuracy.ts'
import { sql } from '../../src/store/engine/database.ts'
import { forecastSection } from '../../src/web/forecasts.ts'
import { textOf } from '../../src/web/html.ts'
import { ask } from '../setup/ask.ts'
import { completedRun, listing, permit, property, sale } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()

test('coverage lists rows, newest record and sources per city and data set', async () => {
  const { db } = service()
  await property(db, { id: 'p_001p1' })
  await listing(db, { property_id: 'p_001p1' })
  await sale(db, { sold_on: '2026-05-05' })
  await permit(db, { issued_on: '2026-11-10' })
  await permit(db, { issued_on: '2026-11-12' })
  await permit(db, { city: 'Menlo Park' })
  await completedRun(db, 'test', new Date('2026-11-14T06:00:00Z'))
  await sql`update property set overlays = '{"floodZone": "yes", "septic": "unknown"}'`.execute(db)
  const key = await service().proKey()
  const { body } = await ask(service(), '/v1/coverage', { key })
  expect(body.overlays).toEqual([{ market: 'sf-peninsula', overlay: 'floodZone', yes: 1, no: 0, unknown: 0 }])
  const row = (city: string, dataset: string) =>
    body.data.find((each: { citySlug: string; dataset: string }) => each.citySlug === city && each.dataset === dataset)
  expect(row('palo-alto', 'permits')).toMatchObject({
    rows: 2,
    newestRecord: '2026-11-12',
    lastRunAt: '2026-11-14T06:00:00.000Z',
    refused: 0,
    stale: false,
    sources: [{ id: 'test', title: 'Test source', licence: 'CC0-1.0', sample: false }],
  })
  expect(row('palo-alto', 'sales')).toMatchObject({ rows: 1, newestRecord: '2026-05-05' })
  expect(row('palo-alto', 'parcels').rows).toBe(1)
  expect(row('menlo-park', 'permits').rows).toBe(1)
  const one = await ask(service(), '/v1/coverage?city=Menlo%20Park', { key })
  expect(one.body.pagination.total).toBe(1)
  expect(one.body.data[0].withheld).toBeUndefined()
  await sql`update source set config = '{"uses": ["page", "api"]}' where id = 'test'`.execute(db)
  const licensed = await ask(service(), '/v1/coverage?city=palo-alto', { key })
  await sql`update source set config = '{}' where id = 'test'`.execute(db)
  expect(licensed.body.data.find(({ dataset }: { dataset: string }) => dataset === 'permits').withheld).toEqual({
    count: 2,
    reason: exportWithheld,
  })
  const elsewhere = await ask(service(), '/v1/coverage?market=nantucket', { key })
  expect(elsewhere.body.pagination.total).toBe(0)
})

test('accuracy has the newest measurement of each model and market', async () => {
  const figure = {
    name: 'valuation',
    market: 'nantucket',
    data: 'sales of 2026',
    modelVersion: '1',
    measures: { mdape: 7 },
  } as const
  await recordAccuracy(service().db, { ...figure, measuredAt: new Date('2026-11-01T00:00:00Z') })
  await recordAccuracy(service().db, {
    ...figure,
    measuredAt: new Date('2026-11-10T00:00:00Z'),
    measures: { mdape: 6 },
  })
  const { body } = await ask(service(), '/v1/accuracy', { key: await service().proKey() })
  expect(body.data).toEqual([
    {
      model: 'valuation',
      market: 'nantucket',
      measuredAt: '2026-11-10T00:00:00.000Z',
      data: 'sales of 2026',
      modelVersion: '1',
      measures: { mdape: 6 },
    },
  ])
  const elsewhere = await ask(service(), '/v1/accuracy?market=sf-peninsula', { key: await service().proKey() })
  expect(elsewhere.body.data).toEqual([])
})

test('accuracy measured on generated data is marked as sample', async () => {
  await sql`
    insert into source (id, kind, holds, title, license, sample, config, market)
    values ('sample-sales', 'csv', 'sales', 'Sample sales', 'CC0-1.0', true, '{}', 'nantucket')`.execute(service().db)
  await sql`
    insert into dataset_count (market, dataset, city_slug, source_id, city, rows, removed)
    values ('nantucket', 'sales', 'nantucket', 'sample-sales', 'Nantucket', 1, 0)`.execute(service().db)
  const { body } = await ask(service(), '/v1/accuracy?limit=50', { key: await service().proKey() })
  expect(body.data).toMatchObject([{ market: 'nantucket', sample: true }])
})

test('scored forecasts are served as live, marked as sample, with their alarm on the page and in doctor', async () => {
  const { db } = service()
  const alarmed = {
    model: 'value',
    month: '2026-10',
    n: 30,
    mdape: 33,
    within10: 0,
    withinRange: 0,
    medianRatio: 0.67,
    band: { medianRatio: { low: 0.95, high: 1.05 }, withinRange: { low: 60, high: 96.7 } },
    outside: ['medianRatio', 'withinRange'] as ('medianRatio' | 'withinRange')[],
    alarm: true,
  } as const
  await saveLiveAccuracy(db, 'nantucket', { since: '2026-08-01', rows: [alarmed] }, new Date('2026-11-10T00:00:00Z'))
  const { body } = await ask(service(), '/v1/accuracy?limit=49', { key: await service().proKey() })
  expect(body.live).toEqual([{ market: 'nantucket', ...alarmed, sample: true }])
  const elsewhere = await ask(service(), '/v1/accuracy?market=sf-peninsula', { key: await service().proKey() })
  expect(elsewhere.body.live).toEqual([])
  const ledger = await forecastLedger(db)
  expect(forecastFinding(ledger)).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('value in nantucket'),
  })
  expect(forecastFinding({ ...ledger, live: [] }).state).toBe('ok')
  const page = textOf(forecastSection(ledger))
  expect(page).toContain('The ledger begins on Aug 1, 2026')
  expect(page).toContain('outside the band in Oct 2026 and the month before')
  expect(page).toContain('60.0%–96.7%')
  // Ratios of 0.67 below a band of 0.95 to 1.05: the axis ends at the band, the line runs along its bottom.
  const drawn = textOf(
    forecastSection({ ...ledger, live: [{ ...ledger.live[0]!, month: '2026-09' }, ledger.live[0]!] }),
  )
  expect(drawn).toContain('<path class="band" d="M0.0 0.0L1000.0 0.0L1000.0 26.3L0.0 26.3Z"/>')
  expect(drawn).toContain('<path class="line" d="M0.0 100.0L1000.0 100.0"/>')
})
