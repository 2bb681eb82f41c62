// The part of the classification that a source sets for itself (`permitClasses` in its configuration): its city's
// boilerplate, words and rules, applied before the general rules.

import { type PermitClass, permitClasses } from '../domain/facts.ts'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { operatorExpression } from './operator-expression.ts'
import type { ClassifiedPermit } from './permit-pattern.ts'

export interface ClassRules {
  /** Text removed before the classification. */
  ignore: readonly RegExp[]
  /** Tried in order; the first match decides. */
  rules: readonly Rule[]
}
interface Rule {
  permitClass: PermitClass
  projectType?: RegExp
  description?: RegExp
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
    const words = [byType, byScope, byEither].flatMap((match) => (match?.[0].trim() ? [match[0].trim()] : []))
    return { permitClass, classWords: words }
  }
  return undefined
}

/** Compiled once per configuration. Throws on an invalid pattern or class, with the setting in the message. */
export const classRules = (config: SourceConfig): ClassRules | undefined => {
  if (!config.permitClasses) return undefined
  const seen = compiled.get(config.permitClasses)
  if (seen) return seen
  const { ignore = [], rules = [], words = {} } = config.permitClasses
  const made: ClassRules = {
    ignore: ignore.map((source, at) => operatorExpression(source, 'gi', `permitClasses.ignore[${at}]`)),
    rules: [
      ...rules.map(({ class: permitClass, projectType, description }, at) => {
        const where = `permitClasses.rules[${at}]`
        if (!projectType && !description)
          throw new Error(`${where} needs projectType or description, for example "projectType": "^wrecking"`)
        return {
          permitClass,
          written: `${permitClass}: ${[projectType && `type ${projectType}`, description].filter(Boolean).join(', ')}`,
          decided: 0,
          ...(projectType ? { projectType: operatorExpression(projectType, 'i', `${where}.projectType`) } : {}),
          ...(description ? { description: operatorExpression(description, 'i', `${where}.description`) } : {}),
        }
      }),
      ...Object.entries(words).map(([name, list]) => ({
        permitClass: classNamed(name),
        written: `${name}: ${list.join(', ')}`,
        decided: 0,
        either: new RegExp(`(?<![a-z0-9])(?:${list.map(literal).join('|')})(?![a-z0-9])`, 'i'),
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

const literal = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
