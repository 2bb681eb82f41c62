import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecords } from '../../src/sources/csv-records.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const records = async (text: string, size = 1000, form = { delimiter: ',', quoted: true }) => {
  const all: string[][] = []
  for await (const some of csvRecords(inChunks(text, size), form)) all.push(...some.map((each) => [...each]))
  return all
}

const byLibrary = (text: string, quoted = true): string[][] =>
  parse(text, {
    delimiter: ',',
    quote: quoted ? '"' : null,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })

/** The library rejects some texts, and our parser must reject the same ones. */
const orRejected = async (work: () => unknown) => {
  try {
    return await work()
  } catch {
    return 'rejected'
  }
}

test('records equal those of the library for random quotes, line endings and chunks', async () => {
  const mark = fc.constantFrom('a', 'b', ' ', ',', '"', '""', '\n', '\r\n', '\r', 'é', '","', '"\n"')
  await fc.assert(
    fc.asyncProperty(
      fc.array(mark, { maxLength: 24 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (marks, size, quoted) => {
        const text = marks.join('')
        const expected = await orRejected(() => byLibrary(text, quoted))
        expect(await orRejected(() => records(text, size, { delimiter: ',', quoted }))).toEqual(expected)
      },
    ),
    { numRuns: 3000, seed: 5 },
  )
})

test('a quoted field can contain commas, quotes and line breaks, also at a chunk boundary', async () => {
  const text = 'id,note\r\n1,"a, ""b"",\r\nc"\r\n\r\n2,\r\n3,"x"'
  for (let size = 1; size <= text.length; size += 1)
    expect(await records(text, size)).toEqual([
      ['id', 'note'],
      ['1', 'a, "b",\r\nc'],
      ['2', ''],
      ['3', 'x'],
    ])
})
