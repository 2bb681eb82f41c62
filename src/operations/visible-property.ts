// A property as one caller may see it.
import { notFound } from '../common/errors.ts'
import { tableOf } from '../common/typed.ts'
import { isShown, type ParcelFacts } from '../domain/facts.ts'
import { parcelWithHome } from '../domain/home-facts.ts'
import { ownFactsOf } from '../store/keys/deals.ts'
import { currentListing, type ListingRow, type PropertyRow, propertyById } from '../store/properties/properties.ts'
import { type OwnFacts, ownFactNames } from '../wire/deals.ts'
import { windowStart } from '../wire/plans.ts'
import type { Context } from './context.ts'

export interface VisibleProperty {
  property: PropertyRow
  /** The facts of the parcel and its home, by the rule that every reader uses. */
  facts: ParcelFacts
  /** The current listing; absent when withdrawn, or hidden by the history window. */
  listing: ListingRow | undefined
  /** True when the history window hides the listing. */
  hidden: boolean
  /** The owner's corrections that `facts` contains, and what they replace. */
  ownFacts?: { facts: OwnFacts; recorded: OwnFacts } | undefined
}

/**
 * A sale before the history window of the key is hidden: the property is served as a parcel, or as not found if it is known only
 * through that listing. A withdrawn listing is not served, but its facts about the home are used.
 */
export const visibleProperty = async ({ db, caller, now, desk = caller.key?.currentKeyId }: Context, id: string) => {
  const [property, listing, ownFacts] = await Promise.all([
    propertyById(db, id),
    currentListing(db, id),
    desk === undefined ? undefined : ownFactsOf(db, desk, id),
  ])
  if (!property) throw noProperty(id)
  const since = windowStart(caller.limits, now)
  const hidden = listing?.status === 'sold' && since !== undefined && (listing.soldOn ?? '') < since
  // The same answer, so that it does not tell whether an older record exists.
  if (hidden && property.knownFrom === 'listing') throw noProperty(id)
  const readable = hidden ? undefined : listing
  const facts = parcelWithHome(property, readable)
  return {
    property,
    facts: ownFacts ? { ...facts, ...ownFacts } : facts,
    ...(ownFacts ? { ownFacts: { facts: ownFacts, recorded: tableOf(ownFactNames, (name) => facts[name]) } } : {}),
    listing: readable && isShown(readable.status) ? readable : undefined,
    hidden,
  }
}

export const noProperty = (id: string) =>
  notFound(`There is no property "${id}". Identifiers come from the lists and from /v1/lookup.`)
