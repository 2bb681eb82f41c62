// The markets and cities of the loaded packs. `setMarkets` is called once at the start; importers see the new values.

import type { MarketId } from './facts.ts'
import type { Box, LatLng, PackManifest } from './market-pack.ts'
import { cityKeys, inMarket, nameKey } from './pack.ts'

export type { Box, LatLng } from './market-pack.ts'

export type Market = Omit<PackManifest, '$schema'>

export interface City {
  name: string
  slug: string
  market: MarketId
  county: string
  state: string
  zipCodes: readonly string[]
  center: LatLng
  box: Box
  aliases: readonly string[]
  /** True for the few cities named on small maps, where more labels would overlap. */
  label?: boolean
  /** False for the unincorporated county, which is not a city but has its own zoning and permits. */
  incorporated: boolean
  /** Contains part of a Census urban area, the test of Gov. Code 66411.7(a)(3)(B). */
  urbanized: boolean
  charter: boolean
  coastal: boolean
}

/** In the order of their numbers. */
export let markets: readonly Market[] = []
export let marketIds: readonly MarketId[] = []

/** Every jurisdiction, including unincorporated counties. */
export let jurisdictions: readonly City[] = []
export let cities: readonly City[] = []

/** The market used when a caller names none: the pack with `default`, otherwise the first. */
export let defaultMarket: MarketId = ''

let byId = new Map<MarketId, Market>()
let byNumber = new Map<number, Market>()
let slugs = new Map<string, City>()
let names = new Map<string, City[]>()
let zips = new Map<string, City[]>()
let marketNames = new Map<string, MarketId>()

export function setMarkets(loaded: readonly { market: Market; cities: readonly City[] }[]): void {
  markets = loaded.map(({ market }) => market).sort((a, b) => a.number - b.number)
  marketIds = markets.map(({ id }) => id)
  defaultMarket = (markets.find((market) => market.default) ?? markets[0])?.id ?? ''
  jurisdictions = marketIds.flatMap((id) => loaded.find(({ market }) => market.id === id)!.cities)
  cities = jurisdictions.filter((city) => city.incorporated)
  byId = new Map(markets.map((market) => [market.id, market]))
  byNumber = new Map(markets.map((market) => [market.number, market]))
  slugs = new Map(jurisdictions.map((city) => [city.slug, city]))
  names = grouped(jurisdictions.flatMap((city) => cityKeys(city).map((key) => [key, city] as const)))
  zips = grouped(jurisdictions.flatMap((city) => city.zipCodes.map((zip) => [zip, city] as const)))
  marketNames = new Map(
    markets.flatMap((market) =>
      [market.id, market.name, ...market.aliases].map((name) => [nameKey(name), market.id] as const),
    ),
  )
}

export const marketById = (id: MarketId): Market | undefined => byId.get(id)

/** By the number in its property ids. */
export const marketByNumber = (number: number): Market | undefined => byNumber.get(number)

export function cityBySlug(slug: string): City | undefined {
  return slugs.get(slug)
}

/**
 * Whether a search text is the slug of one city, such as "palo-alto". The name "Palo Alto" is not: in a search by part of a name it is
 * a part of "East Palo Alto" too. A slug of one word is also a name.
 */
export const isCitySlug = (text: string): boolean => text.includes('-') && slugs.has(text)

/**
 * Finds a city by its slug, full name ("Springfield", "Springfield, IL") or usual short form. Case and punctuation do not
 * matter. A name that two states share is found only with its state or its market: guessing would put a home in the wrong state.
 */
export function findCity(nameOrSlug: string, market?: MarketId): City | undefined {
  const name = nameKey(nameOrSlug)
  const found = names.get(name) ?? []
  if (market !== undefined) return found.find((city) => city.market === market)
  return found.length === 1 ? found[0] : slugs.get(nameOrSlug.trim().toLowerCase())
}

/** The city of a ZIP code within a market; undefined if no city or several have it. */
export function cityOfZip(zip: string, market: MarketId): City | undefined {
  const found = (zips.get(zip.slice(0, 5)) ?? []).filter((city) => city.market === market)
  return found.length === 1 ? found[0] : undefined
}

/** Finds a market by id, name or alias; undefined if there is none. */
export function marketOf(alias: string): MarketId | undefined {
  return marketNames.get(nameKey(alias))
}

/** The markets that may contain a city with this slug. A feed may name a city that is not in the list. */
export function marketsOfCity(slug: string): readonly MarketId[] {
  const city = slugs.get(slug)
  return city ? [city.market] : marketIds
}

/** Two letters: "CA". */
export function stateOf(market: MarketId): string {
  return byId.get(market)!.state
}

/** "on the island, in Springfield and in King County" */
export const marketsInWords = (of: readonly Market[] = markets): string => {
  const places = of.map(inMarket)
  return places.length < 2 ? (places[0] ?? '') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
}

/** "Los Altos Hills" → "los-altos-hills". */
export function citySlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function grouped<V>(entries: readonly (readonly [string, V])[]): Map<string, V[]> {
  const groups = new Map<string, V[]>()
  for (const [key, value] of entries) {
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
