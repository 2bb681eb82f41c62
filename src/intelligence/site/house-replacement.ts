// What issued permits say about buildings that the property records do not show yet. Rolls and listings lag behind permits.
import type { ConditionPermit } from '../condition/condition-evidence.ts'
import { isVacantLot, type VacantLotFacts } from './vacant-lot.ts'

export interface PermittedHome extends VacantLotFacts {
  /** Oldest first, as they were issued. */
  readonly permits?: readonly ConditionPermit[]
}

/**
 * Years after which property records show a rebuilt house. An older demolition or unfinished house that they still do not show
 * was of another building, or was never built.
 */
const recordLagYears = 5

/**
 * The sentence that says why the house on record may be gone, or undefined. It may be if a permit for a new house or a
 * whole-house demolition was issued after the year it was built. It names no date, because lists of leads have no history window.
 */
export const houseReplacement = (home: PermittedHome, on: string): string | undefined => {
  const vacant = isVacantLot(home)
  const { yearBuilt } = home
  const counted = (home.permits ?? []).filter((permit) => {
    const { permitClass, status } = permit
    if (permitClass !== 'new_house' && (permitClass !== 'whole_house_demolition' || vacant)) return false
    if (!isOpenOrDone(permit, on) || yearOf(permit) <= (yearBuilt ?? 0)) return false
    const completed = permitClass === 'new_house' && status === 'finaled' && yearBuilt !== undefined
    return completed || Number(on.slice(0, 4)) - yearOf(permit) <= recordLagYears
  })
  const permit = counted.findLast(({ permitClass }) => permitClass === 'new_house') ?? counted.at(-1)
  if (!permit) return undefined
  const issued = `A permit ${permit.permitClass === 'new_house' ? 'for a new house' : 'to demolish the house'} was issued${finaled(permit)}`
  if (vacant) return `${issued}, so the lot may no longer be vacant.`
  return yearBuilt === undefined
    ? `${issued} in recent years, so the house on record may be gone.`
    : `${issued} after the house on record was built, so that house may be gone.`
}

/** The sentence that says that an accessory unit was permitted, or undefined. */
export const permittedUnit = (permits: readonly ConditionPermit[] = [], on: string): string | undefined => {
  const permit = permits.findLast((each) => each.permitClass === 'adu' && isOpenOrDone(each, on))
  return (
    permit &&
    `A permit for an accessory unit was issued${finaled(permit)}, so a unit is probably built or under construction.`
  )
}

/** Years for which a remodel is still part of what a seller asks for the house. */
const recentWorkYears = 5

/** The sentence that says that the house was remodeled or enlarged in recent years, or undefined. Like the others it names no date of a permit. */
export const recentWork = (
  home: PermittedHome & { readonly yearRenovated?: number },
  on: string,
): string | undefined => {
  if (isVacantLot(home)) return undefined
  const year = Number(on.slice(0, 4))
  const { permits = [], yearRenovated = 0, yearBuilt = 0 } = home
  const permit = permits.findLast(
    (each) =>
      (each.permitClass === 'remodel' || each.permitClass === 'addition') &&
      isOpenOrDone(each, on) &&
      yearOf(each) > Math.max(yearBuilt, year - recentWorkYears),
  )
  const wasted = 'a new house would waste that work, and the price may include it.'
  if (yearRenovated > year - recentWorkYears && yearRenovated <= year) return `Renovated in ${yearRenovated}: ${wasted}`
  const kind = permit?.permitClass === 'addition' ? 'an addition' : 'a remodel'
  return permit && `A permit for ${kind} was issued in recent years: ${wasted}`
}

const finaled = ({ status }: ConditionPermit): string => (status === 'finaled' ? ' and finaled' : '')

/** Issued by that day and neither expired nor canceled. */
const isOpenOrDone = ({ issuedOn, status }: ConditionPermit, on: string): boolean =>
  issuedOn !== undefined && issuedOn <= on && status !== 'cancelled' && status !== 'expired'

const yearOf = ({ issuedOn = '' }: ConditionPermit): number => Number(issuedOn.slice(0, 4))
