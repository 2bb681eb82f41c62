// Conditions on the fields of a row: what a row must meet to be accepted, and when a mapping rule applies.
import type { Condition } from '../domain/packs/source-config.ts'
import { type Fields, fieldReader } from './field-path.ts'
import { isNull, readNumber, readText } from './values.ts'

/** Returns the reason why a row fails the condition, or undefined. */
export const condition = (
  { field, in: allowed, any, notIn, filled, atLeast }: Condition,
  nulls: ReadonlySet<string> | undefined,
): ((fields: Fields) => string | undefined) => {
  const get = fieldReader(field)
  const set = (words: readonly string[] | undefined) => words && new Set(words.map((word) => word.toLowerCase()))
  const [mustBe, mustHave, mustNot] = [set(allowed), set(any), set(notIn)]
  return (fields) => {
    const held = get(fields)
    const items = (Array.isArray(held) ? held : held === undefined || held === null ? [] : [held]).map((each) =>
      String(each).trim().toLowerCase(),
    )
    // Same rule as the mapping: "null" and "n/a" count as empty.
    if (filled && !items.some((item) => !isNull(item, nulls))) return `${field} is empty; it must hold a value`
    const text = readText(items.join(', '), 80)
    const quoted = text === undefined ? 'empty' : `"${text}"`
    if (mustBe && !items.every((item) => mustBe.has(item)))
      return `${field} is ${quoted}; every value must be one of ${allowed!.join(', ')}`
    if (mustBe && !Array.isArray(held) && items.length === 0)
      return `${field} is empty; it must be one of ${allowed!.join(', ')}`
    if (mustHave && !items.some((item) => mustHave.has(item)))
      return `${field} is ${quoted}; one value must be among ${any!.join(', ')}`
    if (atLeast !== undefined) {
      const number = held === undefined ? undefined : readNumber(held)
      if (typeof number !== 'number' || number < atLeast) return `${field} is ${quoted}; it must be at least ${atLeast}`
    }
    if (mustNot && items.some((item) => mustNot.has(item)))
      return `${field} is ${quoted}; it must be none of ${notIn!.join(', ')}`
    return undefined
  }
}
