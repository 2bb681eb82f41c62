// The steps of a mapping rule besides reading a field: arithmetic on numbers, and cutting text.

import type { SingleRule } from '../domain/packs/source-config.ts'
import { type Fields, fieldReader } from './field-path.ts'
import { operatorExpression } from './operator-expression.ts'
import { isNull, type ReadValue, readNumber, unreadable } from './values.ts'

export type { Fields }
export type RuleObject = Exclude<SingleRule, string>
export type Convert = (value: unknown, fields: Fields) => ReadValue<unknown>

/** Adds up fields. A missing part counts as 0; without any part there is no value. */
export const summed = (
  parts: NonNullable<RuleObject['sum']>,
  nulls: ReadonlySet<string> | undefined,
): ((fields: Fields) => unknown) => {
  const readers = parts.map((part) =>
    typeof part === 'string'
      ? { get: fieldReader(part), factor: 1 }
      : { get: fieldReader(part.field), factor: part.multiply },
  )
  return (fields) => {
    let total: number | undefined
    for (const { get, factor } of readers) {
      const value = get(fields)
      if (isNull(value, nulls)) continue
      const read = readNumber(value)
      if (read === undefined) continue
      // Returned as it is, so that the row reports which value could not be read.
      if (typeof read !== 'number') return value
      total = (total ?? 0) + read * factor
    }
    return total
  }
}

/** Applies multiply, add, subtract and subtractFrom, in this order. */
export const arithmetic = (spec: RuleObject, convert: Convert): Convert => {
  const { multiply, add, subtract, subtractFrom } = spec
  if ([multiply, add, subtract, subtractFrom].every((operand) => operand === undefined)) return convert
  const steps: [(fields: Fields) => ReadValue<number>, (value: number, by: number) => number][] = []
  if (multiply !== undefined) steps.push([operandOf(multiply), (value, by) => value * by])
  if (add !== undefined) steps.push([operandOf(add), (value, by) => value + by])
  if (subtract !== undefined) steps.push([operandOf(subtract), (value, by) => value - by])
  if (subtractFrom !== undefined) steps.push([operandOf(subtractFrom), (value, by) => by - value])
  return (value, fields) => {
    let result = readNumber(value)
    for (const [operand, apply] of steps) {
      const by = operand(fields)
      if (typeof result !== 'number' || typeof by !== 'number')
        return result === unreadable ? unreadable : by === unreadable ? by : undefined
      result = apply(result, by)
    }
    return convert(result, fields)
  }
}

const operandOf = (operand: number | string): ((fields: Fields) => ReadValue<number>) => {
  if (typeof operand === 'number') return () => operand
  const get = fieldReader(operand)
  return (fields) => {
    const value = get(fields)
    return isNull(value) ? undefined : readNumber(value)
  }
}

/** Applies split, strip and pattern, in this order; undefined without any of them. */
export const textSteps = ({
  split,
  strip,
  pattern,
}: RuleObject): ((text: string) => string | undefined) | undefined => {
  if (!split && strip === undefined && pattern === undefined) return undefined
  const stripped = strip === undefined ? undefined : operatorExpression(strip, 'gi', `"strip": "${strip}"`)
  const matched = pattern === undefined ? undefined : operatorExpression(pattern, 'i', `"pattern": "${pattern}"`)
  return (text) => {
    let value: string | undefined = split ? text.split(split.by).at(split.part > 0 ? split.part - 1 : split.part) : text
    if (value !== undefined && stripped) value = value.replace(stripped, '')
    if (value !== undefined && matched) {
      const match = matched.exec(value)
      value = match ? (match[1] ?? match[0]) : undefined
    }
    return value?.trim()
  }
}
