// All that is known of a market as a whole, learned once and then held against each of its properties.
import type { MarketId } from '../contract/facts.ts'
import { type BiddingWarModel, biddingWarPrior } from '../intelligence/bidding-war.ts'
import { type CityLevels, cityLevels } from '../intelligence/city-levels.ts'
import { fitLandValue, type LandValueModel } from '../intelligence/land-value.ts'
import { fitNewHouseSizes, type NewHouseSizes } from '../intelligence/new-house-size.ts'
import { type TeardownModel, teardownPrior } from '../intelligence/teardown.ts'
import { fitMarket } from '../intelligence/valuation/fit-market.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import type { Db } from '../store/database.ts'
import {
  homesByCity,
  type MarketSale,
  marketListings,
  marketRebuilds,
  marketSales,
  type Rebuild,
} from '../store/market-facts.ts'
import { latestModel } from '../store/models.ts'
import { permitCities } from '../store/permits.ts'
import { type CityPaces, cityPaces } from './city-paces.ts'
import { type HeatBoard, heatBoard } from './heat-board.ts'
import { type PlaceLevels, placeLevels } from './place-levels.ts'
import { type RebuildIndex, rebuildIndex } from './rebuild-index.ts'

export interface MarketView {
  market: MarketId
  /** The day it is looked at, YYYY-MM-DD. */
  on: string
  /** Those it was learned from, oldest first. */
  sales: readonly MarketSale[]
  /** Undefined while there are too few sales to learn from. */
  value: MarketModel | undefined
  levels: CityLevels
  places: PlaceLevels
  land: LandValueModel
  newHouses: NewHouseSizes
  paces: CityPaces
  heat: HeatBoard
  rebuilds: RebuildIndex
  /** Cities whose permits are held; of the others nothing is known, not nothing done. */
  permitCities: ReadonlySet<string>
  teardown: TeardownModel
  biddingWar: BiddingWarModel
  /** Mean return after carry over the market's listings, to which single returns are shrunk. */
  meanRoiPct?: number
  version: string
}

/** Raised when what is computed from the same facts changes, so that history says a model changed and not a house. */
export const assessmentVersion = '1'

/** How far back prices still teach something, in years; houses rebuilt nearby count for five. */
const salesYears = 6
const rebuildYears = 5

export const openMarketView = async (
  db: Db,
  market: MarketId,
  on: string,
  onProgress: (share: number, step: string) => void = () => {},
): Promise<MarketView> => {
  const [sales, listings, rebuilds, homes, covered, storedTeardown, storedBidding] = await Promise.all([
    marketSales(db, market, yearsBefore(on, salesYears)),
    marketListings(db, market, yearsBefore(on, 3)),
    marketRebuilds(db, market, yearsBefore(on, rebuildYears)),
    homesByCity(db, market),
    permitCities(db, ''),
    latestModel<TeardownModel>(db, 'teardown', market),
    latestModel<BiddingWarModel>(db, 'bidding-war', market),
  ])
  const levels = cityLevels(sales, on)
  const value = fitMarket(sales, on, { onProgress })
  const places = placeLevels(value, sales)
  return {
    market,
    on,
    sales,
    value,
    levels,
    places,
    land: fitLandValue(
      landSales(sales, rebuilds).map((sale) => ({ ...sale, placeLog: places.of(sale) })),
      levels,
    ),
    newHouses: fitNewHouseSizes(newHousesOf(sales, rebuilds)),
    paces: cityPaces(rebuilds, homes),
    heat: heatBoard(sales, listings, on),
    rebuilds: rebuildIndex(rebuilds),
    permitCities: new Set(covered),
    ...withModels(storedTeardown?.body ?? teardownPrior, storedBidding?.body ?? biddingWarPrior),
  }
}

/** The parts of a view that hang on fitted models. */
export const withModels = (teardown: TeardownModel, biddingWar: BiddingWarModel) => ({
  teardown,
  biddingWar,
  version: `${assessmentVersion}/${teardown.version}/${biddingWar.version}`,
})

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
  ...rebuilds.flatMap(({ permitClass, citySlug, sqft, lotSqft }) =>
    permitClass === 'new_house' && sqft && lotSqft ? [{ citySlug, livingSqft: sqft, lotSqft }] : [],
  ),
  ...sales.flatMap(({ citySlug, propertyType, soldOn, yearBuilt, livingSqft, lotSqft }) =>
    propertyType === 'single_family' &&
    livingSqft &&
    lotSqft &&
    yearBuilt !== undefined &&
    Number(soldOn.slice(0, 4)) - yearBuilt <= rebuildYears
      ? [{ citySlug, livingSqft, lotSqft }]
      : [],
  ),
]

export const yearsBefore = (date: string, years: number): string =>
  `${String(Number(date.slice(0, 4)) - years).padStart(4, '0')}${date.slice(4) === '-02-29' ? '-02-28' : date.slice(4)}`
