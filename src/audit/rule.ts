// A rule states what must hold for one kind of served record, and says what is wrong where it does not.
import type { AuditRecords } from './records.ts'

export type RecordKind = keyof AuditRecords

export interface Rule<Kind extends RecordKind = RecordKind> {
  readonly name: string
  readonly of: Kind
  /** What must hold, as a sentence. */
  readonly holds: string
  /** What is wrong, one message per violation; empty when the rule holds or does not apply. */
  readonly check: (record: AuditRecords[Kind]) => readonly string[]
}

/** Key: "name: what must hold". Value: the check. */
type Checks<Kind extends RecordKind> = Readonly<Record<`${string}: ${string}`, Rule<Kind>['check']>>

const rulesOf =
  <Kind extends RecordKind>(of: Kind) =>
  (checks: Checks<Kind>): Rule<Kind>[] =>
    Object.entries(checks).map(([text, check]) => {
      const [name, holds] = text.split(': ', 2) as [string, string]
      return { name, of, holds, check }
    })

export const propertyRules = rulesOf('property')
export const marketRules = rulesOf('market')

export const unless = (condition: boolean, message: string): readonly string[] => (condition ? [] : [message])

/** By message, what must hold: the messages of the broken conditions. */
export const unlessAll = (conditions: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(conditions).flatMap(([message, condition]) => unless(condition, message))

/** True where a value is absent or within the tolerance of what it should be. */
export const near = (value: number | undefined, expected: number | undefined, tolerance: number): boolean =>
  value === undefined || expected === undefined || Math.abs(value - expected) <= tolerance

/** A figure in dollars against what its terms give. */
export const follows = (name: string, usd: number | undefined, expected: number, tolerance: number) => ({
  [`${name} is ${dollars(usd)}, its terms give ${dollars(expected)}`]: near(usd, expected, tolerance),
})

/** Compares the values that are known; a message names the sources that differ. */
export const same = (what: string, values: Readonly<Record<string, unknown>>): readonly string[] => {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  const [first] = known
  if (!first || known.every(([, value]) => JSON.stringify(value) === JSON.stringify(first[1]))) return []
  return [`${what} differs: ${known.map(([source, value]) => `${source} ${JSON.stringify(value)}`).join(', ')}`]
}

export const dollars = (value: number | undefined): string =>
  value === undefined ? 'nothing' : `$${Math.round(value).toLocaleString('en-US')}`

export const percentOf = (value: number | undefined): string =>
  value === undefined ? 'nothing' : `${Math.round(value * 10) / 10}%`
