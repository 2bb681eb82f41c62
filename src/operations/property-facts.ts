// A property's facts as the intelligence takes them: what the visible listing says first, being newer, then the roll.
import type { ParcelFacts } from '../contract/facts.ts'
import { offeredHome } from '../contract/offered-home.ts'
import type { ListingRow, PropertyRow } from '../store/properties/properties.ts'

export const factsNow = (
  property: PropertyRow,
  listing: ListingRow | undefined,
): ParcelFacts & { citySlug: string } => {
  const {
    knownFrom: _,
    sourceId: _s,
    sourceTitle: _t,
    sourceUrl: _u,
    licence: _l,
    sample: _m,
    collectedAt: _c,
    goneAt: _g,
    ...facts
  } = property
  return { ...facts, ...offeredHome(property, listing) }
}
