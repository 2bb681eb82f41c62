// Compresses answers of the API. The body of a cached answer is the same buffer each time, so it is compressed once per encoding.
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keysOf, valueAt } from '../common/typed.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

// Higher qualities take longer than they save in transfer.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

// Each piece of a stream is sent at once. Kept until there are 16 KiB, the first bytes of a long look-up would come after the time in
// which a silent connection is closed.
const flushed = {
  br: { ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH },
  gzip: { flush: constants.Z_SYNC_FLUSH },
}

const encoders = {
  br: { whole: (body: Buffer) => toBrotli(body, brotliOptions), stream: () => createBrotliCompress(flushed.br) },
  gzip: { whole: (body: Buffer) => toGzip(body), stream: () => createGzip(flushed.gzip) },
}
type Encoding = keyof typeof encoders
/** Preferred first: used when the client accepts several equally. */
const encodings = keysOf(encoders)

/** A smaller body fits into one packet with its headers. */
const minCompressed = 1_024

const prepared = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()

/** An onSend hook. */
export const compressAnswer = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  if (reply.hasHeader('content-encoding') || !isLarge(payload)) return payload
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  const etag = reply.getHeader('etag')
  // Two encodings of one answer are different bytes, so their strong tags differ.
  if (typeof etag === 'string') reply.header('etag', etag.replace(/"$/, `-${encoding}"`))
  // Not `pipe`: when the connection breaks, what the stream reads from has to end too.
  if (payload instanceof Readable) return pipeline(payload, encoders[encoding].stream(), () => {})
  if (typeof payload === 'string') return encoders[encoding].whole(Buffer.from(payload))
  return preparedOnce(payload, encoding)
}

const isLarge = (payload: unknown): payload is Readable | string | Buffer =>
  payload instanceof Readable ||
  (typeof payload === 'string' && payload.length > minCompressed) ||
  (Buffer.isBuffer(payload) && payload.length > minCompressed)

const encodingFor = (header: string | undefined): Encoding | undefined =>
  header === undefined ? undefined : (negotiate(header, encodings) ?? undefined)

const preparedOnce = (body: Buffer, encoding: Encoding): Promise<Buffer> => {
  const known: Partial<Record<Encoding, Promise<Buffer>>> = valueAt(prepared, body, () => ({}))
  known[encoding] ??= encoders[encoding].whole(body)
  return known[encoding]
}
