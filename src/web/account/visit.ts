// The signed-in visitor of a page. Other pages use `signedInVisitor` to show what belongs to the visitor's key.
import type { FastifyRequest } from 'fastify'
import { valueAt } from '../../common/typed.ts'
import { type MyNumbers, type MySet, myNumbers } from '../../operations/account/my-numbers.ts'
import { callerWith, type SignedIn, signedIn } from '../../operations/account/signed-in.ts'
import type { Context } from '../../operations/context.ts'
import { queryOf, textIn } from '../query.ts'
import { contextOf, type Site } from '../site.ts'
import { sessionToken } from './session-cookie.ts'

/** One look-up for a request: the page and its header ask for the same. */
const oncePerRequest = <T>(look: (site: Site, request: FastifyRequest) => Promise<T>) => {
  const cache = new WeakMap<FastifyRequest, Promise<T>>()
  return (site: Site, request: FastifyRequest) => valueAt(cache, request, () => look(site, request))
}

/** Undefined without a session. Costs no query without a cookie. */
export const signedInVisitor = oncePerRequest(async (site, request): Promise<SignedIn | undefined> => {
  const token = sessionToken(site, request)
  return token === undefined ? undefined : signedIn({ db: request.db! }, token, site.clock())
})

/** The visitor's own sets; undefined without a session. */
export const numbersOfVisitor = oncePerRequest(async (site, request): Promise<MyNumbers | undefined> => {
  const user = await signedInVisitor(site, request)
  return user && myNumbers({ db: request.db! }, user)
})

/** The numbers of one page, which belong to its request alone. */
export interface PageNumbers {
  /** The visitor's set that the page uses. */
  set?: MySet
  /** The set that it would use if its URL did not ask for the numbers of the market. */
  instead?: MySet
}

/** `numbers=market` in a URL: a shared link means the same for everybody. A set for another market is not used. */
export const pageNumbersIn = async (
  site: Site,
  request: FastifyRequest,
): Promise<(market: string | undefined) => PageNumbers> => {
  const used = (await numbersOfVisitor(site, request))?.used
  const ofMarket = textIn(queryOf(request), 'numbers') === 'market'
  return (market) =>
    !used || (used.market !== null && used.market !== market) ? {} : ofMarket ? { instead: used } : { set: used }
}

export const pageNumbers = async (site: Site, request: FastifyRequest, market: string | undefined) =>
  (await pageNumbersIn(site, request))(market)

/** As for everybody, with the visitor's own facts of a home. */
export const deskContext = async (site: Site, request: FastifyRequest): Promise<Context> => ({
  ...contextOf(site, request),
  desk: (await signedInVisitor(site, request))?.chosen?.id,
})

/** The context of an operation that runs for one of the visitor's keys. Its answers must not be cached for others. */
export const contextWith = (site: Site, request: FastifyRequest, key: SignedIn['keys'][number]): Context => {
  const context = contextOf(site, request)
  return { ...context, caller: callerWith(key, context.caller.client, context.now) }
}
