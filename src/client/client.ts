// The typed client: one method per operation of the contract, in Node and in browsers.

import { errorCodeOf } from '../common/errors.ts'
import { retry } from '../common/retry.ts'
import { retryAfterSeconds } from '../common/retry-after.ts'
import { isRecord, keysOf, parsedJson } from '../common/typed.ts'
import type { InputOf, OutputOf, WideOutputOf } from '../wire/operation.ts'
import type { OperationName, operations } from '../wire/operations/list.ts'
import { LotlineError, type RateLimit } from './error.ts'
import { toRequest, waitBeforeRetry } from './request.ts'
import { type PagedName, type Route, routes } from './routes.ts'

export interface ClientOptions {
  /** With its prefix: `http://localhost:3000/api`. */
  baseUrl: string
  /** Defaults to the shared demo key. */
  apiKey?: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** For one attempt, including reading the response; defaults to 30 s. */
  timeoutMs?: number
  /** Retries after 429, 5xx and network errors; defaults to 2. */
  retries?: number
  /** A longer Retry-After is thrown instead of waited for; defaults to 60 s. */
  maxRetryWaitMs?: number
  headers?: Record<string, string>
  /** Called with every response, including errors. */
  onResponse?: (response: ResponseInfo) => void
}

export interface ResponseInfo {
  operation: OperationName
  status: number
  requestId: string | undefined
  rateLimit: RateLimit | undefined
}

export interface CallOptions {
  signal?: AbortSignal
}

type Operations = typeof operations
type Input<Name extends OperationName> = InputOf<Operations[Name]>
type Output<Name extends OperationName> = OutputOf<Operations[Name]>
type ItemOf<Answer> = Answer extends { data: readonly (infer T)[] } ? T : never
type Arguments<Name extends OperationName, Extra = unknown> = Record<string, never> extends Input<Name> & Extra
  ? [input?: Input<Name> & Extra, options?: CallOptions]
  : [input: Input<Name> & Extra, options?: CallOptions]

/** Permits that may not be issued have no date of issue. */
type AnyStage = { issued: 'any' | 'false' }
type WithIssued = { [Name in OperationName]: 'issued' extends keyof Input<Name> ? Name : never }[OperationName]
type Wide<Name extends OperationName> = WideOutputOf<Operations[Name]>

export type Calls = { [Name in WithIssued]: (...args: Arguments<Name, AnyStage>) => Promise<Wide<Name>> } & {
  [Name in OperationName]: (...args: Arguments<Name>) => Promise<Output<Name>>
}
type Items<Answer> = AsyncGenerator<ItemOf<Answer>, void, undefined>
export type Pages = { [Name in WithIssued & PagedName]: (...args: Arguments<Name, AnyStage>) => Items<Wide<Name>> } & {
  [Name in PagedName]: (...args: Arguments<Name>) => Items<Output<Name>>
}

export interface Client extends Calls {
  /** Every item of a list, page after page: `for await (const permit of client.pages.searchPermits({ city }))`. */
  pages: Pages
  /** From the latest response. */
  readonly rateLimit: RateLimit | undefined
}

export const defaultTimeoutMs = 30_000

export const createClient = (options: ClientOptions): Client => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const headers = { accept: 'application/json', 'x-api-key': options.apiKey || 'demo', ...options.headers }
  const rules = { retries: options.retries ?? 2, maxWaitMs: options.maxRetryWaitMs ?? 60_000 }
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  let rateLimit: RateLimit | undefined

  const call = async (operation: OperationName, input: object = {}, { signal }: CallOptions = {}) => {
    const route: Route = routes[operation]
    const { url, method, body } = toRequest(baseUrl, route, input as Record<string, unknown>)
    const init = {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      // Following a redirect would send x-api-key to another server.
      redirect: 'manual' as const,
    }
    const once = async () => {
      const answer = await fetchJson(send, url, init, timeoutMs, signal)
      rateLimit = answer.rateLimit ?? rateLimit
      const { body: _body, retryAfter: _retryAfter, ...info } = answer
      options.onResponse?.({ operation, ...info })
      if (answer.status >= 200 && answer.status < 300 && isRecord(answer.body)) return answer.body
      throw refusal(answer)
    }
    const pauseAfter = (error: unknown, attempt: number) =>
      error instanceof LotlineError ? waitBeforeRetry(error, attempt - 1, method !== 'POST', rules) : undefined
    return retry(once, pauseAfter, { signal })
  }

  async function* walk(operation: PagedName, input: object = {}, callOptions?: CallOptions) {
    let next: Record<string, unknown> | undefined = { ...input }
    while (next) {
      const page = (await call(operation, next, callOptions)) as unknown as PageEnvelope
      yield* page.data
      next = nextPage(next, page)
    }
  }

  const names = keysOf(routes)
  const bind = (make: (name: OperationName) => unknown) => Object.fromEntries(names.map((name) => [name, make(name)]))
  const paged = names.filter((name): name is PagedName => routes[name].length > 2)
  const client = {
    ...bind((name) => (input?: object, callOptions?: CallOptions) => call(name, input, callOptions)),
    pages: Object.fromEntries(
      paged.map((name) => [name, (input?: object, callOptions?: CallOptions) => walk(name, input, callOptions)]),
    ),
    get rateLimit() {
      return rateLimit
    },
  }
  return client as unknown as Client
}

interface PageEnvelope {
  data: unknown[]
  pagination?: { nextOffset?: number | null; nextCursor?: string | null }
  nextCursor?: string | null
  hasMore?: boolean
}

const nextPage = (input: Record<string, unknown>, page: PageEnvelope): Record<string, unknown> | undefined => {
  if (page.hasMore !== undefined) {
    // The first page is after a time, the others after its last event.
    const { since: _, ...rest } = input
    return page.hasMore && page.nextCursor ? { ...rest, after: page.nextCursor } : undefined
  }
  const { nextOffset, nextCursor } = page.pagination ?? {}
  if (nextCursor) {
    const { offset: _, ...rest } = input
    return { ...rest, cursor: nextCursor }
  }
  // Without this check an empty page would be requested forever.
  if (nextOffset == null || nextCursor === null || page.data.length === 0) return undefined
  return { ...input, offset: nextOffset }
}

interface Answer extends Omit<ResponseInfo, 'operation'> {
  body: unknown
  retryAfter: number | undefined
}

const fetchJson = async (
  send: NonNullable<ClientOptions['fetch']>,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  const read = async () => {
    const response = await send(url, { ...init, signal: controller.signal })
    if (
      response.type === 'opaqueredirect' ||
      (response.status >= 300 && response.status < 400 && response.status !== 304)
    )
      throw redirected(response, url)
    return answerOf(response, await response.text())
  }
  try {
    // Raced in addition to the signal, because an injected fetch may ignore it.
    return await Promise.race([read(), rejectOnAbort(controller.signal)])
  } catch (cause) {
    if (cause instanceof LotlineError) throw cause
    if (signal?.aborted) throw new LotlineError('aborted', 'The call was aborted.')
    if (controller.signal.aborted)
      throw new LotlineError('timeout', `No response from the service within ${timeoutMs / 1000} s.`)
    throw new LotlineError('network', 'The service could not be reached.', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** A browser does not say where the redirect leads. */
const redirected = (response: Response, url: string): LotlineError => {
  const location = response.headers.get('location')
  const target = location && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : ''
  return new LotlineError(
    'bad_response',
    `The service redirected the request${target}. Redirects are not followed, so that the API key stays with one server: set baseUrl to the final address.`,
    { status: response.status },
  )
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = () => reject(new Error('aborted'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })

const answerOf = (response: Response, text: string): Answer => {
  const { status, headers } = response
  const retryAfter = retryAfterSeconds(headers.get('retry-after'), Date.now())
  const requestId = headers.get('x-request-id') ?? undefined
  const [limit, remaining] = [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  const rateLimit =
    limit === null || remaining === null ? undefined : { limit: Number(limit), remaining: Number(remaining) }
  return { status, body: parsedJson(text), requestId, rateLimit, retryAfter }
}

const refusal = ({ status, body, requestId, rateLimit, retryAfter }: Answer): LotlineError => {
  const details = { status, requestId, rateLimit, retryAfter }
  if (isRecord(body) && typeof body.error === 'string')
    return new LotlineError(errorCodeOf(status), body.error, details)
  if (status < 400) return new LotlineError('bad_response', 'The response is not from a Lotline API.', details)
  return new LotlineError(errorCodeOf(status), `The service returned ${status}.`, details)
}
