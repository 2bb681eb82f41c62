// What a state asks of someone who demolishes a home that was let. A warning: whether the tenant had a lower income is in no records.
import type { Overlays } from '../domain/facts.ts'
import type { DecisionCondition } from '../domain/findings/decision.ts'

const byState = {
  CA: {
    text: 'A home let to a lower-income household in the last five years must be replaced and the household relocated.',
    citation: 'Gov. Code 66300.6',
  },
} as const
export const replacementInCalifornia = byState.CA

export const hadTenant = ({ tenantLast3y, tenantLast5y }: Overlays): boolean =>
  tenantLast3y === 'yes' || tenantLast5y === 'yes'

/** Undefined where the state asks nothing, or where no tenant is known. */
export const replacementWarning = (state: string | undefined, overlays: Overlays): DecisionCondition | undefined =>
  hadTenant(overlays) ? (byState as Readonly<Record<string, DecisionCondition>>)[state ?? ''] : undefined
