// A download that breaks off is taken up where it broke, as RFC 9110 has it (sections 8.8 and 14): by a range, if the file is
// still the same byte for byte. Where the server gives no range it is read past what is known already.
import type { Readable } from 'node:stream'
import type { Answer } from './answer.ts'
import { SourceError } from './source.ts'

export interface RawAnswer extends Omit<Answer, 'body'> {
  /** As sent: still packed. */
  body: Readable
}

export interface TakingUp {
  /** The address, as it may be shown. */
  name: string
  /** Another answer, with these headers added; one of 200, 206 and 416, or it throws. */
  again(headers: Record<string, string>): Promise<RawAnswer>
  /** Waits before the next attempt, or throws where there is none. */
  pause(error: unknown, attempt: number): Promise<void>
}

/** After a gain like this the count of attempts begins anew: a long file over a bad line is read in the end. */
const gainBytes = 2 ** 20

/** What breaks off and cannot be taken up: only the reader can begin again, since it has seen the beginning. */
export const brokenOff = 'broken_off'

export async function* resumed(first: RawAnswer, taking: TakingUp): AsyncGenerator<Uint8Array> {
  const mark = strongMark(first.headers)
  const whole = Number(first.headers['content-length']) || undefined
  let body: Readable | undefined = first.body
  let past = 0
  let got = 0
  let failures = 0
  try {
    for (;;) {
      const before = got
      try {
        if (!body) ({ body, past } = await takenUp(first, got, mark!, taking))
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          const fresh = past > 0 ? chunk.subarray(Math.min(past, chunk.length)) : chunk
          past -= chunk.length - fresh.length
          got += fresh.length
          if (fresh.length > 0) yield fresh
        }
        if (past === 0 && got >= (whole ?? 0)) return
        throw new Error(`ended after ${got} of ${whole ?? 'more'} bytes`)
      } catch (error) {
        if (error instanceof SourceError) throw error
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

/** The rest of the body, and how much of it is known already. */
const takenUp = async (
  first: RawAnswer,
  got: number,
  mark: string,
  { again, name }: TakingUp,
): Promise<{ body: Readable; past: number }> => {
  const ranges = first.headers['accept-ranges'] === 'bytes'
  let answer = await again(ranges ? { range: `bytes=${got}-`, 'if-range': mark } : {})
  if (answer.status === 206) {
    if (continues(answer, first, got)) return { body: answer.body, past: 0 }
    // Another part than was asked for would be spliced in unseen.
    dropped(answer.body)
    answer = await again({})
  }
  const same = answer.status === 200 && strongMark(answer.headers) === mark && samePacking(answer, first)
  if (same) return { body: answer.body, past: got }
  dropped(answer.body)
  throw new SourceError(brokenOff, `${name} broke off after ${got} bytes, and changed before it could be taken up.`)
}

/** That it was cut off here is no news to anyone. */
const dropped = (body: Readable | undefined): void => {
  body?.on('error', () => {}).destroy()
}

const continues = (answer: RawAnswer, first: RawAnswer, got: number): boolean => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(answer.headers['content-range'] ?? ''))
  const whole = first.headers['content-length']
  const { etag } = answer.headers
  return (
    range !== null &&
    Number(range[1]) === got &&
    (range[2] === '*' || whole === undefined || range[2] === whole) &&
    (etag === undefined || etag === first.headers.etag) &&
    samePacking(answer, first)
  )
}

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
