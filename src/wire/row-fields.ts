// Fields of served rows by name: a dot selects a nested field.
import { badRequest } from '../common/errors.ts'
import { closestName } from '../common/suggest.ts'

export type Row = Record<string, unknown>

/** A 400 for a name that rows do not have. */
export const checkFields = (fields: readonly string[] | undefined, names: readonly string[]): void => {
  const wrong = fields?.find((field) => !isServed(field, names))
  if (wrong === undefined) return
  const close = closestName(wrong, names)
  throw badRequest(
    `fields must be names of served fields, for example fields=${names.slice(1, 4).join(',')}; "${wrong}" is not one of them. ${
      close ? `Did you mean ${close}?` : `Accepted are ${names.join(', ')}.`
    }`,
  )
}

/** A name of a field, of an object that contains fields, or of something inside a field. */
const isServed = (field: string, names: readonly string[]): boolean =>
  names.some((name) => name === field || name.startsWith(`${field}.`) || field.startsWith(`${name}.`))

export const picked = (row: Row, fields: readonly string[]): Row => {
  const chosen: Row = {}
  for (const field of fields) {
    const path = field.split('.')
    let [from, to]: [unknown, Row] = [row, chosen]
    for (const [at, name] of path.entries()) {
      if (from === null || typeof from !== 'object' || !Object.hasOwn(from, name)) break
      const value = (from as Row)[name]
      if (value === undefined) break
      if (at === path.length - 1) to[name] = value
      else if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
        to[name] = { ...(to[name] as Row | undefined) }
        to = to[name] as Row
      }
      from = value
    }
  }
  return chosen
}

/** Longitude and latitude of a row. */
export const positionOf = (row: Row): readonly [number, number] | undefined => {
  const { lat, lng } = { ...row, ...(row.metadata as Row | undefined) } as { lat?: unknown; lng?: unknown }
  return typeof lat === 'number' && typeof lng === 'number' ? [lng, lat] : undefined
}

/** The value of a field as one cell; what is not a single value is written as JSON. */
export const cellOf = (row: Row, name: string): unknown => cellReader(name)(row)

/** The same for many rows. */
export const cellReader = (name: string): ((row: Row) => unknown) => {
  const path = name.split('.')
  return (row) => {
    let value: unknown = row
    for (const part of path) value = (value as Row | undefined)?.[part]
    return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
  }
}
