// How long a project takes, from the purchase to the resale: design and the time to the permit in this city, building by size, sale.

import { assumptionsWith, type OwnNumbers } from '../../criteria/own-assumptions.ts'
import {
  type AssumptionName,
  type Assumptions,
  type FinalName,
  isDefault,
  publishedPermitDays,
} from '../../domain/assumptions/assumptions.ts'
import type { AduUnit } from '../../domain/findings/adu.ts'
import { cityIn, type MarketPack } from '../../domain/packs/pack.ts'
import type { Phases } from '../cash-flow/schedule.ts'
import { decimal, sqft } from '../scores/number-format.ts'
import { aduCost } from './adu-economics.ts'
import {
  monthsOfPhases,
  type NewHousePlan,
  newHouseBuildMonths,
  newHouseCostPerSqft,
  referenceHouse,
  scaledTo,
} from './new-house.ts'

/** Days from application to issue of the permits for new houses, by city. A city with too few permits is absent. */
export interface PermitTimes {
  /** Date of the oldest application. */
  since: string
  cities: Readonly<Record<string, { n: number; p50: number; p90?: number }>>
}

export interface PermitTiming {
  months: number
  basis: string
  /** The assumption that it does not depend on. */
  unused: AssumptionName
  /** By how much a permit that takes longer than nine of ten delays the project, in whole months. */
  delayMonths?: number
}

export interface ProjectAssumptions {
  assumptions: Assumptions
  permit: PermitTiming
}

const monthsOf = (days: number): number => Math.round((days / 365.25) * 120) / 10

/** The assumptions of a city with the caller's own, and the time to the permit with its basis. */
export const projectAssumptions = (
  pack: MarketPack | undefined,
  city: string,
  times: PermitTimes | undefined,
  own: OwnNumbers = {},
): ProjectAssumptions => {
  const place = cityIn(pack, city)
  const assumptions = assumptionsWith(own, pack, city)
  const measured = times?.cities[place?.slug ?? '']
  const published = publishedPermitDays(pack, place?.slug ?? '')
  const days = measured?.p50 ?? published?.days
  if (days === undefined) return { assumptions, permit: unmeasuredPermit(assumptions, pack) }
  const toPermit = monthsOf(days)
  const { designMonths } = assumptions
  const words = measured
    ? `, new house: ${decimal(toPermit)} months to permit, median of ${measured.n} applied for since ${times?.since}${measured.p90 === undefined ? '' : ` (nine of ten within ${decimal(monthsOf(measured.p90))})`}`
    : `: ${decimal(toPermit)} months to permit, ${published?.basis}`
  return {
    assumptions,
    permit: {
      months: designMonths + toPermit,
      basis: `${place?.name ?? city}${words}, and ${decimal(designMonths)} of design`,
      unused: 'designAndPermitMonths',
      ...(measured?.p90 === undefined
        ? {}
        : { delayMonths: Math.max(1, Math.ceil(monthsOf(measured.p90) - monthsOf(measured.p50))) }),
    },
  }
}

export const unmeasuredPermit = (
  { designAndPermitMonths }: Pick<Assumptions, 'designAndPermitMonths'>,
  pack: Pick<MarketPack, 'market' | 'assumptions'> | undefined,
): PermitTiming => {
  const whose = isDefault(pack, 'designAndPermitMonths') ? 'the default of the program' : 'the assumption of the market'
  return {
    months: designAndPermitMonths,
    basis: `${pack ? `${pack.market.name}: ` : ''}${decimal(designAndPermitMonths)} months of design and permit, ${whose}, because too few permits for new houses with an application date are known in this city`,
    unused: 'designMonths',
  }
}

export interface ProjectDuration {
  months: number
  phases: Phases
  basis: string
}

/** `hearing`: what a size that needs a hearing adds. A duration that the caller gives is final and scales the phases. */
export const newHouseDuration = (
  house: NewHousePlan,
  terms: Parameters<typeof newHouseBuildMonths>[1] & Pick<Assumptions, 'saleMonths' | 'months'>,
  permit: PermitTiming,
  hearing?: { months: number; body: string } | undefined,
): ProjectDuration => {
  const build = newHouseBuildMonths(house, terms)
  const phases = { permit: permit.months + (hearing?.months ?? 0), build, sale: terms.saleMonths }
  const months = terms.months ?? monthsOfPhases(phases)
  const heard =
    hearing && hearing.months > 0 ? `; ${decimal(hearing.months)} for the hearing of the ${hearing.body}` : ''
  return {
    months,
    phases: scaledTo(phases, months),
    basis:
      terms.months === undefined
        ? `${permit.basis}${heard}; ${decimal(Math.round(10 * build) / 10)} to build ${sqft(house.sqft)}, ${decimal(terms.saleMonths)} to sell`
        : 'your own assumption',
  }
}

/** Figures that `GET /v1/assumptions` shows: of a flat, two-story house of 2,500 sq ft, a unit of 800 and a garage of 400. */
export const referenceFigures = (
  pack: MarketPack | undefined,
  city: string,
  times: PermitTimes | undefined,
): Record<FinalName, number> => {
  const { assumptions, permit } = projectAssumptions(pack, city, times)
  const unitCost = (kind: AduUnit['kind'], sqft: number) =>
    Math.round(aduCost({ kind, sqft }, assumptions).costUsd / sqft)
  return {
    costPerSqft: newHouseCostPerSqft(referenceHouse, assumptions),
    months: newHouseDuration(referenceHouse, assumptions, permit).months,
    aduCostPerSqft: unitCost('detached', 800),
    aduLeastCostUsd: assumptions.aduLeastCostUsd ?? 0,
    aduConversionCostPerSqft: unitCost('conversion', 400),
  }
}
