// What a home earns when it is let. In whole dollars, so that a person can redo it from the served numbers. docs/methods/rent-and-holding.md has the formulas.

import { tableOf } from '../../common/typed.ts'
import type { AssumptionName, Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Hold } from '../../domain/findings/rent.ts'
import { type NewHouseCostTerms, newHouseCostPerSqft } from './new-house.ts'
import { oneDecimal } from './project.ts'

const holdNames = [
  'vacancyPct',
  'operatingCostPct',
  'propertyTaxPct',
  'landlordInsurancePct',
  'acquisitionPct',
  'holdLoanPct',
  'holdRatePct',
] as const satisfies readonly AssumptionName[]

const loanMonths = 360

/** `isDefault`: whether the market's pack has no value of an assumption and the caller gave none. */
export type IsDefault = (name: AssumptionName) => boolean

export const holdOf = (
  { priceUsd: price, rentUsd: rent, livingSqft }: { priceUsd: number; rentUsd: number; livingSqft: number },
  assumptions: Pick<Assumptions, (typeof holdNames)[number] | 'costPerSqft'> & NewHouseCostTerms,
  isDefault: IsDefault,
): Hold => {
  const held = tableOf(holdNames, (name) => assumptions[name])
  const { vacancyPct, operatingCostPct, propertyTaxPct, landlordInsurancePct } = held
  const gross = 12 * rent
  const costPerSqft = newHouseCostPerSqft({ sqft: livingSqft }, assumptions)
  const rebuildCost = Math.round(costPerSqft * livingSqft)
  const noi = Math.round(
    gross * (1 - vacancyPct / 100) * (1 - operatingCostPct / 100) -
      (propertyTaxPct / 100) * price -
      (landlordInsurancePct / 100) * rebuildCost,
  )
  const loan = Math.round((assumptions.holdLoanPct / 100) * price)
  const debtService = Math.round(12 * paymentOf(loan, assumptions.holdRatePct))
  const acquisition = Math.round((assumptions.acquisitionPct / 100) * price)
  const cash = price - loan + acquisition
  return {
    noi,
    capRatePct: oneDecimal((100 * noi) / price),
    grossYieldPct: oneDecimal((100 * gross) / price),
    ...(debtService > 0 ? { dscr: Math.round((100 * noi) / debtService) / 100 } : {}),
    ...(cash > 0 ? { cashOnCashPct: oneDecimal((100 * (noi - debtService)) / cash) } : {}),
    debtService,
    terms: { price, rent, livingSqft, costPerSqft, rebuildCost, loan, acquisition, ...held },
    covers: holdCovers,
    defaults: [...holdNames, 'baseCostPerSqft' as const].filter(
      (name) => isDefault(name) && (name !== 'baseCostPerSqft' || assumptions.costPerSqft === undefined),
    ),
  }
}

/** What each share is of and covers. */
const holdCovers = {
  vacancyPct: 'Of the rent of a year: weeks between tenants and rent that is not paid.',
  operatingCostPct:
    'Of the rent that is collected: management, repairs, reserves and the landlord’s utilities, without property tax and insurance.',
  propertyTaxPct: 'Of the price.',
  landlordInsurancePct: 'Of the rebuild cost, which is the cost of a new house of its size: dwelling and liability.',
} as const

/** Of a fully amortizing loan. */
export const paymentOf = (loan: number, ratePct: number): number => {
  const monthly = ratePct / 1200
  return monthly === 0 ? loan / loanMonths : (loan * monthly) / (1 - (1 + monthly) ** -loanMonths)
}
