// The interface of every kind of feed: pages of raw rows, and the state the next run needs.
import { OperatorError } from '../common/operator-error.ts'
import type { LayerShape, ShapeKind } from '../domain/layers.ts'
import type { Where } from '../domain/packs/source-config.ts'
import type { FlatRing, ShapeBox } from '../domain/shapes.ts'
import type { Http } from './http-response.ts'

export type Source = (where: Where, context: ReadContext) => Reading

/** A source whose pages come from a generator, which fills the state while they are read. */
export const sourceOfPages =
  (pagesOf: (where: Where, context: ReadContext, state: ReadState) => Reading['pages']): Source =>
  (where, context) => {
    const state: ReadState = { bytesRead: 0 }
    return { state, pages: pagesOf(where, { ...context, http: limited(context.http, where) }, state) }
  }

/** `maxBytes` of a source holds for each page as well. */
const limited = (http: Http, { maxBytes }: Where): Http =>
  maxBytes === undefined ? http : { ...http, json: (url, given) => http.json(url, { maxBytes, ...given }) }

export interface ReadContext {
  http: Http
  /** Folder of files named in the configuration. */
  folder: string
  token?: string
  now: Date
  /** State of the last completed run, if the configuration has not changed since. */
  previous?: { etag?: string; lastModified?: string; highWater?: string }
  /** Read a map layer: each row with its whole shape. A service is asked only for shapes that touch this box. */
  box?: ShapeBox
}

export interface Reading {
  /** Pages in a stable order. A failure throws, and the whole run is discarded. */
  pages: AsyncIterable<readonly RawRow[]>
  /** Filled while the pages are read; final after the last one. */
  state: ReadState
}

export interface ReadState {
  etag?: string
  lastModified?: string
  highWater?: string
  /** The server reported no change since the last run. */
  notModified?: boolean
  /** The names of all fields, if the feed lists them in advance. */
  columns?: readonly string[]
  rowsExpected?: number
  /** False if a paged service did not say how many rows it has: rows it left out cannot be told from rows it no longer has. */
  counted?: boolean
  /** A paged service lost rows while it was read: its later pages began too late, and rows that it still has may be missing. */
  shrank?: boolean
  bytesRead: number
  bytesExpected?: number
}

export interface RawRow {
  /** Row number in the feed, from 1. */
  number: number
  fields: Readonly<Record<string, unknown>>
  /** Of a map layer, in degrees. */
  shape?: ReadShape
  /** Of a map layer: the market that the row is read for, and whether the shape is part of the mapped area. */
  market?: string
  isExtent?: boolean
  /** Set when the row is malformed in the feed itself. */
  problem?: { code: string; reason: string }
}

export interface ReadShape {
  kind: ShapeKind
  rings: readonly FlatRing[]
  box: ShapeBox
  cells?: LayerShape['cells']
  /** Why the shape cannot be read. */
  unreadable?: string
}

/** The feed cannot be read. The message says what was expected and what was received. */
export class SourceError extends OperatorError {
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
    this.code = code
  }
}

export const isAddress = (url: string): boolean => /^https?:\/\//i.test(url)

/** Numbers rows across pages. */
export const rowNumberer = () => {
  let number = 0
  return (fields: Readonly<Record<string, unknown>>): RawRow => {
    number += 1
    return { number, fields }
  }
}

/**
 * Compares what a paged service returned with what it counts. A page boundary that moves repeats some rows and leaves out others, so
 * only different rows count. `idOf` is the service's own number of a row.
 */
export const pageTally = (
  url: string,
  state: ReadState,
  idOf: (fields: Readonly<Record<string, unknown>>) => unknown,
) => {
  const ids = new Set<unknown>()
  const counts: number[] = []
  let [read, withoutId] = [0, 0]
  let last: readonly unknown[] = []
  const different = () => ids.size + withoutId
  if (isAddress(url)) state.counted = false
  return {
    add: (rows: readonly Readonly<Record<string, unknown>>[]): void => {
      const page = rows.map(idOf)
      if (
        page.length > 0 &&
        page[0] !== undefined &&
        page.length === last.length &&
        page.every((id, at) => id === last[at])
      )
        throw new SourceError(
          'same_page',
          `${url} returned the same ${page.length} rows for two pages. It may not support paging.`,
        )
      last = page
      read += page.length
      for (const id of page) {
        if (id === undefined || id === null) withoutId += 1
        else ids.add(id)
      }
    },
    /** Takes a count of the service, taken at any time of the read. */
    count: (total: unknown): void => {
      const rows = typeof total === 'string' ? Number(total) : total
      if (typeof rows !== 'number' || !Number.isInteger(rows) || rows < 0) return
      counts.push(rows)
      state.rowsExpected = rows
      state.counted = true
    },
    /** Throws if rows are missing. The service may gain or lose rows during the read: it is asked again, and the lower count holds. */
    end: async (countAgain?: () => Promise<void>): Promise<void> => {
      if (different() < Math.min(...counts)) await countAgain?.()
      if (counts.length === 0) return
      state.shrank = different() < Math.max(...counts)
      if (different() >= Math.min(...counts)) return
      const repeated = read > different() ? ` different ones; ${read - different()} were repeated` : ''
      throw new SourceError(
        'short',
        `${url} reports ${Math.min(...counts)} rows but returned ${different()}${repeated}.`,
      )
    },
  }
}

/** Rows per page: enough to make the overhead negligible, few enough to limit memory. */
const pageSize = 500

export async function* inPages(rows: AsyncIterable<RawRow>): AsyncGenerator<readonly RawRow[]> {
  let page: RawRow[] = []
  for await (const row of rows) {
    page.push(row)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Rows that changed within this time of the start of a run, or after it, are read again by the next run. */
const overlapMs = 300_000

/**
 * The time up to which a run has read the changes: the later of two timestamps of the same format, ISO or numeric. A row that was read
 * before it changed again has a time after the start of the run; a later row must not hide that. Nor must a typing error such as 2062.
 */
export const laterTimestamp = (one: string | undefined, other: unknown, now: Date): string | undefined => {
  if (other === undefined || other === null || other === '') return one
  const text = String(other)
  if (timeOf(text) > now.getTime() - overlapMs) return one
  if (one === undefined) return text
  const [a, b] = [Number(one), Number(text)]
  return (Number.isFinite(a) && Number.isFinite(b) ? b > a : text > one) ? text : one
}

/** Of a timestamp without a time zone as if it were in UTC, which is ahead of the markets. */
const timeOf = (text: string): number =>
  Number.isFinite(Number(text)) ? Number(text) : Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)

/** True for midnight in any time zone. A field with days has rows that are added later with the same day. */
export const isDayOnly = (text: string): boolean =>
  Number.isFinite(Number(text))
    ? Number(text) % 3_600_000 === 0
    : /^\d{4}-\d\d-\d\d(?:T00:00(?::00)?(?:\.0+)?(?![\d:.]).*)?$/.test(text)
