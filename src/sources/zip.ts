// The files in a ZIP archive, as far as spreadsheets need it: stored and deflated entries. A file is inflated while it is read, and
// all files that are read together have a maximum size, so that a small archive cannot fill the memory or the time of a run.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
import { createInflateRaw } from 'node:zlib'
import { SourceError } from './source.ts'

export type ZipFiles = (name: string) => AsyncIterable<Uint8Array> | undefined

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50

export const unzip = (bytes: Buffer, url: string, maxBytes: number): ZipFiles => {
  const broken = (why: string) => new SourceError('not_zip', `${url} is not a spreadsheet: ${why}.`)
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfDirectory) end -= 1
  if (end < 0) throw broken('it is not a ZIP archive')
  const entries = new Map<string, { method: number; at: number; packed: number }>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry) throw broken('its directory is damaged')
    const nameLength = bytes.readUInt16LE(at + 28)
    entries.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), {
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  let read = 0
  const limited = async function* (name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    try {
      for await (const piece of pieces) {
        read += piece.length
        if (read > maxBytes)
          throw new SourceError('too_large', `${url} unpacks to more than ${maxBytes} bytes. Raise where.maxBytes.`)
        yield piece
      }
    } catch (cause) {
      if (cause instanceof SourceError) throw cause
      throw new SourceError('not_zip', `${url} is not a spreadsheet: ${name} is damaged.`, { cause })
    }
  }
  return (name) => {
    const entry = entries.get(name)
    if (!entry) return undefined
    if (entry.at + 30 > bytes.length) throw broken('an entry is damaged')
    const from = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28)
    const packed = bytes.subarray(from, from + entry.packed)
    if (entry.method === 0) return limited(name, [packed])
    if (entry.method !== 8) throw broken(`${name} uses an unknown compression`)
    const inflate = createInflateRaw()
    inflate.end(packed)
    return limited(name, inflate)
  }
}
