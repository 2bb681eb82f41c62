// The inputs of the teardown score: each with the sign the literature gives it, a prior coefficient and the value of a
// typical listing. Signs: Rosenthal & Helsley 1994, Dye & McMillen 2007, Charles 2013, Weber et al. 2006, Clapp & Salavei
// 2010, Munneke & Womack 2015. The prior magnitudes are judgment, set so that a typical listing scores about 2% and a small
// pre-1965 house on expensive land 10-25%; a fit on the stored demolition permits replaces them.

import { marketById } from '../contract/markets.ts'
import { clamp } from './clamp.ts'
import { builtSentence } from './house-age.ts'
import { percent, plural, sqft, usd } from './number-format.ts'
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

export interface TeardownFeature {
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

/** One column: a yes/no fact, or a number with a linear effect. */
const line = (
  name: string,
  inputs: TeardownFeature['inputs'],
  [sign, prior, typical]: readonly [1 | -1, number, number],
  valueFrom: TeardownFeature['valueFrom'],
  describe: TeardownFeature['describe'],
): TeardownFeature[] => [{ name, inputs, sign, prior: sign * prior, typical, valueFrom, describe }]

/**
 * A curve as one column per interval between knots, each with a slope of a given sign: the fit can find thresholds such as
 * "older than 45" without contradicting the literature. One sign makes it monotone.
 */
const curve = (
  name: string,
  inputs: TeardownFeature['inputs'],
  sign: 1 | -1 | readonly (1 | -1)[],
  typical: number,
  knots: readonly number[],
  slopes: readonly number[],
  valueFrom: TeardownFeature['valueFrom'],
  describe: TeardownFeature['describe'],
): TeardownFeature[] =>
  slopes.map((slope, k) => {
    const own = typeof sign === 'number' ? sign : sign[k]!
    const within = (value: number) => clamp(value, knots[k]!, knots[k + 1]!) - knots[k]!
    return {
      name: `${name}From${knots[k]}`,
      inputs,
      sign: own,
      prior: own * slope,
      typical: within(typical),
      valueFrom: (facts: TeardownFacts, year: number) => ifKnown(valueFrom(facts, year), within),
      describe,
    }
  })

/** A home that is not for sale has its estimated value as its price; an asking price never equals that to the cent. */
const isForSale = ({ priceUsd, valueUsd }: TeardownFacts): boolean => priceUsd !== valueUsd

const ageSentence = (facts: TeardownFacts, year: number): string => builtSentence(facts.yearBuilt!, year)
const floorAreaSentence = (facts: TeardownFacts): string =>
  `The living area is ${percent(utilizationOf(facts)!)} of the floor area that zoning allows`
const landShareSentence = (facts: TeardownFacts): string =>
  `The land alone is worth ${percent(landShareOf(facts)!)} of the value of the home`
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
  ...curve(
    'age',
    ['yearBuilt'],
    1,
    55,
    [0, 20, 35, 45, 50, 60, 80, 120],
    [0.06, 0.12, 0.1, 0.1, 0.03, 0.01, 0],
    cappedAgeOf,
    ageSentence,
  ),
  ...curve(
    'size',
    ['livingSqft', 'newBuildSqft'],
    -1,
    -0.5,
    [-1.5, -1, -0.7, -0.4, 0, 0.6],
    [1, 1, 1, 0.8, 0.5],
    (f) => logRatio(f.livingSqft, f.newBuildSqft),
    sizeSentence,
  ),
  ...curve(
    'floorAreaUsed',
    ['livingSqft', 'envelopeSqft'],
    -1,
    0.6,
    [0, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.5],
    [1, 3, 3, 1.5, 1, 1, 0.5],
    utilizationOf,
    floorAreaSentence,
  ),
  ...curve(
    'landShare',
    ['landValueUsd', 'priceUsd', 'valueUsd'],
    1,
    0.7,
    [0, 0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.5],
    [0.5, 1, 1.5, 2, 3, 2, 0],
    landShareOf,
    landShareSentence,
  ),
  ...line(
    'priceNearLand',
    ['landValueUsd', 'priceUsd'],
    [1, 0.5, 0.2],
    (f) => ifKnown(ratio(f.priceUsd, f.landValueUsd), (times) => Math.max(0, 1 - Math.abs(times - 1) / 0.25)),
    (f) =>
      `The ${isForSale(f) ? 'asking price' : 'estimated value'} is ${percent(ratio(f.priceUsd, f.landValueUsd)!)} of the value of the land alone`,
  ),
  ...curve(
    'improvement',
    ['assessedLandUsd', 'assessedImprovementUsd'],
    -1,
    0.4,
    [0, 0.15, 0.3, 0.45, 0.8],
    [1, 2, 1, 0.5],
    improvementShareOf,
    improvementSentence,
  ),
  ...curve(
    'lot',
    ['lotSqft', 'minLotSqft'],
    1,
    0.15,
    [-0.5, 0, 0.3, 0.7, 1.5],
    [0.4, 0.4, 0.4, 0.2],
    (f) => logRatio(f.lotSqft, f.minLotSqft),
    (f) => `The lot has ${sqft(f.lotSqft!)}; the zoning district requires at least ${sqft(f.minLotSqft!)}`,
  ),
  ...curve(
    'priceLevel',
    ['priceUsd', 'neighborhoodMedianUsd'],
    -1,
    0,
    [-1, -0.5, -0.2, 0.2, 0.5, 1],
    [1, 1, 0.8, 0.6, 0.4],
    (f) => logRatio(f.priceUsd, f.neighborhoodMedianUsd),
    (f) =>
      `${isForSale(f) ? 'Priced' : 'Valued'} at ${percent(ratio(f.priceUsd, f.neighborhoodMedianUsd)!)} of the neighborhood's median price`,
  ),
  ...curve(
    'priceAgainstValue',
    ['priceUsd', 'valueUsd'],
    // Bargains are rebuilt, and so are homes priced above what they are worth as houses: there the buyer pays for the land.
    [-1, -1, -1, 1, 1, 1],
    0,
    [-0.5, -0.25, -0.12, 0, 0.12, 0.25, 0.5],
    [3, 3, 1.5, 1.5, 3, 3],
    (f) => logRatio(f.priceUsd, f.valueUsd),
    (f) =>
      isForSale(f)
        ? `Priced at ${percent(ratio(f.priceUsd, f.valueUsd)!)} of what similar homes sell for`
        : 'Not for sale: its estimated value is used as the price',
  ),
  ...line(
    'slope',
    ['slopePct'],
    [-1, 0.5, 0.05],
    (f) => ifKnown(f.slopePct, (slope) => Number(slope > 25)),
    (f) => `The lot has a slope of ${Math.round(f.slopePct ?? 0)}%`,
  ),
  ...curve(
    'rebuildsNearby',
    ['rebuildsNearby'],
    1,
    2,
    [0, 1, 3, 6, 12, 30],
    [0.2, 0.12, 0.1, 0.05, 0.02],
    (f) => f.rebuildsNearby,
    (f) => `${plural(f.rebuildsNearby!, 'house')} rebuilt within 0.3 miles in the last five years`,
  ),
  ...curve(
    'cityPace',
    ['cityPace'],
    1,
    0,
    [-1.5, 0, 1.5],
    [0.8, 0.8],
    (f) => logRatio(f.cityPace, 1),
    cityPaceSentence,
  ),
  ...line(
    'stories',
    ['storeys'],
    [1, 0.25, 0.6],
    (f) => ifKnown(f.storeys, (stories) => Number(stories < 1.5)),
    (f) => plural(f.storeys!, 'story', 'stories'),
  ),
  ...line('historicDistrict', ['historicDistrict'], [-1, 1.5, 0.02], historicDistrictOf, historicDistrictSentence),
  ...curve(
    'condition',
    ['conditionScore'],
    -1,
    62,
    [15, 30, 37, 45, 55, 70, 85, 95],
    [0.03, 0.05, 0.05, 0.03, 0.025, 0.02, 0.02],
    (f) => f.conditionScore,
    conditionSentence,
  ),
  ...line(
    'landLanguage',
    ['landPhrases'],
    [1, 1, 0.06],
    (f) => ifKnown(f.landPhrases, (count) => Math.sqrt(clamp(count, 0, 4))),
    (f) =>
      f.landPhrases === 0
        ? 'The listing does not mention land value'
        : `The listing has ${plural(f.landPhrases!, 'phrase')} about land value`,
  ),
  ...line(
    'renovation',
    ['yearRenovated'],
    [-1, 1.5, 0],
    (f, y) => ifKnown(f.yearRenovated, (year) => Number(y - year < 10)),
    (f) => `Renovated in ${f.yearRenovated}`,
  ),
  ...line(
    'recentPermits',
    ['recentPermitsUsd'],
    [-1, 1, 0.08],
    (f) => ifKnown(f.recentPermitsUsd, (valued) => Number(valued > 150_000)),
    permitsSentence,
  ),
  ...curve(
    'rebuildReturn',
    ['redevelopmentReturn'],
    1,
    0,
    [-0.6, -0.2, 0, 0.1, 0.2, 0.4, 0.8],
    [1, 2, 2, 2, 2, 1],
    (f) => f.redevelopmentReturn,
    (f) => `Building the largest allowed house would return ${percent(f.redevelopmentReturn!)}`,
  ),
]

/** Where all of a market is a historic district, the flag has the typical value for every house. */
function historicDistrictOf(facts: TeardownFacts): number | undefined {
  if (marketById(facts.market)?.demolitionReview) return 0.02
  return facts.historicDistrict === undefined || facts.historicDistrict === 'unknown'
    ? undefined
    : Number(facts.historicDistrict === 'yes')
}

export const teardownInputs: readonly (keyof TeardownFacts)[] = [
  ...new Set<keyof TeardownFacts>([
    'propertyType',
    'historicListed',
    'historicContributing',
    ...teardownFeatures.flatMap((item) => item.inputs),
  ]),
]
