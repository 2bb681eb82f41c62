// The inputs of the teardown score: each with the sign the literature gives it, a prior coefficient and the value of a
// typical listing. Signs: Rosenthal & Helsley 1994, Dye & McMillen 2007, Charles 2013, Weber et al. 2006, Clapp & Salavei
// 2010, Munneke & Womack 2015. The prior magnitudes are a fit on 3,147 real sales where those have the input, and half of
// an expert's estimate elsewhere; a fit on the stored demolition permits replaces them.

import { percent, plural, sqft, usd } from '../scores/number-format.ts'
import { builtSentence } from '../site/house-age.ts'
import { clamp } from '../statistics/clamp.ts'
import {
  cappedAgeOf,
  ifKnown,
  improvementShareOf,
  landShareOf,
  logRatio,
  ratio,
  type TeardownFacts,
  utilizationOf,
} from './teardown-facts.ts'

interface TeardownFeature {
  readonly name: string
  readonly inputs: readonly (keyof TeardownFacts)[]
  /** What theory says: +1 raises, −1 lowers. */
  readonly sign: 1 | -1
  /** Log-odds per unit, used while there are few demolitions to learn from. */
  readonly prior: number
  /** The value of a typical listing; the prior counts from here. */
  readonly typical: number
  readonly valueFrom: (facts: TeardownFacts, year: number) => number | undefined
  readonly describe: (facts: TeardownFacts, year: number) => string
}

const feature = (
  name: string,
  inputs: TeardownFeature['inputs'],
  [sign, prior, typical]: readonly [1 | -1, number, number],
  valueFrom: TeardownFeature['valueFrom'],
  describe: TeardownFeature['describe'],
): TeardownFeature => ({ name, inputs, sign, prior: sign * prior, typical, valueFrom, describe })

/** A home that is not for sale has its estimated value as its price; an asking price never equals that to the cent. */
const isForSale = ({ priceUsd, valueUsd }: TeardownFacts): boolean => priceUsd !== valueUsd

const ageSentence = (facts: TeardownFacts, year: number): string => builtSentence(facts.yearBuilt!, year)
const floorAreaSentence = (facts: TeardownFacts): string =>
  `The living area without garage is ${percent(utilizationOf(facts)!)} of the floor area that zoning allows`
const landShareSentence = (facts: TeardownFacts): string =>
  landShareOf(facts)! > 1
    ? 'The land alone is worth more than the home as it stands'
    : `The land alone is worth ${percent(landShareOf(facts)!)} of the value of the home`
const improvementSentence = (facts: TeardownFacts): string =>
  `The building is ${percent(improvementShareOf(facts)!)} of the assessed value`
const sizeSentence = (facts: TeardownFacts): string =>
  `The house has ${sqft(facts.livingSqft!)}; a new house here typically has ${sqft(facts.newBuildSqft!)}`
const conditionSentence = (facts: TeardownFacts): string =>
  `Condition score ${Math.round(facts.conditionScore ?? 0)} of 100`
const permitsSentence = ({ recentPermitsUsd }: TeardownFacts): string =>
  recentPermitsUsd === 0
    ? 'No permits with a valuation in the last ten years'
    : `Permits valued at ${usd(recentPermitsUsd!)} in the last ten years`
const cityPaceSentence = ({ cityPace = 1 }: TeardownFacts): string =>
  cityPace.toFixed(1) === '1.0'
    ? 'Houses in this city are demolished about as often as in the whole market'
    : `Houses in this city are demolished ${cityPace.toFixed(1)} times as often as in the whole market`
const historicDistrictSentence = ({ historicDistrict }: TeardownFacts): string =>
  historicDistrict === 'yes' ? 'In a historic district' : 'Not in a historic district'

export const teardownFeatures: readonly TeardownFeature[] = [
  feature('age', ['yearBuilt'], [1, 0.025, 55], cappedAgeOf, ageSentence),
  feature(
    'size',
    ['livingSqft', 'newBuildSqft'],
    [-1, 0.6, -0.3],
    (f) => logRatio(f.livingSqft, f.newBuildSqft),
    sizeSentence,
  ),
  feature('floorAreaUsed', ['livingSqft', 'envelopeSqft'], [-1, 1, 0.6], utilizationOf, floorAreaSentence),
  feature('landShare', ['landValueUsd', 'priceUsd', 'valueUsd'], [1, 3.5, 0.7], landShareOf, landShareSentence),
  feature(
    'improvement',
    ['assessedLandUsd', 'assessedImprovementUsd'],
    [-1, 1, 0.4],
    improvementShareOf,
    improvementSentence,
  ),
  feature(
    'lot',
    ['lotSqft', 'minLotSqft'],
    [1, 0.3, 0.15],
    (f) => logRatio(f.lotSqft, f.minLotSqft),
    (f) => `The lot has ${sqft(f.lotSqft!)}; the zoning district requires at least ${sqft(f.minLotSqft!)}`,
  ),
  feature(
    'priceLevel',
    ['priceUsd', 'neighborhoodMedianUsd'],
    [-1, 0.3, 0],
    (f) => logRatio(f.priceUsd, f.neighborhoodMedianUsd),
    (f) =>
      `${isForSale(f) ? 'Priced' : 'Valued'} at ${percent(ratio(f.priceUsd, f.neighborhoodMedianUsd)!)} of the neighborhood's median price`,
  ),
  feature(
    'priceAgainstValue',
    ['priceUsd', 'valueUsd'],
    // Bargains are rebuilt, and so are homes priced above what they are worth as houses: there the buyer pays for the land.
    [1, 5, 0.12],
    (f) => ifKnown(logRatio(f.priceUsd, f.valueUsd), Math.abs),
    (f) =>
      isForSale(f)
        ? `Priced at ${percent(ratio(f.priceUsd, f.valueUsd)!)} of what similar homes sell for`
        : 'Not for sale: its estimated value is used as the price',
  ),
  feature(
    'rebuildsNearby',
    ['rebuildsNearby'],
    [1, 0.5, 0.8],
    (f) => ifKnown(f.rebuildsNearby, Math.log1p),
    (f) => `${plural(f.rebuildsNearby!, 'house')} rebuilt within 0.3 miles in the last five years`,
  ),
  feature('cityPace', ['cityPace'], [1, 0.4, 0], (f) => logRatio(f.cityPace, 1), cityPaceSentence),
  feature(
    'stories',
    ['stories'],
    [1, 0.3, 0.5],
    (f) => ifKnown(f.stories, (stories) => Number(stories < 1.5)),
    (f) => plural(f.stories!, 'story', 'stories'),
  ),
  feature('historicDistrict', ['historicDistrict'], [-1, 1.5, 0.02], historicDistrictOf, historicDistrictSentence),
  feature('condition', ['conditionScore'], [-1, 0.05, 62], (f) => f.conditionScore, conditionSentence),
  feature(
    'landLanguage',
    ['landPhrases'],
    [1, 0.7, 0.06],
    (f) => ifKnown(f.landPhrases, (count) => Math.sqrt(clamp(count, 0, 4))),
    (f) =>
      f.landPhrases === 0
        ? 'The listing does not mention land value'
        : `The listing has ${plural(f.landPhrases!, 'phrase')} about land value`,
  ),
  feature(
    'renovation',
    ['yearRenovated'],
    [-1, 0.5, 0],
    (f, y) => ifKnown(f.yearRenovated, (year) => Number(y - year < 10)),
    (f) => `Renovated in ${f.yearRenovated}`,
  ),
  feature(
    'recentPermits',
    ['recentPermitsUsd'],
    [-1, 0.7, 0.08],
    (f) => ifKnown(f.recentPermitsUsd, (valued) => Number(valued > 150_000)),
    permitsSentence,
  ),
  feature(
    'rebuildReturn',
    ['redevelopmentReturn'],
    [1, 1, 0],
    (f) => ifKnown(f.redevelopmentReturn, (share) => clamp(share, -0.6, 0.8)),
    (f) => `Building the largest allowed house would return ${percent(f.redevelopmentReturn!)}`,
  ),
]

/** Where all of a market is a historic district, the flag has the typical value for every house. */
function historicDistrictOf(facts: TeardownFacts): number | undefined {
  if (facts.review) return 0.02
  return facts.historicDistrict === undefined || facts.historicDistrict === 'unknown'
    ? undefined
    : Number(facts.historicDistrict === 'yes')
}
