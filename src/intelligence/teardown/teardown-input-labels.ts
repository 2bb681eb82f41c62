// The names of the teardown score's inputs as a reader knows them, beside those of domain/fact-table.ts.
import type { FactName } from '../../domain/fact-table.ts'
import type { TeardownFacts } from './teardown-facts.ts'

export const teardownInputLabels: Readonly<Record<Exclude<keyof TeardownFacts, FactName>, string>> = {
  review: 'review of demolitions',
  replaced: 'permits for a new house or a demolition',
  priceUsd: 'asking price',
  valueUsd: 'estimated value',
  landValueUsd: 'value of the land alone',
  envelopeSqft: 'floor area allowed by zoning',
  minLotSqft: 'minimum lot size of the zoning district',
  neighborhoodMedianUsd: 'median price of the neighborhood',
  newBuildSqft: 'typical size of a new house here',
  rebuildsNearby: 'houses rebuilt nearby',
  cityPace: 'how often houses in this city are demolished',
  conditionScore: 'condition',
  landPhrases: 'listing description',
  recentPermitsUsd: 'valuation of the permits of the last ten years',
  redevelopmentReturn: 'return on building the largest allowed house',
  historicListed: 'whether it is listed as historic',
  historicDistrict: 'whether it is in a historic district',
  historicContributing: 'whether it contributes to a historic district',
}
