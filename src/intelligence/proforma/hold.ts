// What a home earns when it is let, and what an accessory unit costs and earns. In whole dollars, so that a person can redo it
// from the served numbers. docs/methods/rent-and-holding.md has the formulas.

import { tableOf } from '../../common/typed.ts'
import type { AssumptionName, Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { AduUnit } from '../../domain/findings/adu.ts'
import type { AduEconomics, Hold, MonthlyRent } from '../../domain/findings/rent.ts'
import { oneDecimal } from './proforma-arithmetic.ts'

const holdNames = [
  'vacancyPct',
  'operatingCostPct',
  'propertyTaxPct',
  'insurancePct',
  'costPerSqft',
  'acquisitionPct',
  'holdLoanPct',
  'holdRatePct',
] as const satisfies readonly AssumptionName[]

const aduNames = ['vacancyPct', 'operatingCostPct', 'aduCapRatePct'] as const satisfies readonly AssumptionName[]

const loanMonths = 360

interface HoldTerms {
  priceUsd: number
  rentUsd: number
  livingSqft: number
}

/** `isDefault`: whether the market's pack has no value of an assumption and the caller gave none. */
export type IsDefault = (name: AssumptionName) => boolean

export const holdOf = (
  { priceUsd: price, rentUsd: rent, livingSqft }: HoldTerms,
  assumptions: Pick<Assumptions, (typeof holdNames)[number]>,
  isDefault: IsDefault,
): Hold => {
  const { vacancyPct, operatingCostPct, propertyTaxPct, insurancePct, costPerSqft } = assumptions
  const gross = 12 * rent
  const rebuildCost = Math.round(costPerSqft * livingSqft)
  const noi = Math.round(
    gross * (1 - vacancyPct / 100) -
      (operatingCostPct / 100) * gross -
      (propertyTaxPct / 100) * price -
      (insurancePct / 100) * rebuildCost,
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
    terms: { price, rent, livingSqft, rebuildCost, loan, acquisition, ...picked(assumptions, holdNames) },
    defaults: holdNames.filter(isDefault),
  }
}

/** Of a fully amortizing loan. */
const paymentOf = (loan: number, ratePct: number): number => {
  const monthly = ratePct / 1200
  return monthly === 0 ? loan / loanMonths : (loan * monthly) / (1 - (1 + monthly) ** -loanMonths)
}

/** As such units are usually built: state law guarantees 850 sq ft with one bedroom and 1,000 with two. */
export const aduBedrooms = (sqft: number): number => (sqft < 450 ? 0 : sqft < 750 ? 1 : 2)

export const aduEconomics = (
  { kind, sqft }: AduUnit,
  monthlyRent: MonthlyRent,
  assumptions: Pick<Assumptions, (typeof aduNames)[number] | 'aduCostPerSqft' | 'aduConversionCostPerSqft'>,
  isDefault: IsDefault,
): AduEconomics => {
  // A conversion and a junior unit use walls and a roof that exist.
  const costName = kind === 'detached' ? 'aduCostPerSqft' : 'aduConversionCostPerSqft'
  const costPerSqft = assumptions[costName]
  const { vacancyPct, operatingCostPct, aduCapRatePct } = assumptions
  const costUsd = Math.round(costPerSqft * sqft)
  const netRent = Math.round(12 * monthlyRent.amount * (1 - vacancyPct / 100) * (1 - operatingCostPct / 100))
  const valueAdded = Math.round((100 * netRent) / aduCapRatePct)
  return {
    unit: { kind, sqft, bedrooms: aduBedrooms(sqft) },
    costUsd,
    costPerSqft,
    monthlyRent,
    valueAdded,
    ...(netRent > 0 ? { paybackYears: oneDecimal(costUsd / netRent) } : {}),
    returnPct: oneDecimal((100 * (valueAdded - costUsd)) / costUsd),
    terms: { netRent, ...picked(assumptions, aduNames) },
    defaults: ([costName, ...aduNames] as const).filter(isDefault),
  }
}

const picked = <Name extends AssumptionName>(
  assumptions: Pick<Assumptions, Name>,
  names: readonly Name[],
): Record<Name, number> => tableOf(names, (name) => assumptions[name])
