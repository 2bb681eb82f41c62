// The site of a property: the same for an assessment and for a request.
import type { OwnValues } from '../criteria/own-assumptions.ts'
import type { ParcelFacts } from '../domain/facts.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { ResaleComps, SchemeOffer, StoredUses } from '../domain/findings/decision.ts'
import { cityFactsOf } from '../domain/packs/city-facts.ts'
import { cityIn, type MarketPack } from '../domain/packs/pack.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { bestUses } from '../intelligence/decision/best-use.ts'
import type { ProjectAssumptions } from '../intelligence/proforma/project-duration.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import type { LawLead } from '../laws/law.ts'
import { lawReference } from '../laws/list.ts'
import type { SchemeSite } from './site.ts'

interface SiteInput
  extends ProjectAssumptions,
    Pick<SchemeSite, 'newHouses' | 'accessory' | 'rentUsd' | 'value' | 'place' | 'renovation'> {
  facts: ParcelFacts
  pack: MarketPack | undefined
  byLaw: readonly LawLead[]
  comps: ResaleComps
  changed?: OwnValues | undefined
  /** Saves computing it again. */
  envelope?: Envelope
}

export const makeSite = ({ byLaw, envelope, ...siteFacts }: SiteInput): SchemeSite => {
  const { facts, pack } = siteFacts
  const district = districtOf(pack, facts.city, facts.zoning)
  return {
    ...siteFacts,
    district,
    cityFacts: cityFactsOf(pack, cityIn(pack, facts.city)?.slug),
    envelope: envelope ?? buildingEnvelope(facts, district),
    uses: byLaw.flatMap(({ law, finding }) => (finding.uses ?? []).map((use) => ({ ...use, law: lawReference(law) }))),
  }
}

/** What an assessment stores of the schemes: only those that could bear something, and what they follow from. */
export const usesToStore = (
  { value, place, renovation, assumptions, envelope }: SchemeSite,
  computed: readonly SchemeOffer[],
  comps: ResaleComps | undefined,
): StoredUses => {
  const factor = 1 + assumptions.offMarketPremiumPct / 100
  const offers = computed.filter(({ allowed }) => allowed !== 'no')
  const { best, ifApproved } = bestUses(offers)
  return {
    // Only the sentence of the use that a decision is about is read.
    offers: offers.map(({ condition: _, ...offer }) => offer),
    best,
    ifApproved,
    beat: value && { usd: Math.round(value.value * factor), high: Math.round(value.high * factor) },
    ...(envelope.maxSqft === undefined ? { isUnzoned: true as const } : {}),
    place,
    comps,
    renovation,
  }
}
