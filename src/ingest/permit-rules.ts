// The part of the classification that a source sets for itself (`permitClasses` in its configuration): its city's
// boilerplate, words and rules, applied before the general rules.
import { type PermitClass, permitClasses } from '../domain/facts.ts'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { operatorExpression } from './operator-expression.ts'
import { wordsOf } from './permit-patterns.ts'
import { literal } from './permit-text.ts'

export interface ClassifiedPermit {
  permitClass: PermitClass
  classWords: readonly string[]
}
export const classified = (permitClass: PermitClass, ...words: string[]): ClassifiedPermit => ({
  permitClass,
  classWords: words.map((word) => word.trim()).filter(Boolean),
})
/** The class if the text has words of this row of the patterns, unless a `better` one is known. */
export const when = (permitClass: PermitClass, name: string, text: string, better?: ClassifiedPermit) => {
  const words = wordsOf(name, text)
  return words === undefined ? undefined : (better ?? classified(permitClass, words))
}

export interface ClassRules {
  /** Text removed before the classification. */
  ignore: readonly RegExp[]
  /** Tried in order; the first match decides. */
  rules: readonly Rule[]
}
interface Rule {
  permitClass: PermitClass
  projectType?: RegExp | undefined
  description?: RegExp | undefined
  either?: RegExp
  /** As the source writes it. */
  written: string
  /** Rows that it has decided in this process. */
  decided: number
}

export const ruledClass = ({ rules }: ClassRules, type: string, scope: string): ClassifiedPermit | undefined => {
  for (const rule of rules) {
    const { permitClass, projectType, description, either } = rule
    const byType = projectType?.exec(type)
    const byScope = description?.exec(scope)
    const byEither = either && (either.exec(type) ?? either.exec(scope))
    if ((projectType && !byType) || (description && !byScope) || (either && !byEither)) continue
    rule.decided += 1
    return classified(permitClass, ...[byType, byScope, byEither].map((match) => match?.[0] ?? ''))
  }
  return undefined
}

/** Compiled once per configuration. Throws on an invalid pattern or class, with the setting in the message. */
export const classRules = (config: SourceConfig): ClassRules | undefined => {
  if (!config.permitClasses) return undefined
  const seen = compiled.get(config.permitClasses)
  if (seen) return seen
  const { ignore = [], rules = [], words = {} } = config.permitClasses
  const expression = (source: string | undefined, where: string, flags = 'i') =>
    source ? operatorExpression(source, flags, `permitClasses.${where}`) : undefined
  const made: ClassRules = {
    ignore: ignore.flatMap((source, at) => expression(source, `ignore[${at}]`, 'gi') ?? []),
    rules: [
      ...rules.map(({ class: permitClass, projectType, description }, at): Rule => {
        const where = `rules[${at}]`
        if (!projectType && !description)
          throw new Error(`permitClasses.${where} needs projectType or description, such as "projectType": "^wrecking"`)
        return {
          permitClass,
          written: `${permitClass}: ${[projectType && `type ${projectType}`, description].filter(Boolean).join(', ')}`,
          decided: 0,
          projectType: expression(projectType, `${where}.projectType`),
          description: expression(description, `${where}.description`),
        }
      }),
      ...Object.entries(words).map(([name, list]) => ({
        permitClass: classNamed(name),
        written: `${name}: ${list.join(', ')}`,
        decided: 0,
        either: new RegExp(
          `(?<![a-z0-9])(?:${list.map((word) => literal(word.trim().toLowerCase())).join('|')})(?![a-z0-9])`,
          'i',
        ),
      })),
    ],
  }
  compiled.set(config.permitClasses, made)
  return made
}
const compiled = new WeakMap<object, ClassRules>()

const classNamed = (name: string): PermitClass => {
  const known = permitClasses.find((each) => each === name)
  if (!known) throw new Error(`"${name}" is not a permit class; accepted are ${permitClasses.join(', ')}`)
  return known
}
