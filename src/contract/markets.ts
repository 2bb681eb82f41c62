// The markets and cities in data/markets.json.

import table from '../../data/markets.json' with { type: 'json' }
import type { MarketId } from './facts.ts'

export interface LatLng {
  lat: number
  lng: number
}

/** In degrees. Covers the inhabited part of a place, not its legal limits. */
export interface Box {
  south: number
  north: number
  west: number
  east: number
}

export interface Market {
  id: MarketId
  /** Part of every property id of the market. Never changes and is never reused. */
  number: number
  name: string
  aliases: readonly string[]
  state: string
  timeZone: string
  center: LatLng
  box: Box
}

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
  /** False for the unincorporated county, which is not a city but has its own zoning and permits. */
  incorporated: boolean
  /** Contains part of a Census urban area, the test of Gov. Code 66411.7(a)(3)(B). */
  urbanized: boolean
  charter: boolean
  coastal: boolean
}

export const markets: readonly Market[] = table.markets as Market[]

/** Every jurisdiction, including the unincorporated county. */
export const jurisdictions: readonly City[] = table.cities as City[]

/** URLs and permits identify a city by its slug alone, so no two markets may share one ("springfield-il"). */
for (const [what, values] of [
  ['city slug', jurisdictions.map(({ slug }) => slug)],
  ['market number', markets.map(({ number }) => String(number))],
] as const) {
  const twice = values.find((value, at) => values.indexOf(value) !== at)
  if (twice !== undefined) throw new Error(`data/markets.json has the ${what} ${twice} twice; it must be unique.`)
}

export const cities: readonly City[] = jurisdictions.filter((city) => city.incorporated)

const slugs = new Map(jurisdictions.map((city) => [city.slug, city]))

export function cityBySlug(slug: string): City | undefined {
  return slugs.get(slug)
}

const names = new Map(
  jurisdictions.flatMap((city) => [city.name, city.slug, ...city.aliases].map((name) => [bare(name), city] as const)),
)

/** Finds a city by its full name, slug or usual short form. Case and punctuation do not matter. */
export function findCity(nameOrSlug: string): City | undefined {
  return names.get(bare(nameOrSlug))
}

const marketNames = new Map(
  markets.flatMap((market) =>
    [market.id, market.name, ...market.aliases].map((name) => [bare(name), market.id] as const),
  ),
)

/** Finds a market by id, name or alias ("peninsula"); undefined if there is none. */
export function marketOf(alias: string): MarketId | undefined {
  return marketNames.get(bare(alias))
}

/** The markets that may contain a city with this slug. A feed may name a city that is not in the list. */
export function marketsOfCity(slug: string): readonly MarketId[] {
  const city = slugs.get(slug)
  return city ? [city.market] : markets.map(({ id }) => id)
}

const states = new Map(markets.map(({ id, state }) => [id, state]))

/** Two letters: "CA". */
export function stateOf(market: MarketId): string {
  return states.get(market)!
}

/** "Los Altos Hills" → "los-altos-hills". */
export function citySlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
