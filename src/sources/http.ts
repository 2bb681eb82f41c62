// Requests to feed servers: time limits, retries that honor Retry-After, a limit on the decompressed size, and no redirect
// from a public address into a private network.
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, request } from 'undici'
import { nonPublicReason } from '../common/public-address.ts'
import { retry } from '../common/retry.ts'
import { retryAfterSeconds } from '../common/retry-after.ts'
import type { Http, HttpResponse, RequestOptions } from './http-response.ts'
import { publicLookup } from './public-lookup.ts'
import { isTimeout, type RawResponse, resumed, timedOut } from './resume.ts'
import { SourceError } from './source.ts'

/** County feeds have tens of megabytes, a page of a service has a few. */
const httpDefaults = {
  userAgent: 'Lotline/1.0 (+https://github.com/lotline)',
  attempts: 5,
  /** First wait before a retry; each later one is twice as long, with jitter. */
  backoffMs: 500,
  /** With a longer Retry-After the request fails. */
  maxWaitMs: 120_000,
  /** Longest time for one response in total. */
  answerTimeoutMs: 3_600_000,
}
/** Decompressed size of a JSON page. */
const maxPageBytes = 128 * 2 ** 20
/** Decompressed size of a file. */
const maxFileBytes = 8 * 2 ** 30
/** Before the headers, and longest pause within a body. */
const pauseMs = 60_000

export type HttpOptions = Partial<typeof httpDefaults> & { sleep?: (ms: number) => Promise<unknown> }

const maxRedirects = 5

export const createHttp = (options: HttpOptions = {}): Http => {
  const closing = new AbortController()
  const settings = {
    ...httpDefaults,
    sleep: (ms: number) => pause(ms, undefined, { signal: closing.signal }),
    ...options,
  }
  const timeouts = { headersTimeout: pauseMs, bodyTimeout: pauseMs, connections: 4 }
  const anywhere = new Agent({ ...timeouts, connect: { timeout: 10_000 } })
  const publicOnly = new Agent({ ...timeouts, connect: { timeout: 10_000, lookup: publicLookup(privateRedirect) } })

  const once = async (url: string, headers: Record<string, string>, timeoutMs: number): Promise<RawResponse> => {
    let at = new URL(url)
    for (let hop = 0; ; hop += 1) {
      const guarded = hop > 0 && at.origin !== new URL(url).origin
      if (guarded) rejectPrivateAddress(at)
      const answer = await request(at, {
        dispatcher: guarded ? publicOnly : anywhere,
        headers: {
          'user-agent': settings.userAgent,
          'accept-encoding': 'gzip, deflate, br',
          // The token of one server is not sent to another.
          ...(guarded ? {} : headers),
        },
        signal: AbortSignal.timeout(timeoutMs),
      })
      const target = [301, 302, 303, 307, 308].includes(answer.statusCode) ? answer.headers.location : undefined
      if (!target)
        return {
          url: at.href,
          status: answer.statusCode,
          headers: answer.headers,
          body: answer.body,
        }
      await answer.body.dump()
      if (hop >= maxRedirects)
        throw new SourceError('redirects', `${shown(url)} redirects more than ${maxRedirects} times.`)
      at = new URL(String(target), at)
    }
  }

  /** Throws if the error is final. */
  const pauseAfter = (url: string, error: unknown, attempt: number): number => {
    const wait = waitBefore(error, attempt, settings)
    if (wait === undefined || attempt >= settings.attempts) throw asSourceError(url, error, attempt)
    return wait
  }

  const retrying = <T>(url: string, work: () => Promise<T>): Promise<T> =>
    retry(work, (error, attempt) => pauseAfter(url, error, attempt), { pause: settings.sleep })

  const answered = async (url: string, given: RequestOptions): Promise<HttpResponse> => {
    const { headers = {}, maxBytes = maxFileBytes } = given
    const until = performance.now() + settings.answerTimeoutMs
    const first = await once(url, headers, settings.answerTimeoutMs)
    const encoding = String(first.headers['content-encoding'] ?? '')
    if (first.status !== 200 && !(first.status === 304 && given.acceptNotModified))
      throw await badStatus(first, unpacked(first.body, encoding, maxBytes))
    const body = given.resume ? resumed(first, resumption(url, headers, until)) : first.body
    return { ...first, body: unpacked(body, encoding, maxBytes) }
  }

  /** How to request the rest of a response, within the total time of one response. */
  const resumption = (url: string, headers: Record<string, string>, until: number) => ({
    name: shown(url),
    again: async (range: Record<string, string>) => {
      const answer = await once(
        url,
        { ...withoutConditions(headers), ...range },
        Math.max(1, Math.ceil(until - performance.now())),
      )
      if ([200, 206, 416].includes(answer.status)) return answer
      throw await badStatus(answer, answer.body)
    },
    pause: async (error: unknown, attempt: number) => {
      const wait = pauseAfter(url, error, attempt)
      if (performance.now() + wait > until)
        throw new SourceError(timedOut, asSourceError(url, error, attempt).message, { cause: error })
      await settings.sleep(wait)
    },
  })

  return {
    open: (url, given = {}) => retrying(url, () => answered(url, given)),
    json: (url, given = {}) =>
      retrying(url, async () => {
        const answer = await answered(url, {
          maxBytes: maxPageBytes,
          ...given,
          headers: { accept: 'application/json', ...given.headers },
        })
        const text = await wholeText(answer.body, url)
        given.onHeaders?.(answer.headers)
        let content: unknown
        try {
          content = JSON.parse(text)
        } catch (cause) {
          throw new NotJson(text, { cause })
        }
        // ArcGIS says with status 200 that it is overloaded.
        const { error } = (content ?? {}) as { error?: { code?: number; message?: string } }
        if (transient.has(error?.code ?? 0))
          throw new BadStatus(error!.code!, answer.headers['retry-after'], error!.message ?? '')
        return content
      }),
    // Aborts requests in flight, so that closing does not wait for them.
    close: async () => {
      closing.abort()
      await Promise.all([anywhere.destroy(), publicOnly.destroy()])
    },
  }
}

/** With If-None-Match a request for the rest of a file could return 304 instead of the bytes. */
const withoutConditions = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^if-/i.test(name)))

const badStatus = async ({ status, headers }: RawResponse, body: AsyncIterable<Uint8Array>) =>
  new BadStatus(status, headers['retry-after'], await beginningOf(body))

class BadStatus extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined
  constructor(status: number, retryAfter: string | string[] | undefined, said: string) {
    super(`returned ${status}${said && `: ${said}`}`)
    this.status = status
    const seconds = retryAfterSeconds(retryAfter, Date.now())
    this.retryAfterMs = seconds === undefined ? undefined : seconds * 1000
  }
}

/** A truncated page, or an error page instead of data. Both are often temporary, so the request is retried. */
class NotJson extends Error {
  constructor(text: string, options: ErrorOptions) {
    const start = text.trimStart().slice(0, 60).replace(/\s+/g, ' ')
    super(
      start.startsWith('<') ? `returned HTML instead of JSON: ${start}` : `returned broken JSON that begins ${start}`,
      options,
    )
  }
}

const transient = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524])

const waitBefore = (
  error: unknown,
  attempt: number,
  { backoffMs, maxWaitMs }: { backoffMs: number; maxWaitMs: number },
): number | undefined => {
  if (error instanceof SourceError || isTimeout(error)) return undefined
  const jittered = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random())
  if (!(error instanceof BadStatus)) return Math.min(jittered, maxWaitMs)
  if (!transient.has(error.status)) return undefined
  if (error.retryAfterMs === undefined) return Math.min(jittered, maxWaitMs)
  return error.retryAfterMs <= maxWaitMs ? Math.max(error.retryAfterMs, jittered) : undefined
}

const asSourceError = (url: string, error: unknown, attempts: number): SourceError => {
  if (error instanceof SourceError) return error
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
  const code = codeOf(error)
  const what = error instanceof Error ? error.message : String(error)
  return new SourceError(code, `${shown(url)} ${what}${tries}.`, { cause: error })
}

const codeOf = (error: unknown): string => {
  if (error instanceof BadStatus) return `http_${error.status}`
  if (error instanceof NotJson) return 'not_json'
  return isTimeout(error) ? timedOut : 'unreachable'
}

/** Without the query, which may contain a token. */
export const shown = (url: string): string => url.replace(/\?.*$/s, '')

export const wholeText = async (body: AsyncIterable<Uint8Array>, url: string): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new SourceError('not_utf8', `${shown(url)} returned bytes that are not UTF-8.`, { cause })
  }
}

const beginningOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  try {
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length >= 200) break
    }
  } catch {
    // The error message is complete without the body.
  }
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120)
}

const privateRedirect = (host: string) =>
  new SourceError('private_redirect', `Rejected a redirect to ${host}, which is not a public address.`)

const rejectPrivateAddress = (url: URL) => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && nonPublicReason(host)) throw privateRedirect(host)
}

/** Above the ratio of any text. */
const bombRatio = 200
const bombFloorBytes = 32 * 2 ** 20

async function* unpacked(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const packing = encoding.toLowerCase()
  const unpack = packing.includes('gzip')
    ? createGunzip()
    : packing.includes('br')
      ? createBrotliDecompress()
      : packing.includes('deflate')
        ? createInflate()
        : undefined
  let packedBytes = 0
  const counted = (async function* () {
    for await (const chunk of body) {
      packedBytes += chunk.length
      yield chunk
    }
  })()
  let stream: AsyncIterable<Uint8Array> = counted
  const packed = unpack && Readable.from(counted)
  if (unpack && packed) {
    packed.on('error', (error) => unpack.destroy(error))
    stream = packed.pipe(unpack)
  }
  let bytes = 0
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new SourceError(
          'too_large',
          `The response is larger than ${maxBytes} bytes. Raise where.maxBytes if that is expected.`,
        )
      if (unpack && bytes > bombFloorBytes && bytes > packedBytes * bombRatio)
        throw new SourceError(
          'bomb',
          `The response decompresses to more than ${bombRatio} times its size: it is not a feed.`,
        )
      yield chunk
    }
  } finally {
    unpack?.destroy()
    // Not awaited: a server that no longer responds would block here; closing the client ends its connection.
    packed?.destroy()
  }
}
