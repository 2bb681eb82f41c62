import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { csv } from '../../src/sources/csv.ts'
import { redfin } from '../../src/sources/redfin.ts'
import { feedFolder } from '../ingest/feed.ts'
import { context, readAll } from './server.ts'

const read = async (content: string | Uint8Array, name = 'feed.csv', where = {}) =>
  readAll(csv({ url: name, ...where }, context({ folder: await feedFolder({ [name]: content }) })))

test('a byte-order mark, CRLF and quotes are not part of the data', async () => {
  const rows = await read('\ufeffid,name\r\n1,"Smith, ""Bob"""\r\n')
  expect(rows).toEqual([{ number: 1, fields: { id: '1', name: 'Smith, "Bob"' } }])
})

test('bytes that are not UTF-8 are read as windows-1252', async () => {
  const rows = await read(Buffer.concat([Buffer.from('id,name\n1,Jos'), Buffer.from([0xe9]), Buffer.from('\n')]))
  expect(rows[0]!.fields.name).toBe('José')
})

test('bytes in another encoding than the named one, and a file that was cut off, are problems of the feed', async () => {
  const peña = Buffer.concat([Buffer.from('id,name\n1,Pe'), Buffer.from([0xf1]), Buffer.from('a\n')])
  await expect(read(peña, 'feed.csv', { encoding: 'utf-8' })).rejects.toMatchObject({
    code: 'not_utf8',
    message: expect.stringMatching(/bytes that are not UTF-8/),
  })
  const cut = gzipSync(`id\n${Array.from({ length: 9_999 }, (_, at) => at).join('\n')}`).subarray(0, 9_000)
  await expect(read(cut, 'feed.csv.gz')).rejects.toMatchObject({
    code: 'not_gzip',
    message: expect.stringMatching(/feed\.csv\.gz is not a whole gzip file/),
  })
})

test('a UTF-8 character split between two chunks is read correctly', async () => {
  const rows = await read(`id,name\n${Array.from({ length: 60_000 }, (_, at) => `${at},Peña – Íñigo`).join('\n')}\n`)
  expect(rows.length).toBe(60_000)
  expect(rows.every(({ fields }) => fields.name === 'Peña – Íñigo')).toBe(true)
})

test('a row with too few or too many columns is kept with the problem', async () => {
  const rows = await read('id,name\n1\n2,b,c\n3,d\n')
  expect(rows.map(({ problem }) => problem?.code)).toEqual(['column_count', 'column_count', undefined])
})

test('row names without a column name are not the first value; stray commas in some rows are', async () => {
  const rows = await read('price\tcity\n"1"\t5\tReno\n"2"\t6\tElko\n"3"\t7\tEly\n', 'r.tsv')
  expect(rows.map(({ number, fields, problem }) => [number, fields, problem])).toEqual([
    [1, { '': '1', price: '5', city: 'Reno' }, undefined],
    [2, { '': '2', price: '6', city: 'Elko' }, undefined],
    [3, { '': '3', price: '7', city: 'Ely' }, undefined],
  ])
  const many = await read(`price,city\n${Array.from({ length: 25 }, (_, at) => `${at + 1},5,Reno\n`).join('')}`)
  expect(many.map(({ number, fields, problem }) => [number, fields[''], fields.price, problem])).toEqual(
    Array.from({ length: 25 }, (_, at) => [at + 1, `${at + 1}`, '5', undefined]),
  )
  // Rows left out of an analysis leave gaps.
  const gaps = await read(`price,city\n${Array.from({ length: 25 }, (_, at) => `${3 * at + 2},5,Reno\n`).join('')}`)
  expect(gaps.map(({ fields }) => fields.price)).toEqual(Array(25).fill('5'))
  // A comma at the end of every row.
  for (const length of [3, 30]) {
    const ends = await read(`apn,city\n${Array.from({ length }, (_, at) => `${100 + 7 * at},Reno,\n`).join('')}`)
    expect(ends.map(({ fields, problem }) => [fields.city, problem])).toEqual(Array(length).fill(['Reno', undefined]))
    // In some rows it may also be a comma in a value, and the last value is another one.
    const some = await read(`apn,city,note\n${Array.from({ length }, (_, at) => `1,Reno, NV,${at % 3}\n`).join('')}`)
    expect(some.map(({ problem }) => problem?.code)).toEqual(Array(length).fill('column_count'))
  }
  for (const strays of [1, 2, 19]) {
    const ids = Array.from({ length: strays + 2 }, (_, at) => at + 1)
    const stray = await read(
      `id,name\n${ids.map((id) => (id > strays ? `${id},Jones\n` : `${id},Smith, Bob\n`)).join('')}`,
    )
    expect(stray.map(({ number, fields, problem }) => [number, fields.id, problem?.code])).toEqual(
      ids.map((id) => [id, `${id}`, id > strays ? undefined : 'column_count']),
    )
  }
  expect(await read('id,name\n1,Smith, Bob\n')).toHaveLength(1)
})

test('lines that end in two carriage returns are lines', async () => {
  expect(await read('id,name\r\r\n1,"Smith, Bob"\r\r\n2,Jones\r\r\n')).toEqual([
    { number: 1, fields: { id: '1', name: 'Smith, Bob' } },
    { number: 2, fields: { id: '2', name: 'Jones' } },
  ])
})

test('lines of a title above the column names are skipped', async () => {
  const rows = await read(',,Report of April,,\nUnnamed: 0,Unnamed: 1,Unnamed: 2,Unnamed: 3\nid,a,b,c,d\n1,2,,,\n')
  expect(rows).toEqual([{ number: 1, fields: { id: '1', a: '2', b: '', c: '', d: '' } }])
  expect(await read(',By size,By size,By size\nid,a,b,c\n1,2,3,4\n')).toMatchObject([{ fields: { id: '1', c: '4' } }])
  expect((await read(',name\n0,x\n'))[0]!.fields).toEqual({ '': '0', name: 'x' })
  const [names, values] = ['abcdefghi', '123456789'].map((letters) => [...letters].join())
  expect(await read(`Sales of May,,,,,,,As of June 1,\n${names}\n${values}\n`)).toMatchObject([
    { fields: { a: '1', i: '9' } },
  ])
})

test('HTML instead of CSV fails the read', async () => {
  await expect(read('<!DOCTYPE html><html><body>Down</body></html>')).rejects.toThrow(/HTML instead of CSV/)
})

test('reads tabs and gzip, and reports a missing file', async () => {
  expect((await read('id\tname\n1\ta\n', 'feed.tsv'))[0]!.fields).toEqual({ id: '1', name: 'a' })
  expect((await read(gzipSync('id,name\n1,a\n'), 'feed.csv.gz'))[0]!.fields).toEqual({ id: '1', name: 'a' })
  await expect(readAll(csv({ url: 'none.csv' }, context()))).rejects.toThrow(/no file/)
})

test('skips Redfin’s notice, renames its long column and computes its listing date', async () => {
  const head = 'SALE TYPE,SOLD DATE,ADDRESS,DAYS ON MARKET,URL (SEE https://www.redfin.com FOR INFO ON PRICING),MLS#'
  const notice = '"In accordance with local MLS rules, some MLS listings are not included in the download",,,,,'
  const folder = await feedFolder({
    'r.csv': `${head}\n${notice}\nMLS Listing,,1 Oak St,14,https://www.redfin.com/x,ML1\nPAST SALE,March-5-2026,2 Oak St,20,,ML2\n`,
  })
  // The listing date counts back from the day of the download.
  const downloaded = new Date('2026-11-15T12:00:00Z')
  await utimes(join(folder, 'r.csv'), downloaded, downloaded)
  const rows = await readAll(redfin({ url: 'r.csv' }, context({ folder })))
  expect(rows.map(({ fields }) => [fields['MLS#'], fields['LISTED ON'], fields.URL])).toEqual([
    ['ML1', '2026-11-01', 'https://www.redfin.com/x'],
    ['ML2', undefined, ''],
  ])
})
