// Who may come in: authentication, the minute's count, then permission, in that order. Keyed requests whose key is
// remembered pass without waiting for anything.
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidKey, missingKey, notPro, tooManyRequests, tooManyToday } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import {
  anonymousPerMinute,
  dailyAllowance,
  demoKey,
  limitsOf,
  type Plan,
  playgroundMaxResults,
} from '../contract/plans.ts'
import type { Caller } from '../operations/context.ts'
import type { Db } from '../store/engine/database.ts'
import { secondsToMidnight, usedToday } from '../store/keys/daily-counts.ts'
import type { ApiKey } from '../store/keys/keys.ts'
import { clientOf } from './client-address.ts'
import type { KnownKeys } from './known-keys.ts'
import type { Counted, RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

export interface Door {
  db: Db
  keys: KnownKeys
  limits: RateLimits
  clock: () => Date
}

export const admitFor = (operation: Operation, door: Door) =>
  operation.access === 'open' ? admitAnyone(operation, door) : admitKey(operation, door)

const admitKey =
  ({ access }: Operation, door: Door) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const now = door.clock()
    const admit = (counted: Counted, caller: Caller) => {
      countedHeaders(reply, caller.limits.requestsPerMinute, counted.remaining)
      if (!counted.allowed) return done(tooManyRequests(caller.limits.requestsPerMinute, waitSeconds(counted)))
      caller.remaining = counted.remaining
      caller.windowResetsInSeconds = waitSeconds(counted)
      if (access === 'pro' && !caller.limits.webhooks) return done(notPro())
      request.caller = caller
      done()
    }
    const known = (found: Identified | undefined) => {
      if (!found) return refuse(door, request, reply).then(done, done)
      const { caller, bucket } = found
      const counted = door.limits.hit(bucket, caller.limits.requestsPerMinute)
      return isPromise(counted) ? counted.then((result) => admit(result, caller)).catch(done) : admit(counted, caller)
    }
    const found = identify(door, request, now)
    return isPromise(found) ? void found.then(known).catch(done) : void known(found)
  }

interface Identified {
  caller: Caller
  bucket: string
}

/** The caller a request's key makes; undefined for none or a bad one. */
export const identify = (
  door: Door,
  request: FastifyRequest,
  now: Date,
): Identified | undefined | Promise<Identified | undefined> => {
  const text = keyOf(request)
  if (text === undefined) return undefined
  const client = clientOf(request.ip)
  if (text === demoKey) {
    const limits = limitsOf({ plan: 'demo' }, now)
    const inPlayground = request.headers['x-lotline-client'] === 'playground'
    return {
      caller: callerOf('demo', inPlayground ? { ...limits, maxResults: playgroundMaxResults } : limits, client),
      // Shared by everyone, so counted per address: one visitor cannot use it up for all.
      bucket: `demo:${client}`,
    }
  }
  const keyed = (key: ApiKey | undefined): Identified | undefined =>
    key && {
      caller: { ...callerOf(key.plan, limitsOf(key, now), client), key },
      bucket: bucketOf(key),
    }
  const found = door.keys.find(text, now)
  return isPromise(found) ? found.then(keyed) : keyed(found)
}

const buckets = new WeakMap<ApiKey, string>()

/** What a key's requests are counted under: its own, and those of the keys it was rotated from. Made once for each remembered key. */
export const bucketOf = (key: ApiKey): string => {
  let bucket = buckets.get(key)
  if (bucket === undefined) {
    bucket = `key:${key.family}`
    buckets.set(key, bucket)
  }
  return bucket
}

/** Whose count an answer shows that is given without counting and without a query: an unknown key's caller is a stranger. */
export const knownBucket = (
  { keys, clock }: Pick<Door, 'keys' | 'clock'>,
  text: string | undefined,
  client: string,
): { bucket: string; limit: number } => {
  const now = clock()
  if (text === demoKey) return { bucket: `demo:${client}`, limit: limitsOf({ plan: 'demo' }, now).requestsPerMinute }
  const key = text === undefined ? undefined : keys.remembered(text, now)
  return key
    ? { bucket: bucketOf(key), limit: limitsOf(key, now).requestsPerMinute }
    : { bucket: `anonymous:${client}`, limit: anonymousPerMinute }
}

const callerOf = (plan: Caller['plan'], limits: Plan, client: string): Caller => ({
  plan,
  limits,
  client,
  remaining: 0,
  windowResetsInSeconds: 0,
})

/** The header wins over the query. */
export const keyOf = (request: Pick<FastifyRequest, 'headers' | 'query'>): string | undefined => {
  const header = request.headers['x-api-key']
  if (typeof header === 'string' && header !== '') return header
  // A URL that could not be read has no query.
  const query = (request.query as Record<string, unknown> | null)?.apiKey
  return typeof query === 'string' && query !== '' ? query : Array.isArray(query) ? '' : undefined
}

/** Counts a failure against the address; it never touches the count of a valid key. */
const refuse = async (door: Door, request: FastifyRequest, reply: FastifyReply): Promise<Error> => {
  const counted = await door.limits.hit(`anonymous:${clientOf(request.ip)}`, anonymousPerMinute)
  countedHeaders(reply, anonymousPerMinute, counted.remaining)
  if (!counted.allowed) return tooManyRequests(anonymousPerMinute, waitSeconds(counted))
  return keyOf(request) === undefined ? missingKey() : invalidKey()
}

/** Keys and subscriptions have a daily allowance per address, counted in the database. */
const admitAnyone =
  ({ name }: Operation, door: Door) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const purpose = name === 'create_key' ? 'keys' : 'subscriptions'
    const allowance = dailyAllowance[purpose]
    const now = door.clock()
    const client = clientOf(request.ip)
    const used = await usedToday(door.db, purpose, client, now)
    countedHeaders(reply, allowance, Math.max(0, allowance - used))
    if (used >= allowance)
      throw tooManyToday(
        purpose === 'keys' ? 'keys are issued' : 'subscriptions are taken',
        allowance,
        secondsToMidnight(now),
      )
    // The operation claims one and says what is left then; a refused request takes nothing.
    request.caller = callerOf('free', limitsOf({ plan: 'free' }, now), client)
  }

/** Limit headers for answers outside any operation: unknown routes, wrong methods, preflights. */
export const showLimits = async (door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const found = await identify(door, request, door.clock())
  if (found) {
    const limit = found.caller.limits.requestsPerMinute
    const counted = await door.limits.hit(found.bucket, limit)
    countedHeaders(reply, limit, counted.remaining)
    if (!counted.allowed) throw tooManyRequests(limit, waitSeconds(counted))
    return
  }
  const counted = await door.limits.peek(`anonymous:${clientOf(request.ip)}`, anonymousPerMinute)
  countedHeaders(reply, anonymousPerMinute, counted.remaining)
}

/** The same without counting: for those turned away unseen. */
export const peekLimits = async (door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { bucket, limit } = knownBucket(door, keyOf(request), clientOf(request.ip))
  const { remaining } = await door.limits.peek(bucket, limit)
  countedHeaders(reply, limit, remaining)
}

/** The same before the framework has read the request. Where the count cannot be had, all of it is shown as left. */
export const peekEarly = (
  door: Pick<Door, 'keys' | 'limits' | 'clock'>,
  request: IncomingMessage,
  address: string,
  show: (limit: number, remaining: number) => void,
): void => {
  const [, query] = request.url!.split('?', 2)
  const given = keyOf({ headers: request.headers, query: parse(query ?? '') })
  const { bucket, limit } = knownBucket(door, given, clientOf(address))
  const counted = door.limits.peek(bucket, limit)
  const shown = ({ remaining }: Pick<Counted, 'remaining'>) => show(limit, remaining)
  if (isPromise(counted)) counted.then(shown, () => shown({ remaining: limit }))
  else shown(counted)
}

export const countedHeaders = (reply: FastifyReply, limit: number, remaining: number) => {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
}

/** Rounded up, so that a caller who waits as told succeeds. */
const waitSeconds = (counted: Counted): number => Math.max(1, Math.ceil(counted.resetMs / 1000))

export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
