// The models and statistics of one market, computed once per run and then used to assess each of its properties.
import { hash } from 'node:crypto'
import { yearsBefore } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import type { MarketPack } from '../domain/packs/pack.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { type BiddingWarModel, biddingWarPrior } from '../intelligence/bidding-war/bidding-war.ts'
import { cityLevels, isNewWhenSold } from '../intelligence/bidding-war/city-levels.ts'
import { type CityPoint, localLevels } from '../intelligence/bidding-war/local-levels.ts'
import { fitNewHouseSizes } from '../intelligence/proforma/new-house-size.ts'
import type { PermitTimes } from '../intelligence/proforma/project-duration.ts'
import { rentIndex } from '../intelligence/proforma/rent.ts'
import { fitLandValue, landValueUsd } from '../intelligence/site/land-value.ts'
import { isCurrent, type TeardownModel, teardownPrior } from '../intelligence/teardown/teardown.ts'
import { type ConditionValueModel, conditionPrior } from '../intelligence/valuation/condition-value.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import { logLevel } from '../intelligence/valuation/time-index.ts'
import { dayOf } from '../intelligence/valuation/valuation-facts.ts'
import {
  homesByCity,
  type MarketSale,
  marketRebuilds,
  marketSales,
  type Rebuild,
} from '../store/assessments/market-facts.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { groupOf } from '../store/engine/shard-groups.ts'
import { permitCities } from '../store/permits/permits.ts'
import { marketRents } from '../store/properties/rents.ts'
import { cityDemolitionRates } from './city-demolition-rates.ts'
import { cityHeat } from './city-heat.ts'
import { landSalesNear } from './land-sales.ts'
import { locationLevels } from './location-levels.ts'
import { fitsInThisThread, type ModelFits } from './model-fits.ts'
import { newHouseLimits } from './new-house-limits.ts'
import { packVersion } from './pack-version.ts'
import { permitTimes, permitTimesVersion } from './permit-times.ts'
import { productSales } from './product-sales.ts'
import { rebuildIndex } from './rebuild-index.ts'

/** What each property of a market is assessed with. */
export type MarketView = Awaited<ReturnType<typeof viewOfFacts>>

/**
 * Increase it when the same facts give different results or when the shape of a stored model changes: every market is then valued
 * again, and score history names a new model as the cause.
 */
export const assessmentVersion = '42'

/** Years of sales and of rebuilt houses that the models use. */
const salesYears = 6
const rebuildYears = 5
/** Older applications say little about the time a permit takes now. */
const permitYears = 5
/**
 * A county of 2.4 million parcels has about 700,000 sales in that time, which would need 2 GB of memory. Comparables and heat use
 * the sales of the last two years, so all of those are read; the older ones mainly fit the price index and are sampled.
 */
const maxSales = 150_000
const fullSalesYears = 2

/** The value model of a market and the sales it was fitted on. Fitting it takes most of the time of a view and needs no permits. */
export interface ValueFit {
  sales: readonly MarketSale[]
  value: MarketModel | undefined
}

/** What a valuation stores. Plain data. */
export interface MarketFacts extends ValueFit {
  /** The day of the valuation. */
  on: string
  rebuilds: readonly Rebuild[]
  homes: ReadonlyMap<string, number>
  permitCities: readonly string[]
  permitTimes: PermitTimes
  /** Mean of `returnPct` over the market's listings; undefined until it is measured, and without listings. */
  meanRoiPct?: number
  /** Of the stored valuation; undefined while it is not stored. */
  stamp?: string
}

export interface ReadOptions {
  onProgress?: (share: number, step: string) => void
  /** The present; a valuation of an earlier day uses the listings of that day. */
  now?: Date
  /** A value model that was already fitted. */
  valueFit?: ValueFit | Promise<ValueFit>
}

export const fitValues = async (
  db: Db,
  market: MarketId,
  on: string,
  { onProgress, fits = fitsInThisThread }: Pick<ReadOptions, 'onProgress'> & { fits?: ModelFits } = {},
): Promise<ValueFit> => {
  const sales = await trainingSales(groupOf(db, market), market, on)
  return { sales, value: await fits.values(sales, on, { onProgress }) }
}

/** The days whose sales values are fitted on. */
export const salesPeriod = (on: string) => ({ from: yearsBefore(on, salesYears), until: on })

const trainingSales = (db: Db, market: MarketId, on: string): Promise<MarketSale[]> =>
  marketSales(db, market, salesPeriod(on), { most: maxSales, allSince: yearsBefore(on, fullSalesYears) })

/** Reads the facts of a market as of a day and fits its value model. */
export const readMarketFacts = async (
  db: Db,
  market: MarketId,
  on: string,
  { onProgress, valueFit }: ReadOptions = {},
): Promise<MarketFacts> => {
  const [fitBefore, sold, rebuilds, homes, covered, times] = await Promise.all([
    valueFit,
    valueFit ? undefined : trainingSales(db, market, on),
    marketRebuilds(db, market, { from: yearsBefore(on, rebuildYears), until: on }),
    homesByCity(db, market),
    permitCities(db, ['']),
    permitTimes(db, market, yearsBefore(on, permitYears), on),
  ])
  // After all reads: a fit blocks this thread, and a query still waiting for a connection would time out.
  const sales = fitBefore?.sales ?? sold ?? []
  const value = fitBefore ? fitBefore.value : await fitsInThisThread.values(sales, on, { onProgress })
  return {
    on,
    sales,
    value,
    rebuilds,
    homes,
    permitCities: covered.map(({ citySlug }) => citySlug),
    permitTimes: times,
  }
}

/** The view of a market's facts on a day, with the latest stored models. */
export const viewOfFacts = async (db: Db, market: MarketId, facts: MarketFacts, today: string) => {
  const [teardown, biddingWar, conditionValue, rents] = await Promise.all([
    latestModel<TeardownModel>(db, 'teardown', market),
    latestModel<BiddingWarModel>(db, 'bidding-war', market),
    latestModel<ConditionValueModel>(db, 'condition-value', market),
    marketRents(db, market, undefined, today),
  ])
  const { on, sales, value, rebuilds, homes } = facts
  const pack = packOf(market)
  const levels = cityLevels(sales, on)
  const places = locationLevels(value, sales)
  const timed = sales.map((sale) => ({
    ...sale,
    priceUsd: sale.priceUsd * (value ? factorToToday(value, sale.soldOn) : 1),
  }))
  const houses = timed.filter(({ propertyType }) => propertyType === undefined || propertyType === 'single_family')
  const local = localLevels(houses, levels)
  /** Typical price, lot and living area near a location, without the sales of the home `ownId`. */
  const around = (place: CityPoint, ownId?: string) => {
    const level = local.near(place, ownId)
    const locationLog = places.of(place)
    // `level` already contains `locality` of the location effect, so only the rest is added.
    return {
      around: level,
      /** Log of how much more expensive this exact location is than `around`. */
      locationLog: locationLog === undefined ? undefined : (1 - level.locality) * locationLog,
    }
  }
  const lots = landSales(timed, rebuilds).map((sale) => ({ ...sale, ...around(sale, sale.propertyId) }))
  const land = fitLandValue(lots, levels.market.medianPriceUsd)
  return {
    market,
    /** The market's rules and assumptions; undefined if its pack is not loaded. */
    pack,
    /** The day of the market's valuation, YYYY-MM-DD: prices, rents, ages and heat are those of this day. */
    on,
    /** The day of the assessment, for what changes with the calendar in steps: the law in force, weeks on the market. */
    today,
    /** What the view was made from. */
    facts,
    /** The sales that the models were fitted on, oldest first. */
    sales,
    /** Undefined while there are too few sales to fit it. */
    value,
    levels,
    around,
    land,
    landSales: landSalesNear(timed, on, (lot) => landValueUsd(land, { ...lot, ...around(lot, lot.propertyId) })),
    productSales: productSales(timed, yearsBefore(on, 2), levels),
    newHouses: fitNewHouseSizes(
      newHousesOf(sales, rebuilds).map((house) => ({ ...house, ...around(house, house.propertyId) })),
    ),
    newHouseLimits: newHouseLimits(sales),
    demolitionRates: cityDemolitionRates(rebuilds, homes),
    heat: cityHeat(sales, on),
    rebuilds: rebuildIndex(rebuilds),
    rents: rentIndex(rents),
    /** Cities whose permits are loaded. For other cities, no permit means unknown, not that no work was done. */
    permitCities: new Set(facts.permitCities) as ReadonlySet<string>,
    permitTimes: facts.permitTimes,
    /** Mean of `returnPct` over the market's listings, toward which the return of each property is adjusted. */
    meanRoiPct: facts.meanRoiPct,
    ...withModels(
      { pack, facts, today },
      {
        teardown: teardown && isCurrent(teardown) ? teardown : teardownPrior,
        biddingWar: biddingWar ?? biddingWarPrior,
        // A model stored by an earlier version has slopes instead of a curve.
        conditionValue: conditionValue && 'curve' in conditionValue ? conditionValue : conditionPrior(pack),
      },
    ),
  }
}

/** The fitted models of a market. */
interface FittedModels {
  teardown: TeardownModel
  biddingWar: BiddingWarModel
  conditionValue: ConditionValueModel
}

/** The parts of a view that depend on fitted models. */
export const withModels = (
  { pack, facts, today }: { pack: MarketPack | undefined; facts: MarketFacts; today: string },
  models: FittedModels,
) => ({
  ...models,
  /** Of the program, the models, the pack and its laws: a change that comes with a new version sends no events. */
  version: [
    ...[assessmentVersion, facts.on, models.teardown.version, models.biddingWar.version, models.conditionValue.version],
    ...[permitTimesVersion(facts.permitTimes), packVersion(pack, today)],
  ].join('/'),
})

/**
 * A hash of all that a view gives to every property: while it is the same, only own records and the calendar change an assessment. Of
 * the calendar, it has the month; the days are in `canHaveChanged`. Undefined if the valuation is not stored.
 */
export const basisOf = ({ version, facts, rents, today }: MarketView): string | undefined =>
  facts.stamp && hash('sha1', JSON.stringify([version, facts.stamp, [...rents], today.slice(0, 7)]), 'base64url')

/** The factor that converts a price of `soldOn` to today's price level. */
export const factorToToday = ({ index, sales }: MarketModel, soldOn: string): number =>
  Math.exp(logLevel(index, sales.asOfDay) - logLevel(index, dayOf(soldOn)))

/** Sales of bare land, and of houses demolished within two years after. */
const landSales = (sales: readonly MarketSale[], rebuilds: readonly Rebuild[]): MarketSale[] => {
  const demolished = new Map<string, string[]>()
  for (const { propertyId, permitClass, issuedOn } of rebuilds)
    if (propertyId && permitClass === 'whole_house_demolition')
      demolished.set(propertyId, [...(demolished.get(propertyId) ?? []), issuedOn])
  return sales.filter(
    (sale) =>
      sale.propertyType === 'land' ||
      (sale.propertyId !== undefined &&
        demolished.get(sale.propertyId)?.some((day) => day >= sale.soldOn && day <= yearsBefore(sale.soldOn, -2))),
  )
}

/** Permitted new houses, and homes no more than five years old when sold. */
const newHousesOf = (sales: readonly MarketSale[], rebuilds: readonly Rebuild[]) => [
  ...rebuilds.flatMap(({ permitClass, citySlug, propertyId, lat, lng, sqft, lotSqft }) =>
    permitClass === 'new_house' && sqft && lotSqft
      ? [{ citySlug, propertyId, lat, lng, livingSqft: sqft, lotSqft }]
      : [],
  ),
  ...sales
    .filter(isNewWhenSold)
    .flatMap(({ citySlug, propertyId, lat, lng, propertyType, livingSqft, lotSqft }) =>
      propertyType === 'single_family' && livingSqft && lotSqft
        ? [{ citySlug, propertyId, lat, lng, livingSqft, lotSqft }]
        : [],
    ),
]
