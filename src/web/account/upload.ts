// Forms with a file. Before the body is read: the session, and a key whose plan takes a file. Before the form is taken apart: the slot and
// its time limit. Before the file is decoded: the form token. A form has few fields, so more are rejected unread.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, notProPlan } from '../../common/errors.ts'
import { signedIn } from '../../operations/account/signed-in.ts'
import { maxCsvBytes } from '../../wire/operations/lookup.ts'
import type { Site } from '../site.ts'
import { sessionToken } from './session-cookie.ts'

type ToSignIn = (site: Site, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Call in a scope of its own: its routes take no other body. */
export const acceptUploads = (scope: FastifyInstance, site: Site, toSignIn: ToSignIn): void => {
  scope.addHook('preParsing', async (request, reply) => {
    const token = sessionToken(site, request)
    // The request has no slot and no connection of its own before its body is read; the limit of pages per address applies.
    const user = token === undefined ? undefined : await signedIn(site.services, token, site.clock())
    if (!user) return toSignIn(site, request, reply)
    if (!user.keys.some(({ plan }) => plan === 'pro')) throw notProPlan()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxCsvBytes + 64 * 1024 },
    (_request, body, done) => done(null, body),
  )
  scope.addHook('preHandler', async (request) => {
    if (Buffer.isBuffer(request.body))
      request.body = multipartFields(request.body, request.headers['content-type'] ?? '')
  })
}

const maxParts = 5
const maxHeadBytes = 1_024
/** Longer fields stay bytes until they are used. */
const longestText = 1_024

/** The fields of a form by name (RFC 7578). */
export const multipartFields = (body: Buffer, contentType: string): Record<string, string | Buffer> => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  const delimiter = `\r\n--${boundary}`
  const fields: [string, string | Buffer][] = []
  if (boundary === undefined || !body.subarray(0, delimiter.length - 2).equals(Buffer.from(`--${boundary}`)))
    throw unreadable()
  let at = delimiter.length - 2
  while (body.toString('latin1', at, at + 2) === '\r\n') {
    if (fields.length === maxParts)
      throw badRequest(`This form has more than ${maxParts} fields. Go back, reload the page and try again.`)
    const headEnd = body.subarray(at, at + maxHeadBytes).indexOf('\r\n\r\n')
    const [, name] = /;\s*name="([^"]*)"/i.exec(body.toString('utf8', at, at + Math.max(0, headEnd))) ?? []
    const start = at + headEnd + 4
    const end = name === undefined ? -1 : body.indexOf(delimiter, start)
    if (end < 0) throw unreadable()
    const value = body.subarray(start, end)
    fields.push([name!, value.length <= longestText ? value.toString() : value])
    at = end + delimiter.length
  }
  if (body.toString('latin1', at, at + 2) !== '--') throw unreadable()
  return Object.fromEntries(fields)
}

const unreadable = () => badRequest('This form could not be read. Go back, reload the page and try again.')
