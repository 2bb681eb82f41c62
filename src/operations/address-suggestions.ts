// Addresses that begin with what a visitor has typed so far, or else those on streets spelled like it.
import { addressKey } from '../domain/address/address.ts'
import { compareStreets, splitKey, streetName } from '../domain/address/address-match.ts'
import { addressesLike, type FoundRow, propertiesOnStreetsLike } from '../store/properties/lookup.ts'
import { windowStart } from '../wire/plans.ts'
import type { Context } from './context.ts'

const mostSuggestions = 8
/** Rows of similar streets that are compared letter by letter. */
const mostCompared = 60

export const addressSuggestions = async (
  { db, caller, now }: Pick<Context, 'db' | 'caller' | 'now'>,
  typed: string,
): Promise<Pick<FoundRow, 'id' | 'address' | 'city'>[]> => {
  const key = addressKey(typed.split(',')[0]!)
  // Fewer letters match too many streets.
  if (!/[A-Z]{2}/.test(key) || key.length < 4) return []
  const scope = { db, since: windowStart(caller.limits, now) }
  const rows = await addressesLike(scope, key, mostSuggestions)
  const [, number = '0', street = ''] = /^(\d{0,9})\S*? ?(\D.*)$/.exec(key) ?? []
  const words = street.split(' ')
  const name = streetName(words)
  // Too many streets are similar to a short name.
  if (rows.length > 0 || name.length < 5) return rows
  const similar = await propertiesOnStreetsLike(scope, name, Number(number), mostCompared)
  return similar
    .filter((row) => compareStreets(words, splitKey(row.addressKey).street).fit !== 'different')
    .slice(0, mostSuggestions)
}
