// The bidding-war odds of a listing, from what the assessment already knows, and the closings they are learned from.
import { isOnMarket } from '../contract/facts.ts'
import type { BiddingFinding, ConditionFinding } from '../contract/findings.ts'
import { biddingWarScore, closedOver } from '../intelligence/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war-design.ts'
import { type BiddingFacts, remarkWords } from '../intelligence/bidding-war-features.ts'
import { conditionScore } from '../intelligence/condition.ts'
import { logLevel } from '../intelligence/valuation/time-index.ts'
import { dayOf } from '../intelligence/valuation/valuation-facts.ts'
import type { Valuation } from '../intelligence/valuation/value-home.ts'
import type { PastOffer } from '../store/assessments/past-offers.ts'
import type { SubjectListing } from '../store/assessments/subjects.ts'
import type { CityHeat, HeatByCity } from './city-heat.ts'
import { type MarketView, yearsBefore } from './market-view.ts'
import { type LearnedSale, saleLookup } from './sale-lookup.ts'
import type { SubjectFacts } from './subject-facts.ts'

/**
 * Only while the price is still to be made: coming soon and active, and pending, whose price is agreed but not known.
 * A sold home has its answer.
 */
export const biddingWarOf = (
  facts: SubjectFacts,
  listing: SubjectListing,
  known: { value: Valuation | undefined; heat: CityHeat; condition: ConditionFinding },
  view: MarketView,
): BiddingFinding | undefined => {
  if (!isOnMarket(listing.status)) return undefined
  const until = listing.pendingOn ?? view.on
  return biddingWarScore(view.biddingWar, {
    market: facts.market,
    area: facts.city,
    listPriceUsd: facts.listPriceUsd,
    livingSqft: facts.livingSqft,
    beds: facts.beds,
    baths: facts.baths,
    words: facts.remarks === undefined ? undefined : remarkWords(facts.remarks),
    valueUsd: known.value?.valueUsd,
    shareAboveList: known.heat.shareAboveList,
    daysOnMarket: listing.listedOn === undefined ? undefined : Math.max(0, dayOf(until) - dayOf(listing.listedOn)),
    originalPriceUsd: listing.originalPriceUsd,
    conditionScore: known.condition.score,
    cityMedianUsd: view.levels.of(facts.citySlug).medianPriceUsd,
  })
}

/** Closings older than this tell of another market. */
const years = 3
const mostRows = 8_000

/** Closings that were listed, each seen as on the day its offer was taken. Of sales, oldest first. */
export const biddingWarRows = (offers: readonly PastOffer[], view: MarketView): BiddingRow[] => {
  const since = yearsBefore(view.on, years)
  const recent = offers.filter(({ soldOn }) => soldOn >= since).slice(-mostRows)
  const learnedFrom = saleLookup(view.value)
  return recent.flatMap((offer) => {
    if (offer.listPriceUsd === undefined) return []
    // Beyond half or twice the list price it is the record that is wrong, not the buyer.
    const ratio = offer.priceUsd / offer.listPriceUsd
    if (ratio < 0.5 || ratio > 2) return []
    return [
      {
        facts: closingFacts(offer, learnedFrom(offer.saleId), view),
        over: closedOver(offer.priceUsd, offer.listPriceUsd),
      },
    ]
  })
}

const closingFacts = (offer: PastOffer, learned: LearnedSale | undefined, view: MarketView): BiddingFacts => {
  const model = learned?.model ?? view.value
  const level = (day: number) => (model ? logLevel(model.index, day, learned && model.area[learned.at]) : 0)
  const median = view.levels.of(offer.citySlug).medianPriceUsd
  const back = model ? Math.exp(level(dayOf(offer.soldOn)) - level(model.sales.asOfDay)) : 1
  return {
    market: offer.market,
    area: offer.city,
    listPriceUsd: offer.listPriceUsd,
    livingSqft: offer.livingSqft,
    beds: offer.beds,
    baths: offer.baths,
    words: offer.remarks === undefined ? undefined : remarkWords(offer.remarks),
    // By a model that never saw this sale.
    valueUsd: learned && offer.priceUsd * Math.exp(-learned.model.unexplained[learned.at]!),
    shareAboveList: heatBefore(view.heat, offer)?.shareAboveList,
    daysOnMarket: offer.daysOnMarket,
    originalPriceUsd: offer.originalPriceUsd,
    conditionScore: conditionScore(offer, offer.soldOn).score,
    cityMedianUsd: median === undefined ? undefined : median * back,
  }
}

/** The heat of the month before the sale, so that a sale never counts itself. */
const heatBefore = (heat: HeatByCity, { citySlug, propertyType, soldOn }: PastOffer): CityHeat | undefined =>
  heat.before(citySlug, propertyType, `${soldOn.slice(0, 7)}-01`)
