// What schemes are computed from: a lot with its rules, what the laws allow on it, prices of its place, and assumptions.
import type { OwnValues } from '../criteria/own-assumptions.ts'
import type { Assumptions } from '../domain/assumptions/assumptions.ts'
import type { Confidence, ParcelFacts } from '../domain/facts.ts'
import type { StoredAduFinding } from '../domain/findings/adu.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { SchemePlace, SchemeRenovation } from '../domain/findings/decision.ts'
import type { LawfulUse, LawReference } from '../domain/findings/laws.ts'
import type { NewHouseLimit } from '../domain/findings/redevelopment.ts'
import type { CityFacts } from '../domain/packs/city-facts.ts'
import type { MarketPack } from '../domain/packs/pack.ts'
import type { District } from '../domain/packs/zoning.ts'
import type { ProformaInput } from '../intelligence/proforma/proforma.ts'
import type { PermitTiming } from '../intelligence/proforma/project-duration.ts'

export type LawUse = LawfulUse & { law?: LawReference }

export interface SchemeSite {
  facts: ParcelFacts
  pack: MarketPack | undefined
  /** Of the city, with the caller's own. */
  assumptions: Assumptions
  changed?: OwnValues | undefined
  permit: PermitTiming
  district?: District | undefined
  cityFacts?: CityFacts | undefined
  envelope: Envelope
  newHouses?: NewHouseLimit | undefined
  /** Resale of a new house as large as the pro forma builds. */
  comps: ProformaInput['comps']
  /** What the laws allow, one row for each variant. */
  uses: readonly LawUse[]
  /** Accessory units that fit, and what their figures follow from. */
  accessory?: Pick<StoredAduFinding, 'units' | 'maxUnits' | 'rents' | 'cityPerSqft'> | undefined
  /** Rent of the house as it is, a month. */
  rentUsd?: number | undefined
  value?: { value: number; low: number; high: number; confidence: Confidence } | undefined
  renovation?: SchemeRenovation | undefined
  place: SchemePlace
}
