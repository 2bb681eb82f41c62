// A download that breaks off is taken up where it broke, as RFC 9110 has it (sections 8.8 and 14): by a range, if the file is
// still the same byte for byte. Where the server gives no range it is read past what is known already.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Answer } from './answer.ts'
import { SourceError } from './source.ts'

export interface RawAnswer extends Omit<Answer, 'body'> {
  /** As sent, still compressed. */
  body: Readable
}

export interface TakingUp {
  /** The URL without secrets, for messages. */
  name: string
  /** Repeats the request with these headers; returns 200, 206 or 416, otherwise throws. */
  again(headers: Record<string, string>): Promise<RawAnswer>
  /** Waits before the next attempt; throws if none is left. */
  pause(error: unknown, attempt: number): Promise<void>
}

/** After a gain like this the count of attempts begins anew: a long file over a bad line is read in the end. */
const gainBytes = 2 ** 20

/** What breaks off and cannot be taken up: only the reader can begin again, since it has seen the beginning. */
export const brokenOff = 'broken_off'

/** The response exceeded its total time; it is not requested again in this run. */
export const timedOut = 'timed_out'

export async function* resumed(first: RawAnswer, taking: TakingUp): AsyncGenerator<Uint8Array> {
  const mark = strongMark(first.headers)
  let whole = lengthOf(first)
  let body: Readable | undefined = first.body
  let past = 0
  const known = createHash('sha256')
  let passed = createHash('sha256')
  let got = 0
  let failures = 0
  try {
    for (;;) {
      const before = got
      try {
        if (!body) {
          ;({ body, past, whole } = await takenUp(first, got, whole, mark!, taking))
          passed = createHash('sha256')
        }
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          const fresh = past > 0 ? chunk.subarray(Math.min(past, chunk.length)) : chunk
          if (past > 0) {
            past -= chunk.length - fresh.length
            passed.update(chunk.subarray(0, chunk.length - fresh.length))
            // A matching ETag is not proof, so the repeated bytes are compared.
            if (past === 0 && !passed.digest().equals(known.copy().digest())) throw changed(taking.name, got)
          }
          if (fresh.length === 0) continue
          got += fresh.length
          if (mark) known.update(fresh)
          if (whole !== undefined && got > whole) throw changed(taking.name, got)
          yield fresh
        }
        if (past === 0 && got >= (whole ?? 0)) return
        throw new Error(`ended after ${got} of ${whole ?? 'more'} bytes`)
      } catch (error) {
        if (error instanceof SourceError) throw error
        // The total time is used up; a restart would exceed it too.
        if (isTimeOut(error)) throw outOfTime(taking.name, got, error)
        if (!mark)
          throw new SourceError(
            brokenOff,
            `${taking.name} broke off after ${got} bytes: ${(error as Error).message}.`,
            {
              cause: error,
            },
          )
        dropped(body)
        body = undefined
        failures = got - before >= gainBytes ? 1 : failures + 1
        await taking.pause(error, failures)
      }
    }
  } finally {
    dropped(body)
  }
}

/** The rest of the body, how much of it is known already, and how long the whole is. */
const takenUp = async (
  first: RawAnswer,
  got: number,
  whole: number | undefined,
  mark: string,
  { again, name }: TakingUp,
): Promise<{ body: Readable; past: number; whole: number | undefined }> => {
  const ranges = first.headers['accept-ranges'] === 'bytes'
  let answer = await again(ranges ? { range: `bytes=${got}-`, 'if-range': mark } : {})
  if (answer.status === 206) {
    const total = continued(answer, first, got, whole)
    if (total !== undefined) return { body: answer.body, past: 0, whole: total }
    // A different range than requested would silently corrupt the file.
    dropped(answer.body)
    answer = await again({})
  }
  const length = lengthOf(answer)
  const same =
    answer.status === 200 &&
    strongMark(answer.headers) === mark &&
    samePacking(answer, first) &&
    (length ?? whole) === (whole ?? length)
  if (same) return { body: answer.body, past: got, whole: whole ?? length }
  dropped(answer.body)
  throw changed(name, got)
}

const changed = (name: string, got: number) =>
  new SourceError(brokenOff, `${name} broke off after ${got} bytes, and changed before it could be taken up.`)

/** The time one answer may take in all is up; a silence within it is another matter. */
export const isTimeOut = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const outOfTime = (name: string, got: number, cause: unknown) =>
  new SourceError(timedOut, `${name} had not come whole when its time was up: ${got} bytes.`, { cause })

/** That it was cut off here is no news to anyone. */
const dropped = (body: Readable | undefined): void => {
  body?.on('error', () => {}).destroy()
}

/**
 * How long the whole is, where the answer goes on just where the last one broke. Where nobody says how long, a part that
 * stops short cannot be told from the rest, and is not taken.
 */
const continued = (answer: RawAnswer, first: RawAnswer, got: number, whole: number | undefined): number | undefined => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(answer.headers['content-range'] ?? ''))
  const { etag } = answer.headers
  if (!range || Number(range[1]) !== got || !samePacking(answer, first)) return undefined
  if (etag !== undefined && etag !== first.headers.etag) return undefined
  if (range[2] === '*') return whole
  const total = Number(range[2])
  return total === (whole ?? total) ? total : undefined
}

const lengthOf = ({ headers }: RawAnswer): number | undefined => Number(headers['content-length']) || undefined

const samePacking = (one: RawAnswer, other: RawAnswer): boolean =>
  (one.headers['content-encoding'] ?? '') === (other.headers['content-encoding'] ?? '')

/**
 * What a file is known by, byte for byte: an ETag that is not weak, or else a date of change that lies a minute before the
 * answer (within the minute it might have changed twice).
 */
const strongMark = (headers: RawAnswer['headers']): string | undefined => {
  const { etag, date } = headers
  if (typeof etag === 'string') return etag.startsWith('"') ? etag : undefined
  const modified = headers['last-modified']
  if (typeof modified !== 'string' || typeof date !== 'string') return undefined
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined
}
