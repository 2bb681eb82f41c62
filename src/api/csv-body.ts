// CSV in and out, for the operations that take it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tooManyAtOnce, unavailable } from '../common/errors.ts'
import { maxCsvBytes } from '../wire/operations/lookup.ts'

export class CsvBody {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const isCsv = ({ headers }: FastifyRequest): boolean => /^text\/csv\b/i.test(headers['content-type'] ?? '')

export const acceptCsv = (scope: FastifyInstance): void => {
  scope.addContentTypeParser('text/csv', { parseAs: 'string', bodyLimit: maxCsvBytes }, (_request, body, done) =>
    done(null, new CsvBody(body as string)),
  )
}

/** The callers whose CSV is being processed. A stream holds no slot, so each caller may have one at a time. */
const streaming = new Set<string>()

/** `open` reads the body, so it is called once the caller is known to have no other CSV. */
export const sendCsv = async (
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<AsyncGenerator<string>>,
): Promise<FastifyReply> => {
  const caller = request.caller!
  const name = caller.key?.family ?? caller.client
  if (streaming.has(name)) throw tooManyAtOnce()
  const requireConnection = () => {
    if (reply.raw.closed) throw unavailable()
  }
  requireConnection()
  streaming.add(name)
  let stream: Readable | undefined
  // When the response is sent, also without a stream, and when the connection breaks.
  reply.raw.once('close', () => {
    streaming.delete(name)
    stream?.destroy()
  })
  const parts = await open()
  // Nobody would read or close a stream for a connection that is gone.
  requireConnection()
  stream = Readable.from(parts)
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="lotline-lookup.csv"')
    .header('cache-control', 'no-store')
    .send(stream)
}
