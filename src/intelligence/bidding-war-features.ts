// What tells whether a home will close at least 1 % over its list price. Numbers carry the sign experience gives them and
// a prior used until the store has closings of its own; areas and words start at nothing and are learnt.

import type { MarketId } from '../contract/facts.ts'
import { logit } from './logistic.ts'
import { isPermittedWord } from './permitted-inputs.ts'
import { clausesOf } from './phrase-scan.ts'
import { sqft } from './plain-numbers.ts'

export interface BiddingFacts {
  readonly market: MarketId
  /** ZIP where known, else the city. */
  readonly area: string
  readonly listPriceUsd?: number
  readonly livingSqft?: number
  readonly beds?: number
  readonly baths?: number
  /** Words of the remarks: see `remarkWords`. */
  readonly words?: readonly string[]
  /** The model's own value, made without the list price. */
  readonly valueUsd?: number
  /** Share of the city's sales of the last 90 days above list. */
  readonly shareAboveList?: number
  readonly daysOnMarket?: number
  readonly originalPriceUsd?: number
  readonly conditionScore?: number
  readonly cityMedianUsd?: number
}

/** Levels of an area, learnt from the training rows and shrunk to the whole. */
export interface AreaLevel {
  readonly logPrice: number
  readonly logPricePerSqft: number
}

export interface BiddingFeature {
  readonly name: string
  readonly inputs: readonly (keyof BiddingFacts)[]
  /** −1 or +1 where experience gives a sign, 0 where the data may choose. */
  readonly sign: -1 | 0 | 1
  readonly prior: number
  readonly ordinary: number
  /** Its square is a feature too. */
  readonly squared: boolean
  readonly of: (facts: BiddingFacts, level: AreaLevel) => number | undefined
  readonly say: (facts: BiddingFacts) => string
}

/** Share of homes sold above list where the city's own is not known. */
export const anchorShares: Readonly<Record<MarketId, { value: number; reason: string }>> = {
  'sf-peninsula': { value: 0.62, reason: '55-75 % of Peninsula homes close above list' },
  nantucket: { value: 0.08, reason: 'island homes close at 93-96 % of list' },
}

/** Of homes sold above list, nearly all close at least 1 % above. */
export const biddingBaseLogOdds = -0.2

const money = (usd: number | undefined): string => `$${Math.round(usd ?? 0).toLocaleString('en-US')}`
const log = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? Math.log(value) : undefined
const less = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const free = (
  name: string,
  inputs: BiddingFeature['inputs'],
  of: BiddingFeature['of'],
  say: BiddingFeature['say'],
): BiddingFeature => ({
  name,
  inputs,
  sign: 0,
  prior: 0,
  ordinary: 0,
  squared: true,
  of,
  say,
})

const known = (
  name: string,
  inputs: BiddingFeature['inputs'],
  [sign, prior, ordinary]: readonly [-1 | 1, number, number],
  of: BiddingFeature['of'],
  say: BiddingFeature['say'],
): BiddingFeature => ({
  name,
  inputs,
  sign,
  prior: sign * prior,
  ordinary,
  squared: false,
  of,
  say,
})

export const biddingFeatures: readonly BiddingFeature[] = [
  known(
    'listToValue',
    ['listPriceUsd', 'valueUsd'],
    [-1, 7, 0],
    (f) => limit(less(log(f.listPriceUsd), log(f.valueUsd)), -0.4, 0.4),
    (f) => `Listed at ${money(f.listPriceUsd)} against a value of ${money(f.valueUsd)}`,
  ),
  known(
    'shareAboveList',
    ['shareAboveList'],
    [1, 1, 0],
    (f) => logit(clamp(f.shareAboveList ?? anchorShares[f.market].value, 0.03, 0.97)),
    (f) =>
      f.shareAboveList === undefined
        ? `About ${Math.round(100 * anchorShares[f.market].value)} % of homes in this market close above list`
        : `${Math.round(100 * f.shareAboveList)} % of recent sales in the city closed above list`,
  ),
  known(
    'daysOnMarket',
    ['daysOnMarket'],
    [-1, 0.05, 5],
    (f) => limit(f.daysOnMarket, 0, 75),
    (f) => `${f.daysOnMarket} days on the market so far`,
  ),
  known(
    'priceCut',
    ['listPriceUsd', 'originalPriceUsd'],
    [-1, 1.3, 0.12],
    (f) =>
      f.listPriceUsd === undefined || f.originalPriceUsd === undefined
        ? undefined
        : Number(f.listPriceUsd < 0.995 * f.originalPriceUsd),
    (f) =>
      f.listPriceUsd! < 0.995 * f.originalPriceUsd!
        ? `The price was cut from ${money(f.originalPriceUsd)}`
        : 'The price has not been cut',
  ),
  known(
    'priceTier',
    ['listPriceUsd', 'cityMedianUsd'],
    [-1, 0.5, 0],
    (f) => limit(less(log(f.listPriceUsd), log(f.cityMedianUsd)), -1.5, 1.5),
    (f) => `Listed at ${money(f.listPriceUsd)} where the city's median is ${money(f.cityMedianUsd)}`,
  ),
  {
    ...free(
      'condition',
      ['conditionScore'],
      (f) => f.conditionScore,
      (f) => `Condition score ${Math.round(f.conditionScore ?? 0)}`,
    ),
    ordinary: 62,
  },
  free(
    'logPrice',
    ['listPriceUsd'],
    (f) => log(f.listPriceUsd),
    (f) => `Listed at ${money(f.listPriceUsd)}`,
  ),
  free(
    'logSize',
    ['livingSqft'],
    (f) => log(f.livingSqft),
    (f) => sqft(f.livingSqft!),
  ),
  free(
    'beds',
    ['beds'],
    (f) => limit(f.beds, 0, 7),
    (f) => `${f.beds} bedrooms`,
  ),
  free(
    'baths',
    ['baths'],
    (f) => limit(f.baths, 0, 7),
    (f) => `${f.baths} bathrooms`,
  ),
  free(
    'logPricePerSqft',
    ['listPriceUsd', 'livingSqft'],
    (f) => less(log(f.listPriceUsd), log(f.livingSqft)),
    (f) => `${money(f.listPriceUsd! / f.livingSqft!)} per sqft`,
  ),
  free(
    'sizePerBed',
    ['livingSqft', 'beds'],
    (f) => less(log(f.livingSqft), log(f.beds)),
    (f) => `${sqft(f.livingSqft! / f.beds!)} per bedroom`,
  ),
  free(
    'priceInArea',
    ['listPriceUsd', 'area'],
    (f, level) => less(log(f.listPriceUsd), level.logPrice),
    (f) => `${money(f.listPriceUsd)} where ${f.area} is usually listed otherwise`,
  ),
  free(
    'pricePerSqftInArea',
    ['listPriceUsd', 'livingSqft', 'area'],
    (f, level) => less(less(log(f.listPriceUsd), log(f.livingSqft)), level.logPricePerSqft),
    (f) => `${money(f.listPriceUsd! / f.livingSqft!)} per sqft against the usual of ${f.area}`,
  ),
  free(
    'remarkLength',
    ['words'],
    (f) => (f.words === undefined ? undefined : Math.log1p(f.words.length)),
    (f) => `${f.words?.length} words in the remarks`,
  ),
]

export const biddingInputs: readonly (keyof BiddingFacts)[] = [
  ...new Set<keyof BiddingFacts>(biddingFeatures.flatMap((item) => item.inputs)),
  'market',
]

function limit(value: number | undefined, low: number, high: number): number | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : clamp(value, low, high)
}

/**
 * How a list price is written. A price set just under a round figure invites bids; a round one states a wish. Lucky
 * digits are left out on purpose, though they predict: they stand for who is expected to bid.
 */
export const priceEndings = (listPriceUsd: number): { name: string; value: number }[] => {
  const price = Math.round(listPriceUsd)
  const thousands = Math.floor(price / 1000)
  const rest = price % 1000
  const endings = [
    { name: rest === 0 ? 'wholeThousand' : rest >= 900 ? 'underThousand' : 'oddThousand', value: 1 },
    { name: `step${stepOf(price, thousands)}`, value: 1 },
  ]
  for (const round of [50_000, 100_000, 500_000, 1_000_000]) {
    const short = Math.ceil((price + 1) / round) * round - price
    endings.push({ name: `under${round}`, value: Math.max(0, 1 - short / (0.03 * round)) })
    endings.push({ name: `within${round}`, value: short / round - 0.5 })
  }
  return endings.filter((ending) => ending.value !== 0)
}

const stepOf = (price: number, thousands: number): string => {
  for (const step of [100_000, 50_000, 25_000, 10_000, 5_000]) if (price % step === 0) return String(step)
  if (thousands % 50 === 49 || thousands % 50 === 48) return 'Under50000'
  return thousands % 10 === 9 ? 'Under10000' : 'Other'
}

/** Whole words and neighbouring pairs ("original_kitchen") of remarks, each once; words about people are left out. */
export const remarkWords = (remarks: string): string[] => {
  const found = new Set<string>()
  for (const clause of clausesOf(remarks)) {
    clause.forEach((word, k) => {
      if (word.length < 3) return
      found.add(word)
      const next = clause[k + 1]
      if (next && next.length > 2) found.add(`${word}_${next}`)
    })
  }
  return [...found].filter(isPermittedWord)
}
