// Decides whether a request may run an operation: authentication (401), then the limit (429), then the plan (403). Limits
// are counted and their headers written here and nowhere else. No query runs here except the limited ones for keys that are
// not cached: the daily allowance is read once the request has a slot.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests, tooManyToday, waitSeconds } from '../common/errors.ts'
import { checkAccess } from '../operations/check-access.ts'
import { type Caller, callerOf } from '../operations/context.ts'
import type { Db } from '../store/engine/database.ts'
import { secondsToMidnight, usedToday } from '../store/keys/daily-counts.ts'
import type { Operation } from '../wire/operation.ts'
import { dailyAllowance, limitsOf, openPerMinute } from '../wire/plans.ts'
import { type Identity, identify, identityOf } from './authenticate.ts'
import { clientOf } from './client-address.ts'
import type { KeyCache } from './key-cache.ts'
import type { FindKey } from './key-lookups.ts'
import type { LimitResult, RateLimits } from './rate-limits.ts'
import type { UsageCounts } from './usage-counts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The caller of a request that reads data with a key, outside the API: 401 and 429 as there. */
    authorizeRead(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
    /** The same for a visitor who is signed in with a key. */
    authorizeSignedIn(caller: Caller, reply: FastifyReply): Promise<Caller>
  }
}

export interface AccessControl {
  keys: Pick<KeyCache, 'findCached'>
  findKey: FindKey
  limits: RateLimits
  usage?: Pick<UsageCounts, 'add'> | undefined
  clock: () => Date
}

export const authorize = async (
  operation: Operation,
  control: AccessControl,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<Caller> =>
  operation.access === 'open'
    ? limitOpen(operation, control, request, reply, now)
    : countAndDecide(operation, control, await identify(request, control.findKey, now), reply, now)

const countAndDecide = async (
  operation: Operation,
  { limits, usage }: AccessControl,
  identity: Identity,
  reply: FastifyReply,
  now: Date,
): Promise<Caller> => {
  const counted = await limits.hit(identity.bucket, identity.requestsPerMinute)
  const key = typeof identity.caller === 'function' ? undefined : identity.caller.key
  if (key) usage?.add(key.family, !counted.allowed, now)
  return decide(operation, identity, counted, reply)
}

/** The same for a page whose visitor is signed in with a key: the request is counted as one of the key. */
export const authorizeSignedIn = (
  operation: Operation,
  control: AccessControl,
  caller: Caller,
  reply: FastifyReply,
  now: Date,
): Promise<Caller> => countAndDecide(operation, control, identityOf(caller), reply, now)

const decide = (
  operation: Operation,
  { requestsPerMinute, caller }: Identity,
  { allowed, remaining, resetMs }: LimitResult,
  reply: FastifyReply,
): Caller => {
  setLimitHeaders(reply, requestsPerMinute, remaining)
  if (!allowed) throw tooManyRequests(requestsPerMinute, resetMs)
  if (typeof caller === 'function') throw caller()
  checkAccess(operation, caller)
  caller.remaining = remaining
  caller.windowResetsInSeconds = waitSeconds(resetMs)
  return caller
}

/** Keys and subscriptions need no key. Requests for them are counted per address and minute, whatever their outcome. */
const limitOpen = async (
  { name }: Operation,
  { limits }: AccessControl,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<Caller> => {
  const client = clientOf(request.ip)
  const { allowed, resetMs } = await limits.hit(`${name}:${client}`, openPerMinute)
  if (allowed) return callerOf('free', limitsOf({ plan: 'free' }, now), client)
  setLimitHeaders(reply, openPerMinute, 0)
  throw tooManyRequests(openPerMinute, resetMs)
}

/** The daily allowance of an address. The operation itself takes from it, so that a rejected request takes none. */
export const limitPerDay = async ({ name }: Operation, db: Db, { client }: Caller, reply: FastifyReply, now: Date) => {
  const purpose = name === 'create_key' ? 'keys' : 'subscriptions'
  const allowance = dailyAllowance[purpose]
  const used = await usedToday(db, purpose, client, now)
  setLimitHeaders(reply, allowance, Math.max(0, allowance - used))
  if (used >= allowance)
    throw tooManyToday(
      purpose === 'keys' ? 'keys are issued' : 'subscriptions are taken',
      allowance,
      secondsToMidnight(now),
    )
}

/** After an operation with a daily allowance: what it left. */
export const showDailyRemaining = (reply: FastifyReply, remaining: number): void => {
  reply.header('x-ratelimit-remaining', remaining)
}

/** Writes the limit headers without counting or querying, for responses outside any operation. */
export const showLimits = async (
  { keys, limits, clock }: AccessControl,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const { bucket, requestsPerMinute } = await identify(
    request,
    (key, _client, now) => keys.findCached(key, now),
    clock(),
  )
  const { remaining } = await limits.peek(bucket, requestsPerMinute)
  setLimitHeaders(reply, requestsPerMinute, remaining)
}

const setLimitHeaders = (reply: FastifyReply, limit: number, remaining: number) => {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
}
