// What could be built on a California parcel: SB 9, ADU and redevelopment findings.
import { assumptionsFor } from '../contract/assumptions.ts'
import type { Envelope } from '../contract/building-envelope.ts'
import type { ParcelFacts } from '../contract/facts.ts'
import { findCity } from '../contract/markets.ts'
import type { RedevelopmentFinding } from '../contract/redevelopment.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { adu, type TracedAdu } from './adu.ts'
import { buildingEnvelope } from './envelope.ts'
import { redevelopment } from './redevelopment.ts'
import { sb9, type TracedSb9 } from './sb9.ts'

export interface ParcelLeads {
  sb9: TracedSb9
  adu: TracedAdu
  redevelopment: RedevelopmentFinding
}

/** Undefined outside California, where neither state law applies. `known` saves computing the envelope again. */
export const parcelLeads = (facts: ParcelFacts, on: string, known?: Envelope): ParcelLeads | undefined => {
  if (facts.market !== 'sf-peninsula') return undefined
  const district = districtOf(facts.city, facts.zoning)
  const placed = { ...facts, city: findCity(facts.city), district }
  return {
    sb9: sb9(placed, on),
    adu: adu(placed, on),
    redevelopment: redevelopment(
      facts,
      known ?? buildingEnvelope(facts, district),
      district,
      on,
      assumptionsFor(facts.city),
    ),
  }
}
