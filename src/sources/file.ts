// Reads the bytes of a feed from a file next to the configuration, or from a URL if it has changed.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { messageOf, parsedJson } from '../common/typed.ts'
import type { Where } from '../domain/packs/source-config.ts'
import { wholeText } from './http.ts'
import type { RequestOptions } from './http-response.ts'
import {
  inPages,
  isAddress,
  type RawRow,
  type ReadContext,
  type ReadState,
  rowNumberer,
  type Source,
  SourceError,
  sourceOfPages,
} from './source.ts'

/** Undefined when the server reports no change (304). */
export const openBytes = async (
  where: Where,
  context: ReadContext,
  state: ReadState,
): Promise<AsyncIterable<Uint8Array> | undefined> => {
  if (!isAddress(where.url)) return openFile(where.url, context.folder, state)
  const { etag, lastModified } = context.previous ?? {}
  const answer = await context.http.open(where.url, {
    acceptNotModified: Boolean(etag || lastModified),
    resume: true,
    ...(where.maxBytes ? { maxBytes: where.maxBytes } : {}),
    headers: {
      ...(etag ? { 'if-none-match': etag } : {}),
      ...(lastModified ? { 'if-modified-since': lastModified } : {}),
      ...(context.token ? { authorization: `Bearer ${context.token}` } : {}),
    },
  })
  if (answer.status === 304) {
    Object.assign(state, { etag, lastModified, notModified: true })
    return undefined
  }
  const header = (name: string) => answer.headers[name]?.toString()
  state.etag = header('etag')
  state.lastModified = header('last-modified')
  if (!header('content-encoding')) state.bytesExpected = Number(header('content-length')) || undefined
  return counted(answer.body, state)
}

/** A source whose rows are made from the decoded text of the feed, numbered from 1. */
export const sourceOfText = (
  rowsOf: (
    text: AsyncIterable<string>,
    row: ReturnType<typeof rowNumberer>,
    where: Where,
    context: ReadContext,
  ) => AsyncIterable<RawRow>,
): Source =>
  sourceOfPages(async function* (where, context, state) {
    const bytes = await openBytes(where, context, state)
    if (bytes) yield* inPages(rowsOf(decoded(bytes, where.encoding), rowNumberer(), where, context))
  })

/** JSON from a service, or from a file with a saved response. */
export const readJson = async (
  url: string,
  context: ReadContext,
  headers: Record<string, string>,
  onHeaders?: RequestOptions['onHeaders'],
): Promise<unknown> => {
  if (isAddress(url)) return context.http.json(url, { headers, ...(onHeaders ? { onHeaders } : {}) })
  const text = await wholeText(await openFile(url, context.folder, { bytesRead: 0 }), url)
  for (const each of [text, ...almostJson(text)]) {
    const read = parsedJson(each)
    if (read !== undefined) return read
  }
  throw new SourceError('not_json', `${url} is not JSON.`)
}

/**
 * What saved files may mean that are not JSON: a script that sets a variable to the rows, or rows without a list. Python writes NaN. A
 * file that was cut off stays an error: an empty one is no list, and of the variables of a script the rows are the longest.
 */
const almostJson = (text: string): string[] => {
  const [, ...set] = text.split(/(?:^|;)\s*(?:var|let|const)\s+\w+\s*=\s*(?=[[{])/)
  const [longest = ''] = set.sort((a, b) => b.length - a.length)
  const rows = text
    .trim()
    .replace(/,$/, '')
    .replace(/\}[^\S\n]*\n\s*\{/g, '},{')
  return [text, longest.trimEnd().replace(/;$/, ''), rows.startsWith('{') ? `[${rows}]` : ''].map((each) =>
    each.replace(/(?<=[:,[]\s*)NaN(?=\s*[,}\]])/g, 'null'),
  )
}

const openFile = async (path: string, folder: string, state: ReadState): Promise<AsyncIterable<Uint8Array>> => {
  const at = isAbsolute(path) ? path : join(folder, path)
  const stats = await stat(at).catch((cause) => {
    throw new SourceError('no_file', `There is no file ${at}.`, { cause })
  })
  if (!stats.isFile()) throw new SourceError('no_file', `${at} is not a file.`)
  state.bytesExpected = stats.size
  const bytes = counted(createReadStream(at, { highWaterMark: 64 * 1024 }), state)
  return at.endsWith('.gz') ? gunzipped(bytes, at) : bytes
}

async function* counted(body: AsyncIterable<Uint8Array>, state: ReadState): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    state.bytesRead += chunk.length
    yield chunk
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = (async () => {
    for await (const chunk of bytes)
      if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve))
    gunzip.end()
  })().catch((error) => gunzip.destroy(error))
  try {
    yield* gunzip
  } catch (cause) {
    throw new SourceError('not_gzip', `${path} is not a whole gzip file: ${messageOf(cause)}.`, { cause })
  }
  await feeding
}

/**
 * Decodes UTF-8, and UTF-16 that begins with its byte order mark. City exports are often in another encoding: from the first byte sequence that is not valid UTF-8, the rest
 * is read as windows-1252, in which every byte is a character.
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding?: string): AsyncGenerator<string> {
  let decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: encoding !== 'windows-1252' })
  let fallenBack = encoding !== undefined
  // An incomplete character at the end of a chunk, kept so that it can be decoded in the other encoding.
  let tail: Uint8Array = new Uint8Array(0)
  let isFirst = true
  for await (const chunk of bytes) {
    const utf16 = isFirst && !fallenBack ? utf16Of(chunk) : undefined
    isFirst = false
    if (utf16) {
      decoder = new TextDecoder(utf16)
      fallenBack = true
    }
    if (fallenBack) {
      yield decodedBy(decoder, chunk)
      continue
    }
    const whole = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
    const cut = wholeCharacters(whole)
    try {
      yield new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
        .decode(whole.subarray(0, cut))
        .replace(/^\uFEFF/, '')
      tail = whole.slice(cut)
    } catch {
      decoder = new TextDecoder('windows-1252')
      fallenBack = true
      yield decoder.decode(whole, { stream: true })
    }
  }
  if (!fallenBack && tail.length > 0) yield new TextDecoder('windows-1252').decode(tail)
}

const decodedBy = (decoder: TextDecoder, chunk: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw new SourceError(
      'not_utf8',
      `The feed has bytes that are not ${decoder.encoding.toUpperCase()}. Without where.encoding they are read as windows-1252.`,
      { cause },
    )
  }
}

const utf16Of = ([one, two]: Uint8Array): string | undefined =>
  one === 0xff && two === 0xfe ? 'utf-16le' : one === 0xfe && two === 0xff ? 'utf-16be' : undefined

/** Number of bytes up to the last complete UTF-8 character. */
const wholeCharacters = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.length - back : bytes.length
  }
  return bytes.length
}
