// The leads of a parcel: redevelopment everywhere, and what the laws that its market's pack names allow.
import { assumptionsFor } from '../domain/assumptions/assumptions.ts'
import type { ParcelFacts } from '../domain/facts.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { NewHouseLimit, RedevelopmentFinding } from '../domain/findings/redevelopment.ts'
import { cityFactsOf } from '../domain/packs/city-facts.ts'
import { cityIn, type MarketPack } from '../domain/packs/pack.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { type RedevelopmentParcel, redevelopment } from '../intelligence/site/redevelopment.ts'
import type { LawFacts, LawLead } from './law.ts'
import { lawsOf } from './list.ts'

export interface ParcelLeads {
  /** One per law that applies, in the order of the pack. */
  byLaw: readonly LawLead[]
  redevelopment: RedevelopmentFinding
}

/** `known` saves computing the envelope again. */
export const parcelLeads = (
  facts: ParcelFacts & Pick<RedevelopmentParcel, 'permits' | 'conditionScore'>,
  on: string,
  pack: MarketPack | undefined,
  known?: Envelope,
  newHouses?: NewHouseLimit,
): ParcelLeads => {
  const { city, zoning } = facts
  const district = districtOf(pack, city, zoning)
  const placedCity = cityIn(pack, city)
  const placed: LawFacts = {
    ...facts,
    state: pack?.market.state,
    review: pack?.market.demolitionReview,
    transitStops: pack?.market.transitStops,
    city: placedCity,
    cityFacts: cityFactsOf(pack, placedCity?.slug),
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
