// The names of the teardown score's inputs as a reader knows them, for sentences about unknown inputs.
import type { TeardownFacts } from './teardown-facts.ts'

export const teardownInputLabels: Readonly<Record<keyof TeardownFacts, string>> = {
  market: 'market',
  propertyType: 'property type',
  yearBuilt: 'year built',
  yearRenovated: 'year renovated',
  livingSqft: 'living area',
  lotSqft: 'lot area',
  storeys: 'number of stories',
  priceUsd: 'asking price',
  valueUsd: 'estimated value',
  slopePct: 'slope',
  landValueUsd: 'value of the land alone',
  envelopeSqft: 'floor area allowed by zoning',
  minLotSqft: 'minimum lot size of the zoning district',
  assessedLandUsd: 'assessed value of the land',
  assessedImprovementUsd: 'assessed value of the building',
  neighborhoodMedianUsd: 'median price of the neighborhood',
  newBuildSqft: 'typical size of a new house here',
  rebuildsNearby: 'houses rebuilt nearby',
  cityPace: 'how often houses in this city are demolished',
  conditionScore: 'condition',
  landPhrases: 'listing description',
  recentPermitsUsd: 'permits of the last ten years',
  redevelopmentReturn: 'return on building the largest allowed house',
  historicListed: 'whether it is listed as historic',
  historicDistrict: 'whether it is in a historic district',
  historicContributing: 'whether it contributes to a historic district',
}

/** The sentence for each set of unknown inputs; bit k of the index is the k-th input. Built once, used for every property. */
export const missingInputSentences = (inputs: readonly (keyof TeardownFacts)[]): readonly string[] =>
  Array.from({ length: 2 ** inputs.length }, (_, set) => {
    const named = (of: readonly (keyof TeardownFacts)[]) => of.map((input) => teardownInputLabels[input]).join(', ')
    // All inputs are given but one is zero, such as a lot of 0 sq ft.
    if (set === 0) return `Unusable: ${named(inputs)}`
    return `Unknown: ${named(inputs.filter((_input, k) => (set & (1 << k)) !== 0))}`
  })
