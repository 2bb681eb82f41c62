// What a Peninsula parcel could become under the two state laws and its own zoning.
import type { ParcelFacts } from '../contract/facts.ts'
import { findCity } from '../contract/markets.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { type AduFinding, adu } from './adu.ts'
import { buildingEnvelope, type Envelope } from './envelope.ts'
import { type RedevelopmentFinding, redevelopment } from './redevelopment.ts'
import { type Sb9Finding, sb9 } from './sb9.ts'

export interface ParcelLeads {
  sb9: Sb9Finding
  adu: AduFinding
  redevelopment: RedevelopmentFinding
}

/** Undefined outside California, where neither law applies. An envelope already worked out need not be made again. */
export const parcelLeads = (facts: ParcelFacts, on: string, known?: Envelope): ParcelLeads | undefined => {
  if (facts.market !== 'sf-peninsula') return undefined
  const district = districtOf(facts.city, facts.zoning)
  const placed = { ...facts, city: findCity(facts.city), district }
  return {
    sb9: sb9(placed, on),
    adu: adu(placed, on),
    redevelopment: redevelopment(facts, known ?? buildingEnvelope(facts, district), district, on),
  }
}
