// The leads of a parcel: redevelopment everywhere, and what the state laws of its market allow.
import { assumptionsFor } from '../contract/assumptions.ts'
import type { Envelope } from '../contract/building-envelope.ts'
import type { ParcelFacts } from '../contract/facts.ts'
import { findCity } from '../contract/markets.ts'
import type { NewHouseLimit, RedevelopmentFinding } from '../contract/redevelopment.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import { redevelopment } from '../intelligence/redevelopment.ts'
import { lawApplies } from './list.ts'
import { adu, type TracedAdu } from './us-ca-adu/adu.ts'
import { sb9, type TracedSb9 } from './us-ca-sb9/sb9.ts'

export interface ParcelLeads {
  /** Absent where the law does not apply. */
  sb9?: TracedSb9
  adu?: TracedAdu
  redevelopment: RedevelopmentFinding
}

/** `known` saves computing the envelope again. */
export const parcelLeads = (
  facts: ParcelFacts,
  on: string,
  known?: Envelope,
  newHouses?: NewHouseLimit,
): ParcelLeads => {
  const { market, city, zoning } = facts
  const district = districtOf(city, zoning, market)
  const placed = { ...facts, city: findCity(city, market), district }
  return {
    ...(lawApplies('sb9', market, on) ? { sb9: sb9(placed, on) } : {}),
    ...(lawApplies('adu', market, on) ? { adu: adu(placed, on) } : {}),
    redevelopment: redevelopment(
      facts,
      known ?? buildingEnvelope(facts, district),
      district,
      on,
      assumptionsFor(city, market),
      newHouses,
    ),
  }
}
