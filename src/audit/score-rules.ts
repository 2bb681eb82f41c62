// Scores: ranges, ranks, verdict and the factors behind them.

import type { ScorePart } from '../domain/findings/findings.ts'
import { listingScores, type ScoreRanks } from '../domain/findings/score-rank.ts'
import type { DeepPartial, PropertyRecord } from './records.ts'
import { near, propertyRules, same, unless, unlessAll } from './rule.ts'

/** Market heat is one number per city and is not ranked. */
const scoreNames = [...listingScores, 'marketHeatIndex'] as const

const gradeFrom = [
  [90, 'A'],
  [75, 'B'],
  [50, 'C'],
  [25, 'D'],
  [0, 'F'],
] as const

const rankProblems = (name: string, rank: DeepPartial<NonNullable<ScoreRanks['teardownScore']>> | undefined) => {
  if (!rank) return [`${name} has no rank in its market`]
  const { percentile = -1, grade, of: population } = rank
  const earned = gradeFrom.find(([least]) => percentile >= least)?.[1]
  return unlessAll({
    [`${name} has the percentile ${percentile}`]: percentile >= 0 && percentile <= 99,
    [`${name} has the grade ${grade} at percentile ${percentile}`]: grade === earned,
    [`the rank of ${name} does not name its population`]: (population ?? '') !== '',
  })
}

const findingsOf = ({ explanation = {} }: PropertyRecord['detail']) =>
  (
    ['teardown', 'condition', 'flippability', 'historicCharm', 'biddingWar', 'heat', 'adu', 'redevelopment'] as const
  ).flatMap((name) => {
    const finding = explanation[name]
    return finding?.parts && finding.parts.length > 0 ? [[name, finding] as const] : []
  })

const points = (parts: readonly DeepPartial<ScorePart>[]): number =>
  parts.reduce((sum, part) => sum + (part.points ?? 0), 0)

export const scoreRules = propertyRules({
  'ranges: Scores are whole numbers from 0 to 100, values lie in their range, dates fit the status.': (record) => {
    const { detail, signal } = record
    const { intelligence = {}, facts, status, price, soldDate } = detail
    const { value, low, high } = intelligence.valueEstimate ?? {}
    return [
      ...scoreNames.flatMap((name) => {
        const score = intelligence[name]
        return unless(
          score === undefined || (Number.isInteger(score) && score >= 0 && score <= 100),
          `${name} is ${score}`,
        )
      }),
      ...unlessAll({
        [`the value ${value} is outside its range of ${low} to ${high}`]:
          value === undefined || ((low ?? value) <= value && value <= (high ?? value) && (low ?? value) > 0),
        [`the price is ${price}`]: price === undefined || price > 0,
        [`a sale date with status ${status}`]: soldDate === undefined || status === 'sold',
        'the position is not on Earth': Math.abs(facts?.lat ?? 0) <= 90 && Math.abs(facts?.lng ?? 0) <= 180,
        [`${signal?.metadata?.daysOnMarket} days on the market`]: (signal?.metadata?.daysOnMarket ?? 0) >= 0,
      }),
    ]
  },
  'list-and-detail: Lists and details state the same facts and scores.': ({ detail, signal, adu, redevelopment }) => {
    const { intelligence = {}, facts = {}, explanation = {} } = detail
    return [
      ...(signal
        ? [
            ...same('price', { detail: detail.price, list: signal.price }),
            ...same('status', { detail: detail.status, list: signal.status }),
            ...same('teardownScore', { detail: intelligence.teardownScore, list: signal.teardownScore }),
            ...same('flippabilityScore', { detail: intelligence.flippabilityScore, list: signal.flippabilityScore }),
            ...same('conditionScore', { detail: intelligence.conditionScore, list: signal.conditionScore }),
            ...same('historicCharm', { detail: intelligence.historicCharm, list: signal.historicCharm }),
            ...same('verdict', { detail: detail.verdict, list: signal.verdict }),
            ...same('living area', { detail: facts.livingSqft, list: signal.metadata?.sqft }),
            ...same('year built', { detail: facts.yearBuilt, list: signal.metadata?.yearBuilt }),
            ...same('pro forma', { detail: detail.proforma, list: signal.proforma }),
          ]
        : []),
      ...same('aduScore', { detail: explanation.adu?.aduScore, list: adu?.aduScore }),
      ...same('redevelopmentScore', {
        detail: explanation.redevelopment?.redevelopmentScore,
        list: redevelopment?.redevelopmentScore,
      }),
      ...same('redevelopment class', { detail: explanation.redevelopment?.class, list: redevelopment?.class }),
    ]
  },
  'ranks: Each score has a rank in a named population, with the grade of its percentile and a horizon.': ({
    detail: { intelligence = {} },
    adu,
    redevelopment,
  }) => [
    ...listingScores.flatMap((name) =>
      // A renovation that loses has a score and no rank.
      intelligence[name] === undefined || (name === 'flippabilityScore' && !intelligence.ranks?.[name])
        ? []
        : rankProblems(name, intelligence.ranks?.[name]),
    ),
    ...(adu?.aduScore === undefined ? [] : rankProblems('aduScore', adu.ranks?.aduScore)),
    ...(redevelopment?.redevelopmentScore === undefined
      ? []
      : rankProblems('redevelopmentScore', redevelopment.ranks?.redevelopmentScore)),
    ...unless(
      intelligence.teardownScore === undefined || (intelligence.ranks?.teardownScore?.horizonMonths ?? 0) > 0,
      'the teardown probability does not state its horizon',
    ),
  ],
  /** No price that the sentence names as one to pay is above the asking price; amounts are rounded to three digits. */
  'verdict: The verdict is the decision, and names no price above the asking price.': ({ detail, page }) => {
    const { verdict: sentence, decision, price, status } = detail
    if (sentence === undefined) return ['no verdict is served']
    const named = [...sentence.matchAll(/(?:at|of) \$([\d.]+)([MK])/g)].map(
      ([, amount, unit]) => Number(amount) * (unit === 'M' ? 1e6 : 1e3),
    )
    const isOffered = price !== undefined && status !== 'sold' && !sentence.startsWith('If it could be bought')
    return unlessAll({
      'the verdict is not the text of the decision': sentence === decision?.text,
      [`the verdict names a price above the asking price of ${price}: ${sentence}`]:
        !isOffered || named.every((usd) => usd <= 1.006 * price),
      'the page does not show the verdict': page === undefined || page.includes(sentence),
    })
  },
  'top-factors: At most five factors are shown, each with an effect; together with the rest they add up to the score.':
    ({ detail }) =>
      findingsOf(detail).flatMap(([name, { parts = [], top, other }]) => {
        if (!top) return [`${name} shows all ${parts.length} factors and not the five that matter`]
        return unlessAll({
          [`${name} shows ${top.length} factors`]: top.length <= 5,
          [`${name} shows a factor without effect`]: top.every((part) => Math.abs(part.points ?? 0) > 0),
          [`the factors of ${name} do not sum to its parts`]: near(
            points(top) + (other?.points ?? 0),
            points(parts.filter((part) => part.name !== 'base')),
            0.01,
          ),
        })
      }),
})
