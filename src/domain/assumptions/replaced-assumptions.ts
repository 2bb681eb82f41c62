// The assumptions that a term of the what-if pro forma replaces. The browser imports this file, so it imports only types.

import { keysOf } from '../../common/typed.ts'
import type { ProformaOverrides } from '../findings/proforma.ts'
import type { AssumptionName } from './assumptions.ts'

const replacedByTerm = {
  costPerSqft: ['baseCostPerSqft'],
  buildSqft: ['buildSizeMultiple'],
  softCosts: ['softCostPct', 'impactFeesPerSqft'],
  demoCost: ['demoBaseUsd', 'demoIncludedSqft', 'demoPerSqftUsd'],
  sellingCostPct: ['sellingCostPct', 'transferTaxPct', 'highTransferTaxPct', 'highTransferTaxFromUsd'],
  contingencyPct: ['contingencyPct'],
  ratePct: ['ratePct'],
} as const satisfies Partial<Record<keyof ProformaOverrides, readonly AssumptionName[]>>

const terms = keysOf(replacedByTerm)

/** The assumptions that the given terms replace. */
export const replacedAssumptions = (overrides: ProformaOverrides): AssumptionName[] =>
  terms.flatMap((term) => (overrides[term] === undefined ? [] : replacedByTerm[term]))

/** The term that replaces an assumption; undefined if none does. */
export const termReplacing = (name: string): string | undefined =>
  terms.find((term) => (replacedByTerm[term] as readonly string[]).includes(name))
