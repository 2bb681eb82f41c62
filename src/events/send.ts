// One POST to a receiver: sends exactly the bytes that were signed and keeps the response, within 15 seconds.

import { createHmac } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { retryAfterSeconds } from '../common/retry-after.ts'
import { checkUrl } from './address-guard.ts'

/** From opening the connection to the last byte kept of the response. */
export const attemptTimeoutMs = 15_000

const responseBytesKept = 20_000

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

export const send = async (sender: Sender, attempt: Signed & { url: string }): Promise<Outcome> => {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const timeoutMs = sender.timeoutMs ?? attemptTimeoutMs
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
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
      signal: timeout.signal,
    })
    const response = await firstBytes(body)
    const ok = statusCode >= 200 && statusCode < 300
    return {
      durationMs: elapsed(),
      ok,
      status: statusCode,
      error: ok ? undefined : statusError(statusCode),
      response,
      retryAfterSeconds: mayAskToWait(statusCode)
        ? retryAfterSeconds(headers['retry-after'], attempt.at.getTime())
        : undefined,
    }
  } catch (error) {
    return {
      durationMs: elapsed(),
      ok: false,
      error: timeout.signal.aborted ? `no response within ${timeoutMs / 1000} s` : failureText(error),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The first bytes of the response. The status is known by now, so a body that is slow, breaks off or never ends is cut
 *  at the timeout and does not change the outcome. */
const firstBytes = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= responseBytesKept) break
    }
  } catch {
    // Keep what arrived before the error.
  }
  // PostgreSQL's text type cannot store NUL.
  return Buffer.concat(chunks).subarray(0, responseBytesKept).toString('utf8').replaceAll('\0', '\uFFFD')
}

const mayAskToWait = (status: number) => status === 429 || status === 503

const statusError = (status: number) =>
  status >= 300 && status < 400 ? `redirects are not followed (${status})` : `the receiver returned ${status}`

/** Our own wording: the message of a library may contain the request, and so the signature. */
const failureText = (error: unknown): string => {
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  if (code === 'ADDRESS_REFUSED') return `address rejected: ${message}`
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  if (cause?.code === 'ADDRESS_REFUSED') return `address rejected: ${cause.message}`
  const known = code ?? cause?.code ?? name ?? 'unknown'
  return failureTexts[known] ?? `connection failed (${known})`
}

const failureTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by the receiver',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EPIPE: 'connection closed by the receiver',
  UND_ERR_SOCKET: 'connection closed by the receiver',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate rejected: self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate rejected: self-signed certificate in its chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate rejected: unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate rejected: unknown issuer',
  CERT_HAS_EXPIRED: 'certificate rejected: expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate rejected: issued for another host name',
}

// The signatures of a delivery: GitHub's scheme over the body (X-Service-Signature), and Standard Webhooks 1.0, which also
// covers the id and the time, so that an old delivery cannot be replayed.
const secretPrefix = 'whsec_'

interface Signed {
  eventId: string
  body: string
  at: Date
  secret: string
  /** Signs too, for 24 hours after a rotation. */
  previousSecret?: string
}

export const signatureHeaders = ({ eventId, body, at, secret, previousSecret }: Signed): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]
  return {
    'x-service-signature': bodySignature(secret, body),
    ...(previousSecret !== undefined && { 'x-service-signature-previous': bodySignature(previousSecret, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => standardSignature(each, `${eventId}.${timestamp}.${body}`)).join(' '),
  }
}

/** The key is the whole secret string as returned at registration. */
const bodySignature = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The key is the decoded bytes of the secret. */
const standardSignature = (secret: string, content: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(content)
    .digest('base64')}`
