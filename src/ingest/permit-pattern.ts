// Long patterns are written as lists. Each line is one alternative (`anyOf`) or one step (`inOrder`). `(a|b)` groups without
// capturing, two spaces and "//" start a comment, and spaces around a line do not count: write `[ ]` for one.
import type { PermitClass } from '../domain/facts.ts'

const lines = (text: TemplateStringsArray, values: readonly string[]): readonly string[] =>
  String.raw(text, ...values)
    .split('\n')
    .map((line) => line.replace(/ {2}\/\/ .*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\.|\[(?:\\.|[^\]])*\]|\((?!\?)/g, (found) => (found === '(' ? '(?:' : found)))

export const anyOf = (text: TemplateStringsArray, ...values: string[]): string => `(?:${lines(text, values).join('|')})`

export const inOrder = (text: TemplateStringsArray, ...values: string[]): string => lines(text, values).join('')

/** One of the lines as whole words. */
export const anyWord = (text: TemplateStringsArray, ...values: string[]): RegExp =>
  new RegExp(`\\b${anyOf(text, ...values)}\\b`)

export interface ClassifiedPermit {
  permitClass: PermitClass
  classWords: readonly string[]
}
export const classified = (permitClass: PermitClass, ...words: string[]): ClassifiedPermit => ({
  permitClass,
  classWords: words.map((word) => word.trim()).filter(Boolean),
})
/** The class if the pattern matched, unless a `better` one is known. */
export const matched = (permitClass: PermitClass, words: RegExpExecArray | null, better?: ClassifiedPermit) =>
  words ? (better ?? classified(permitClass, words[0])) : undefined
