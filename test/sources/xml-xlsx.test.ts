import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { xlsx } from '../../src/sources/xlsx.ts'
import { xml } from '../../src/sources/xml.ts'
import { xmlRecords } from '../../src/sources/xml-records.ts'
import { feedFolder } from '../ingest/feed.ts'
import { context, readAll } from './server.ts'

const feed = `<?xml version="1.0"?><!DOCTYPE feed><!-- <property/> -->
<ns:feed xmlns:ns="urn:x"><ns:property id="7" note='a > b'><address><street>1 Oak &amp; Elm</street></address>
<photo>a</photo><photo>b</photo><remarks><![CDATA[Big <b>lot</b>]]></remarks><empty/><price cur="USD">900</price></ns:property>
<ns:property id="8"><address><street>&#50; Oak</street></address></ns:property></ns:feed>`
const expected = [
  {
    '@id': '7',
    '@note': 'a > b',
    address: { street: '1 Oak & Elm' },
    photo: ['a', 'b'],
    remarks: 'Big <b>lot</b>',
    empty: '',
    price: { '@cur': 'USD', '#text': '900' },
  },
  { '@id': '8', address: { street: '2 Oak' } },
]

const recordsOf = async (chunks: readonly string[]) => {
  const found: unknown[] = []
  const text = (async function* () {
    yield* chunks
  })()
  for await (const record of xmlRecords(text, 'property', 'feed.xml')) found.push(record)
  return found
}

test('XML elements become rows with nested fields, attributes and lists', async () => {
  const folder = await feedFolder({ 'feed.xml': feed })
  const rows = await readAll(xml({ url: 'feed.xml', record: 'property' }, context({ folder })))
  expect(rows.map(({ number, fields }) => [number, fields])).toEqual(expected.map((each, at) => [at + 1, each]))
})

test('where the text is cut into chunks does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
      const chunks: string[] = []
      for (let at = 0, next = 0; at < feed.length; next += 1) {
        const size = sizes[next % sizes.length]!
        chunks.push(feed.slice(at, at + size))
        at += size
      }
      expect(await recordsOf(chunks)).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['<property><a></property>', /not valid XML: Unexpected close tag \(line 1\)/],
  ['<property><a>1</a>', /ends within <property>/],
  ['not xml at all', /not valid XML: Non-whitespace before first tag \(line 1\)/],
  ['', /has no element/],
])('broken XML is named: %s', async (text, message) => {
  await expect(recordsOf([text])).rejects.toThrow(message)
})

test('declared entities are not expanded', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x><property><n>&a;</n></property></x>'
  expect(await recordsOf([bomb])).toEqual([{ n: '&a;' }])
})

/** A ZIP archive with these files. */
const zip = (files: Record<string, string>): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content)
    const packed = deflateRawSync(data)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(data), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(data.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}

const workbook = zip({
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Notes" sheetId="1" r:id="rId1"/><sheet name="Permits" sheetId="2" r:id="rId2"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Permit</t></si><si><t>Issued</t></si><si><r><t>New </t></r><r><t>house</t></r></si></sst>',
  'xl/styles.xml':
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
  'xl/worksheets/sheet2.xml': `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Work</t></is></c><c r="D1" t="str"><v>Cost</v></c></row>
    <row r="2"><c r="A2"><v>101</v></c><c r="B2" s="1"><v>45292</v></c><c r="C2" t="s"><v>2</v></c><c r="D2"><v>1250.5</v></c></row>
    <row r="3"><c r="A3"><v>102</v></c><c r="D3" t="e"><v>#N/A</v></c></row></sheetData></worksheet>`,
})

test('a sheet of an Excel workbook is read with dates, shared strings and gaps', async () => {
  const folder = await feedFolder({})
  await writeFile(join(folder, 'permits.xlsx'), workbook)
  const rows = await readAll(xlsx({ url: 'permits.xlsx', resource: 'Permits' }, context({ folder })))
  expect(rows.map(({ fields }) => fields)).toEqual([
    { Permit: 101, Issued: '2024-01-01', Work: 'New house', Cost: 1250.5 },
    { Permit: 102, Issued: undefined, Work: undefined, Cost: undefined },
  ])
  const read = (given: object) => readAll(xlsx({ url: 'permits.xlsx', ...given }, context({ folder })))
  await expect(read({ resource: 'Sales' })).rejects.toThrow(/no sheet "Sales"\. Sheets: Notes, Permits/)
  await expect(read({})).rejects.toThrow(/no header row/)
  await writeFile(join(folder, 'permits.xlsx'), 'Permit,Issued')
  await expect(read({})).rejects.toThrow(/is not a ZIP archive/)
})

const sheetOf = (rows: string, more: Record<string, string> = {}) =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  })
const rowsOfBook = async (book: Buffer, given: object = {}) => {
  const folder = await feedFolder({})
  await writeFile(join(folder, 'book.xlsx'), book)
  return readAll(xlsx({ url: 'book.xlsx', ...given }, context({ folder })))
}
const headerRow = '<row><c t="str"><v>Work</v></c></row>'

test('a ZIP bomb stops at the maximum size, whatever size its directory states', async () => {
  const bomb = sheetOf(`${headerRow}<row><c t="str"><v>${'a'.repeat(3_000_000)}</v></c></row>`)
  expect(bomb.length).toBeLessThan(10_000)
  // The stated size of every entry is zero.
  for (let at = 0; at < bomb.length - 4; at += 1)
    if (bomb.readUInt32LE(at) === 0x02014b50) bomb.writeUInt32LE(0, at + 24)
  await expect(rowsOfBook(bomb, { maxBytes: 1_000_000 })).rejects.toThrow(/unpacks to more than 1000000 bytes/)
  expect(await rowsOfBook(bomb, { maxBytes: 4_000_000 })).toHaveLength(1)
})

test('the files of a workbook share one maximum, so that many small ones cannot add up', async () => {
  const strings = `<sst>${'<si><t>abcdefghij</t></si>'.repeat(20_000)}</sst>`
  const book = sheetOf(`${headerRow}${'<row><c t="s"><v>1</v></c></row>'.repeat(20_000)}`, {
    'xl/sharedStrings.xml': strings,
  })
  await expect(rowsOfBook(book, { maxBytes: 1_000_000 })).rejects.toThrow(/unpacks to more than/)
  expect(await rowsOfBook(book, { maxBytes: 2_000_000 })).toHaveLength(20_000)
})

test('a damaged entry is named', async () => {
  const book = sheetOf(headerRow)
  const at = book.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length
  book.fill(0xff, at, at + 8)
  await expect(rowsOfBook(book)).rejects.toThrow(/sheet1\.xml is damaged/)
})

test('entities in a workbook are not expanded either', async () => {
  const lol = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
  const book = sheetOf('', {
    'xl/worksheets/sheet1.xml': `${lol}<worksheet><sheetData>${headerRow}<row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`,
  })
  expect((await rowsOfBook(book)).map(({ fields }) => fields)).toEqual([{ Work: '&b;' }])
})

test('a text, a tag or a record without an end stops the run instead of filling the memory', async () => {
  const mega = 'a'.repeat(2 ** 20)
  const many = async (first: string, piece: string, count: number) => {
    const text = (async function* () {
      yield first
      for (let at = 0; at < count; at += 1) yield piece
    })()
    for await (const _ of xmlRecords(text, 'property', 'feed.xml'));
  }
  await expect(many('<feed><property><n>', mega, 60)).rejects.toThrow(/a <property> of more than/)
  await expect(many('<feed><property note="', mega, 12)).rejects.toThrow(/Max buffer length exceeded: attribValue/)
  await expect(many('<feed><property>', `<n>${mega}</n>`, 60)).rejects.toThrow(/a <property> of more than/)
  await expect(many('<feed><property>', '<n>', 250)).rejects.toThrow(/deeper than 200/)
})
