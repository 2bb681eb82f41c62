import { describe, expect, test } from 'vitest'
import { oddsInWords, verdictOf } from '../../../src/intelligence/scores/verdict.ts'
import { propertyVerdict } from '../../../src/operations/ranks-and-verdict.ts'

describe('the verdict', () => {
  test('says rank, odds, horizon and return in one sentence', () => {
    expect(verdictOf({ rebuildProbability: 0.11, rebuildPercentile: 97, returnPct: -6.12 })).toBe(
      'More likely to be rebuilt within two years of sale than 97% of homes on the market here (about 1 in 9); building new would lose 6.1% at the asking price.',
    )
    expect(verdictOf({ rebuildProbability: 0.004, rebuildPercentile: 30, returnPct: 4 })).toBe(
      'Less likely to be rebuilt within two years of sale than most homes on the market here (about 1 in 250); building new would return 4.0% at the asking price.',
    )
    expect(verdictOf({ rebuildProbability: 0.11, rebuildPercentile: 50 })).toMatch(/^More likely .* than 50% of homes/)
    expect(verdictOf({ rebuildProbability: 0.11, rebuildPercentile: 49 })).toMatch(/^Less likely .* than most/)
    expect(verdictOf({ returnPct: -0.04 })).toBe('Building new would break even at the asking price.')
    expect(verdictOf({ returnPct: 4, isSold: true })).toBe('Building new would return 4.0% at the last asking price.')
    expect(verdictOf({ rebuildProbability: 0.9, flipProfitUsd: 1, isSold: true })).toContain(
      'would earn money at the last asking price',
    )
  })

  test('calls a rebuild likely only where the served score is above 50', () => {
    for (const p of [0, 0.02, 0.11, 0.3, 0.49, 0.5, 0.504, 0.506, 0.51, 0.7, 0.99])
      for (const rebuildPercentile of [undefined, 10, 60, 99]) {
        const sentence = verdictOf({ rebuildProbability: p, rebuildPercentile })!
        expect(/(^| )likely to/i.test(sentence.replace(/(more|less) likely/i, ''))).toBe(Math.round(100 * p) > 50)
      }
  })

  test('says when few rebuilds are on record', () => {
    expect(verdictOf({ rebuildProbability: 0.1, rebuildPercentile: 90, fewRebuildsKnown: true })).toMatch(
      /few rebuilds are on record here, so the odds are a rough estimate\.$/,
    )
    expect(verdictOf({ flipPercentile: 80, fewRebuildsKnown: true })).toBe(
      'Ranks above 80% of homes on the market here for renovation.',
    )
  })

  test('begins with renovation and charm if the market is ranked by them', () => {
    const home = {
      rebuildProbability: 0.02,
      rebuildPercentile: 90,
      flipPercentile: 80,
      charmPercentile: 35,
      returnPct: -26.6,
    }
    expect(verdictOf({ ...home, rankedByRenovation: true, fewRebuildsKnown: true })).toBe(
      'Ranks above 80% of homes on the market here for renovation and below most for historic character; building new would lose 26.6% at the asking price.',
    )
    expect(verdictOf(home)).toMatch(/^More likely to be rebuilt/)
    expect(verdictOf({ rebuildProbability: 0.02, rankedByRenovation: true })).toMatch(/rebuilt within two years/)
  })

  test('says that a renovation loses money, at which price, or that there is nothing to renovate', () => {
    const home = { flipPercentile: 76, charmPercentile: 98, rankedByRenovation: true }
    expect(verdictOf({ ...home, flipProfitUsd: -1 })).toBe(
      'Ranks above 76% of homes on the market here for renovation, which would lose money at the asking price, and above 98% for historic character.',
    )
    expect(verdictOf({ ...home, flipProfitUsd: -1, flipPriceBasis: 'expected' })).toContain(
      'lose money at the expected price',
    )
    expect(verdictOf({ ...home, flipProfitUsd: 0 })).not.toContain('lose money')
    expect(verdictOf({ flipPercentile: 50 })).toBe('Ranks above 50% of homes on the market here for renovation.')
    expect(verdictOf({ flipPercentile: 20, flipProfitUsd: -1 })).toBe(
      'Ranks below most homes on the market here for renovation, which would lose money at the asking price.',
    )
    expect(verdictOf({ ...home, needsRenovation: false, flipProfitUsd: 5 })).toBe(
      'Needs no renovation and ranks above 98% of homes on the market here for historic character.',
    )
    expect(verdictOf({ flipPercentile: 50, needsRenovation: false })).toBe('Needs no renovation.')
  })

  test('says the outcome of a renovation beside the odds of a rebuild', () => {
    const home = { rebuildProbability: 0.11, flipPercentile: 76, flipPriceBasis: 'expected' as const, returnPct: 2 }
    expect(verdictOf({ ...home, flipProfitUsd: -1 })).toBe(
      'About 1 in 9 homes like this is rebuilt within two years of sale; renovating and reselling it would lose money at the expected price; building new would return 2.0% at the asking price.',
    )
    expect(verdictOf({ rebuildProbability: 0.4 })).toBe(
      'About 2 in 5 homes like this are rebuilt within two years of sale.',
    )
    expect(verdictOf({ ...home, flipProfitUsd: 1 })).toContain(
      '; renovating and reselling it would earn money at the expected price;',
    )
    expect(verdictOf({ ...home, flipProfitUsd: 1, needsRenovation: false })).toContain('; it needs no renovation;')
    expect(verdictOf(home)).not.toContain('renovat')
    // Agents show up to 320 characters of a line.
    const longest = { rebuildPercentile: 100, flipProfitUsd: -1, returnPct: -100.5, fewRebuildsKnown: true }
    expect(verdictOf({ ...home, ...longest }).length).toBeLessThan(320)
  })

  test('says so where nothing is known', () => {
    expect(verdictOf({})).toBe('Too little is known for odds of a rebuild, a renovation rank or a return.')
    expect(propertyVerdict(undefined, undefined, { id: 'p_001a' })).toMatch(/^Not assessed yet/)
  })
})

test('odds change their words at these probabilities', () => {
  expect(
    [0.00099, 0.001, 1 / 230, 1 / 196, 1 / 104, 1 / 101, 1 / 97, 1 / 22, 1 / 19.4, 0.2, 0.55, 0.95, 0.951].map(
      oddsInWords,
    ),
  ).toEqual([
    'less than 1 in 1,000',
    'about 1 in 1,000',
    'about 1 in 250',
    'about 1 in 200',
    'about 1 in 100',
    'about 1 in 100',
    'about 1 in 95',
    'about 1 in 20',
    'about 1 in 19',
    'about 1 in 5',
    'about 3 in 5',
    'about 9 in 10',
    'more than 19 in 20',
  ])
  // Never on the other side of a half.
  expect([0.49, 0.5, 0.56, 0.58].map(oddsInWords)).toEqual([
    'about 1 in 2',
    'about 1 in 2',
    'about 3 in 5',
    'about 3 in 5',
  ])
})

test('odds are the nearest fraction a person would say', () => {
  expect([0.0004, 0.0033, 0.021, 0.11, 0.26, 0.415, 0.5, 0.51, 0.67, 0.81, 0.99].map(oddsInWords)).toEqual([
    'less than 1 in 1,000',
    'about 1 in 300',
    'about 1 in 50',
    'about 1 in 9',
    'about 1 in 4',
    'about 2 in 5',
    'about 1 in 2',
    'just over 1 in 2',
    'about 2 in 3',
    'about 4 in 5',
    'more than 19 in 20',
  ])
})
