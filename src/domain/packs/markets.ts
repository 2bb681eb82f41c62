// The markets and cities of the packs that this process has loaded. Code that computes with a market gets its pack as an argument.

import { bareName } from '../../common/suggest.ts'
import { dayInWords } from '../day.ts'
import type { MarketId } from '../facts.ts'
import type { CityEntry, PackManifest } from './market-pack.ts'
import { cityKeys, inMarket } from './pack.ts'

export type { Box, LatLng } from './market-pack.ts'

export type Market = Omit<PackManifest, '$schema'>

/** With what its market says about it. */
export type City = CityEntry & Pick<Market, 'state'> & { market: MarketId }

/** The markets and cities of some packs, with what finds them. */
const placesOf = (loaded: readonly { market: Market; cities: readonly City[] }[]) => {
  const sorted = loaded.toSorted((a, b) => a.market.number - b.market.number)
  const all = sorted.map(({ market }) => market)
  const places = sorted.flatMap((pack) => pack.cities)
  return {
    markets: all,
    marketIds: all.map(({ id }) => id),
    jurisdictions: places,
    cities: places.filter((city) => city.incorporated),
    defaultMarket: (all.findLast((market) => market.default) ?? all[0])?.id ?? '',
    byId: new Map(all.map((market) => [market.id, market])),
    byNumber: new Map(all.map((market) => [market.number, market])),
    slugs: new Map(places.map((city) => [city.slug, city])),
    names: grouped(places.flatMap((city) => cityKeys(city).map((key) => [key, city] as const))),
    zips: grouped(places.flatMap((city) => city.zipCodes.map((zip) => [zip, city] as const))),
    marketNames: new Map(
      all.flatMap((market) => [market.id, market.name, ...market.aliases].map((name) => [bareName(name), market.id])),
    ),
  }
}

let inUse = placesOf([])

export const setMarkets = (loaded: readonly { market: Market; cities: readonly City[] }[]): void => {
  inUse = placesOf(loaded)
}

/** In the order of their numbers. */
export const markets = (): readonly Market[] => inUse.markets
export const marketIds = (): readonly MarketId[] => inUse.marketIds

/** Every jurisdiction, including unincorporated counties. */
export const jurisdictions = (): readonly City[] => inUse.jurisdictions
export const cities = (): readonly City[] => inUse.cities

/** The market used when a caller names none: the pack with `default`, the operator's own before the built-in one, otherwise the first. */
export const defaultMarket = (): MarketId => inUse.defaultMarket

export const marketById = (id: MarketId): Market | undefined => inUse.byId.get(id)

/** By the number in its property ids. */
export const marketByNumber = (number: number): Market | undefined => inUse.byNumber.get(number)

export const cityBySlug = (slug: string): City | undefined => inUse.slugs.get(slug)

/**
 * Whether a search text is the slug of one city, such as "palo-alto". The name "Palo Alto" is not: in a search by part of a name it is
 * a part of "East Palo Alto" too. A slug of one word is also a name.
 */
export const isCitySlug = (text: string): boolean => text.includes('-') && inUse.slugs.has(text)

/**
 * Finds a city by its slug, full name ("Springfield", "Springfield, IL") or usual short form. Case and punctuation do not
 * matter. A name that two states share is found only with its state or its market: guessing would put a home in the wrong state.
 */
export function findCity(nameOrSlug: string, market?: MarketId): City | undefined {
  const name = bareName(nameOrSlug)
  const candidates = inUse.names.get(name) ?? []
  if (market !== undefined) return candidates.find((city) => city.market === market)
  return candidates.length === 1 ? candidates[0] : inUse.slugs.get(nameOrSlug.trim().toLowerCase())
}

/** The city of a ZIP code within a market; undefined if no city or several have it. */
export function cityOfZip(zip: string, market: MarketId): City | undefined {
  const candidates = (inUse.zips.get(zip.slice(0, 5)) ?? []).filter((city) => city.market === market)
  return candidates.length === 1 ? candidates[0] : undefined
}

/** Finds a market by id, name or alias; undefined if there is none. */
export const marketOf = (alias: string): MarketId | undefined => inUse.marketNames.get(bareName(alias))

/** The markets that may contain a city with this slug. A feed may name a city that is not in the list. */
export function marketsOfCity(slug: string): readonly MarketId[] {
  const city = inUse.slugs.get(slug)
  return city ? [city.market] : inUse.marketIds
}

/** Two letters: "CA". */
export const stateOf = (market: MarketId): string => marketById(market)!.state

/** "on the island, in Springfield and in King County" */
export const marketsInWords = (of: readonly Market[] = inUse.markets): string => {
  const places = of.map(inMarket)
  return places.length < 2 ? (places[0] ?? '') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
}

/** That what is computed for these markets is of an earlier day: a reader must not take it for one of today. Empty without any. */
export const pastDaysText = (days: ReadonlyMap<MarketId, string>): string =>
  [...days]
    .map(([id, on]) => `Values, scores and decisions for ${marketById(id)?.name ?? id} are those of ${dayInWords(on)}.`)
    .join(' ')

/** "Los Altos Hills" → "los-altos-hills". */
export function citySlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function grouped(entries: readonly (readonly [key: string, city: City])[]): ReadonlyMap<string, City[]> {
  const groups = Map.groupBy(entries, ([key]) => key)
  return new Map([...groups].map(([key, found]) => [key, found.map(([, city]) => city)]))
}
