// CSV in and out, for the operations that take it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tooManyAtOnce } from '../common/errors.ts'
import { maxCsvBytes } from '../wire/operations/lookup.ts'

export class CsvBody {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const acceptCsv = (scope: FastifyInstance): void => {
  scope.addContentTypeParser('text/csv', { parseAs: 'string', bodyLimit: maxCsvBytes }, (_request, body, done) =>
    done(null, new CsvBody(body as string)),
  )
}

/** The callers whose CSV is being processed. A stream holds no slot, so each caller may have one at a time. */
const streaming = new Set<string>()

export const sendCsv = (request: FastifyRequest, reply: FastifyReply, pieces: AsyncGenerator<string>): FastifyReply => {
  const caller = request.caller!
  const name = caller.key?.currentKeyId ?? caller.client
  if (streaming.has(name)) throw tooManyAtOnce()
  streaming.add(name)
  const stream = Readable.from(pieces)
  stream.once('close', () => streaming.delete(name))
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="lotline-lookup.csv"')
    .header('cache-control', 'no-store')
    .send(stream)
}
