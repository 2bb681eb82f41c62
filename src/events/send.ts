// One attempt at one delivery: the bytes that were signed go out, and what came back is kept, within 15 seconds in all.
import { type Dispatcher, request } from 'undici'
import { checkUrl } from './address-guard.ts'
import { retryAfterOf } from './retry-schedule.ts'
import { type Signed, signatureHeaders } from './signature.ts'

/** From the first byte of the connection to the last byte kept of the answer. */
export const attemptTimeoutMs = 15_000

/** As much of an answer as is kept. */
export const responseBytesKept = 20_000

export interface Attempt extends Signed {
  url: string
}

export interface Sender {
  dispatcher: Dispatcher
  allowPrivate: boolean
  userAgent: string
  timeoutMs?: number
}

export interface Outcome {
  durationMs: number
  ok: boolean
  status?: number
  error?: string
  response?: string
  retryAfterSeconds?: number
}

export const send = async (sender: Sender, attempt: Attempt): Promise<Outcome> => {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const timeoutMs = sender.timeoutMs ?? attemptTimeoutMs
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), timeoutMs)
  try {
    checkUrl(attempt.url, sender.allowPrivate)
    const { statusCode, headers, body } = await request(attempt.url, {
      dispatcher: sender.dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': sender.userAgent,
        ...signatureHeaders(attempt),
      },
      body: attempt.body,
      signal: clock.signal,
    })
    const response = await beginning(body)
    const ok = statusCode >= 200 && statusCode < 300
    return {
      durationMs: elapsed(),
      ok,
      status: statusCode,
      error: ok ? undefined : statusError(statusCode),
      response,
      retryAfterSeconds: retryAfterOf(statusCode, oneOf(headers['retry-after']), attempt.at),
    }
  } catch (error) {
    return {
      durationMs: elapsed(),
      ok: false,
      error: clock.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : failureText(error),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The answer's first bytes. The status has been given by now: an answer that drips, breaks off or never ends costs the
 *  rest of the time at most, and is not waited for beyond it. */
const beginning = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= responseBytesKept) break
    }
  } catch {
    // What arrived before the break is what is kept.
  }
  if (size >= responseBytesKept) body.destroy()
  // PostgreSQL's text holds no NUL.
  return Buffer.concat(chunks).subarray(0, responseBytesKept).toString('utf8').replaceAll('\0', '\uFFFD')
}

const statusError = (status: number) =>
  status >= 300 && status < 400 ? `redirects are not followed (${status})` : `the receiver answered ${status}`

/** What went wrong in words of our own: a library's message may hold the request, and with it the signature. */
const failureText = (error: unknown): string => {
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  if (code === 'ADDRESS_REFUSED') return `address refused: ${message}`
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  if (cause?.code === 'ADDRESS_REFUSED') return `address refused: ${cause.message}`
  const known = code ?? cause?.code ?? name ?? 'unknown'
  return failureWords[known] ?? `connection failed (${known})`
}

const failureWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by the receiver',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EPIPE: 'connection closed by the receiver',
  UND_ERR_SOCKET: 'connection closed by the receiver',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_OVERFLOW: 'the answer’s headers are too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate refused: self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate refused: self-signed in its chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate refused: its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate refused: its issuer is not known',
  CERT_HAS_EXPIRED: 'certificate refused: expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate refused: it is for another name',
}

const oneOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
