// Resumes an interrupted download with a range request (RFC 9110, sections 8.8 and 14) if the file has not changed. If
// the server does not support ranges, downloads the file again and skips the bytes already read.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { messageOf } from '../common/typed.ts'
import type { HttpResponse } from './http-response.ts'
import { SourceError } from './source.ts'

export interface RawResponse extends Omit<HttpResponse, 'body'> {
  /** As sent, still compressed. */
  body: Readable
}

interface Resumption {
  /** The URL without secrets, for messages. */
  name: string
  /** Repeats the request with these headers; returns 200, 206 or 416, otherwise throws. */
  again(headers: Record<string, string>): Promise<RawResponse>
  /** Waits before the next attempt; throws if none is left. */
  pause(error: unknown, attempt: number): Promise<void>
}

/** After this much progress the count of attempts restarts, so that a large file completes over a bad connection. */
const progressBytes = 2 ** 20

/** The download was interrupted and cannot resume: only the reader, which has used the first part, can start again. */
export const downloadInterrupted = 'download_interrupted'

/** The response exceeded its total time; it is not requested again in this run. */
export const timedOut = 'timed_out'

export async function* resumed(first: RawResponse, resumption: Resumption): AsyncGenerator<Uint8Array> {
  const validator = strongValidator(first.headers)
  let fileBytes = lengthOf(first)
  let body: Readable | undefined = first.body
  let toSkip = 0
  const readHash = createHash('sha256')
  let skippedHash = createHash('sha256')
  let received = 0
  let failures = 0
  try {
    for (;;) {
      const before = received
      try {
        if (!body) {
          ;({ body, toSkip, fileBytes } = await requestRest(first, received, fileBytes, validator!, resumption))
          skippedHash = createHash('sha256')
        }
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          const fresh = toSkip > 0 ? chunk.subarray(Math.min(toSkip, chunk.length)) : chunk
          if (toSkip > 0) {
            toSkip -= chunk.length - fresh.length
            skippedHash.update(chunk.subarray(0, chunk.length - fresh.length))
            // A matching ETag is not proof, so the repeated bytes are compared.
            if (toSkip === 0 && !skippedHash.digest().equals(readHash.copy().digest()))
              throw changedError(resumption.name, received)
          }
          if (fresh.length === 0) continue
          received += fresh.length
          if (validator) readHash.update(fresh)
          if (fileBytes !== undefined && received > fileBytes) throw changedError(resumption.name, received)
          yield fresh
        }
        if (toSkip === 0 && received >= (fileBytes ?? 0)) return
        throw new Error(`ended after ${received} of ${fileBytes ?? 'more'} bytes`)
      } catch (error) {
        if (error instanceof SourceError) throw error
        // The total time is used up; a restart would exceed it too.
        if (isTimeout(error)) throw timeoutError(resumption.name, received, error)
        if (!validator)
          throw new SourceError(
            downloadInterrupted,
            `The download of ${resumption.name} stopped after ${received} bytes: ${messageOf(error)}.`,
            {
              cause: error,
            },
          )
        discard(body)
        body = undefined
        failures = received - before >= progressBytes ? 1 : failures + 1
        await resumption.pause(error, failures)
      }
    }
  } finally {
    discard(body)
  }
}

/** The next body, how many of its first bytes to skip, and the length of the whole file. */
const requestRest = async (
  first: RawResponse,
  received: number,
  fileBytes: number | undefined,
  validator: string,
  { again, name }: Resumption,
): Promise<{ body: Readable; toSkip: number; fileBytes: number | undefined }> => {
  const ranges = first.headers['accept-ranges'] === 'bytes'
  let answer = await again(ranges ? { range: `bytes=${received}-`, 'if-range': validator } : {})
  if (answer.status === 206) {
    const total = totalOfRange(answer, first, received, fileBytes)
    if (total !== undefined) return { body: answer.body, toSkip: 0, fileBytes: total }
    // A different range than requested would silently corrupt the file.
    discard(answer.body)
    answer = await again({})
  }
  const length = lengthOf(answer)
  const same =
    answer.status === 200 &&
    strongValidator(answer.headers) === validator &&
    sameEncoding(answer, first) &&
    (length ?? fileBytes) === (fileBytes ?? length)
  if (same) return { body: answer.body, toSkip: received, fileBytes: fileBytes ?? length }
  discard(answer.body)
  throw changedError(name, received)
}

const changedError = (name: string, received: number) =>
  new SourceError(
    downloadInterrupted,
    `The download of ${name} stopped after ${received} bytes, and the file changed before it could be resumed.`,
  )

/** The total time of a response is over. A pause in the body that is too long is a different error, which is retried. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const timeoutError = (name: string, received: number, cause: unknown) =>
  new SourceError(timedOut, `The download of ${name} timed out after ${received} bytes.`, { cause })

/** Destroying a body emits an error, which would end the process without a listener. */
const discard = (body: Readable | undefined): void => {
  body?.on('error', () => {}).destroy()
}

/**
 * The length of the whole file, if the response continues exactly after the bytes already read. Undefined if the length
 * is unknown, because a part that ends early would look like the end of the file.
 */
const totalOfRange = (
  answer: RawResponse,
  first: RawResponse,
  received: number,
  fileBytes: number | undefined,
): number | undefined => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(answer.headers['content-range'] ?? ''))
  const { etag } = answer.headers
  if (!range || Number(range[1]) !== received || !sameEncoding(answer, first)) return undefined
  if (etag !== undefined && etag !== first.headers.etag) return undefined
  if (range[2] === '*') return fileBytes
  const total = Number(range[2])
  return total === (fileBytes ?? total) ? total : undefined
}

const lengthOf = ({ headers }: RawResponse): number | undefined => Number(headers['content-length']) || undefined

const sameEncoding = (one: RawResponse, other: RawResponse): boolean =>
  (one.headers['content-encoding'] ?? '') === (other.headers['content-encoding'] ?? '')

/**
 * Identifies the exact bytes of a file: a strong ETag, or a Last-Modified at least a minute before the response (within
 * that minute the file could have changed twice).
 */
const strongValidator = (headers: RawResponse['headers']): string | undefined => {
  const { etag, date } = headers
  if (typeof etag === 'string') return etag.startsWith('"') ? etag : undefined
  const modified = headers['last-modified']
  if (typeof modified !== 'string' || typeof date !== 'string') return undefined
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined
}
