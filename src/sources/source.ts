// What every kind of feed looks like from the outside: pages of raw rows, and what the next run needs to know.
import type { Where } from '../contract/source-config.ts'
import type { Http } from './answer.ts'

export type Source = (where: Where, context: ReadContext) => Reading

export interface ReadContext {
  http: Http
  /** Where a file named in the configuration is looked for. */
  folder: string
  token?: string
  now: Date
  /** From the last completed run, if the configuration is still the same. */
  previous?: { etag?: string; lastModified?: string; highWater?: string }
}

export interface Reading {
  /** Pages in an order that stays the same while paging; a break throws and the run is dropped whole. */
  pages: AsyncIterable<readonly RawRow[]>
  /** Filled while the pages are read; final after the last one. */
  state: ReadState
}

export interface ReadState {
  etag?: string
  lastModified?: string
  highWater?: string
  /** The server said that nothing changed since the last run. */
  notModified?: boolean
  /** The names of all fields, where the feed says them beforehand. */
  columns?: readonly string[]
  rowsExpected?: number
  bytesRead: number
  bytesExpected?: number
}

export interface RawRow {
  /** From 1, in the order of the feed. */
  number: number
  fields: Readonly<Record<string, unknown>>
  /** Set when the feed itself broke the row. */
  problem?: { code: string; reason: string }
}

/** The feed cannot be read at all: the message says what was expected and what came. */
export class SourceError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
    this.code = code
  }
}

export const isAddress = (url: string): boolean => /^https?:\/\//i.test(url)

/** Numbers rows across pages. */
export const numbered = () => {
  let number = 0
  return (fields: Readonly<Record<string, unknown>>): RawRow => {
    number += 1
    return { number, fields }
  }
}

/** The later of two stamps of the same form; ISO instants and numbers alike. */
export const later = (one: string | undefined, other: unknown): string | undefined => {
  if (other === undefined || other === null || other === '') return one
  const text = String(other)
  if (one === undefined) return text
  const [a, b] = [Number(one), Number(text)]
  return (Number.isFinite(a) && Number.isFinite(b) ? b > a : text > one) ? text : one
}
