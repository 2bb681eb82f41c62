// What an accessory unit costs, earns when it is let, and adds to the price of the property. In whole dollars, so that a person can
// redo it from the served numbers. docs/methods/rent-and-holding.md has the formulas.

import { tableOf } from '../../common/typed.ts'
import type { AssumptionName, Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { AduUnit } from '../../domain/findings/adu.ts'
import type { AduBestSet, AduEconomics, MonthlyRent } from '../../domain/findings/rent.ts'
import { plural, sqft, usd } from '../scores/number-format.ts'
import { clamp } from '../statistics/clamp.ts'
import { type IsDefault, paymentOf } from './hold.ts'
import { oneDecimal } from './project.ts'

/** The usual sizes of detached units: a studio, one bedroom, two bedrooms, and larger ones with two. */
const usualAduSqft = [400, 600, 800, 1_000, 1_200] as const

/** Sizes that the rents of studios and of one and two bedrooms are of. */
const rentedSqft = [450, 600, 850] as const

export const aduBedrooms = (sqft: number): number => (sqft >= 800 ? 2 : sqft >= 600 ? 1 : 0)

/** The base cost that the costs below are of. */
const referenceCost = 500

/** What each kind is built for: a fixed part, a part by size, and soft costs with contingency on both. */
const costNames = {
  detached: ['aduFixedUsd', 'aduPerSqftUsd', 'aduSoftPct'],
  conversion: ['aduConversionFixedUsd', 'aduConversionPerSqftUsd', 'aduConversionSoftPct'],
  junior: ['aduJuniorFixedUsd', 'aduJuniorPerSqftUsd', 'aduConversionSoftPct'],
} as const satisfies Record<AduUnit['kind'], readonly AssumptionName[]>

/** Known of the place and not of the assumptions. */
export interface AduPlace {
  /** By bedrooms. */
  rents: Readonly<Record<number, MonthlyRent | undefined>>
  /** Median price per square foot of the city's houses; without it the value added has no limit by area. */
  cityPerSqft?: number
}

/** The rent of a unit of this size: rents are of usual sizes, and grow with the root of the size. */
const rentBySize = (rent: MonthlyRent, size: number): MonthlyRent => {
  const ratio = clamp(Math.sqrt(size / rentedSqft[aduBedrooms(size)]!), 0.75, 1.2)
  const by = (amount: number) => Math.round(ratio * amount)
  return {
    ...rent,
    amount: by(rent.amount),
    ...(rent.low === undefined ? {} : { low: by(rent.low) }),
    ...(rent.high === undefined ? {} : { high: by(rent.high) }),
    basis: `${rent.basis} Times ${Math.round(100 * ratio) / 100} for ${sqft(size)}.`,
  }
}

/** Building cost, and the cost with design, permits and contingency. A cost that a caller or a pack gives is final. */
export const aduCost = ({ kind, sqft: size, stories = 1 }: AduUnit & { stories?: number }, a: Assumptions) => {
  const [fixed, perSqft, softPct] = costNames[kind]
  const soft = 1 + a[softPct] / 100
  const costPerSqft = kind === 'detached' ? a.aduCostPerSqft : a.aduConversionCostPerSqft
  if (costPerSqft !== undefined) {
    const costUsd = Math.round(Math.max(costPerSqft * size, kind === 'detached' ? (a.aduLeastCostUsd ?? 0) : 0))
    return { costUsd, hardCost: Math.round(costUsd / soft) }
  }
  // Two floors need a stair and more structure.
  const floors = kind === 'detached' && stories > 1 ? 1.1 : 1
  const hardCost = Math.round((a[fixed] + a[perSqft] * size) * (a.baseCostPerSqft / referenceCost) * floors)
  const least = kind === 'detached' ? (a.aduLeastCostUsd ?? 0) : 0
  return { costUsd: Math.max(Math.round(soft * hardCost), least), hardCost }
}

const incomeNames = [
  'vacancyPct',
  'operatingCostPct',
  'propertyTaxPct',
  'newBuildAssessedPct',
  'landlordInsurancePct',
  'aduNetCapRatePct',
] as const satisfies readonly AssumptionName[]

const valueNames = {
  detached: ['aduAreaSharePct'],
  conversion: ['aduAreaSharePct', 'lostGarageUsd'],
  junior: ['juniorValuePct'],
} as const satisfies Record<AduUnit['kind'], readonly AssumptionName[]>

export const aduEconomics = (
  unit: AduUnit & { stories?: number },
  { rents, cityPerSqft }: AduPlace,
  assumptions: Assumptions,
  isDefault: IsDefault,
): AduEconomics | undefined => {
  const { kind, sqft: size } = unit
  const bedrooms = aduBedrooms(size)
  const known = rents[bedrooms]
  if (!known) return undefined
  const monthlyRent = rentBySize(known, size)
  const { costUsd, hardCost } = aduCost(unit, assumptions)
  const collected = 12 * monthlyRent.amount * (1 - assumptions.vacancyPct / 100)
  const tax = (assumptions.propertyTaxPct / 100) * (assumptions.newBuildAssessedPct / 100) * hardCost
  const insurance = (assumptions.landlordInsurancePct / 100) * hardCost
  const noi = Math.round(collected * (1 - assumptions.operatingCostPct / 100) - tax - insurance)
  const byIncome = Math.round((100 * noi) / assumptions.aduNetCapRatePct)
  const byArea =
    cityPerSqft === undefined ? undefined : Math.round((assumptions.aduAreaSharePct / 100) * cityPerSqft * size)
  const sold = Math.min(byIncome, byArea ?? byIncome) - (kind === 'conversion' ? assumptions.lostGarageUsd : 0)
  const valueAdded = kind === 'junior' ? Math.round((assumptions.juniorValuePct / 100) * costUsd) : sold
  const isOwnCost =
    (kind === 'detached' ? assumptions.aduCostPerSqft : assumptions.aduConversionCostPerSqft) !== undefined
  const used = [
    ...(isOwnCost ? [] : [...costNames[kind], 'baseCostPerSqft' as const]),
    ...incomeNames,
    ...valueNames[kind],
  ]
  return {
    unit: { kind, sqft: size, bedrooms },
    costUsd,
    costPerSqft: Math.round((100 * costUsd) / size) / 100,
    monthlyRent,
    monthlyPayment: Math.round(paymentOf(costUsd, assumptions.holdRatePct)),
    noi,
    valueAdded,
    gainUsd: valueAdded - costUsd,
    yieldPct: oneDecimal((100 * noi) / costUsd),
    ...(noi > 0 ? { paybackYears: oneDecimal(costUsd / noi) } : {}),
    returnPct: oneDecimal((100 * (valueAdded - costUsd)) / costUsd),
    terms: {
      hardCost,
      byIncome,
      holdRatePct: assumptions.holdRatePct,
      ...(byArea === undefined ? {} : { byArea, cityPerSqft: cityPerSqft! }),
      ...tableOf(used, (name) => assumptions[name]),
    },
    defaults: used.filter(isDefault),
  }
}

/** Every unit that fits: detached ones in the usual sizes up to the largest, and that one. */
const aduChoices = (units: readonly AduUnit[]): readonly AduUnit[] =>
  units.flatMap((unit) =>
    unit.kind === 'detached'
      ? [...usualAduSqft.filter((size) => size < unit.sqft), unit.sqft].map((size) => ({ ...unit, sqft: size }))
      : [unit],
  )

/** In the order of what they add beyond their cost. */
export const aduUnits = (
  units: readonly AduUnit[],
  place: AduPlace,
  assumptions: Assumptions,
  isDefault: IsDefault,
): readonly AduEconomics[] =>
  aduChoices(units)
    .flatMap((unit) => aduEconomics(unit, place, assumptions, isDefault) ?? [])
    .sort((a, b) => b.gainUsd - a.gainUsd)

/** The best of each kind as far as they gain and the law allows as many; the one that loses least if none gains. */
export const aduBestSet = (choices: readonly AduEconomics[], most: number | undefined): AduBestSet | undefined => {
  const [first] = choices
  if (!first) return undefined
  const ofKind = new Map(choices.toReversed().map((each) => [each.unit.kind, each]))
  const gaining = [...ofKind.values()].filter(({ gainUsd }) => gainUsd > 0).sort((a, b) => b.gainUsd - a.gainUsd)
  const chosen = gaining.length > 0 ? gaining.slice(0, Math.max(1, most ?? 1)) : [first]
  const sum = (name: 'costUsd' | 'valueAdded' | 'gainUsd') => chosen.reduce((all, each) => all + each[name], 0)
  return {
    units: chosen.map(({ unit }) => unit),
    costUsd: sum('costUsd'),
    valueAdded: sum('valueAdded'),
    gainUsd: sum('gainUsd'),
  }
}

/** `isOwn`: at a caller's own assumptions. */
export const aduVerdict = ({ unit, gainUsd }: AduEconomics, isOwn = false): string => {
  const { kind, sqft: size, bedrooms } = unit
  const words = `${aduKindWords[kind]} of ${sqft(size)} (${bedrooms === 0 ? 'studio' : plural(bedrooms, 'bedroom')})`
  const amount = usd(Math.abs(gainUsd))
  const money = gainUsd < 0 ? `would cost ${amount} more than it adds` : `would add ${amount} more than it costs`
  return `${isOwn ? 'At these assumptions: ' : ''}${gainUsd < 0 ? 'Every unit that fits would lose money; the one that loses least, a' : 'The best unit that fits, a'} ${words}, ${money}.`
}

const aduKindWords: Readonly<Record<AduUnit['kind'], string>> = {
  detached: 'detached unit',
  conversion: 'garage conversion',
  junior: 'junior unit in the house',
}
