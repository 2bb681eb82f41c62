import { agentRules } from './agent-rules.ts'
import { earningRules } from './earning-rules.ts'
import { leadRules } from './lead-rules.ts'
import type { AuditRecords } from './records.ts'
import { returnRules } from './return-rules.ts'
import type { RecordKind, Rule } from './rule.ts'
import { scoreRules } from './score-rules.ts'
import { searchRules } from './search-rules.ts'
import { serviceRules } from './service-rules.ts'
import { valueRules } from './value-rules.ts'

export const rules: readonly (Rule<'property'> | Rule<'market'>)[] = [
  ...returnRules,
  ...earningRules,
  ...valueRules,
  ...leadRules,
  ...scoreRules,
  ...serviceRules,
  ...searchRules,
  ...agentRules,
]

export interface Violation {
  readonly rule: string
  readonly id: string
  readonly problem: string
}

export const violationsOf = <Kind extends RecordKind>(kind: Kind, id: string, record: AuditRecords[Kind]) =>
  rules
    .filter((rule): rule is typeof rule & Rule<Kind> => (rule.of as RecordKind) === kind)
    .flatMap((rule) => rule.check(record).map((problem) => ({ rule: rule.name, id, problem })))
