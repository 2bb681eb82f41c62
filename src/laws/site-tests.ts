// Tests that the rules of several laws share.
import { nameOfState } from '../domain/states.ts'
import type { RuleAnswer } from '../intelligence/rules/rule.ts'
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
