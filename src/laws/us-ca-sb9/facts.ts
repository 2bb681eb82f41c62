import type { RuleFacts } from '../law.ts'
import type { LotSplitPlan } from './lot-split.ts'

export type Sb9Facts = RuleFacts & { plan?: LotSplitPlan }
