// The kinds of permitted work in the sample, with typical durations and costs (2025 dollars).

import type { ProjectGroup } from './permit-vocabulary.ts'

interface MoreFacts {
  /** The valuation is per square foot. */
  perSqft?: true
  sqft?: readonly [low: number, high: number]
  /** Dwelling units added, low to high. */
  units?: readonly [low: number, high: number]
}

const kind = (
  group: ProjectGroup,
  /** Median days from application to issue. */
  waitDays: number,
  /** Median days from issue to final inspection. */
  buildDays: number,
  /** Stated on the application, low to high: usually well below the true cost. */
  valuationUsd: readonly [low: number, high: number],
  architectShare: number,
  more: MoreFacts = {},
) => ({ group, waitDays, buildDays, valuationUsd, architectShare, ...more })

export const permitKinds = {
  newHouse: kind('new', 92, 436, [280, 420], 0.9, { perSqft: true, units: [1, 1] }),
  apartments: kind('apartments', 150, 620, [2_400_000, 14_000_000], 1, { sqft: [6_000, 42_000], units: [5, 40] }),
  demolition: kind('demolition', 0, 17, [8_000, 45_000], 0.1),
  partialDemolition: kind('demolition', 5, 40, [5_000, 30_000], 0.3),
  interiorDemolition: kind('demolition', 0, 30, [3_000, 15_000], 0.1),
  poolDemolition: kind('demolition', 0, 25, [5_000, 18_000], 0),
  shedDemolition: kind('demolition', 0, 20, [1_500, 8_000], 0),
  addition: kind('addition', 75, 240, [80_000, 450_000], 0.7, { sqft: [120, 950] }),
  wholeRemodel: kind('remodel', 45, 200, [100_000, 700_000], 0.55, { sqft: [600, 2600] }),
  kitchen: kind('remodel', 10, 110, [35_000, 140_000], 0.2, { sqft: [120, 380] }),
  bath: kind('remodel', 4, 80, [15_000, 60_000], 0.08, { sqft: [40, 160] }),
  adu: kind('adu', 103, 273, [120_000, 320_000], 0.6, { sqft: [380, 1200], units: [1, 1] }),
  aduConversion: kind('adu', 95, 220, [55_000, 180_000], 0.5, { sqft: [300, 620], units: [1, 1] }),
  jadu: kind('adu', 80, 180, [20_000, 80_000], 0.35, { sqft: [240, 500], units: [1, 1] }),
  solar: kind('solar', 0, 42, [14_000, 45_000], 0),
  battery: kind('solar', 0, 45, [12_000, 30_000], 0),
  roof: kind('roof', 0, 35, [14_000, 38_000], 0),
  pool: kind('pool', 25, 160, [60_000, 200_000], 0.25, { sqft: [380, 800] }),
  heatPump: kind('mechanical', 0, 40, [11_000, 28_000], 0),
  waterHeater: kind('plumbing', 0, 25, [1_800, 7_500], 0),
  sewer: kind('plumbing', 0, 20, [6_000, 20_000], 0),
  evCharger: kind('electrical', 0, 30, [1_000, 4_000], 0),
  panel: kind('electrical', 0, 40, [3_000, 9_000], 0),
  temporaryPower: kind('electrical', 0, 15, [800, 3_000], 0),
  sprinklers: kind('other', 14, 200, [9_000, 28_000], 0),
  windows: kind('other', 0, 60, [8_000, 45_000], 0),
  foundation: kind('other', 12, 90, [15_000, 150_000], 0.1),
  braceBolt: kind('other', 0, 30, [4_000, 9_000], 0),
  retainingWall: kind('other', 20, 80, [9_000, 48_000], 0.15),
  repair: kind('other', 2, 45, [2_500, 30_000], 0.05),
  revision: kind('other', 8, 60, [1_000, 15_000], 0.4),
  shingles: kind('roof', 12, 60, [18_000, 90_000], 0),
  islandCottage: kind('adu', 90, 300, [180_000, 650_000], 0.6, { sqft: [320, 1100], units: [1, 1] }),
  houseMove: kind('other', 60, 150, [60_000, 260_000], 0.3),
}

export type PermitKind = keyof typeof permitKinds
