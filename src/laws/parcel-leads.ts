// The leads of a parcel: redevelopment everywhere, and what the laws that its market's pack names allow.
import { assumptionsFor } from '../contract/assumptions.ts'
import type { Envelope } from '../contract/building-envelope.ts'
import type { ParcelFacts } from '../contract/facts.ts'
import { findCity, marketById } from '../contract/markets.ts'
import type { NewHouseLimit, RedevelopmentFinding } from '../contract/redevelopment.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import { redevelopment } from '../intelligence/redevelopment.ts'
import type { LawFacts, LawLead } from './law.ts'
import { lawsOf } from './list.ts'

export interface ParcelLeads {
  /** One per law that applies, in the order of the pack. */
  byLaw: readonly LawLead[]
  redevelopment: RedevelopmentFinding
}

/** `known` saves computing the envelope again. */
export const parcelLeads = (
  facts: ParcelFacts,
  on: string,
  known?: Envelope,
  newHouses?: NewHouseLimit,
): ParcelLeads => {
  const { market: id, city, zoning } = facts
  const market = marketById(id)
  const district = districtOf(city, zoning, id)
  const placed: LawFacts = {
    ...facts,
    state: market?.state,
    review: market?.demolitionReview,
    city: findCity(city, id),
    district,
  }
  return {
    byLaw: lawsOf(market, on).map((law) => ({ law, kind: law.leads, finding: law.assess(placed, on) }) as LawLead),
    redevelopment: redevelopment(
      facts,
      known ?? buildingEnvelope(facts, district),
      district,
      on,
      assumptionsFor(city, id),
      newHouses,
    ),
  }
}
