// Addresses that begin with what a visitor has typed so far.
import { addressKey } from '../domain/address/address.ts'
import { addressesLike, type FoundRow } from '../store/properties/lookup.ts'
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
  return addressesLike({ db, since: windowStart(caller.limits, now) }, key, mostSuggestions)
}
