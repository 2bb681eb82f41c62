// The bidding-war score: the probability, times 100, that a listing closes at least 1% over its list price. A ridge
// logistic regression on numbers, their squares, area, price ending and words; a documented prior is used until enough
// closings are stored.

import type { Confidence } from '../../domain/facts.ts'
import type { BiddingFinding } from '../../domain/findings/findings.ts'
import { usd, wholeNumber } from '../scores/number-format.ts'
import type { ProbabilityReport } from '../statistics/calibration.ts'
import { type LogOddsTerm, logOddsParts } from '../statistics/log-odds-parts.ts'
import { sigmoid } from '../statistics/logistic.ts'
import { standardized } from './bidding-war-design.ts'
import {
  type AreaLevel,
  type BiddingFacts,
  biddingBaseLogOdds,
  biddingFeatures,
  priceEndings,
} from './bidding-war-features.ts'
import type { SaleToList } from './expected-price.ts'

export interface BiddingWarModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  readonly intercept: number
  readonly numbers: readonly {
    readonly name: string
    readonly mean: number
    readonly deviation: number
    /** Log-odds per standard deviation, and per squared standard deviation minus one. */
    readonly weight: number
    readonly square: number
  }[]
  /** Log-odds by area, price ending and word; one that is missing here adds zero. */
  readonly areas: Readonly<Record<string, AreaLevel & { readonly weight: number }>>
  readonly everywhere: AreaLevel
  readonly endings: Readonly<Record<string, number>>
  readonly words: Readonly<Record<string, number>>
  readonly rows: number
  readonly positives: number
  /** Measured on rows held out of the fit. */
  readonly report?: ProbabilityReport
  /** Sale price over list price by probability; absent below 300 closings. */
  readonly saleToList?: SaleToList
  /** Inputs whose fitted sign contradicted experience; their weight is zero. */
  readonly violations: readonly string[]
}

export const biddingWarPrior: BiddingWarModel = {
  kind: 'prior',
  version: 'bidding-war-prior-1',
  intercept: biddingBaseLogOdds,
  numbers: biddingFeatures.map(({ name, typical, prior }) => ({
    name,
    mean: typical,
    deviation: 1,
    weight: prior,
    square: 0,
  })),
  areas: {},
  everywhere: { logPrice: Math.log(1_500_000), logPricePerSqft: Math.log(1_000) },
  endings: {},
  words: {},
  violations: [],
  rows: 0,
  positives: 0,
}

export const soldOverList = (salePriceUsd: number, listPriceUsd: number): boolean => salePriceUsd >= 1.01 * listPriceUsd

/** Without a list price there is no score. */
export const biddingWarScore = (model: BiddingWarModel, facts: BiddingFacts): BiddingFinding => {
  const inputs = [...new Set(biddingFeatures.flatMap((item) => item.inputs))]
  const used = inputs.filter((input) => facts[input] !== undefined)
  const missing = inputs.filter((input) => facts[input] === undefined)
  if (!facts.listPriceUsd) return { parts: [], used, missing, confidence: 'low' }
  const terms = biddingTerms(model, facts)
  const learned = `The average of ${wholeNumber(model.rows)} past sales that were listed`
  const because = model.kind === 'prior' ? 'The average listing' : learned
  const parts = logOddsParts({ logOdds: model.intercept, because }, terms)
  const probability = sigmoid(terms.reduce((sum, term) => sum + term.logOdds, model.intercept))
  return { score: 100 * probability, probability, parts, used, missing, confidence: confidenceOf(model, facts) }
}

const biddingTerms = (model: BiddingWarModel, facts: BiddingFacts): LogOddsTerm[] => {
  const level = model.areas[facts.area] ?? model.everywhere
  const terms: LogOddsTerm[] = []
  const add = (name: string, logOdds: number, because: string) => {
    if (logOdds !== 0) terms.push({ name, logOdds, because })
  }
  biddingFeatures.forEach((item, j) => {
    const number = model.numbers[j]!
    const value = item.valueFrom(facts, level)
    if (value === undefined) return
    const z = standardized(value, number)
    add(item.name, number.weight * z + number.square * (z * z - 1), item.describe(facts, level))
  })
  add(
    'area',
    model.areas[facts.area]?.weight ?? 0,
    `How past listings in ${facts.area} sold compared with their asking price`,
  )
  const ending = priceEndings(facts.listPriceUsd!).reduce(
    (sum, one) => sum + (model.endings[one.name] ?? 0) * one.value,
    0,
  )
  add('priceEnding', ending, `How close the asking price of ${usd(facts.listPriceUsd!)} is to a round number`)
  const words = (facts.words ?? []).filter((word) => Object.hasOwn(model.words, word))
  const description = words.reduce((sum, word) => sum + model.words[word]!, 0)
  add('description', description, wordsSentence(model, words))
  return terms
}

/** Names the words with the largest weight, without function words such as "the", which tell a reader nothing. */
const wordsSentence = (model: BiddingWarModel, words: readonly string[]): string => {
  const strongest = words
    .filter((word) => !word.split('_').some((part) => functionWords.has(part)))
    .sort((a, b) => Math.abs(model.words[b]!) - Math.abs(model.words[a]!))
    .slice(0, 4)
  if (strongest.length === 0) return 'The wording of the listing description'
  const quoted = strongest.map((word) => `“${word.replaceAll('_', ' ')}”`)
  return `The listing description mentions ${quoted.join(', ')}`
}

const functionWords: ReadonlySet<string> = new Set(
  'and are for from has have not the this that was were with you your our its all also but can into more out'.split(
    ' ',
  ),
)

const confidenceOf = (model: BiddingWarModel, facts: BiddingFacts): Confidence => {
  const core = [facts.valueUsd, facts.shareAboveList, facts.daysOnMarket].filter((value) => value !== undefined).length
  if (model.kind === 'prior') return core >= 2 ? 'medium' : 'low'
  return core === 3 && model.rows >= 2000 ? 'high' : 'medium'
}
