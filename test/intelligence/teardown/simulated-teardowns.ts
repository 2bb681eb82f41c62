// A market whose demolitions come from a process the model does not share: thresholds, a complementary log-log link,
// a product of two inputs and taste nobody records. Facts are then measured with error and partly lost.

import type { RandomSource } from '../../../src/intelligence/statistics/design.ts'
import type { TeardownRow } from '../../../src/intelligence/teardown/teardown-fit.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

export interface SimulatedTeardown extends TeardownRow {
  /** The chance the process itself gave this house. */
  readonly truth: number
}

export const simulatedTeardowns = (count: number, seed: number): SimulatedTeardown[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => simulatedHouse(random))
}

const simulatedHouse = (random: RandomSource): SimulatedTeardown => {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const maybe = <T>(value: T, lost: number): T | undefined => (random() < lost ? undefined : value)
  const yearBuilt = Math.round(Math.min(2024, 1955 + 18 * normal()))
  const age = 2026 - yearBuilt
  const lotSqft = Math.round(7000 * Math.exp(0.35 * normal()))
  const livingSqft = Math.round(1750 * Math.exp(0.35 * normal() - 0.004 * (age - 70)))
  const envelopeSqft = Math.round(1500 + 0.3 * lotSqft)
  const condition = Math.min(97, Math.max(8, 75 - 0.22 * age + 16 * normal()))
  const landValueUsd = 280 * lotSqft * Math.exp(0.15 * normal())
  const worth = landValueUsd + livingSqft * 9 * condition
  const priceUsd = Math.round(worth * Math.exp(0.1 * normal()))
  const rebuildsNearby = Math.floor(-Math.log(1 - random()) * 3)
  const renovated = random() < 0.15
  const stories = random() < 0.6 ? 1 : 2

  const used = livingSqft / envelopeSqft
  const rate =
    -5.1 +
    (age > 45 ? 1.1 : -0.6) +
    (used < 0.4 ? 0.9 : used > 0.8 ? -1 : 0) +
    (condition < 40 ? 1.3 : 0) -
    0.02 * (condition - 55) +
    2.2 * Math.max(0, landValueUsd / priceUsd - 0.65) +
    0.5 * Math.log(lotSqft / 6000) +
    0.25 * Math.min(rebuildsNearby, 6) +
    (used < 0.5 && rebuildsNearby > 3 ? 0.4 : 0) -
    (renovated ? 1.6 : 0) +
    (stories === 1 ? 0.2 : 0) +
    0.2 * normal()
  const truth = 1 - Math.exp(-Math.exp(rate))
  const demolished = random() < truth
  // The agent's words follow the state of house and land, never the outcome.
  const saysLand = random() < (condition < 40 || landValueUsd > 0.85 * priceUsd ? 0.25 : 0.03)
  return {
    truth,
    demolished,
    on: '2026-06-30',
    facts: {
      propertyType: 'single_family',
      yearBuilt: maybe(yearBuilt, 0.04),
      yearRenovated: renovated ? maybe(2020, 0.1) : maybe(1990, 0.8),
      livingSqft: maybe(livingSqft, 0.03),
      lotSqft: maybe(lotSqft, 0.03),
      stories: maybe(stories, 0.2),
      priceUsd,
      landValueUsd: maybe(landValueUsd * Math.exp(0.06 * normal()), 0.05),
      envelopeSqft: maybe(envelopeSqft, 0.04),
      minLotSqft: 6000,
      newBuildSqft: 3200,
      neighborhoodMedianUsd: 2_900_000,
      rebuildsNearby: maybe(rebuildsNearby, 0.02),
      conditionScore: maybe(Math.min(95, Math.max(15, condition + 3 * normal())), 0.05),
      landPhrases: maybe(saysLand ? 1 : 0, 0.15),
      historicListed: 'no',
      historicDistrict: 'no',
    },
  }
}
