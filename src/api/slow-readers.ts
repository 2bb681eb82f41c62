// Who is slow to read takes nobody's place: an answer that waits for its reader costs memory alone, and of that no more than so much.
import type { ServerResponse } from 'node:http'

/** Bytes that may wait for readers in all: a hundred of our largest answers. Beyond, an answer keeps its place until it is read, or cut off. */
const mostUnreadBytes = 96 * 2 ** 20
/** By then even a poor line has taken our largest answer; a reader who trickles on is cut off. */
const longestReadMs = 60_000
/** A stream may be of any length, so its reader gets that long again for each of these: 17 kB a second, as of our largest answer. */
const bytesInThatTime = 2 ** 20

/** What an answer holds while it is under way. */
export interface Place {
  leave(): void
  /** Steps out while the other side is waited for: who is slow to send or read takes nobody's place and says nothing of our rate. */
  pause(): void
  /** Back in, full or not: it was let in before. */
  resume(): void
}

/** Watches an answer on its way out, and leaves the gate for it: once, when all of it is handed over. */
export type Watch = (response: ServerResponse) => void

export const slowReaders = (gate: Place, most = mostUnreadBytes, longestMs = longestReadMs): Watch => {
  let unread = 0
  return (response) => {
    let left = false
    let waiting = 0
    let full = false
    const pace = readerPace(response, longestMs)
    const { write, end } = response
    const back = () => {
      if (full) gate.resume()
      full = false
      pace.goesOn()
    }
    // A stream goes on when its reader has taken what there is: until then nothing is done here.
    response.write = (...args: unknown[]) => {
      const taken = write.apply(response, args as never)
      pace.given(args[0])
      if (!taken && !full && !left) {
        full = true
        gate.pause()
        pace.waits()
        response.once('drain', back)
      }
      return taken
    }
    const leave = () => {
      if (left) return
      back()
      left = true
      gate.leave()
    }
    response.end = (...args: unknown[]) => {
      end.apply(response, args as never)
      if (left) return response
      const { writableLength } = response
      readInTime(response, longestMs)
      if (unread + writableLength > most) {
        // No `drain` comes once all is written: what was waited for as a stream takes its place again here.
        back()
        return response
      }
      waiting = writableLength
      unread += waiting
      leave()
      return response
    }
    response.once('close', () => {
      unread -= waiting
      leave()
    })
  }
}

/** Adds up how long a stream waits for its reader, and cuts him off when that is more than what he was given may take. */
const readerPace = (response: ServerResponse, longestMs: number) => {
  let bytes = 0
  let waitedMs = 0
  let began: number | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    given: (chunk: unknown) => {
      bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : ((chunk as Uint8Array | undefined)?.length ?? 0)
    },
    waits: () => {
      began = performance.now()
      const leftMs = longestMs * (1 + bytes / bytesInThatTime) - waitedMs
      timer = setTimeout(() => response.destroy(), Math.max(0, leftMs)).unref()
    },
    goesOn: () => {
      clearTimeout(timer)
      if (began !== undefined) waitedMs += performance.now() - began
      began = undefined
    },
  }
}

/** For an answer that is written whole: cuts off its reader after a while, where the socket did not take all of it at once. */
export const readInTime = (response: ServerResponse, longestMs = longestReadMs): void => {
  if (response.writableLength === 0) return
  const timer = setTimeout(() => response.destroy(), longestMs).unref()
  response.once('close', () => clearTimeout(timer))
}
