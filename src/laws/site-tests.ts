// Tests that the rules of several laws share.
import { nameOfState } from '../domain/states.ts'
import { fail, overlay, overlayOf, pass, type RuleAnswer, unknownFact, warn } from '../intelligence/rules/rule.ts'
import { namedMultifamily, namedOtherThanSingleFamily } from '../intelligence/rules/zone-names.ts'
import type { LawFacts, RuleFacts } from './law.ts'

/** Whether the parcel is in the state of the law. `law` is its name in a sentence: "SB 9". */
export const isInState =
  (here: string, law = `${nameOfState(here)} law`) =>
  ({ state: market, city }: RuleFacts): RuleAnswer => {
    const state = city?.state ?? market ?? here
    return state === here
      ? pass(`In ${nameOfState(here)}.`, here)
      : fail(`${law} applies only in ${nameOfState(here)}.`, state)
  }

/** Whether a home has a lot of its own, where something could be built. */
export const ownLotTest =
  (ofCondo: string) =>
  ({ propertyType }: Pick<LawFacts, 'propertyType'>): RuleAnswer => {
    if (propertyType === 'condo') return fail(ofCondo, propertyType)
    if (propertyType === undefined || propertyType === 'other' || propertyType === 'townhouse')
      return unknownFact('It is unknown whether the home is on its own lot.', propertyType)
    return pass('The home is on its own lot.', propertyType)
  }
export const isOnOwnLot = ownLotTest('A condominium has no lot of its own to build on.')

/** Warns in the coastal zone, and in a city that is partly in it where the parcel's overlay is unknown. */
export const isOutsideCoastalZone =
  (inside: string, partly: (city: string) => string = () => inside) =>
  ({ overlays, city }: RuleFacts): RuleAnswer => {
    const value = overlayOf(overlays, 'coastalZone')
    if (value === 'yes') return warn(inside, value)
    if (value === 'no') return pass('Not in the coastal zone.', value)
    if (!city) return unknownFact('It is unknown whether the parcel is in the coastal zone.', value)
    return city.coastal ? warn(partly(city.name), value) : pass(`${city.name} is outside the coastal zone.`, value)
  }

export const needsCoastalPermit = isOutsideCoastalZone(
  'In the coastal zone: a coastal permit is required.',
  (city) => `${city} is partly in the coastal zone.`,
)

/** Code, title, citation and test of a rule that every law of Massachusetts has. */
export const conservationRestriction = [
  'CONSERVATION_EASEMENT: Conservation restriction',
  'G.L. c.184 s.31',
  overlay('conservationEasement', 'Under a conservation restriction.', 'Not under a conservation restriction.'),
] as const

/** Code, title, citation and test of a rule that some of them have. */
export const wetlandApproval = [
  'WETLAND: Wetland',
  'G.L. c.131 s.40',
  overlay('wetland', 'On or near a wetland: the conservation commission must approve the work.', 'Not on a wetland.'),
] as const

export const acreSqft = 43_560

/** What the zoning allows: one family, several homes, or business and public uses. Undefined where that is not known. */
export const zoneUse = ({
  zoning,
  district,
}: Pick<LawFacts, 'zoning' | 'district'>): 'single' | 'multi' | 'other' | undefined => {
  if (district && district.singleFamily !== false) return 'single'
  const name = district?.codes[0] ?? zoning ?? ''
  if (namedMultifamily(name)) return 'multi'
  if (namedOtherThanSingleFamily(name)) return 'other'
  return district ? 'multi' : undefined
}
