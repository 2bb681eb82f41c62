// GET /v1/markets and the lists of a market where a law does not apply.
import { expect, test } from 'vitest'
import { flipAssumptionTable } from '../../src/domain/assumptions/assumptions.ts'
import { marketIds } from '../../src/domain/packs/markets.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()

test('markets name their cities, laws, ranking rule and whether they are assessed', async () => {
  const { body } = await ask(service(), '/v1/markets', { key: 'demo' })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...marketIds()])
  expect(body.pagination.nextCursor).toBeNull()
  const [peninsula, island] = body.data
  expect(peninsula).toMatchObject({
    default: true,
    ranking: 'teardown',
    laws: [{ id: 'us-ca-sb9' }, { id: 'us-ca-adu' }, { id: 'us-ca-small-lots' }, { id: 'us-ca-transit' }],
    assessment: { state: 'no_data' },
  })
  // The Peninsula sets every assumption of the pro forma and none of the flip.
  expect(peninsula.defaultAssumptions).toEqual(Object.keys(flipAssumptionTable))
  expect(island).toMatchObject({ id: 'nantucket', default: false, ranking: 'flip_and_charm' })
  const law = (id: string, since: string, asOf: string, leads: string) => ({
    id,
    title: expect.any(String),
    asOf,
    url: expect.stringMatching(/^https:/),
    leads,
    since,
  })
  expect(island.laws).toEqual([
    law('us-ma-adu', '2025-02-02', '2026-11-16', 'accessory_unit'),
    law('us-ma-nantucket-dwellings', '2022-10-31', '2026-11-17', 'local_dwellings'),
    law('us-ma-anr', '1954-01-01', '2026-11-17', 'divide'),
  ])
  expect(island.defaultAssumptions).toContain('contingencyPct')
})

test('a list whose law does not apply says why it is empty, and redevelopment names the missing data instead', async () => {
  const reason = async (path: string) => (await ask(service(), path, { key: 'demo' })).body.notApplicable
  expect(await reason('/v1/sb9-inventory?market=nantucket')).toBe(
    'Not applicable here: lot splits are tested by SB 9 lot splits and duplexes (California), and Nantucket is in Massachusetts.',
  )
  for (const path of ['/v1/sb9-inventory', '/v1/adu-leads', '/v1/adu-leads?market=nantucket'])
    expect(await reason(path)).toBeUndefined()
  expect(
    (await ask(service(), '/v1/redevelopment-leads?market=nantucket', { key: 'demo' })).body.notApplicable,
  ).toMatch(/^No leads: no parcels are loaded for Nantucket\./)
  await saveModel(service().db, 'score-ranks', 'nantucket', 'score-ranks', { asOf: '2024-12-23' }, new Date())
  expect(await reason('/v1/adu-leads?market=nantucket&limit=2')).toMatch(/was not in force on Dec 23, 2024/)
})
