// Tests that the rules of several laws share.
import type { City } from '../domain/packs/markets.ts'
import { nameOfState } from '../domain/states.ts'
import { overlayOf, type RuleAnswer } from '../intelligence/rules/rule.ts'
import { namedMultifamily, namedOtherThanSingleFamily } from '../intelligence/rules/zone-names.ts'
import type { LawFacts } from './law.ts'

/** Whether the parcel is in the state of the law. `law` is its name in a sentence: "SB 9". */
export const isInState =
  (own: string, law = `${nameOfState(own)} law`) =>
  ({ state: market, city }: Pick<LawFacts, 'state'> & { city?: { state: string } }): RuleAnswer => {
    const state = city?.state ?? market ?? own
    return state === own
      ? { outcome: 'pass', value: own, because: `In ${nameOfState(own)}.` }
      : { outcome: 'fail', value: state, because: `${law} applies only in ${nameOfState(own)}.` }
  }

/** Whether a home has a lot of its own, where an accessory unit could be built. */
export const isOnOwnLot = ({ propertyType }: Pick<LawFacts, 'propertyType'>): RuleAnswer => {
  if (propertyType === 'condo')
    return { outcome: 'fail', value: propertyType, because: 'A condominium has no private yard to build in.' }
  if (propertyType === undefined || propertyType === 'other' || propertyType === 'townhouse')
    return {
      outcome: 'unknown',
      value: propertyType ?? 'unknown',
      because: 'It is unknown whether the home is on its own lot.',
    }
  return { outcome: 'pass', value: propertyType, because: 'The home is on its own lot.' }
}

/** Warns in the coastal zone, and in a city that is partly in it where the parcel's overlay is unknown. */
export const isOutsideCoastalZone =
  (inside: string, partly: (city: string) => string = () => inside) =>
  ({ overlays, city }: Pick<LawFacts, 'overlays'> & { city?: Pick<City, 'name' | 'coastal'> }): RuleAnswer => {
    const value = overlayOf(overlays, 'coastalZone')
    if (value === 'yes') return { outcome: 'warn', value, because: inside }
    if (value === 'no') return { outcome: 'pass', value, because: 'Not in the coastal zone.' }
    if (!city) return { outcome: 'unknown', value, because: 'It is unknown whether the parcel is in the coastal zone.' }
    return city.coastal
      ? { outcome: 'warn', value, because: partly(city.name) }
      : { outcome: 'pass', value, because: `${city.name} is outside the coastal zone.` }
  }

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

/** The same sentence for every parcel: what the law grants or asks once it applies. */
export const always = (outcome: 'pass' | 'warn', because: string) => (): RuleAnswer => ({ outcome, because })

export const unknownFact = (because: string, value = 'unknown'): RuleAnswer => ({ outcome: 'unknown', value, because })
