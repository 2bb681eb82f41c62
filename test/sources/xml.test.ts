import fc from 'fast-check'
import { expect, test } from 'vitest'
import { xml, xmlRecords } from '../../src/sources/xml.ts'
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
