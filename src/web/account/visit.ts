// The signed-in visitor of a page. Other pages use `signedInVisitor` to show what belongs to the visitor's key.
import type { FastifyRequest } from 'fastify'
import { callerWith, type SignedIn, signedIn } from '../../operations/account/signed-in.ts'
import type { Context } from '../../operations/context.ts'
import { contextOf, type Site } from '../site.ts'
import { sessionToken } from './session-cookie.ts'

/** Undefined without a session. Costs no query without a cookie. */
export const signedInVisitor = async (site: Site, request: FastifyRequest): Promise<SignedIn | undefined> => {
  const token = sessionToken(site, request)
  return token === undefined ? undefined : signedIn({ db: request.db! }, token, site.clock())
}

/** The context of an operation that runs for one of the visitor's keys. Its answers must not be cached for others. */
export const contextWith = (site: Site, request: FastifyRequest, key: SignedIn['keys'][number]): Context => {
  const context = contextOf(site, request)
  return { ...context, caller: callerWith(key, context.caller.client, context.now) }
}
