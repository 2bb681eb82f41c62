import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proposalLines, writeNewSource } from '../../src/bin/commands/new-source.ts'
import { setupCommand } from '../../src/bin/commands/setup.ts'
import { sourcesCommand } from '../../src/bin/commands/sources.ts'
import { Canceled, failureText } from '../../src/bin/operator-error.ts'
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import { OperatorError } from '../../src/common/operator-error.ts'
import { readSource } from '../../src/ingest/config.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { earningsOf } from '../../src/operations/earnings.ts'
import { visibleProperty } from '../../src/operations/visible-property.ts'
import { sql } from '../../src/store/engine/database.ts'
import {
  config,
  count,
  csvOf,
  feedFolder,
  highValueUsd,
  ingest,
  listingRow,
  parcelRow,
  permitRow,
  type Row,
  today,
} from '../ingest/feed.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { feedServer, json } from '../sources/server.ts'

const store = useDatabaseWithQueue()

const setUp = async (given: Row = {}) => {
  const folder = await feedFolder({
    'parcels.csv': csvOf([parcelRow(), parcelRow({ apn: '123-45-999', address: '12 Oak St' })]),
    'listings.csv': csvOf([listingRow()]),
    'permits.csv': csvOf([
      permitRow(given),
      permitRow({ permitId: 'B-2', apn: '123-45-999', address: '12 Oak St', ...given }),
    ]),
    'broken.json': '{',
  })
  for (const holds of ['parcels', 'listings', 'permits'] as const) {
    const path = join(folder, `${holds}.json`)
    const source = config(holds, {
      where: { url: `${holds}.csv` },
      ...(holds === 'permits' ? { schedule: '0 3 * * *', market: 'sf-peninsula' } : {}),
    })
    await writeFile(path, JSON.stringify(source))
    await runIngest(store(), (await readSource(path)).config, { now: today, folder, highValueUsd })
  }
  const printed: string[] = []
  const deps = {
    sourcesDir: folder,
    feedFolders: [],
    openStore: async () => ({ ...store(), close: async () => {} }),
    token: () => undefined,
    highValueUsd,
    now: () => today,
    print: (line: string) => void printed.push(line),
  }
  const run = async (...args: string[]) => {
    printed.length = 0
    await sourcesCommand(deps).parseAsync(['node', 'sources', ...args])
    return printed.join('\n')
  }
  return { folder, run, deps }
}

test('sources are listed, shown, paused, resumed, moved and removed', async () => {
  const { folder, run } = await setUp()
  const listed = await run('list')
  expect(listed).toMatch(/test-parcels +parcels +manual +completed .* 2 loaded, 0 rejected/)
  expect(listed).toMatch(/test-permits +permits +scheduled +0 3 \* \* \*/)
  expect(listed).toMatch(/broken\.json +broken +.*is not JSON/)
  expect(await run('show', 'test-permits')).toMatch(/scheduled at 0 3 \* \* \* UTC[\s\S]*rows stored: 2 permits/)
  await expect(run('show', 'nothing')).rejects.toThrow(/There is no source "nothing"/)

  await run('pause', 'test-permits')
  expect(await run('list')).toMatch(/test-permits +permits +paused/)
  await run('resume', 'test-permits')
  await expect(run('resume', 'test-permits')).rejects.toThrow(/is not paused/)

  await expect(run('move', 'test-permits', 'atlantis')).rejects.toThrow(/no market "atlantis".*nantucket/)

  expect(await run('remove', 'test-parcels')).toMatch(/has 2 parcels\. Nothing was removed/)
  expect(await count(store(), 'property')).toBe(2)
  expect(await run('remove', 'test-parcels', '--yes')).toMatch(/removed with 2 parcels/)
  // The home that is for sale stays, without what the removed source said; the permits stay unmatched.
  const { rows } = await sql`select address, known_from, lot_sqft, source_id from property`.execute(store().db)
  expect(rows).toEqual([{ address: '10 Oak St', knownFrom: 'listing', lotSqft: null, sourceId: 'test-listings' }])
  const { rows: permits } =
    await sql`select permit_id, property_id is null as unmatched from permit order by 1`.execute(store().db)
  expect(permits).toEqual([
    { permitId: 'B-1', unmatched: false },
    { permitId: 'B-2', unmatched: true },
  ])
  expect(await readFile(join(folder, 'parcels.json.removed'), 'utf8')).toContain('test-parcels')
  expect(await run('list')).not.toContain('test-parcels')
})

test('a feed that fails while its mapping is previewed is named, also where the kind is not certain', async () => {
  const deps = { sourcesDir: await feedFolder({}), now: () => today }
  const rows = Array.from({ length: 30 }, (_, at) => `${at + 1} Elm St,Kent,${900_000 + at},3,2`)
  let answers = Number.POSITIVE_INFINITY
  const { url, asked } = await feedServer((_, response, nth) =>
    nth > answers ? json(response, {}, 404) : response.end(['ADDRESS,CITY,PRICE,BEDS,BATHS', ...rows].join('\n')),
  )
  const failure = () => writeNewSource(deps, url, { market: 'sf-peninsula' }).catch((error: unknown) => error)
  expect(await failure()).toMatchObject({ message: expect.stringContaining('may hold listings') })
  // The last request is that of the preview.
  answers = 2 * asked.length - 1
  expect(await failure()).toBeInstanceOf(OperatorError)
  expect(asked).toHaveLength(answers + 1)
})

test('a roll of a town that names no city needs it, also if most of its parcels were never sold', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    ...{ PARCEL_NO: `R-${at}`, SITE_ADDR: `${at + 1} Oak St`, YEAR_BUILT: 1950 + at, LOT_SQFT: 6_000 + at, OWNER: 'A' },
    ...(at % 4
      ? { LAST_SALE_DATE: '', LAST_SALE_PRICE: 0 }
      : { LAST_SALE_DATE: '2019-05-15', LAST_SALE_PRICE: 800_000 }),
  }))
  const sourcesDir = await feedFolder({ 'roll.csv': csvOf(rows) })
  const written = await writeNewSource({ sourcesDir, now: () => today }, join(sourcesDir, 'roll.csv'), {
    market: 'sf-peninsula',
  })
  expect(proposalLines(written)).toContainEqual(
    expect.stringMatching(/^The feed names no city.* delete the files and add --city/),
  )
})

test('a source is moved to another market only if its rows can be loaded there', async () => {
  const { folder, run } = await setUp({ city: 'Newtown' })
  await run('move', 'test-permits', 'nantucket')
  const { rows } = await sql`select distinct market from permit`.execute(store().db)
  expect(rows).toEqual([{ market: 'nantucket' }])
  expect(JSON.parse(await readFile(join(folder, 'permits.json'), 'utf8'))).toMatchObject({ market: 'nantucket' })
  await writeFile(join(folder, 'permits.csv'), csvOf([permitRow({ city: 'Nantucket' })]))
  await expect(run('move', 'test-permits', 'sf-peninsula')).rejects.toThrow(
    /Nantucket is in the market nantucket, not in sf-peninsula.*Nothing was changed/,
  )
  expect(await count(store(), 'permit')).toBe(2)
})

test('sources new writes a source that loads, and setup reports what a market has and lacks', async () => {
  const { folder, run, deps } = await setUp()
  const rows = Array.from(
    { length: 30 },
    (_, at) => `77-${at},${at + 1} Pine St,Los Altos,2026-0${(at % 9) + 1}-15,${900_000 + at}`,
  )
  await writeFile(
    join(folder, 'sold.csv'),
    ['PARCEL_NO,SITE_ADDR,CITY,SALE_DATE,SALE_PRICE,ZONING', ...rows.map((row) => `${row},R1-10`)].join('\n'),
  )
  const proposed = await run('new', join(folder, 'sold.csv'), '--market', 'sf-peninsula', '--id', 'sold')
  expect(proposed).toMatch(/soldOn +SALE_DATE +high/)
  expect(proposed).toMatch(/30 of the first 30 rows can be loaded/)
  expect(proposed).toContain('No living area is mapped (livingSqft).')
  expect((await readSource(join(folder, 'sold.json'))).config).toMatchObject({ holds: 'sales', kind: 'csv' })
  await expect(run('new', join(folder, 'sold.csv'), '--market', 'sf-peninsula', '--id', 'sold')).rejects.toThrow(/--id/)
  await expect(run('new', 'x.csv', '--market', 'atlantis')).rejects.toThrow(/no market "atlantis"/)

  const printed: string[] = []
  const setup = (answers: string[], ...args: string[]) =>
    setupCommand({
      ...deps,
      print: (line) => void printed.push(line),
      ask: async (question) => {
        printed.push(question)
        if (answers.length === 0) throw new Canceled(`No answer to ${question}`)
        return answers.shift()!
      },
    }).parseAsync(['node', 'setup', ...args])
  await setup([], 'Los Altos', '--file', join(folder, 'sold.csv'), '--no-assess', '--json')
  const report = JSON.parse(printed.join('')) as { data: { dataset: string; rows: number }[] }
  expect(report).toMatchObject({
    success: true,
    market: 'sf-peninsula',
    problems: [],
    missing: ['coordinates', 'rents', 'layers'],
  })
  // The homes of the sales are loaded as parcels too, with facts that sales do not keep.
  expect((await readSource(join(folder, 'sf-peninsula-parcels.json'))).config.fields).toMatchObject({
    zoning: 'ZONING',
  })
  expect(report.data).toEqual([
    expect.objectContaining({ dataset: 'parcels', rows: 32 }),
    expect.objectContaining({ dataset: 'listings', rows: 1 }),
    expect.objectContaining({ dataset: 'sales', rows: 30 }),
    expect.objectContaining({ dataset: 'permits', rows: 2 }),
    expect.objectContaining({ dataset: 'rents', rows: 0 }),
  ])

  // A second file of a data set is a source of its own. The first is used under the id that it has.
  await writeFile(join(folder, 'sold2.csv'), ['PARCEL_NO,SITE_ADDR,CITY,SALE_DATE,SALE_PRICE', ...rows].join('\n'))
  printed.length = 0
  await setup([], 'Los Altos', '--file', join(folder, 'sold2.csv'), '--no-assess', '--json')
  expect(JSON.parse(printed.join(''))).toMatchObject({ problems: [] })
  expect((await readSource(join(folder, 'sf-peninsula-sales.json'))).config.id).toBe('sf-peninsula-sales')

  // Run again, setup uses the files it wrote. Rows of another market are counted, with what to do.
  await writeFile(
    join(folder, 'state.csv'),
    [
      'PARCEL_NO,SITE_ADDR,CITY,SALE_DATE,SALE_PRICE',
      ...rows.map((row, at) => (at < 20 ? row.replace('Los Altos', 'Nantucket') : row)),
    ].join('\n'),
  )
  for (const again of [false, true]) {
    printed.length = 0
    await setup([''], 'Los Altos', '--file', join(folder, 'state.csv'), '--no-assess')
    const text = printed.join('\n')
    expect(text).toMatch(
      /Rejected: 20 of 30 rows of sf-peninsula-sales-2 \(67%\)[^\n]*\n {2}rejected 20 \(other_market\)[^\n]*Nantucket is in the market nantucket[^\n]*\n[^\n]*lotline setup <market> --file/,
    )
    expect(text).not.toContain('Did not work')
    expect(text.includes('has the source file')).toBe(again)
  }

  // Rows without a city: setup asks, takes --city, or leaves the file out; no file that cannot be used stays.
  const bare = join(folder, 'bare.csv')
  const columns = 'PERMIT_NO,SITE_ADDR,ISSUED_DATE,DESCRIPTION'
  await writeFile(
    bare,
    [columns, ...rows.map((_, at) => `B-${at},${at + 1} Pine St,2026-03-1${at % 9},Deck`)].join('\n'),
  )
  printed.length = 0
  await setup([], 'Los Altos', '--file', bare, '--no-assess', '--json')
  expect(JSON.parse(printed.join(''))).toMatchObject({
    problems: [expect.stringMatching(/bare\.csv: .*--city <name>/)],
  })
  process.exitCode = 0
  expect(existsSync(join(folder, 'sf-peninsula-permits.json'))).toBe(false)
  // A mistyped file is asked again, which is no failure. No shell expands the home folder in an answer.
  vi.stubEnv('HOME', folder)
  printed.length = 0
  await setup(['~/bear.csv', '~/bare.csv', 'Los Altos', ''], 'Los Altos', '--no-assess', '--county', 'Marin')
  expect(printed.join('\n')).toContain(`There is no file ${join(folder, 'bear.csv')}.`)
  expect(printed.join('\n')).not.toContain('Did not work')
  expect(printed.join('\n')).toContain('San Francisco Peninsula already exists, so --state')
  expect(process.exitCode).toBe(0)
  expect((await readSource(join(folder, 'sf-peninsula-permits.json'))).config.city).toBe('Los Altos')

  // A roll with the last sale of each parcel is sales and parcels. What columns do not show is asked, until it is known.
  const roll = join(folder, 'roll.csv')
  const cells = rows.map(
    (_, at) => `R-${at},${at + 1} Oak St,Menlo Park,2019-0${(at % 9) + 1}-15,${at % 2 ? 0 : 800_000 + at}`,
  )
  await writeFile(
    roll,
    [
      'PARCEL_NO,SITE_ADDR,CITY,LAST_SALE_DATE,LAST_SALE_PRICE,YEAR_BUILT,LOT_SQFT,OWNER,ZONING',
      ...cells.map((each, at) => `${each},${1950 + at},${6_000 + at},A,R1-10`),
    ].join('\n'),
  )
  const proposedRoll = await run('new', roll, '--market', 'sf-peninsula', '--id', 'roll')
  expect(proposedRoll).toContain(
    'Each row is a parcel with its last sale. Also: roll-parcels, the parcels, zoning from ZONING',
  )
  expect(proposedRoll).toContain('Columns not used: OWNER.')
  // Its parcels have a source, so setup makes no other one of them.
  await rm(join(folder, 'sf-peninsula-parcels.json'))
  await setup([], 'Menlo Park', '--file', roll, '--no-assess', '--json')
  expect(existsSync(join(folder, 'sf-peninsula-parcels.json'))).toBe(false)
  for (const id of ['roll', 'roll-parcels']) await rm(join(folder, `${id}.json`))
  const cases = join(folder, 'cases.csv')
  await writeFile(
    cases,
    [
      'PERMIT_NO,SITE_ADDR,CITY,ISSUED_DATE,DESCRIPTION',
      ...rows.map((_, at) => `L-${at},${at + 1} Oak St,Menlo Park,2026-03-1${at % 9},Letter`),
    ].join('\n'),
  )
  printed.length = 0
  await setup([roll, cases, 'permit', 'permits', ''], 'Menlo Park', '--no-assess')
  const said = printed.join('\n')
  expect(said).toContain('sf-peninsula-parcels: 30 rows loaded, 0 rejected.')
  expect(said).toContain('sf-peninsula-sales-3: 15 rows loaded, 15 rejected.')
  expect(said).toMatch(/cases\.csv .*\nWhat are its rows\? \(parcels,.*\n"permit" is none of them\.\nWhat are its rows/)
  expect(said).toContain('permits (csv), mapped from 30 rows')
  expect(said).not.toContain('Did not work')
  // Homes with a price and no day are not certain: the mapping is shown with the question, and nothing is written.
  const offers = join(folder, 'offers.csv')
  await writeFile(
    offers,
    ['ADDRESS,CITY,PRICE,BEDS,BATHS', ...rows.map((_, at) => `${at + 1} Elm St,Menlo Park,${900_000 + at},3,2`)].join(
      '\n',
    ),
  )
  const shown =
    /offers\.csv may hold listings, but: .*\n(.*\n)*priceUsd +PRICE [\s\S]*Nothing was written.*--holds listings/
  expect(await run('new', offers, '--market', 'sf-peninsula')).toMatch(shown)
  expect(JSON.parse(await run('new', offers, '--market', 'sf-peninsula', '--json'))).toMatchObject({
    ...{ success: false, problem: expect.stringContaining('may hold listings'), config: { holds: 'listings' } },
  })
  expect(process.exitCode).toBe(1)
  printed.length = 0
  await setup([offers, '', ''], 'Menlo Park', '--no-assess')
  expect(printed.join('\n')).toMatch(shown)
  expect(existsSync(join(folder, 'sf-peninsula-listings.json'))).toBe(false)
  // Conditions of the operator hold for the parcels of sales, too.
  const since = { field: 'YEAR_BUILT', atLeast: 1960 }
  const path = join(folder, 'sf-peninsula-sales-3.json')
  const written = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...written, require: [...written.require, since] }))
  await rm(join(folder, 'sf-peninsula-parcels.json'))
  await setup([], 'Menlo Park', '--file', roll, '--no-assess', '--json')
  expect((await readSource(join(folder, 'sf-peninsula-parcels.json'))).config.require).toEqual([since])
  process.exitCode = 0

  // Without arguments setup asks. A file that cannot be read is reported, and the next one is asked for.
  printed.length = 0
  await expect(setup(['Los Altos', 'absent.csv'], '--no-assess')).rejects.toThrow(/No answer to A file or URL/)
  expect(printed.join('\n')).toMatch(/There is no file .*absent\.csv\.\nA file or URL/)
  // A new market needs a folder, which is said before any question.
  await expect(setup([], 'Springfeild')).rejects.toThrow(/neither a market \(sf-peninsula, .* set PACKS_DIR/)
  await expect(setup([], 'Menlo Prk')).rejects.toThrow('nor a city of one. Did you mean Menlo Park?')
  vi.stubEnv('PACKS_DIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  // A typing mistake makes no market; a wrong answer is asked again.
  await expect(setup([], 'Menlo Prk')).rejects.toThrow('Did you mean Menlo Park? Create it?')
  await expect(setup(['Springfeild', 'n'])).rejects.toMatchObject({ message: 'Nothing was changed.', exitCode: 130 })
  // A new place is offered national maps and those of its state, which become sources of the place.
  await writeFile(
    join(folder, 'zones.geojson'),
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[-119.9,36.7],[-119.8,36.7],[-119.8,36.8],[-119.9,36.7]]]}}]}',
  )
  const maps = join(folder, 'maps')
  await mkdir(maps)
  for (const [id, market, sets] of [
    ['national-flood', undefined, { overlay: 'floodZone' }],
    ['state-fire', 'sf-peninsula', { overlay: 'veryHighFire' }],
    ['island-habitat', 'nantucket', { overlay: 'habitat' }],
    ['peninsula-trains', 'sf-peninsula', { fact: 'stations' }],
  ] as const)
    await writeFile(
      join(maps, `${id}.json`),
      JSON.stringify({
        ...{ id, title: id, kind: 'geojson', holds: 'layer', where: { url: '../zones.geojson' }, market, sets },
        feed: { id, confidence: 'medium', asOf: '2026-11-18', about: 'Zones.' },
        licence: 'Open',
      }),
    )
  onTestFinished(() => void useMarketPacks())
  printed.length = 0
  const californian = [
    '--state',
    'CA',
    '--state-name',
    'California',
    '--county',
    'Fresno',
    '--box',
    '-120,36.6,-119.6,36.9',
  ]
  await setupCommand({
    ...deps,
    feedFolders: [maps],
    openStore: async () => {
      await sql`insert into public.market (id, number, shard_group) select 'fresno', 3, shard_group from public.market
        limit 1 on conflict do nothing`.execute(store().db)
      return deps.openStore()
    },
    print: (line) => void printed.push(line),
    ask: async (question) => {
      printed.push(question)
      return !question.includes('Public feeds') ? '' : question.startsWith('There is no feed') ? 'state-fire' : 'fire'
    },
  }).parseAsync(['node', 'setup', 'Fresno', ...californian, '--no-assess'])
  // The built-in default stays, and setup says how to change it.
  expect(JSON.parse(await readFile(join(folder, 'fresno/pack.json'), 'utf8'))).not.toHaveProperty('default')
  expect(printed.join('\n')).toContain('Requests without a market use sf-peninsula.')
  // The place's own files come before the maps, which are one question.
  const questions = printed.filter((line) => line.endsWith(': '))
  expect(questions.map((line) => line.slice(0, 20))).toEqual([
    'A file or URL of you',
    'Public feeds to chec',
    'There is no feed "fi',
  ])
  expect(questions[2]).toContain('Available: national-flood, state-fire.')
  expect(printed.join('\n')).toMatch(/layers +flood, fire.* +national-flood, state-fire/)
  expect(printed.join('\n')).toMatch(/Missing: costs \(for flips .*expensive place\)\. Where to look: bids of builders/)
  expect(printed.join('\n')).toMatch(/state-fire-fresno: 1 rows loaded, 0 rejected/)
  expect((await readSource(join(folder, 'state-fire-fresno.json'))).config).toMatchObject({ market: 'fresno' })

  const latitudesFirst = '39.6,-89.8,39.9,-89.5'
  const place = ['y', 'Illinois', 'il', 'Sangamon', '1,2', latitudesFirst, '-89.8,39.6,-89.5,39.9', 'Mars']
  await expect(setup(place, 'Springfield')).rejects.toThrow(
    /No answer to It must be an IANA time zone[\s\S]*Time zone \(Enter for America\/Chicago\)/,
  )
  expect(place).toEqual([])
})

test('sources new accounts for every row and names cities that the market does not list', async () => {
  const { folder, run } = await setUp()
  const file = join(folder, 'issued.csv')
  const permits = Array.from({ length: 20 }, (_, at) =>
    permitRow({ permitId: `P-${at}`, city: 'Farville', zip: 97499 }),
  )
  await writeFile(
    file,
    csvOf([...permits, permits[0]!, permitRow({ permitId: undefined }), permitRow({ city: 'Nantucket' })]),
  )
  const text = await run('new', file, '--market', 'sf-peninsula')
  expect(text).toMatch(
    /^20 of the first 23 rows can be loaded; 1 has the id of another row; 1 cannot: permitId is missing; 1 cannot: Nantucket is in the market nantucket/m,
  )
  expect(text).toContain('The market sf-peninsula does not list these cities: Farville 20. Check --market.')
})

test('federal rents by county give a source file per size that loads, and the rent of a home', async () => {
  const { folder, run, deps } = await setUp()
  const file = join(folder, 'FY27_FMRs.csv')
  await writeFile(
    file,
    'stusps,countyname,fmr_0,fmr_1\nCA,Santa Clara County,2001,2501\nNM,Santa Clara County,701,801\n',
  )
  // No file is written if one of them exists; the error names all that do.
  const paths = ['sf-peninsula-rents.json', 'sf-peninsula-rents-1-bedrooms.json'].map((name) => join(folder, name))
  await writeFile(paths[1]!, '{}')
  const make = () => run('new', file, '--market', 'sf-peninsula')
  await expect(make()).rejects.toThrow(`${paths[1]} already exists. Delete it`)
  expect(existsSync(paths[0]!)).toBe(false)
  await rm(paths[1]!)
  expect(await make()).toMatch(/1 of the first 2 rows can be loaded/)
  await expect(make()).rejects.toThrow(`${paths.join(', ')} already exist. Delete them`)
  for (const path of paths) expect((await readSource(path)).config.holds).toBe('rents')

  await ingest(store(), 'parcels', [parcelRow({ beds: 1 })], { id: 'homes' })
  await setupCommand({ ...deps, print: () => {} }).parseAsync([
    'node',
    'setup',
    'sf-peninsula',
    '--file',
    file,
    '--no-assess',
    '--json',
  ])
  expect(process.exitCode ?? 0).toBe(0)
  expect(await count(store(), 'rent')).toBe(2)
  const { rows } = await sql<{ id: string }>`select id from property where beds = 1`.execute(store().db)
  const context = { db: store().db, now: today, caller: { limits: { historyDays: null } } } as never
  expect(await earningsOf(context, await visibleProperty(context, rows[0]!.id), { priceUsd: undefined })).toMatchObject(
    { monthlyRent: { amount: 2501, basis: expect.stringContaining('Santa Clara County'), asOf: '2026-10-01' } },
  )
})

test('a command that loses the database, or one node of it, says so in a sentence; a bug has its stack', () => {
  const lost = Object.assign(new Error('connection to the remote node db2:5432 failed'), { code: '08006' })
  expect(failureText(lost)).toBe(
    'The database stopped answering: connection to the remote node db2:5432 failed. Run the command again when it is back.',
  )
  expect(failureText(new Canceled('Canceled.'))).toBe('Canceled.')
  expect(failureText(new TypeError('x is undefined'))).toMatch(/TypeError: x is undefined\n +at /)
})
