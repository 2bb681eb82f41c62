import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSourceFolder } from '../../src/ingest/config.ts'
import { type IngestJobs, ingestJobs, runScheduled } from '../../src/ingest/schedule.ts'
import { cronProblem } from '../../src/sources/cron.ts'
import { brokenFiles, pauseSource, resumeSource } from '../../src/store/ingest/source-state.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { config, csvOf, feedFolder, highValueUsd, permitRow, today } from './feed.ts'

const store = useDatabaseWithQueue()

const permits = (id: string, schedule: string) => JSON.stringify(config('permits', { id, schedule }))
const folderOf = (files: Record<string, string>) => feedFolder({ 'feed.csv': csvOf([permitRow()]), ...files })
const jobsFor = (sourcesDir: string, given: Partial<IngestJobs> = {}): IngestJobs => ({
  sourcesDir,
  store: store(),
  highValueUsd,
  token: () => undefined,
  ...given,
})

test('broken source files are named and left out, and the others run', async () => {
  const sourcesDir = await folderOf({
    'good.json': permits('good', '15 6 * * *'),
    'not-json.json': '{ "id": ',
    'cron.json': permits('cron', '61 * * * *'),
    'twice.json': permits('good', '15 7 * * *'),
  })
  const reported: string[] = []
  const { boss } = store().queue
  const jobs = await ingestJobs(boss, jobsFor(sourcesDir, { onBroken: (file) => reported.push(file) }))
  try {
    expect(jobs.scheduled).toEqual(['good'])
    expect(reported).toEqual(['cron.json', 'not-json.json', 'twice.json'])
    const known = await brokenFiles(store().db)
    expect(known.map(({ file, problem }) => [file, problem])).toEqual([
      ['cron.json', expect.stringMatching(/minute "61"; it must be from 0 to 59, for example "15 6 \* \* \*"/)],
      ['not-json.json', expect.stringMatching(/not-json\.json is not JSON/)],
      ['twice.json', expect.stringMatching(/the id "good" is already used by good\.json/)],
    ])
    await writeFile(join(sourcesDir, 'not-json.json'), '[]')
    await jobs.refresh()
    expect(reported).toEqual([...['cron.json', 'not-json.json', 'twice.json'], 'not-json.json'])
    // Only a file with another problem has a new time.
    expect((await brokenFiles(store().db)).filter((now, at) => now.foundAt > known[at]!.foundAt)).toEqual([
      expect.objectContaining({ file: 'not-json.json' }),
    ])
    expect((await runScheduled('good', jobsFor(sourcesDir), today))?.counts.loaded).toBe(1)
  } finally {
    await jobs.stop()
  }
})

test('new, changed, paused and deleted files take effect without a restart', async () => {
  const sourcesDir = await folderOf({ 'a.json': permits('first', '15 6 * * *'), 'bad.json': '{' })
  const { boss } = store().queue
  const jobs = await ingestJobs(boss, jobsFor(sourcesDir))
  const schedules = async () =>
    Object.fromEntries((await boss.getSchedules('ingest')).map((one) => [one.key, one.cron]))
  try {
    await writeFile(join(sourcesDir, 'bad.json'), permits('second', '0 3 * * 1'))
    await writeFile(join(sourcesDir, 'a.json'), permits('first', '45 6 * * *'))
    await jobs.refresh()
    expect(await schedules()).toEqual({ first: '45 6 * * *', second: '0 3 * * 1' })
    expect(await brokenFiles(store().db)).toEqual([])
    await pauseSource(store().db, 'second', today)
    await rm(join(sourcesDir, 'a.json'))
    await jobs.refresh()
    expect(await schedules()).toEqual({})
    expect(await runScheduled('second', jobsFor(sourcesDir), today)).toBeUndefined()
    expect(await resumeSource(store().db, 'second')).toBe(true)
    await jobs.refresh()
    expect(await schedules()).toEqual({ second: '0 3 * * 1' })
  } finally {
    await jobs.stop()
  }
})

test.each(['* * * * *', '15 6 * * *', '0 */4 * * *', '5,35 8-18/2 1,15 * mon-fri', '0 0 29 2 *', '0 0 31 1,2 *'])(
  'schedule %s is accepted',
  (schedule) => expect(cronProblem(schedule)).toBeUndefined(),
)

test.each([
  '61 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '0 6 * *',
  'daily',
  '*/0 * * * *',
  '5-1 * * * *',
  '0 0 30 2 *',
  '0 0 31 4,6 *',
  '1//2 * * * *',
  'H * * * *',
  '0 0 * * *,1',
])('schedule %s is rejected with an example', (schedule) =>
  expect(cronProblem(schedule)).toMatch(/schedule ".*for example "15 6 \* \* \*"/),
)

test('a folder that does not exist has no sources', async () => {
  expect(await readSourceFolder('/nowhere/at/all')).toEqual({ sources: [], broken: [] })
})
