import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type IngestJobs, ingestJobs, runScheduled } from '../../src/ingest/schedule.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { config, count, csvOf, feedFolder, highValueUsd, permitRow, today } from './feed.ts'

const store = useDatabaseWithQueue()

const jobsFor = async (schedule?: string): Promise<IngestJobs> => {
  const sourcesDir = await feedFolder({ 'feed.csv': csvOf([permitRow()]) })
  await writeFile(join(sourcesDir, 'permits.json'), JSON.stringify(config('permits', { schedule })))
  return { sourcesDir, store: store(), highValueUsd, token: () => undefined }
}

test('each source with a schedule gets a job; a source without one or a deleted source has none', async () => {
  const { boss } = store().queue
  const first = await ingestJobs(boss, await jobsFor('15 6 * * *'))
  expect(first.scheduled).toEqual(['test-permits'])
  expect(await boss.getSchedules('ingest')).toMatchObject([{ key: 'test-permits', cron: '15 6 * * *' }])
  await first.stop()
  const second = await ingestJobs(boss, await jobsFor())
  expect(second.scheduled).toEqual([])
  expect(await boss.getSchedules('ingest')).toEqual([])
  await second.stop()
})

test('a scheduled run loads the source, and a run of a deleted source does nothing', async () => {
  const jobs = await jobsFor('15 6 * * *')
  expect((await runScheduled('test-permits', jobs, today))?.counts.loaded).toBe(1)
  expect(await count(store(), 'permit')).toBe(1)
  expect(await runScheduled('gone', jobs, today)).toBeUndefined()
})
