// The teardown score's inputs in plain words, for what it says of those that are not known.
import type { TeardownFacts } from './teardown-facts.ts'

export const teardownInputWords: Readonly<Record<keyof TeardownFacts, string>> = {
  market: 'market',
  propertyType: 'kind of home',
  yearBuilt: 'year built',
  yearRenovated: 'year renovated',
  livingSqft: 'living area',
  lotSqft: 'lot area',
  storeys: 'storeys',
  priceUsd: 'asking price',
  valueUsd: 'what homes like it sell for',
  slopePct: 'slope',
  landValueUsd: 'what the lot alone would sell for',
  envelopeSqft: 'floor area allowed',
  minLotSqft: 'least lot of the district',
  assessedLandUsd: 'assessed value of the land',
  assessedImprovementUsd: 'assessed value of the building',
  neighbourhoodMedianUsd: 'median price of the neighbourhood',
  newBuildSqft: 'usual size of a new house here',
  rebuildsNearby: 'houses rebuilt nearby',
  cityPace: 'how often houses of this city are demolished',
  conditionScore: 'condition',
  landPhrases: 'remarks of the listing',
  recentPermitsUsd: 'permits of the last ten years',
  redevelopmentReturn: 'return on building the allowed house',
  historicListed: 'whether it is listed as historic',
  historicDistrict: 'whether it stands in a historic district',
  historicContributing: 'whether it contributes to a historic district',
}

/**
 * What to say for each set of these inputs that is not known, bit k of the index standing for the k-th. Made once: every
 * property of a market asks.
 */
export const unknownInputWords = (inputs: readonly (keyof TeardownFacts)[]): readonly string[] =>
  Array.from({ length: 2 ** inputs.length }, (_, set) => {
    const named = (of: readonly (keyof TeardownFacts)[]) => of.map((input) => teardownInputWords[input]).join(', ')
    // Given, but of no use: a price or an area of nothing.
    if (set === 0) return `Nothing can be told from: ${named(inputs)}`
    return `Not known: ${named(inputs.filter((_input, k) => (set & (1 << k)) !== 0))}`
  })
