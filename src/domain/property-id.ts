// A property id begins with the number of its market, so that the market, and with it the place where the property is stored,
// is known from the id alone. To callers an id is opaque.
import type { MarketId } from './facts.ts'
import { marketById, marketByNumber } from './packs/markets.ts'

/** Crockford's base 32: no letters that look like digits. */
export const idAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Three characters hold 32,767 markets; there are about 3,100 counties. */
const width = 3

/** "p_" and the market's number; what follows is unique within the market. */
export const propertyIdPrefix = (market: MarketId): string => {
  let left = marketById(market)!.number
  let text = ''
  for (let at = 0; at < width; at += 1) {
    text = idAlphabet[left & 31] + text
    left >>= 5
  }
  return `p_${text}`
}

/** Undefined for a text that is not a property id. */
export const marketNumberOf = (id: string): number | undefined => {
  const digits = shape.exec(id)?.[1]
  return digits === undefined
    ? undefined
    : [...digits].reduce((number, digit) => number * 32 + idAlphabet.indexOf(digit), 0)
}
const shape = new RegExp(`^p_([${idAlphabet}]{${width}})[0-9A-Za-z_-]+$`)

/** Undefined for a text that is not a property id, and for a market this program does not know. */
export const marketOfProperty = (id: string): MarketId | undefined => {
  const number = marketNumberOf(id)
  return number === undefined ? undefined : marketByNumber(number)?.id
}
