import { expect, test } from 'vitest'
import { csvRecords } from '../../src/sources/csv.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const records = async (text: string, size: number) => {
  const all: string[][] = []
  for await (const record of csvRecords(inChunks(text, size), { delimiter: ',', quoted: true })) all.push(record)
  return all
}

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
