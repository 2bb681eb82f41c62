// How long a project takes, from the purchase to the resale: the time to the permit in this city, and the rest of the project.

import { assumptionsWith, type OwnValues } from '../../criteria/own-assumptions.ts'
import {
  type AssumptionName,
  type Assumptions,
  assumptionsFor,
  isDefault,
  publishedPermitDays,
} from '../../domain/assumptions/assumptions.ts'
import { cityIn, type MarketPack } from '../../domain/packs/pack.ts'
import { decimal, plural } from '../scores/number-format.ts'

/** Days from application to issue of the permits for new houses, by city. A city with too few permits is absent. */
export interface PermitTimes {
  /** Date of the oldest application. */
  since: string
  cities: Readonly<Record<string, { n: number; p50: number; p90?: number }>>
}

export interface ProjectDuration {
  basis: string
  /** The assumption that has no effect on the duration. */
  unused: AssumptionName
  /** By how much a permit that takes longer than nine of ten delays the project, in whole months. */
  delayMonths?: number
}

export interface ProjectAssumptions {
  assumptions: Assumptions
  duration: ProjectDuration
}

const monthsOf = (days: number): number => Math.round((days / 365.25) * 120) / 10

/** The assumptions of a city with the caller's own, and the duration of a project with its basis. */
export const projectAssumptions = (
  pack: MarketPack | undefined,
  city: string,
  times: PermitTimes | undefined,
  own: OwnValues = {},
): ProjectAssumptions => {
  const place = cityIn(pack, city)
  const usual = assumptionsFor(pack, city)
  const assumptions = assumptionsWith(own, pack, city)
  const measured = times?.cities[place?.slug ?? '']
  const delayMonths =
    measured?.p90 === undefined ? undefined : Math.max(1, Math.ceil(monthsOf(measured.p90) - monthsOf(measured.p50)))
  const published = publishedPermitDays(pack, place?.slug ?? '')
  if (own.months !== undefined)
    return { assumptions, duration: { basis: 'your own assumption', unused: 'monthsBesidesPermit', delayMonths } }
  const days = measured?.p50 ?? published?.days
  if (days === undefined) {
    const months = usual.months + assumptions.monthsBesidesPermit - usual.monthsBesidesPermit
    const whose = isDefault(pack, 'months') ? 'the default of the program' : 'the assumption of the market'
    return {
      assumptions: { ...assumptions, months },
      duration: {
        basis: `${pack ? `${pack.market.name}: ` : ''}${whose}, because too few permits for new houses with an application date are known in this city`,
        unused: 'monthsBesidesPermit',
      },
    }
  }
  const permit = monthsOf(days)
  const rest = assumptions.monthsBesidesPermit
  const words = measured
    ? `, new house: ${decimal(permit)} months to permit, median of ${measured.n} applied for since ${times?.since}${measured.p90 === undefined ? '' : ` (nine of ten within ${decimal(monthsOf(measured.p90))})`}`
    : `: ${decimal(permit)} months to permit, ${published?.basis}`
  return {
    assumptions: { ...assumptions, months: Math.round((permit + rest) * 10) / 10 },
    duration: {
      basis: `${place?.name ?? city}${words}, plus ${plural(rest, 'month')} to design, build and sell`,
      unused: 'months',
      delayMonths,
    },
  }
}
