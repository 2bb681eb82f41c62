import { expect, test } from 'vitest'
import { coverage } from '../../../src/store/ingest/coverage.ts'
import { recountMarket } from '../../../src/store/ingest/dataset-counts.ts'
import { staleAfterMs } from '../../../src/store/ingest/source-states.ts'
import { ingest, parcelRow, permitRow, today } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()
const hours = (ms: number) => ms / 3_600_000

test('a source is stale after two intervals of its schedule', () => {
  expect(
    ['*/15 * * * *', '0 * * * *', '0 */6 * * *', '15 6 * * *', '0 9 * * 0', '0 8 1 * *'].map((cron) =>
      hours(staleAfterMs(cron)),
    ),
  ).toEqual([2, 2, 12, 48, 336, 1488])
})

test('coverage has rows, newest record, rejected rows and license per city and data set, and shows that a source stopped', async () => {
  await ingest(
    store(),
    'permits',
    [
      permitRow(),
      permitRow({ permitId: 'B-2', city: 'Menlo Park', issuedOn: '2026-11-12' }),
      permitRow({ permitId: undefined }),
    ],
    {
      schedule: '15 6 * * *',
      licence: 'CC0',
    },
  )
  await ingest(store(), 'parcels', [parcelRow()])
  const rows = await coverage(store().db, today)
  expect(
    rows.map(({ citySlug, dataset, rows: held, newestRecord, refused, stale }) => ({
      citySlug,
      dataset,
      held,
      newestRecord,
      refused,
      stale,
    })),
  ).toEqual([
    { citySlug: 'menlo-park', dataset: 'permits', held: 1, newestRecord: '2026-11-12', refused: 1, stale: false },
    { citySlug: 'palo-alto', dataset: 'parcels', held: 1, newestRecord: null, refused: 0, stale: false },
    { citySlug: 'palo-alto', dataset: 'permits', held: 1, newestRecord: '2026-11-10', refused: 1, stale: false },
  ])
  expect(rows[0]!.sources).toMatchObject([{ id: 'test-permits', licence: 'CC0', sample: false }])
  const later = await coverage(store().db, new Date(today.getTime() + 3 * 86_400_000))
  expect(later.filter(({ stale }) => stale).map(({ dataset }) => dataset)).toEqual(['permits', 'permits'])
})

test('parcels have the latest date that their feed states, also after a recount, and none if it states none', async () => {
  const dated = [
    parcelRow({ apn: '1-1', address: '1 Fir St', modifiedAt: '2026-03-02T10:00:00Z' }),
    parcelRow({ apn: '1-2', address: '2 Fir St', modifiedAt: '2026-02-01' }),
    parcelRow({ apn: '1-3', address: '3 Fir St', modifiedAt: '2099-01-01' }),
  ].map((row) => ({ ...row, city: 'Atherton' }))
  await ingest(store(), 'parcels', dated, { id: 'dated' })
  const newest = async () =>
    (await coverage(store().db, today)).find(({ citySlug }) => citySlug === 'atherton')?.newestRecord
  expect(await newest()).toBe('2026-03-02')
  await recountMarket(store().db, 'sf-peninsula')
  expect(await newest()).toBe('2026-03-02')
})
