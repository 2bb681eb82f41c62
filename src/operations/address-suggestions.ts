// Addresses that begin with what a visitor has typed so far, or else those on streets spelled like it.
import { addressKey } from '../domain/address/address.ts'
import { streetName } from '../domain/address/address-match.ts'
import { addressesLike, type FoundRow, propertiesOnSimilarStreets } from '../store/properties/lookup.ts'
import { windowStart } from '../wire/plans.ts'
import type { Context } from './context.ts'

const mostSuggestions = 8

export const addressSuggestions = async (
  { db, caller, now }: Pick<Context, 'db' | 'caller' | 'now'>,
  typed: string,
): Promise<Pick<FoundRow, 'id' | 'address' | 'city'>[]> => {
  const key = addressKey(typed.split(',')[0]!)
  // Fewer letters match too many streets.
  if (!/[A-Z]{2}/.test(key) || key.length < 4) return []
  const scope = { db, since: windowStart(caller.limits, now) }
  const found = await addressesLike(scope, key, mostSuggestions)
  const [, number = '0', street = ''] = /^(\d{0,9})\S*? ?(\D.*)$/.exec(key) ?? []
  const name = streetName(street.split(' '))
  // Too many streets are similar to a short name.
  if (found.length > 0 || name.length < 5) return found
  return propertiesOnSimilarStreets(scope, name, Number(number), undefined, mostSuggestions)
}
