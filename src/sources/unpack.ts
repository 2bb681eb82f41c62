// Decompresses a body, up to a maximum size.
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { SourceError } from './source.ts'

/** Above the ratio of any text. */
const bombRatio = 200
const bombFloorBytes = 32 * 2 ** 20

export async function* unpacked(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const packing = encoding.toLowerCase()
  const unpack = packing.includes('gzip')
    ? createGunzip()
    : packing.includes('br')
      ? createBrotliDecompress()
      : packing.includes('deflate')
        ? createInflate()
        : undefined
  let packedBytes = 0
  const counted = (async function* () {
    for await (const chunk of body) {
      packedBytes += chunk.length
      yield chunk
    }
  })()
  let stream: AsyncIterable<Uint8Array> = counted
  const packed = unpack && Readable.from(counted)
  if (unpack && packed) {
    packed.on('error', (error) => unpack.destroy(error))
    stream = packed.pipe(unpack)
  }
  let bytes = 0
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new SourceError(
          'too_large',
          `The response is larger than ${maxBytes} bytes. Raise where.maxBytes if that is expected.`,
        )
      if (unpack && bytes > bombFloorBytes && bytes > packedBytes * bombRatio)
        throw new SourceError(
          'bomb',
          `The response decompresses to more than ${bombRatio} times its size: it is not a feed.`,
        )
      yield chunk
    }
  } finally {
    unpack?.destroy()
    // Not awaited: a server that no longer responds would block here; closing the client ends its connection.
    packed?.destroy()
  }
}
