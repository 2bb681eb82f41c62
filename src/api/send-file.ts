// Sends a file, or the range of it that was asked for (RFC 9110, section 14).
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../common/errors.ts'
import type { ServedFile } from '../operations/context.ts'
import { matchesEtag } from './answer-cache.ts'

export const sendFile = (request: FastifyRequest, reply: FastifyReply, file: ServedFile): FastifyReply => {
  const { name, type, bytes, etag } = file
  reply.headers({ etag, 'accept-ranges': 'bytes' })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const ifRange = request.headers['if-range']
  const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, bytes) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new ApiError(416, `The file has ${bytes} bytes; the range starts after its end.`)
  }
  const [start, end] = range ?? [0, bytes - 1]
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  return reply
    .headers({
      'content-type': type,
      'content-length': end - start + 1,
      'content-disposition': `attachment; filename="${name}"`,
      // A compressed answer would have other bytes than the range and the hash say.
      'content-encoding': 'identity',
    })
    .send(Readable.from(file.read(start, end)))
}

/** One range. Anything else that the header may have is ignored, and the whole file is sent. */
export const rangeOf = (header: string | undefined, bytes: number): [number, number] | 'unsatisfiable' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (start >= bytes || (first === '' && Number(last) === 0)) return 'unsatisfiable'
  return start > end ? undefined : [start, end]
}
