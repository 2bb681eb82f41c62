// What makes a house likely to be torn down: each covariate with the sign the literature gives it, a prior coefficient
// and the value an ordinary listing has. Signs: Rosenthal & Helsley 1994, Dye & McMillen 2007, Charles 2013, Weber et al.
// 2006, Clapp & Salavei 2010, Munneke & Womack 2015. No coefficient table was reachable, so magnitudes are judgement,
// set so that an ordinary listing stands near 2 % and a small pre-1965 house on dear land at 10-25 %; a fit on the
// store's own demolition permits replaces them.

import { sqft, usd } from './plain-numbers.ts'
import {
  ageOf,
  clamp,
  improvementOf,
  landShareOf,
  logRatio,
  on,
  ratio,
  type TeardownFacts,
  utilisationOf,
} from './teardown-facts.ts'

export interface TeardownFeature {
  readonly name: string
  readonly inputs: readonly (keyof TeardownFacts)[]
  /** What theory says: +1 raises, −1 lowers. */
  readonly sign: 1 | -1
  /** Log-odds per unit while labels are few. */
  readonly prior: number
  /** The value of an ordinary listing, from which the prior counts. */
  readonly ordinary: number
  readonly of: (facts: TeardownFacts, year: number) => number | undefined
  readonly say: (facts: TeardownFacts, year: number) => string
}

/** One column: a yes-or-no, or a number whose effect is a straight line. */
const line = (
  name: string,
  inputs: TeardownFeature['inputs'],
  [sign, prior, ordinary]: readonly [1 | -1, number, number],
  of: TeardownFeature['of'],
  say: TeardownFeature['say'],
): TeardownFeature[] => [{ name, inputs, sign, prior: sign * prior, ordinary, of, say }]

/**
 * A monotone curve as one column per stretch between knots, each with a slope of the same sign: thresholds such as
 * "older than 45" or "uses less than half" are found by the fit without giving up what theory says.
 */
const curve = (
  name: string,
  inputs: TeardownFeature['inputs'],
  sign: 1 | -1,
  ordinary: number,
  knots: readonly number[],
  slopes: readonly number[],
  of: TeardownFeature['of'],
  say: TeardownFeature['say'],
): TeardownFeature[] =>
  slopes.map((slope, k) => {
    const within = (value: number) => clamp(value, knots[k]!, knots[k + 1]!) - knots[k]!
    return {
      name: `${name}From${knots[k]}`,
      inputs,
      sign,
      prior: sign * slope,
      ordinary: within(ordinary),
      of: (facts: TeardownFacts, year: number) => on(of(facts, year), within),
      say,
    }
  })

const percent = (share: number | undefined): string =>
  share === undefined ? 'unknown' : `${Math.round(100 * share)} %`

/** A home that is not for sale is taken at its value, to the cent; no seller asks just that. */
const isAsked = ({ priceUsd, valueUsd }: TeardownFacts): boolean => priceUsd !== valueUsd

const ageWords = (facts: TeardownFacts, year: number): string =>
  `Built ${facts.yearBuilt}, ${ageOf(facts, year)} years old`
const useWords = (facts: TeardownFacts): string =>
  `The house uses ${percent(utilisationOf(facts))} of the floor area allowed`
const shareWords = (facts: TeardownFacts): string =>
  `The land is worth ${percent(landShareOf(facts))} of what the home is worth as it stands`
const builtWords = (facts: TeardownFacts): string =>
  `The building is ${percent(improvementOf(facts))} of the assessed value`
const sizeWords = (facts: TeardownFacts): string =>
  `${sqft(facts.livingSqft!)} against ${sqft(facts.newBuildSqft!)} for a new house here`
const stateWords = (facts: TeardownFacts): string => `Condition score ${Math.round(facts.conditionScore ?? 0)}`

export const teardownFeatures: readonly TeardownFeature[] = [
  ...curve(
    'age',
    ['yearBuilt'],
    1,
    55,
    [0, 20, 35, 45, 50, 60, 80, 120],
    [0.06, 0.12, 0.1, 0.1, 0.03, 0.01, 0],
    ageOf,
    ageWords,
  ),
  ...curve(
    'size',
    ['livingSqft', 'newBuildSqft'],
    -1,
    -0.5,
    [-1.5, -1, -0.7, -0.4, 0, 0.6],
    [1, 1, 1, 0.8, 0.5],
    (f) => logRatio(f.livingSqft, f.newBuildSqft),
    sizeWords,
  ),
  ...curve(
    'utilisation',
    ['livingSqft', 'envelopeSqft'],
    -1,
    0.6,
    [0, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.5],
    [1, 3, 3, 1.5, 1, 1, 0.5],
    utilisationOf,
    useWords,
  ),
  ...curve(
    'landShare',
    ['landValueUsd', 'priceUsd', 'valueUsd'],
    1,
    0.7,
    [0, 0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.5],
    [0.5, 1, 1.5, 2, 3, 2, 0],
    landShareOf,
    shareWords,
  ),
  ...line(
    'priceNearLand',
    ['landValueUsd', 'priceUsd'],
    [1, 0.5, 0.2],
    (f) => on(ratio(f.priceUsd, f.landValueUsd), (times) => Math.max(0, 1 - Math.abs(times - 1) / 0.25)),
    (f) =>
      `${isAsked(f) ? 'Asking' : 'Worth'} ${percent(ratio(f.priceUsd, f.landValueUsd))} of what the lot alone would sell for`,
  ),
  ...curve(
    'improvement',
    ['assessedLandUsd', 'assessedImprovementUsd'],
    -1,
    0.4,
    [0, 0.15, 0.3, 0.45, 0.8],
    [1, 2, 1, 0.5],
    improvementOf,
    builtWords,
  ),
  ...curve(
    'lot',
    ['lotSqft', 'minLotSqft'],
    1,
    0.15,
    [-0.5, 0, 0.3, 0.7, 1.5],
    [0.4, 0.4, 0.4, 0.2],
    (f) => logRatio(f.lotSqft, f.minLotSqft),
    (f) => `A lot of ${sqft(f.lotSqft!)} where the district's least is ${sqft(f.minLotSqft!)}`,
  ),
  ...curve(
    'priceLevel',
    ['priceUsd', 'neighbourhoodMedianUsd'],
    -1,
    0,
    [-1, -0.5, -0.2, 0.2, 0.5, 1],
    [1, 1, 0.8, 0.6, 0.4],
    (f) => logRatio(f.priceUsd, f.neighbourhoodMedianUsd),
    (f) =>
      `${isAsked(f) ? 'Priced' : 'Valued'} at ${percent(ratio(f.priceUsd, f.neighbourhoodMedianUsd))} of the neighbourhood's median`,
  ),
  ...curve(
    'priceForItsKind',
    ['priceUsd', 'valueUsd'],
    -1,
    0,
    [-0.5, -0.25, -0.12, 0, 0.15, 0.4],
    [1, 1.5, 1.5, 1, 0.5],
    (f) => logRatio(f.priceUsd, f.valueUsd),
    (f) =>
      isAsked(f)
        ? `Priced at ${percent(ratio(f.priceUsd, f.valueUsd))} of what homes like it sell for`
        : 'Not for sale: taken at what homes like it sell for',
  ),
  ...line(
    'steep',
    ['slopePct'],
    [-1, 0.5, 0.05],
    (f) => on(f.slopePct, (slope) => Number(slope > 25)),
    (f) => `A slope of ${Math.round(f.slopePct ?? 0)} %`,
  ),
  ...curve(
    'rebuildsNearby',
    ['rebuildsNearby'],
    1,
    2,
    [0, 1, 3, 6, 12, 30],
    [0.2, 0.12, 0.1, 0.05, 0.02],
    (f) => f.rebuildsNearby,
    (f) => `${f.rebuildsNearby} houses rebuilt within 500 m in five years`,
  ),
  ...curve(
    'cityPace',
    ['cityPace'],
    1,
    0,
    [-1.5, 0, 1.5],
    [0.8, 0.8],
    (f) => logRatio(f.cityPace, 1),
    (f) => `Houses in this city are demolished ${(f.cityPace ?? 1).toFixed(1)} times as often as in the market`,
  ),
  ...line(
    'oneStorey',
    ['storeys'],
    [1, 0.25, 0.6],
    (f) => on(f.storeys, (storeys) => Number(storeys < 1.5)),
    (f) => `${f.storeys} storey${f.storeys === 1 ? '' : 's'}`,
  ),
  ...line(
    'historicDistrict',
    ['historicDistrict'],
    [-1, 1.5, 0.02],
    historicDistrictOf,
    () => 'Whether it stands in a historic district',
  ),
  ...curve(
    'condition',
    ['conditionScore'],
    -1,
    62,
    [15, 30, 37, 45, 55, 70, 85, 95],
    [0.03, 0.05, 0.05, 0.03, 0.025, 0.02, 0.02],
    (f) => f.conditionScore,
    stateWords,
  ),
  ...line(
    'landWords',
    ['landPhrases'],
    [1, 1, 0.06],
    (f) => on(f.landPhrases, (count) => Math.sqrt(clamp(count, 0, 4))),
    (f) => `${f.landPhrases} land-value phrase${f.landPhrases === 1 ? '' : 's'} in the remarks`,
  ),
  ...line(
    'renovated',
    ['yearRenovated'],
    [-1, 1.5, 0],
    (f, y) => on(f.yearRenovated, (year) => Number(y - year < 10)),
    (f) => `Renovated in ${f.yearRenovated}`,
  ),
  ...line(
    'largePermits',
    ['recentPermitsUsd'],
    [-1, 1, 0.08],
    (f) => on(f.recentPermitsUsd, (worth) => Number(worth > 150_000)),
    (f) => `Permits worth ${usd(f.recentPermitsUsd!)} in ten years`,
  ),
  ...curve(
    'rebuildReturn',
    ['redevelopmentReturn'],
    1,
    0,
    [-0.6, -0.2, 0, 0.1, 0.2, 0.4, 0.8],
    [1, 2, 2, 2, 2, 1],
    (f) => f.redevelopmentReturn,
    (f) => `Building the allowed house would return ${percent(f.redevelopmentReturn)}`,
  ),
]

/** The whole island of Nantucket is a historic district, so there the flag tells no house from another. */
function historicDistrictOf(facts: TeardownFacts): number | undefined {
  if (facts.market === 'nantucket') return 0.02
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
