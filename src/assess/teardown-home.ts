// The facts that the teardown model learns from a past sale and that a home is scored with: one function, so that both mean the same.
import { pick } from '../common/typed.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { landValueUsd } from '../intelligence/site/land-value.ts'
import type { TeardownFacts } from '../intelligence/teardown/teardown-facts.ts'
import type { PastSale } from '../store/assessments/past-sales.ts'
import type { MarketView } from './market-view.ts'
import type { SubjectFacts } from './subject-facts.ts'

export const teardownHome = (home: SubjectFacts | PastSale, view: MarketView) => {
  const place = view.around(home, home.propertyId)
  const placed = { ...home, ...place }
  return {
    review: view.pack?.market.demolitionReview,
    ...pick(home, 'propertyType', 'yearBuilt', 'yearRenovated', 'livingSqft', 'lotSqft', 'stories'),
    landValueUsd: landValueUsd(view.land, placed),
    minLotSqft: districtOf(view.pack, home.city, home.zoning)?.minLotSqft,
    neighborhoodMedianUsd: place.around.medianPriceUsd,
    newBuildSqft: view.newHouses.of(placed) ?? view.levels.of(home.citySlug).newBuildSqft,
    ...pick(home.overlays, 'historicListed', 'historicDistrict', 'historicContributing'),
  } satisfies TeardownFacts
}
