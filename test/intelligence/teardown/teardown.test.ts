import { describe, expect, test } from 'vitest'
import { marketById } from '../../../src/domain/packs/markets.ts'
import { areaUnderCurve, probabilityReport } from '../../../src/intelligence/statistics/calibration.ts'
import { demolitionCeiling } from '../../../src/intelligence/teardown/demolition-ceiling.ts'
import {
  isCurrent,
  learnedFrom,
  type TeardownModel,
  teardownPrior,
  teardownScore,
} from '../../../src/intelligence/teardown/teardown.ts'
import type { TeardownFacts } from '../../../src/intelligence/teardown/teardown-facts.ts'
import { teardownFeatures } from '../../../src/intelligence/teardown/teardown-features.ts'
import { fitTeardown } from '../../../src/intelligence/teardown/teardown-fit.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { simulatedTeardowns } from './simulated-teardowns.ts'

const on = '2026-06-30'
const house = (facts: Partial<TeardownFacts> = {}): TeardownFacts => ({
  propertyType: 'single_family',
  ...facts,
})
const typicalTeardown = house({
  yearBuilt: 1952,
  livingSqft: 1150,
  lotSqft: 7500,
  stories: 1,
  priceUsd: 2_600_000,
  landValueUsd: 2_400_000,
  envelopeSqft: 3100,
  minLotSqft: 6000,
  newBuildSqft: 3300,
  neighborhoodMedianUsd: 3_400_000,
  rebuildsNearby: 6,
  conditionScore: 45,
})
const chance = (facts: TeardownFacts) => teardownScore(teardownPrior, facts, on).probability!

describe('the prior', () => {
  test('a bargain and a house priced above its worth as a house are both more likely to be rebuilt', () => {
    const at = (priceUsd: number) => chance({ ...house(), valueUsd: 2_000_000, priceUsd })
    expect(at(1_500_000)).toBeGreaterThan(at(2_000_000))
    expect(at(2_700_000)).toBeGreaterThan(at(2_000_000))
  })

  test('a typical listing scores near the base rate, and a small old house on expensive land several times as high', () => {
    const ordinary = chance(house())
    expect(ordinary).toBeGreaterThanOrEqual(0.004)
    expect(ordinary).toBeLessThan(0.03)
    expect(chance(typicalTeardown)).toBeGreaterThan(4 * ordinary)
  })

  test('no house is said to be more likely torn down than real labels support', () => {
    const worst = { yearBuilt: 1900, livingSqft: 500, priceUsd: 4e6, valueUsd: 1e6, conditionScore: 5, landPhrases: 4 }
    expect(chance({ ...typicalTeardown, ...worst, redevelopmentReturn: 0.8 })).toBeLessThanOrEqual(0.28)
    // Nor less: of the 3% with the highest scores a fifth were rebuilt.
    expect(chance({ ...typicalTeardown, ...worst, redevelopmentReturn: 0.8 })).toBeGreaterThan(0.14)
  })

  test.each([
    ['older', { yearBuilt: 1930 }, { yearBuilt: 2005 }],
    ['smaller', { livingSqft: 900 }, { livingSqft: 3000 }],
    ['on dearer land', { landValueUsd: 2_500_000 }, { landValueUsd: 900_000 }],
    ['on a larger lot', { lotSqft: 12_000 }, { lotSqft: 5_000 }],
    ['among rebuilt houses', { rebuildsNearby: 12 }, { rebuildsNearby: 0 }],
    ['in poor condition', { conditionScore: 20 }, { conditionScore: 85 }],
    ['praised for its land', { landPhrases: 2 }, { landPhrases: 0 }],
    ['not renovated', { yearRenovated: 1990 }, { yearRenovated: 2022 }],
    ['without recent permits', { recentPermitsUsd: 0 }, { recentPermitsUsd: 400_000 }],
    ['outside a historic district', { historicDistrict: 'no' }, { historicDistrict: 'yes' }],
    ['worth rebuilding', { redevelopmentReturn: 0.3 }, { redevelopmentReturn: -0.2 }],
  ] as const)('a house that is %s is more likely to be torn down', (_, more, less) => {
    expect(chance({ ...typicalTeardown, ...more })).toBeGreaterThan(chance({ ...typicalTeardown, ...less }))
  })

  test('a very old house is described with its real age, and no permits are not "permits worth $0"', () => {
    const sentences = teardownScore(
      teardownPrior,
      { ...typicalTeardown, yearBuilt: 1812, recentPermitsUsd: 0 },
      on,
    ).parts
    expect(sentences.map(({ because }) => because)).toEqual(
      expect.arrayContaining(['Built in 1812, 214 years old', 'No permits with a valuation in the last ten years']),
    )
  })

  test('the sentences about a home that is not for sale mention no asking price', () => {
    const words = (facts: Partial<TeardownFacts>) =>
      teardownScore(teardownPrior, { ...typicalTeardown, ...facts }, on)
        .parts.map(({ because }) => because)
        .join('\n')
    expect(words({ valueUsd: 2_500_000 })).toMatch(/Priced at 76%.*Priced at 104%/s)
    const unlisted = words({ priceUsd: 2_500_000, valueUsd: 2_500_000 })
    expect(unlisted).toMatch(/Valued at 74%/)
    expect(unlisted).not.toMatch(/[Aa]sking|Priced/)
  })

  test('every prior coefficient has the sign found in the literature', () => {
    for (const item of teardownFeatures) expect(item.prior * item.sign).toBeGreaterThanOrEqual(0)
  })
})

describe('the finding', () => {
  test('parts add up to the score, which is the probability times 100', () => {
    for (const facts of [
      house(),
      typicalTeardown,
      { ...typicalTeardown, review: marketById('nantucket')?.demolitionReview, yearBuilt: 1890 },
    ]) {
      const finding = teardownScore(teardownPrior, facts, on)
      expect(finding.parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(finding.score!, 9)
      expect(finding.score).toBeCloseTo(100 * finding.probability!, 9)
      for (const part of finding.parts) expect(part.because).not.toMatch(/undefined|NaN|unknown/)
    }
  })

  test('unknown inputs are listed and are not counted as zero', () => {
    const finding = teardownScore(teardownPrior, house({ yearBuilt: 1950 }), on)
    expect(finding.used).toContain('yearBuilt')
    expect(finding.missing).toEqual(expect.arrayContaining(['livingSqft', 'landValueUsd', 'conditionScore']))
    expect(finding.confidence).toBe('low')
    expect(chance(house({ rebuildsNearby: undefined }))).toBeGreaterThan(chance(house({ rebuildsNearby: 0 })))
  })

  test('numbers have thousands separators, and an unknown input counts as an average one', () => {
    const said = (facts: TeardownFacts) => teardownScore(teardownPrior, facts, on).parts.map(({ because }) => because)
    expect(said(house({ lotSqft: 11_800 }))).toEqual(['The average listing'])
    expect(said({ ...typicalTeardown, lotSqft: 11_800, recentPermitsUsd: 1_250_000 })).toEqual(
      expect.arrayContaining([
        'The house has 1,150 sq ft; a new house here typically has 3,300 sq ft',
        'The lot has 11,800 sq ft; the zoning district requires at least 6,000 sq ft',
        'Permits valued at $1,250,000 in the last ten years',
      ]),
    )
  })

  test.each(['condo', 'townhouse', 'multi_family', 'land'] as const)(
    'a %s has no score, with the reason',
    (propertyType) => {
      const finding = teardownScore(teardownPrior, { ...typicalTeardown, propertyType }, on)
      expect(finding.score).toBeUndefined()
      expect(finding.probability).toBeUndefined()
      expect(finding.excluded).toBeTruthy()
    },
  )
})

describe('preservation', () => {
  test('a house on a historic register has only a small share of its teardown probability', () => {
    const free = chance(typicalTeardown)
    for (const status of [{ historicListed: 'yes' }, { historicContributing: 'yes' }] as const)
      expect(chance({ ...typicalTeardown, ...status })).toBeCloseTo(0.02 * free, 9)
    expect(chance({ ...typicalTeardown, historicListed: 'unknown' })).toBeCloseTo(free, 9)
  })

  test('on Nantucket the share allowed grows with the year built, and unknown historic status of an old house lowers it', () => {
    const share = (yearBuilt?: number, changes: Partial<TeardownFacts> = {}) =>
      demolitionCeiling(house({ review: marketById('nantucket')?.demolitionReview, yearBuilt, ...changes }))!.share
    const years = [1850, 1899, 1900, 1944, 1945, 1960, 1990]
    expect(years.map((year) => share(year))).toEqual([0.02, 0.02, 0.15, 0.15, 0.65, 0.65, 0.9])
    const known = { historicListed: 'no', historicContributing: 'no' } as const
    expect(years.map((year) => share(year, known))).toEqual([0.4, 0.4, 0.4, 0.4, 0.65, 0.65, 0.9])
    expect(share(undefined)).toBe(0.5)
    expect(share(1990, { historicContributing: 'yes' })).toBe(0.02)
    expect(demolitionCeiling(house({ yearBuilt: 1850 }))).toBeUndefined()
  })
})

describe('the fit', () => {
  const training = simulatedTeardowns(6000, 11)
  const fresh = simulatedTeardowns(8000, 12)
  const model = fitTeardown(training, seededRandom(1))
  const labels = fresh.map((row) => Number(row.demolished))
  const predicted = fresh.map((row) => teardownScore(model, row.facts, row.on).probability!)

  test('on new houses of a different simulation, calibration is within 0.03 and AUC within 0.04 of the simulation itself, which has thresholds', () => {
    const report = probabilityReport(predicted, labels)
    const own = areaUnderCurve(
      fresh.map((row) => row.truth),
      labels,
    )!
    expect(report.ece).toBeLessThanOrEqual(0.03)
    expect(report.auc!).toBeGreaterThanOrEqual(own - 0.04)
    expect(model.report!.ece).toBeLessThanOrEqual(0.03)
  })

  test('coefficients keep their expected signs, and inputs whose labels disagree are named', () => {
    model.features.forEach((weight, j) => {
      expect(weight.coefficient * teardownFeatures[j]!.sign).toBeGreaterThanOrEqual(0)
      if (model.violations.includes(weight.name)) expect(weight.coefficient).toBeCloseTo(0)
    })
  })

  test('the same rows and seed give the same model, which can be stored as JSON', () => {
    const small = training.slice(0, 600)
    const again = fitTeardown(small, seededRandom(1))
    expect(again).toEqual(fitTeardown(small, seededRandom(1)))
    const stored = JSON.parse(JSON.stringify(again))
    expect(teardownScore(stored, typicalTeardown, on)).toEqual(teardownScore(again, typicalTeardown, on))
  })

  test('a corrected price gives a different model, even with the same number of rows and demolitions', () => {
    const rows = simulatedTeardowns(900, 3)
    const corrected = rows.map((row, at) =>
      at === 0 ? { ...row, facts: { ...row.facts, priceUsd: 2 * (row.facts.priceUsd ?? 1e6) } } : row,
    )
    const [one, other] = [rows, corrected].map((each) => fitTeardown(each, seededRandom(1)))
    expect([one!.rows, one!.positives]).toEqual([other!.rows, other!.positives])
    expect(one!.version).not.toBe(other!.version)
  })

  test('with hardly any demolitions the prior is used', () => {
    const few = training.map((row, k) => ({ ...row, demolished: k < 5 }))
    const kept = fitTeardown(few, seededRandom(1))
    expect(kept.kind).toBe('prior')
    expect(kept.positives).toBe(5)
    expect(kept.features).toEqual(teardownPrior.features)
  })

  test('without a demolition there is no fit and no accuracy, however many sales there are', () => {
    const none = fitTeardown(
      training.map((row) => ({ ...row, demolished: false })),
      seededRandom(1),
    )
    expect(none).toMatchObject({ kind: 'prior', positives: 0, intercept: teardownPrior.intercept })
    expect(none.report).toBeUndefined()
  })

  test('no probability is above what the 2% with the highest scores showed, within their 90% interval', () => {
    const order = predicted.map((p, r) => ({ p, y: labels[r]! })).sort((a, b) => b.p - a.p)
    const top = order.slice(0, Math.ceil(order.length / 50))
    const share = top.reduce((sum, { y }) => sum + y, 0) / top.length
    expect(order[0]!.p).toBeLessThanOrEqual(share + 1.645 * Math.sqrt((share * (1 - share)) / top.length))
  })

  test('a stored model of an earlier version is not used', () => {
    expect(isCurrent(model)).toBe(true)
    expect(isCurrent({ ...model, features: model.features.slice(1) })).toBe(false)
  })

  test('the estimated value counts more than the asking price in the land share', () => {
    const at = (priceUsd: number, valueUsd: number) =>
      teardownFeatures
        .filter(({ name }) => name.startsWith('landShare'))
        .reduce(
          (sum, item) => sum + item.prior * item.valueFrom(house({ landValueUsd: 2e6, priceUsd, valueUsd }), 2026)!,
          0,
        )
    expect(at(2.4e6, 3e6)).toBeGreaterThan(at(3e6, 3e6))
    expect(at(3e6, 2.4e6)).toBeGreaterThan(at(2.4e6, 3e6))
  })
})

test('the finding states its horizon and what the model was learned from', () => {
  expect(teardownScore(teardownPrior, house(), on)).toMatchObject({
    horizonMonths: 24,
    learnedFrom: expect.stringContaining('too few recorded demolitions'),
  })
  const fitted: TeardownModel = { ...teardownPrior, kind: 'fitted', rows: 5106, positives: 83 }
  expect(learnedFrom(fitted)).toBe(
    '5,106 past sales in this market, 83 of them followed by a demolition within two years',
  )
})
