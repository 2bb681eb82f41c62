// Reads the query parameters of a page. An invalid value never fails the page: it is ignored, and the page says so.
import type { FastifyRequest } from 'fastify'
import type { HtmlValue } from './html.ts'

export type Query = Record<string, unknown>

export const queryOf = ({ query }: Pick<FastifyRequest, 'query'>): Query => ({ ...(query ?? {}) })

export const formOf = ({ body }: Pick<FastifyRequest, 'body'>): Query => ({ ...(body ?? {}) })

export const textIn = (query: Query, name: string, maxLength = 200): string | undefined => {
  const value = query[name]
  const text = typeof value === 'string' ? value.trim() : ''
  // PostgreSQL rejects text that contains a null character.
  return text === '' || text.length > maxLength || text.includes('\0') ? undefined : text
}

export const numberIn = (query: Query, name: string, min: number, max: number): number | undefined => {
  const text = textIn(query, name)?.replace(/[$,\s]/g, '')
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) && value >= min && value <= max ? value : undefined
}

/** Dollars as people type them: 3000000, $3,000,000, $3M, 750k. */
export const dollarsFrom = (text: string): number | undefined => {
  const [, digits, unit] = /^\$?([\d,]*\.?\d+)\s*(k|m|mm|mil|million)?$/i.exec(text.replace(/\s+/g, '')) ?? []
  if (digits === undefined) return undefined
  const factor = unit === undefined ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6
  return Math.round(Number(digits.replaceAll(',', '')) * factor)
}

export const integerIn = (query: Query, name: string, min: number, max: number): number | undefined => {
  const value = numberIn(query, name, min, max)
  return value !== undefined && Number.isInteger(value) ? value : undefined
}

export const oneOf = <T extends string>(query: Query, name: string, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => each === textIn(query, name))

export const someOf = <T extends string>(query: Query, name: string, allowed: readonly T[]): T[] => {
  const value = query[name]
  const given = Array.isArray(value) ? value : [value]
  return allowed.filter((each) => given.includes(each))
}

/** A null character is invisible; its symbol is not. */
export const ignoredText = (label: string, must: string, given: string): string =>
  `${label} ${must}; “${shortened(given.replaceAll('\0', '␀'))}” was ignored.`

/** Reads single values of a query, with a message in `problems` about each that could not be used. */
export const readerOf = (query: Query, problems: HtmlValue[]) => {
  /** Returns `value` as it was read. */
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined): T | undefined => {
    const given = [query[name] ?? ''].flat().map(String).join(', ').trim()
    if (value === undefined && given !== '') problems.push(ignoredText(label, accepted, given))
    return value
  }
  return {
    read,
    text: (name: string, label: string, most: number) =>
      read(name, label, `must be one text of at most ${most} characters`, textIn(query, name, most)),
    number: (name: string, label: string, min: number, max: number, unit = 'a number') =>
      read(name, label, `must be ${unit} from ${min} to ${max}`, numberIn(query, name, min, max)),
    choice: <T extends string>(name: string, label: string, allowed: readonly T[]) =>
      read(name, label, `must be one of ${allowed.join(', ')}`, oneOf(query, name, allowed)),
  }
}

export const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** Undefined parameters are left out. */
export const pathWithQuery = (
  path: string,
  params: Record<string, string | number | readonly string[] | undefined>,
) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [String(value)]) query.append(name, each)
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}
