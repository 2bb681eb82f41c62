// Object.keys, Object.fromEntries, JSON.parse and a caught error, with the types that TypeScript leaves out, and Map.get with a value
// for a new key.

/** The names of a table that is written in the code and has no others. */
export const keysOf = <T extends object>(table: T): (keyof T & string)[] => Object.keys(table) as (keyof T & string)[]

/** A table with one value for each name. */
export const tableOf = <Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name, at: number) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name, at) => [name, value(name, at)])) as Record<Name, Value>

/** The value of a key, made and stored when it is asked for first. */
export const valueAt = <Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** These values of an object, in this order; all undefined without an object. */
export function pick<From extends object, Name extends keyof From>(from: From, ...names: Name[]): Pick<From, Name>
export function pick<From extends object, Name extends keyof From>(
  from: From | undefined,
  ...names: Name[]
): Partial<Pick<From, Name>>
export function pick<From extends object, Name extends keyof From>(from: From | undefined, ...names: Name[]) {
  const picked: Partial<Pick<From, Name>> = {}
  for (const name of names) picked[name] = from?.[name]
  return picked
}

/** Undefined for a text that is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was thrown may be anything; only objects have a message and a code. */
const part = (thrown: unknown, name: 'message' | 'code'): unknown =>
  typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined

export const messageOf = (thrown: unknown): string => String(part(thrown, 'message') ?? thrown)

/** The code of a system call, PostgreSQL or package that failed; empty if the error has none. */
export const codeOf = (thrown: unknown): string => String(part(thrown, 'code') ?? '')
