// Which lines of a pro forma depend on which default assumptions. The service and the browser use the same function.
import type { AssumptionName } from '../../domain/assumptions/assumptions.ts'
import { replacedAssumptions } from '../../domain/assumptions/replaced-assumptions.ts'
import type { ProformaLineName, ProformaOverrides } from '../../domain/findings/proforma.ts'

/** The facts that decide whether an assumption matters to this pro forma at all. */
interface AssumptionUse {
  overrides: ProformaOverrides
  /** Whether the cap on the size of the new house determines it. */
  sizeCapped: boolean
  /** Whether the new house has more living area than the old one, so that impact fees are due. */
  isLarger: boolean
  /** Square feet of the house to demolish; undefined on a vacant lot. */
  demolishedSqft?: number
  demoIncludedSqft: number
  /** The assumption that the duration does not depend on. */
  unusedDuration: AssumptionName
}

/** The assumptions without an effect on this pro forma: replaced by the caller, or not needed for this lot. */
export const unusedAssumptions = (use: AssumptionUse): ReadonlySet<AssumptionName> => {
  const { demolishedSqft, demoIncludedSqft } = use
  const unused = new Set<AssumptionName>([...replacedAssumptions(use.overrides), use.unusedDuration])
  if (!use.isLarger) unused.add('impactFeesPerSqft')
  if (!use.sizeCapped) unused.add('buildSizeMultiple')
  if (demolishedSqft === undefined) unused.add('demoBaseUsd')
  if (demolishedSqft === undefined || demolishedSqft <= demoIncludedSqft)
    unused.add('demoIncludedSqft').add('demoPerSqftUsd')
  return unused
}

/** Of the defaults in use, those that each line depends on, directly or through another line. */
export const lineDefaults = (
  used: readonly string[],
  given: Pick<ProformaOverrides, 'softCosts' | 'months'> = {},
): Record<ProformaLineName, readonly AssumptionName[]> => {
  const of = (...names: AssumptionName[]) => names.filter((name) => used.includes(name))
  const all = (...lists: (readonly AssumptionName[])[]) => [...new Set(lists.flat())]
  const size = of('buildSizeMultiple')
  const months = of('designMonths', 'designAndPermitMonths', 'saleMonths')
  const hardCost = all(size, of('baseCostPerSqft'))
  const soft = given.softCosts === undefined ? all(hardCost, of('softCostPct', 'impactFeesPerSqft')) : []
  const demoCost = of('demoBaseUsd', 'demoIncludedSqft', 'demoPerSqftUsd')
  const contingency = all(hardCost, of('contingencyPct'))
  const acquisition = of('acquisitionPct')
  const loan = all(hardCost, soft, demoCost, contingency, acquisition, of('loanToCostPct'))
  // The time to build depends on the size. A duration that is given has phases in the same proportion, which interest depends on.
  const time = given.months === undefined ? all(size, months) : []
  const holding = of('pointsPct', 'propertyTaxPct', 'insurancePct', 'ratePct')
  return {
    purchase: [],
    hardCost,
    softCosts: soft,
    demoCost,
    acquisition,
    contingency,
    interest: all(loan, holding, size, months),
    points: all(loan, of('pointsPct')),
    tax: all(of('propertyTaxPct'), time),
    insurance: all(hardCost, of('insurancePct'), time),
    resaleGross: size,
    sellingCosts: all(size, of('sellingCostPct', 'transferTaxPct', 'highTransferTaxPct')),
  }
}

/** Whether the return before contingency and financing depends on a default: capital and resale without the lines after them. */
export const returnBeforeFinancingUsesDefault = (used: readonly string[]): boolean => {
  const { hardCost, softCosts, demoCost, sellingCosts } = lineDefaults(used)
  return [hardCost, softCosts, demoCost, sellingCosts].some((names) => names.length > 0)
}
