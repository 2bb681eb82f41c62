// Compresses pages on their way out. Built files are compressed once, at build time.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Below this the headers outweigh what is saved. */
const worthwhile = 1_000

export const compressText = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  if (typeof payload !== 'string' || payload.length < worthwhile || reply.hasHeader('content-encoding')) return payload
  reply.header('vary', 'cookie, accept-encoding')
  const accepted = request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) {
    // 5 costs about a millisecond on our largest page; higher levels cost more than they save on the way.
    const packed = await toBrotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    reply.header('content-encoding', 'br').removeHeader('content-length')
    return packed
  }
  if (/\bgzip\b/.test(accepted)) {
    const packed = await toGzip(payload)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return packed
  }
  return payload
}
