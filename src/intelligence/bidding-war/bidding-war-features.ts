// The inputs of the bidding-war model, which predicts whether a home closes at least 1% over its list price. Where
// experience gives a sign it is enforced, with a prior weight that is used until enough closings are stored. Areas and
// words start at zero and are learned.

import { clausesOf } from '../condition/phrase-scan.ts'
import { percent, plural, sqft, usd } from '../scores/number-format.ts'
import { isPermittedWord } from '../scores/permitted-inputs.ts'
import { clamp } from '../statistics/clamp.ts'
import { logit } from '../statistics/logistic.ts'

export interface BiddingFacts {
  /** Share of the market's sales above list, as its pack gives it. */
  readonly marketShareAboveList?: number
  /** ZIP code if known, otherwise the city. */
  readonly area: string
  readonly listPriceUsd?: number
  readonly livingSqft?: number
  readonly beds?: number
  readonly baths?: number
  /** Words of the remarks: see `remarkWords`. */
  readonly words?: readonly string[]
  /** The value in the condition usual for such homes, computed without the list price. */
  readonly valueUsd?: number
  /** Share of the city's sales of the last 90 days above list. */
  readonly shareAboveList?: number
  readonly daysOnMarket?: number
  readonly originalPriceUsd?: number
  readonly conditionScore?: number
  readonly cityMedianUsd?: number
}

/** Typical prices of an area, learned from the training rows and shrunk toward the whole market. */
export interface AreaLevel {
  readonly logPrice: number
  readonly logPricePerSqft: number
}

interface BiddingFeature {
  readonly name: string
  readonly inputs: readonly (keyof BiddingFacts)[]
  /** −1 or +1 where experience gives a sign, 0 where the data decide. */
  readonly sign: -1 | 0 | 1
  readonly prior: number
  /** The value of a typical listing; the prior counts from here. */
  readonly typical: number
  /** True when the square of the value is a feature too. */
  readonly squared: boolean
  readonly valueFrom: (facts: BiddingFacts, level: AreaLevel) => number | undefined
  readonly describe: (facts: BiddingFacts, level: AreaLevel) => string
}

/**
 * Share of homes sold above list where neither the city's own share nor that of its market is known: about that of the United
 * States in 2023-2025.
 */
const defaultShareAboveList = 0.3

const marketShareSentence = (share: number | undefined): string =>
  share !== undefined
    ? `About ${percent(share)} of homes in this market sell above list price`
    : `About ${percent(defaultShareAboveList)} of homes sell above list price, a default for the United States: this market sets no value`

/** Slightly below even odds: nearly all homes sold above list close at least 1% above it. */
export const biddingBaseLogOdds = -0.2

/** After this many days on the market, more of them say nothing more. */
const mostDays = 75

const log = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? Math.log(value) : undefined
const less = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b

/**
 * Name, inputs, value, words; then the sign that experience gives, the size of the prior and the value of a typical listing. Without
 * a sign the data decide sign and curve.
 */
type Row = readonly [
  name: string,
  inputs: BiddingFeature['inputs'],
  valueFrom: BiddingFeature['valueFrom'],
  describe: BiddingFeature['describe'],
  prior?: readonly [sign: -1 | 0 | 1, size: number, typical: number],
]

const rows: readonly Row[] = [
  [
    'listToValue',
    ['listPriceUsd', 'valueUsd'],
    (f) => limit(less(log(f.listPriceUsd), log(f.valueUsd)), -0.4, 0.4),
    (f) => `Listed at ${usd(f.listPriceUsd!)}; homes like it in usual condition sell for ${usd(f.valueUsd!)}`,
    [-1, 7, 0],
  ],
  [
    'shareAboveList',
    ['shareAboveList'],
    (f) => logit(clamp(f.shareAboveList ?? f.marketShareAboveList ?? defaultShareAboveList, 0.03, 0.97)),
    (f) =>
      f.shareAboveList === undefined
        ? marketShareSentence(f.marketShareAboveList)
        : `${percent(f.shareAboveList)} of recent sales in the city were above list price`,
    [1, 1, 0],
  ],
  [
    'daysOnMarket',
    ['daysOnMarket'],
    (f) => limit(f.daysOnMarket, 0, mostDays),
    (f) => `${timeOnMarket(f.daysOnMarket!)} on the market`,
    [-1, 0.05, 5],
  ],
  [
    'priceCut',
    ['listPriceUsd', 'originalPriceUsd'],
    (f) =>
      f.listPriceUsd === undefined || f.originalPriceUsd === undefined
        ? undefined
        : Number(f.listPriceUsd < 0.995 * f.originalPriceUsd),
    (f) =>
      f.listPriceUsd! < 0.995 * f.originalPriceUsd!
        ? `The asking price was cut from ${usd(f.originalPriceUsd!)}`
        : 'The asking price has not been cut',
    [-1, 1.3, 0.12],
  ],
  [
    'priceTier',
    ['listPriceUsd', 'cityMedianUsd'],
    (f) => limit(less(log(f.listPriceUsd), log(f.cityMedianUsd)), -1.5, 1.5),
    (f) => `Listed at ${usd(f.listPriceUsd!)}; the city's median sale price is ${usd(f.cityMedianUsd!)}`,
    [-1, 0.5, 0],
  ],
  [
    'condition',
    ['conditionScore'],
    (f) => f.conditionScore,
    (f) => `Condition score ${Math.round(f.conditionScore ?? 0)} of 100`,
    [0, 0, 62],
  ],
  ['listPrice', ['listPriceUsd'], (f) => log(f.listPriceUsd), (f) => `Listed at ${usd(f.listPriceUsd!)}`],
  ['livingArea', ['livingSqft'], (f) => log(f.livingSqft), (f) => `${sqft(f.livingSqft!)} of living area`],
  ['beds', ['beds'], (f) => limit(f.beds, 0, 7), (f) => plural(f.beds!, 'bedroom')],
  ['baths', ['baths'], (f) => limit(f.baths, 0, 7), (f) => plural(f.baths!, 'bathroom')],
  [
    'pricePerSqft',
    ['listPriceUsd', 'livingSqft'],
    (f) => less(log(f.listPriceUsd), log(f.livingSqft)),
    (f) => `Asking ${usd(f.listPriceUsd! / f.livingSqft!)} per sq ft`,
  ],
  [
    'areaPerBedroom',
    ['livingSqft', 'beds'],
    (f) => less(log(f.livingSqft), log(f.beds)),
    (f) => `${sqft(f.livingSqft! / f.beds!)} per bedroom`,
  ],
  [
    'priceInArea',
    ['listPriceUsd', 'area'],
    (f, level) => less(log(f.listPriceUsd), level.logPrice),
    (f, level) =>
      `Listed at ${usd(f.listPriceUsd!)}; the typical listing in ${f.area} asks ${usd(Math.exp(level.logPrice))}`,
  ],
  [
    'pricePerSqftInArea',
    ['listPriceUsd', 'livingSqft', 'area'],
    (f, level) => less(less(log(f.listPriceUsd), log(f.livingSqft)), level.logPricePerSqft),
    (f, level) =>
      `Asking ${usd(f.listPriceUsd! / f.livingSqft!)} per sq ft; the typical listing in ${f.area} asks ${usd(Math.exp(level.logPricePerSqft))}`,
  ],
  [
    'descriptionLength',
    ['words'],
    (f) => (f.words === undefined ? undefined : Math.log1p(f.words.length)),
    (f) =>
      `The listing description uses ${plural(f.words!.length, 'different word or phrase', 'different words and phrases')}`,
  ],
]

export const biddingFeatures = rows.map(
  ([name, inputs, valueFrom, describe, [sign, size, typical] = [0, 0, 0] as const]): BiddingFeature => ({
    ...{ name, inputs, sign, prior: sign * size, typical, squared: sign === 0, valueFrom, describe },
  }),
)

/** Listings are assessed once a week, so the time is stated in weeks. */
const timeOnMarket = (days: number): string =>
  days < 7
    ? 'Less than a week'
    : days > mostDays
      ? 'More than ten weeks'
      : `At least ${plural(Math.floor(days / 7), 'week')}`

const limit = (value: number | undefined, low: number, high: number): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : clamp(value, low, high)

/**
 * How a list price relates to round numbers: a price just under a round number invites bids. Lucky digits predict bids
 * too but are left out on purpose, because they are a proxy for who is expected to bid.
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

/** The distinct words and adjacent pairs ("original_kitchen") of listing remarks, without words about people. */
export const remarkWords = (remarks: string): string[] => {
  const found = new Set<string>()
  for (const clause of clausesOf(remarks))
    clause.forEach((word, k) => {
      if (word.length < 3) return
      found.add(word)
      const next = clause[k + 1]
      if (next && next.length > 2) found.add(`${word}_${next}`)
    })
  return [...found].filter(isPermittedWord)
}
