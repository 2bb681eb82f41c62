// Turns an error into a response with advice. Only the message of a 400 is passed on; other causes stay private.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LotlineError } from '../client/error.ts'
import { type Outcome, toResult } from './answer.ts'
import { cellText } from './clean.ts'

interface FailureContext {
  /** URL of the API without credentials, for the message. */
  service: string
  deadlineMs: number
  /** True if the deadline has passed, whatever error the client reported. */
  late: boolean
}

export const failureResult = (error: unknown, surroundings: FailureContext): CallToolResult => {
  const [outcome, text, retryAfterSeconds] = explain(error, surroundings)
  return toResult(text, { outcome, notes: [text], retryAfterSeconds }, true)
}

type Explanation = [outcome: Outcome, text: string, retryAfterSeconds?: number]

const explain = (error: unknown, { service, deadlineMs, late }: FailureContext): Explanation => {
  if (late || (error instanceof LotlineError && error.code === 'timeout'))
    return [
      'timeout',
      `No answer from ${service} within ${Math.round(deadlineMs / 1000)} s. Ask for less (a city, a smaller limit), or try again in a minute.`,
    ]
  if (!(error instanceof LotlineError))
    return ['unavailable', 'Something went wrong in this tool. Trying the same call again may help.']
  const { status, retryAfter } = error
  if (status === 401)
    return [
      'unauthorized',
      `${service} does not accept the API key: it is mistyped, revoked or expired. Ask the user to set a valid one (LOTLINE_API_KEY, or the x-api-key header), or none for the demo plan. A free key comes from POST /v1/keys.`,
    ]
  if (status === 403) return ['forbidden', 'The plan of this API key does not include this. Other tools still work.']
  const wait = retryAfter ?? (status === 429 ? 60 : 10)
  if (status === 429)
    return [
      'rate_limited',
      `The rate limit of this key is used up. Wait ${wait} s, then make the same call again.`,
      wait,
    ]
  if (status >= 500)
    return [
      'unavailable',
      `The service failed (${status}). Wait ${wait} s and try again; if it continues, tell the user.`,
      wait,
    ]
  if (status === 404)
    return [
      'not_found',
      `${service} does not have this. Check the spelling of city and market: get_coverage lists the cities. Otherwise the service may be another version.`,
    ]
  if (status >= 400)
    return ['bad_request', `The service did not accept the arguments: ${shortened(error.message, 300)}`]
  return [
    'unreachable',
    `${service} could not be reached or is not a Lotline API. Check that the service runs and that LOTLINE_API_BASE ends in /api.`,
  ]
}

/** Cuts the longest list of names after whole names, so that the example and the suggestion behind it remain. */
const shortened = (message: string, maxLength: number): string => {
  const text = cellText(message, 10 * maxLength)
  const lists = [...text.matchAll(/[\w.-]+(?:, [\w.-]+){4,}(?=[,.;]|$)/g)].map(([names]) => names)
  const [list] = lists.sort((a, b) => b.length - a.length)
  if (text.length <= maxLength || list === undefined) return cellText(text, maxLength)
  const names = list.split(', ')
  const cut = (kept: number) => text.replace(list, `${names.slice(0, kept).join(', ')} and ${names.length - kept} more`)
  let count = names.length - 1
  while (count > 3 && cut(count).length > maxLength) count--
  return cellText(cut(count), maxLength)
}
