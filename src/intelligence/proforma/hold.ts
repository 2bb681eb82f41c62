// What a home earns when it is let, and what an accessory unit costs and earns. In whole dollars, so that a person can redo it
// from the served numbers. docs/methods/rent-and-holding.md has the formulas.

import { tableOf } from '../../common/typed.ts'
import type { AssumptionName, Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { AduUnit } from '../../domain/findings/adu.ts'
import type { AduEconomics, Hold, MonthlyRent } from '../../domain/findings/rent.ts'
import { plural, sqft, usd } from '../scores/number-format.ts'
import { type NewHouseCostTerms, newHouseCostPerSqft } from './new-house.ts'
import { oneDecimal } from './proforma-arithmetic.ts'

const holdNames = [
  'vacancyPct',
  'operatingCostPct',
  'propertyTaxPct',
  'landlordInsurancePct',
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
  assumptions: Pick<Assumptions, (typeof holdNames)[number] | 'costPerSqft'> & NewHouseCostTerms,
  isDefault: IsDefault,
): Hold => {
  const { vacancyPct, operatingCostPct, propertyTaxPct, landlordInsurancePct } = assumptions
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
    terms: { price, rent, livingSqft, costPerSqft, rebuildCost, loan, acquisition, ...picked(assumptions, holdNames) },
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
const paymentOf = (loan: number, ratePct: number): number => {
  const monthly = ratePct / 1200
  return monthly === 0 ? loan / loanMonths : (loan * monthly) / (1 - (1 + monthly) ** -loanMonths)
}

/** The usual sizes of detached units: a studio, one bedroom, two bedrooms. */
const usualAduSqft = [400, 600, 800] as const

export const aduBedrooms = (sqft: number): number => usualAduSqft.slice(1).filter((size) => sqft >= size).length

/**
 * The units to choose from, of those that the law allows. Rent depends on bedrooms, so a detached unit larger than a usual size
 * only costs more. A conversion takes the garage and a junior unit takes part of the house, whose values are not known, so they
 * are chosen only where nothing else fits.
 */
const aduChoices = (units: readonly AduUnit[]): readonly AduUnit[] => {
  const ofKind = (kind: AduUnit['kind']) => units.filter((unit) => unit.kind === kind)
  const [first] = [ofKind('detached'), ofKind('conversion'), ofKind('junior')].filter((found) => found.length > 0)
  return (first ?? []).flatMap((unit) => {
    const smaller = unit.kind === 'detached' ? usualAduSqft.filter((size) => size <= unit.sqft) : []
    return smaller.length > 0 ? smaller.map((sqft) => ({ ...unit, sqft })) : [unit]
  })
}

/** The unit that adds most beyond its cost, or loses least. Undefined if no unit fits or no rents are known. */
export const bestAdu = (
  units: readonly AduUnit[],
  rentOf: (bedrooms: number) => MonthlyRent | undefined,
  assumptions: AduAssumptions,
  isDefault: IsDefault,
): AduEconomics | undefined =>
  aduChoices(units)
    .flatMap((unit) => {
      const rent = rentOf(aduBedrooms(unit.sqft))
      return rent ? [aduEconomics(unit, rent, assumptions, isDefault)] : []
    })
    .reduce<AduEconomics | undefined>((best, each) => (best && aduGain(best) >= aduGain(each) ? best : each), undefined)

const aduGain = ({ valueAdded, costUsd }: AduEconomics): number => valueAdded - costUsd

/** `isOwn`: at a caller's own assumptions. The unit stays the one chosen at the assumptions of the market. */
export const aduVerdict = (economics: AduEconomics, isOwn = false): string => {
  const { kind, sqft: size, bedrooms } = economics.unit
  const gain = aduGain(economics)
  const unit = `${aduKindWords[kind]} of ${sqft(size)} (${bedrooms === 0 ? 'studio' : plural(bedrooms, 'bedroom')})`
  const amount = usd(Math.abs(gain))
  const money = gain < 0 ? `would cost ${amount} more than it adds` : `would add ${amount} more than it costs`
  const chosen =
    kind !== 'detached'
      ? ' No detached unit fits.'
      : size < usualAduSqft[0]
        ? ' A larger one does not fit.'
        : ` Of the usual sizes (${usualAduSqft.join(', ')} sq ft) it is the best that fits.`
  const result = isOwn
    ? `At these assumptions, a ${unit} ${money}. It is the best unit at the assumptions of the market.`
    : `${gain < 0 ? 'Would lose money: a' : 'A'} ${unit} ${money}.${chosen}`
  return kind === 'detached'
    ? result
    : `${result} The value of the ${kind === 'conversion' ? 'garage' : 'floor area in the house'} that it takes is not deducted.`
}

const aduKindWords: Readonly<Record<AduUnit['kind'], string>> = {
  detached: 'detached unit',
  conversion: 'conversion',
  junior: 'junior unit',
}

type AduAssumptions = Pick<
  Assumptions,
  (typeof aduNames)[number] | 'aduCostPerSqft' | 'aduLeastCostUsd' | 'aduConversionCostPerSqft'
>

export const aduEconomics = (
  { kind, sqft }: AduUnit,
  monthlyRent: MonthlyRent,
  assumptions: AduAssumptions,
  isDefault: IsDefault,
): AduEconomics => {
  // A conversion and a junior unit use walls and a roof that exist. One smaller than those that are quoted costs as much as they do.
  const costNames =
    kind === 'detached' ? (['aduCostPerSqft', 'aduLeastCostUsd'] as const) : (['aduConversionCostPerSqft'] as const)
  const { vacancyPct, operatingCostPct, aduCapRatePct } = assumptions
  const chargedSqft = kind === 'detached' ? sqft : Math.max(sqft, usualAduSqft[0])
  const costUsd = Math.round(
    kind === 'detached'
      ? Math.max(assumptions.aduCostPerSqft * sqft, assumptions.aduLeastCostUsd)
      : assumptions.aduConversionCostPerSqft * chargedSqft,
  )
  const netRent = Math.round(12 * monthlyRent.amount * (1 - vacancyPct / 100) * (1 - operatingCostPct / 100))
  const valueAdded = Math.round((100 * netRent) / aduCapRatePct)
  return {
    unit: { kind, sqft, bedrooms: aduBedrooms(sqft) },
    costUsd,
    costPerSqft: Math.round((100 * costUsd) / sqft) / 100,
    monthlyRent,
    valueAdded,
    ...(netRent > 0 ? { paybackYears: oneDecimal(costUsd / netRent) } : {}),
    returnPct: oneDecimal((100 * (valueAdded - costUsd)) / costUsd),
    terms: {
      netRent,
      ...(kind === 'detached' ? {} : { chargedSqft }),
      ...picked(assumptions, costNames),
      ...picked(assumptions, aduNames),
    },
    defaults: ([...costNames, ...aduNames] as const).filter(isDefault),
  }
}

const picked = <Name extends AssumptionName>(
  assumptions: Pick<Assumptions, Name>,
  names: readonly Name[],
): Record<Name, number> => tableOf(names, (name) => assumptions[name])
