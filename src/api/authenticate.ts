// Turns a request into its caller. This is the only place where an API key is read.
import type { FastifyRequest } from 'fastify'
import { type ApiError, invalidKey, missingKey, severalKeys } from '../common/errors.ts'
import { type Caller, callerOf } from '../operations/context.ts'
import { anonymousPerMinute, demoKey, limitsOf, playgroundMaxResults } from '../wire/plans.ts'
import { clientOf } from './client-address.ts'
import { type FindKey, failedBucket } from './key-lookups.ts'
import { keyedBucket } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** The caller of a request, and the bucket in which the request is counted. */
export interface Identity {
  bucket: string
  requestsPerMinute: number
  /** The caller, or the 401 when the key is missing or not valid. */
  caller: Caller | (() => ApiError)
}

/** Pass a key cache's `findCached` as `find` where no query may run. */
export const identify = async (request: FastifyRequest, find: FindKey, now: Date): Promise<Identity> => {
  const client = clientOf(request.ip)
  const text = keyOf(request)
  if (text === demoKey) {
    const limits = limitsOf({ plan: 'demo' }, now)
    const inPlayground = request.headers['x-lotline-client'] === 'playground'
    return {
      // Everyone shares this key, so it is counted per address: one visitor cannot use it up for all.
      bucket: `demo:${client}`,
      requestsPerMinute: limits.requestsPerMinute,
      caller: callerOf('demo', inPlayground ? { ...limits, maxResults: playgroundMaxResults } : limits, client),
    }
  }
  if (text === undefined) return anonymous(client, missingKey)
  if (text === '') return anonymous(client, severalKeys)
  const key = await find(text, client, now)
  if (key === undefined) return anonymous(client, invalidKey)
  return identityOf(callerOf(key.plan, limitsOf(key, now), client, key))
}

/** A key is counted together with the keys it was rotated from. */
export const identityOf = (caller: Caller): Identity => ({
  bucket: `${keyedBucket}${caller.key?.family}`,
  requestsPerMinute: caller.limits.requestsPerMinute,
  caller,
})

const anonymous = (client: string, refusal: () => ApiError): Identity => ({
  bucket: failedBucket(client),
  requestsPerMinute: anonymousPerMinute,
  caller: refusal,
})

/** A header comes before the query. Two different keys, or one given twice in the query, are a wrong key, not a missing one. */
const keyOf = ({ headers, query }: FastifyRequest): string | undefined => {
  const plain = headers['x-api-key']
  const bearer = bearerOf(headers.authorization)
  if (typeof plain === 'string' && plain !== '') return bearer === undefined || bearer === plain ? plain : ''
  if (bearer !== undefined) return bearer
  // The query is null when the URL could not be parsed.
  const given = (query as Record<string, unknown> | null)?.apiKey
  return typeof given === 'string' && given !== '' ? given : Array.isArray(given) ? '' : undefined
}

/** Other schemes, for example those of a proxy, are ignored. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
