// The station that decides what the transit law allows on a parcel: its tier, the distance to it and the size of the city.
// Gov. Code 65912.157, and the regional map method of April 2026.

import { distanceMi } from '../../domain/distance.ts'
import type { LawFacts } from '../law.ts'
import { acreSqft } from '../site-tests.ts'

const feetPerMile = 5280
/** Beyond a quarter mile the law sets standards only in a city of this size. */
export const largeCity = 35_000

/** Height in feet, homes per acre and floor-area ratio, by tier. */
const rings = [
  { toFt: 200, 1: [95, 160, 4.5], 2: [85, 140, 4] },
  { toFt: feetPerMile / 4, 1: [75, 120, 3.5], 2: [65, 100, 3] },
  { toFt: feetPerMile / 2, 1: [65, 100, 3], 2: [55, 80, 2.5] },
] as const

export interface NearStation {
  name: string
  tier: 1 | 2
  feet: number
  ring: 0 | 1 | 2
  heightFt: number
  perAcre: number
  ratio: number
  /** Homes by density; absent when the lot size is unknown. */
  homes?: number
}

type Stop = NonNullable<LawFacts['transitStops']>[number]

/** Nearest first. The law measures from the edge of the lot, which is estimated as that of a square. */
export const stopsWithin = (facts: LawFacts): (Pick<Stop, 'name' | 'tier'> & { feet: number })[] => {
  const { transitStops = [], lat, lng, lotSqft = 0, stations } = facts
  // A map of stations is newer than the pack and measures from the edge of the lot.
  if (stations) return [...stations]
  if (lat === undefined || lng === undefined) return []
  return transitStops
    .map((stop) => ({
      ...stop,
      feet: Math.max(0, distanceMi({ lat, lng }, stop) * feetPerMile - Math.sqrt(lotSqft) / 2),
    }))
    .filter(({ feet }) => feet <= feetPerMile / 2)
    .toSorted((a, b) => a.feet - b.feet)
}

/** The station with daily service that allows the most homes per acre. */
export const bestStation = (facts: LawFacts): NearStation | undefined =>
  stopsWithin(facts)
    .flatMap(({ name, tier, feet }): NearStation[] => {
      const ring = rings.findIndex(({ toFt }) => feet <= toFt) as 0 | 1 | 2
      if (tier === undefined) return []
      const [heightFt, perAcre, ratio] = rings[ring][tier]
      const homes = facts.lotSqft === undefined ? undefined : Math.floor((facts.lotSqft / acreSqft) * perAcre)
      return [{ name, tier, feet, ring, heightFt, perAcre, ratio, homes }]
    })
    .toSorted((a, b) => b.perAcre - a.perAcre)[0]
