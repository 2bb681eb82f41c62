// The words and numbers that a feed writes for an empty value.
import { namesIn, targetFields } from '../map.ts'
import { isEmptyNumber, isEmptyWord } from '../values.ts'
import type { Draft, ProposedField } from './draft.ts'

/**
 * "NA" in a column of numbers or dates is an empty value; so it is as a city of the same feed. A number such as -1 that stands for an
 * empty value is left out by its range, but not from a sum.
 */
export const emptyWords = ({ holds, fields, rows }: Draft): string[] => {
  const wordsOf = (isOwn: (field: ProposedField) => boolean, isEmpty: (value: unknown) => boolean) => {
    const names = fields.filter(isOwn).flatMap(({ rule }) => namesIn(rule))
    const values = names.flatMap((name) => rows.map((row) => row[name])).filter(isEmpty)
    return new Map(values.map((value) => [String(value).trim().toLowerCase(), String(value).trim()]))
  }
  const isText = ({ field }: ProposedField) => targetFields[holds][field] === 'text'
  const others = wordsOf((field) => !isText(field), isEmptyWord)
  const words = [...wordsOf(isText, isEmptyWord)].filter(([word]) => others.has(word))
  const numbers = wordsOf(({ rule }) => typeof rule === 'object' && 'sum' in rule, isEmptyNumber)
  return [...words, ...numbers].map(([, word]) => word)
}
