import { describe, expect, test } from 'vitest'
import { marketById } from '../../../src/domain/packs/markets.ts'
import { biddingWarPrior, biddingWarScore, soldOverList } from '../../../src/intelligence/bidding-war/bidding-war.ts'
import { wordContrasts } from '../../../src/intelligence/bidding-war/bidding-war-design.ts'
import {
  type BiddingFacts,
  priceEndings,
  remarkWords,
} from '../../../src/intelligence/bidding-war/bidding-war-features.ts'
import { fitBiddingWar } from '../../../src/intelligence/bidding-war/bidding-war-fit.ts'
import { areaUnderCurve, probabilityReport } from '../../../src/intelligence/statistics/calibration.ts'
import { sparseDesign } from '../../../src/intelligence/statistics/design.ts'
import { sigmoid } from '../../../src/intelligence/statistics/logistic.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

const listing = (facts: Partial<BiddingFacts> = {}): BiddingFacts => ({
  marketShareAboveList: marketById('sf-peninsula')?.soldAboveList?.share,
  area: 'Belmont',
  listPriceUsd: 2_200_000,
  livingSqft: 1900,
  beds: 3,
  baths: 2,
  valueUsd: 2_250_000,
  shareAboveList: 0.65,
  daysOnMarket: 6,
  originalPriceUsd: 2_200_000,
  cityMedianUsd: 2_300_000,
  conditionScore: 65,
  ...facts,
})
const chance = (facts: Partial<BiddingFacts> = {}) => biddingWarScore(biddingWarPrior, listing(facts)).probability!

describe('the prior', () => {
  test.each([
    ['listed under its value', { valueUsd: 2_500_000 }, { valueUsd: 2_000_000 }],
    ['where more homes close above list', { shareAboveList: 0.8 }, { shareAboveList: 0.2 }],
    ['fresh on the market', { daysOnMarket: 3 }, { daysOnMarket: 50 }],
    ['never cut in price', { originalPriceUsd: 2_200_000 }, { originalPriceUsd: 2_400_000 }],
    ['cheaper than the city', { cityMedianUsd: 3_000_000 }, { cityMedianUsd: 1_500_000 }],
  ] as const)('a home %s is likelier to be bid up', (_, more, less) => {
    expect(chance(more)).toBeGreaterThan(chance(less))
  })

  test("without the city's own figures the two markets keep their own baselines", () => {
    const bare = { shareAboveList: undefined, valueUsd: undefined, cityMedianUsd: undefined }
    expect(chance(bare)).toBeGreaterThan(0.5)
    expect(chance({ ...bare, marketShareAboveList: marketById('nantucket')?.soldAboveList?.share })).toBeLessThan(0.12)
  })

  test('without a list price there is no score', () => {
    const finding = biddingWarScore(biddingWarPrior, listing({ listPriceUsd: undefined }))
    expect(finding.score).toBeUndefined()
    expect(finding.missing).toContain('listPriceUsd')
  })
})

test('the label is at least one percent over list', () => {
  expect(soldOverList(1_010_000, 1_000_000)).toBe(true)
  expect(soldOverList(1_009_999, 1_000_000)).toBe(false)
})

test('price endings distinguish round prices and prices just below them, and no other digits', () => {
  const names = (price: number) => priceEndings(price).map((ending) => ending.name)
  expect(names(1_500_000)).toContain('step100000')
  expect(names(1_499_000)).toContain('stepUnder50000')
  expect(names(1_388_888)).toEqual(names(1_377_777))
})

test('remark words are whole words and pairs, and none is about people or schools', () => {
  const words = remarkWords('Original kitchen. Top-rated schools, ideal for young families! Family room.')
  expect(words).toEqual(expect.arrayContaining(['original', 'kitchen', 'original_kitchen', 'family_room']))
  expect(words.filter((word) => /school|famil(y$|ies)/.test(word))).toEqual([])
})

describe('the fit', () => {
  const simulated = (count: number, seed: number) => {
    const random = seededRandom(seed)
    return Array.from({ length: count }, () => {
      const area = `A${Math.floor(random() * 12)}`
      const valueUsd = 1_000_000 * (1 + random())
      const gap = 0.3 * (random() - 0.5)
      const fixer = random() < 0.2
      const daysOnMarket = Math.floor(random() * 40)
      const logOdds = 0.4 - 8 * gap - 0.04 * daysOnMarket + (fixer ? 0.9 : 0) + 0.15 * (Number(area.slice(1)) - 6)
      // Logistic noise around the log-odds: the ratio exceeds 1.01 with exactly the probability `truth`.
      const draw = random()
      const saleToList = 1.01 * Math.exp(0.04 * (logOdds - Math.log(draw / (1 - draw))))
      return {
        truth: sigmoid(logOdds),
        over: saleToList >= 1.01,
        saleToList,
        facts: listing({
          area,
          valueUsd: random() < 0.1 ? undefined : valueUsd,
          listPriceUsd: Math.round(valueUsd * (1 + gap)),
          originalPriceUsd: undefined,
          daysOnMarket,
          words: fixer ? ['fixer', 'home'] : ['home'],
        }),
      }
    })
  }
  const training = simulated(3000, 1)
  const fresh = simulated(3000, 2)
  const model = fitBiddingWar(training, seededRandom(5))

  test('ranks new listings nearly as well as the simulation that generated them, and is calibrated', () => {
    const labels = fresh.map((row) => Number(row.over))
    const report = probabilityReport(
      fresh.map((row) => biddingWarScore(model, row.facts).probability!),
      labels,
    )
    expect(report.auc!).toBeGreaterThan(
      areaUnderCurve(
        fresh.map((row) => row.truth),
        labels,
      )! - 0.03,
    )
    expect(report.ece).toBeLessThan(0.05)
  })

  test('how far sales closed from list teaches more than which side of the threshold they fell on', () => {
    const few = training.slice(0, 400)
    const onlySides = few.map((row) => ({ ...row, saleToList: row.over ? 1.06 : 0.96 }))
    const aucOf = (rows: typeof few) => {
      const fitted = fitBiddingWar(rows, seededRandom(5))
      return areaUnderCurve(
        fresh.map((row) => biddingWarScore(fitted, row.facts).probability!),
        fresh.map((row) => Number(row.over)),
      )!
    }
    expect(aucOf(few)).toBeGreaterThan(aucOf(onlySides))
  })

  test('parts add up to the score', () => {
    for (const row of fresh.slice(0, 50)) {
      const finding = biddingWarScore(model, row.facts)
      expect(finding.parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(finding.score!, 9)
    }
  })

  test('a word about people is never learned, however well it predicts', () => {
    const told = training.map((row) => ({
      ...row,
      facts: { ...row.facts, words: row.over ? ['school', 'home'] : ['home'] },
    }))
    expect(Object.keys(fitBiddingWar(told, seededRandom(5)).words)).toEqual(['home'])
  })

  test('an unknown area adds nothing, and the model can be stored as JSON', () => {
    const stored = JSON.parse(JSON.stringify(model))
    const unseen = listing({ area: 'Nowhere', words: ['home'] })
    expect(biddingWarScore(stored, unseen)).toEqual(biddingWarScore(model, unseen))
    expect(biddingWarScore(model, unseen).parts.some((part) => part.name === 'area')).toBe(false)
  })

  test('with few closed sales the prior is used', () => {
    expect(fitBiddingWar(training.slice(0, 40), seededRandom(1)).kind).toBe('prior')
  })
})

test('a word that separates the outcomes is shrunk less than one that occurs everywhere', () => {
  const rows = Array.from({ length: 400 }, (_, r) => ({
    columns: [0, ...(r % 4 === 0 ? [] : r < 200 ? [1] : []), ...(r % 2 === 0 ? [2] : [])],
    values: [1, ...(r % 4 === 0 ? [] : r < 200 ? [1] : []), ...(r % 2 === 0 ? [1] : [])],
  }))
  const labels = Float64Array.from(rows, (_, r) => Number(r < 200))
  const [everywhere, telling, even] = wordContrasts(sparseDesign(rows, 3), labels)
  expect(telling).toBeGreaterThan(5 * everywhere!)
  expect(even).toBeCloseTo(everywhere!, 6)
})
