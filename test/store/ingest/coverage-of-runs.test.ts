import { expect, test } from 'vitest'
import { coverage, staleAfterMs } from '../../../src/store/ingest/coverage.ts'
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
    { citySlug: 'palo-alto', dataset: 'parcels', held: 1, newestRecord: '2026-11-15', refused: 0, stale: false },
    { citySlug: 'palo-alto', dataset: 'permits', held: 1, newestRecord: '2026-11-10', refused: 1, stale: false },
  ])
  expect(rows[0]!.sources).toMatchObject([{ id: 'test-permits', licence: 'CC0', sample: false }])
  const later = await coverage(store().db, new Date(today.getTime() + 3 * 86_400_000))
  expect(later.filter(({ stale }) => stale).map(({ dataset }) => dataset)).toEqual(['permits', 'permits'])
})
