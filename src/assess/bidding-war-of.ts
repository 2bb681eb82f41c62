// The bidding-war odds of a listing, from what the assessment already knows, and the closings they are learned from.
import { pick } from '../common/typed.ts'
import { yearsBefore } from '../domain/day.ts'
import type { ListingStatus } from '../domain/facts.ts'
import type { BiddingFinding, ConditionFinding } from '../domain/findings/findings.ts'
import { biddingWarScore, soldOverList } from '../intelligence/bidding-war/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war/bidding-war-design.ts'
import { type BiddingFacts, remarkWords } from '../intelligence/bidding-war/bidding-war-features.ts'
import { conditionScore } from '../intelligence/condition/condition.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import { logLevel } from '../intelligence/valuation/time-index.ts'
import { dayOf } from '../intelligence/valuation/valuation-facts.ts'
import type { Valuation } from '../intelligence/valuation/value-home.ts'
import type { PastSale } from '../store/assessments/past-sales.ts'
import type { SubjectListing } from '../store/assessments/subjects.ts'
import type { CityHeat, HeatByCity } from './city-heat.ts'
import { factorToToday, type MarketView } from './market-view.ts'
import type { SubjectFacts } from './subject-facts.ts'

/**
 * For a home that still takes offers, from what is known today. For a pending or sold home, from what was known on the day
 * it was listed: its first price, no days on the market, and prices, heat and condition of that day.
 */
export const biddingWarOf = (
  facts: SubjectFacts,
  listing: SubjectListing,
  known: { value: Valuation | undefined; heat: CityHeat; condition: ConditionFinding },
  view: MarketView,
): BiddingFinding =>
  biddingWarScore(
    view.biddingWar,
    takesOffers(listing.status) ? offeredFacts(facts, listing, known, view) : listedFacts(facts, listing, known, view),
  )

const takesOffers = (status: ListingStatus): boolean => status === 'active' || status === 'coming_soon'

type Known = Parameters<typeof biddingWarOf>[2]

const listedFacts = (facts: SubjectFacts, listing: SubjectListing, known: Known, view: MarketView): BiddingFacts => {
  const on = listing.listedOn === undefined || listing.listedOn > view.on ? view.on : listing.listedOn
  const listPriceUsd = listing.originalPriceUsd ?? facts.listPriceUsd
  const back = view.value ? 1 / factorToToday(view.value, on) : 1
  const median = view.levels.of(facts.citySlug).medianPriceUsd
  return {
    ...offeredFacts(facts, listing, known, view),
    listPriceUsd,
    originalPriceUsd: listPriceUsd,
    daysOnMarket: 0,
    valueUsd: known.value && known.value.valueUsd * back,
    shareAboveList: heatBefore(view.heat, { ...facts, on })?.shareAboveList,
    conditionScore: conditionScore(facts, on).score,
    cityMedianUsd: median === undefined ? undefined : median * back,
  }
}

const offeredFacts = (facts: SubjectFacts, listing: SubjectListing, known: Known, view: MarketView): BiddingFacts => ({
  ...homeFacts(facts, view),
  valueUsd: known.value?.valueUsd,
  shareAboveList: known.heat.shareAboveList,
  daysOnMarket: listing.listedOn === undefined ? undefined : wholeWeeks(dayOf(view.today) - dayOf(listing.listedOn)),
  originalPriceUsd: listing.originalPriceUsd,
  conditionScore: known.condition.score,
  cityMedianUsd: view.levels.of(facts.citySlug).medianPriceUsd,
})

/** Facts that are read in the same way from a listing and from a past sale. */
const homeFacts = (home: SubjectFacts | PastSale, { pack }: MarketView) => ({
  marketShareAboveList: pack?.market.soldAboveList?.share,
  area: home.city,
  ...pick(home, 'listPriceUsd', 'livingSqft', 'beds', 'baths'),
  words: home.remarks === undefined ? undefined : remarkWords(home.remarks),
})

/** In days. Whole weeks, so that a listing without news is assessed again once a week instead of every day. */
const wholeWeeks = (days: number): number => 7 * Math.floor(Math.max(0, days) / 7)

/** Older closings do not describe the present market. */
const years = 3
const mostRows = 8_000

/** Training rows: sales with a list price, each with the facts known on the day its offer was accepted. `sales` is oldest first. */
export const biddingWarRows = (sales: readonly PastSale[], view: MarketView): BiddingRow[] => {
  const since = yearsBefore(view.on, years)
  const recent = sales.filter(({ soldOn }) => soldOn >= since).slice(-mostRows)
  const learnedFrom = saleLookup(view.value)
  return recent.flatMap((sale) => {
    if (sale.listPriceUsd === undefined) return []
    // A sale below half or above twice its list price is a data error.
    const ratio = sale.priceUsd / sale.listPriceUsd
    if (ratio < 0.5 || ratio > 2) return []
    return [
      {
        facts: closingFacts(sale, learnedFrom(sale.saleId), view),
        over: soldOverList(sale.priceUsd, sale.listPriceUsd),
        saleToList: ratio,
      },
    ]
  })
}

const closingFacts = (sale: PastSale, learned: ModelSale | undefined, view: MarketView): BiddingFacts => {
  const model = learned?.model ?? view.value
  const level = (day: number) => (model ? logLevel(model.index, day) : 0)
  const median = view.levels.of(sale.citySlug).medianPriceUsd
  const back = model ? Math.exp(level(dayOf(sale.soldOn)) - level(model.sales.asOfDay)) : 1
  return {
    ...homeFacts(sale, view),
    // Estimated by a model fitted without this sale.
    valueUsd: learned && sale.priceUsd * Math.exp(-learned.model.unexplained[learned.at]!),
    shareAboveList: heatBefore(view.heat, { ...sale, on: sale.soldOn })?.shareAboveList,
    daysOnMarket: sale.daysOnMarket,
    originalPriceUsd: sale.originalPriceUsd,
    conditionScore: conditionScore(sale, sale.soldOn).score,
    cityMedianUsd: median === undefined ? undefined : median * back,
  }
}

/** The heat of the month before a day, so that a sale never counts itself. */
const heatBefore = (
  heat: HeatByCity,
  { citySlug, propertyType, on }: Pick<PastSale, 'citySlug' | 'propertyType'> & { on: string },
): CityHeat | undefined => heat.before(citySlug, propertyType, `${on.slice(0, 7)}-01`)

/** The model that was fitted on a sale, and the sale's index in its columns. */
interface ModelSale {
  model: MarketModel
  at: number
}

/** Finds a sale by its id in the value model of its market or in that of its condominiums. */
const saleLookup = (market: MarketModel | undefined): ((saleId: string) => ModelSale | undefined) => {
  const saleByKey = new Map<string, ModelSale>()
  for (const model of [market, market?.condos])
    model?.sales.saleId.forEach((saleId, at) => {
      saleByKey.set(saleId, { model, at })
    })
  return (saleId) => saleByKey.get(saleId)
}
