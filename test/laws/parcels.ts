// Constructed parcels with the result that the statutes give them: what a lawyer would answer, written before the rules were run.

import { type Overlays, overlayNames } from '../../src/domain/facts.ts'
import { cityFactsOf } from '../../src/domain/packs/city-facts.ts'
import { cityIn } from '../../src/domain/packs/pack.ts'
import type { LawFacts } from '../../src/laws/law.ts'
import { districtOf, packWith } from '../setup/city-rules.ts'

const none = Object.fromEntries(overlayNames.map((name) => [name, 'no'])) as Overlays

type Changes = Partial<Omit<LawFacts, 'city' | 'district' | 'overlays'>> & { overlays?: Overlays }

/** A house of 1,500 sq ft on a 50 × 120 ft lot of the city, of which every overlay is known to be absent. */
export const parcelIn = (
  city: string,
  zoning: string | undefined,
  { overlays, ...changes }: Changes = {},
): LawFacts => {
  const pack = packWith(city)!
  const placed = cityIn(pack, city)!
  return {
    ...{ id: 'constructed', address: '1 Main St', market: pack.market.id, state: pack.market.state },
    ...{ propertyType: 'single_family', livingSqft: 1500, stories: 1, garageSqft: 400, units: 1, slopePct: 3 },
    ...{ lotSqft: 6000, lotWidthFt: 50, lotDepthFt: 120, cornerLot: false },
    ...{ zoning, district: districtOf(city, zoning), city: placed, cityFacts: cityFactsOf(pack, placed.slug) },
    ...{ transitStops: pack.market.transitStops, review: pack.market.demolitionReview },
    ...changes,
    overlays: { ...none, urbanized: 'yes', ...overlays },
  }
}

/** The same without a house. */
export const vacant = { propertyType: 'land', livingSqft: undefined, garageSqft: undefined, units: undefined } as const

/** A place this many feet north of a station, measured from the edge of the lot. */
export const northOf = (city: string, station: string, feet: number, lotSqft = 6000): Changes => {
  const stop = packWith(city)!.market.transitStops!.find(({ name }) => name === station)!
  return { lotSqft, lat: stop.lat + (feet + Math.sqrt(lotSqft) / 2) / 364_813, lng: stop.lng }
}
