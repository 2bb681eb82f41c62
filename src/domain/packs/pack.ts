// A loaded market pack. It is plain data: whatever computes with a market gets its pack as an argument.
import { bareName } from '../../common/suggest.ts'
import { valueAt } from '../../common/typed.ts'
import type { MarketAssumptions } from '../assumptions/assumptions.ts'
import type { AnyCityFact } from './city-facts.ts'
import type { City, Market } from './markets.ts'
import type { District } from './zoning.ts'

export interface MarketPack {
  /** The pack's folder. */
  dir: string
  market: Market
  cities: readonly City[]
  districts: readonly District[]
  assumptions: MarketAssumptions
  /** Dated facts about its cities; read them with `cityFact`. */
  facts: readonly AnyCityFact[]
}

/** A function of a pack that is computed once for each: a loaded pack does not change. */
export const oncePerPack = <T>(compute: (pack: MarketPack) => T): ((pack: MarketPack) => T) => {
  const known = new WeakMap<MarketPack, T>()
  return (pack) => valueAt(known, pack, () => compute(pack))
}

/** The names by which a city is found: "Springfield", "springfield", "Springfield, IL" and its usual short forms. */
export const cityKeys = ({ name, slug, aliases, state }: City): string[] => [
  ...new Set([name, slug, ...aliases, `${name} ${state}`].map(bareName)),
]

const citiesByName = oncePerPack(({ cities }) => {
  const byName = new Map<string, City>()
  for (const city of cities) for (const key of cityKeys(city)) if (!byName.has(key)) byName.set(key, city)
  return byName
})

/** A city of the pack by name, slug or alias. */
export const cityIn = (pack: MarketPack | undefined, nameOrSlug: string): City | undefined =>
  pack && citiesByName(pack).get(bareName(nameOrSlug))

/** The county as the pack writes it, as rents have it. A feed of parcels may write it in another way. */
export const countyIn = (
  pack: MarketPack | undefined,
  { city, county }: { city: string; county?: string },
): string | undefined => cityIn(pack, city)?.county ?? county

/** With its preposition: "in Springfield", "on the island". */
export const inMarket = ({ name, inWords }: Pick<Market, 'name' | 'inWords'>): string => inWords ?? `in ${name}`
