// The leads of a parcel: redevelopment everywhere, and what the laws that its market's pack names allow.
import { assumptionsFor } from '../contract/assumptions.ts'
import type { Envelope } from '../contract/building-envelope.ts'
import type { ParcelFacts } from '../contract/facts.ts'
import { cityIn, type MarketPack } from '../contract/pack.ts'
import type { NewHouseLimit, RedevelopmentFinding } from '../contract/redevelopment.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import type { PermittedHome } from '../intelligence/house-replacement.ts'
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
  facts: ParcelFacts & Pick<PermittedHome, 'permits'>,
  on: string,
  pack: MarketPack | undefined,
  known?: Envelope,
  newHouses?: NewHouseLimit,
): ParcelLeads => {
  const { city, zoning } = facts
  const district = districtOf(pack, city, zoning)
  const placed: LawFacts = {
    ...facts,
    state: pack?.market.state,
    review: pack?.market.demolitionReview,
    transitStops: pack?.market.transitStops,
    city: cityIn(pack, city),
    district,
  }
  return {
    byLaw: lawsOf(pack?.market, on).map(
      (law) => ({ law, kind: law.leads, finding: law.assess(placed, on) }) as LawLead,
    ),
    redevelopment: redevelopment(
      facts,
      known ?? buildingEnvelope(facts, district),
      district,
      on,
      pack,
      assumptionsFor(pack, city),
      newHouses,
    ),
  }
}
