// Compresses pages. Static files are compressed once, when they are built.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keysOf } from '../common/typed.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const encoders = {
  // Quality 5 takes about 1 ms for our largest page; higher qualities take longer than they save in transfer.
  br: (text: string) => toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => toGzip(text),
}
/** Preferred first: used when the client accepts several equally. */
const encodings = keysOf(encoders)

/** A smaller body fits into one packet with its headers, so compressing it gains nothing. */
const minLength = 1_000

export const compressText = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  if (typeof payload !== 'string' || payload.length < minLength || reply.hasHeader('content-encoding')) return payload
  reply.header('vary', 'cookie, accept-encoding')
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', encodings)
  if (!encoding) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return encoders[encoding](payload)
}
