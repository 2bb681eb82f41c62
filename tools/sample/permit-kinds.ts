// The kinds of permitted work in the sample, with typical durations and costs (2025 dollars).

/** The category from which each city's project type is derived (permit-vocabulary.ts). */
export type ProjectGroup =
  | 'new'
  | 'apartments'
  | 'demolition'
  | 'addition'
  | 'remodel'
  | 'adu'
  | 'solar'
  | 'roof'
  | 'pool'
  | 'electrical'
  | 'plumbing'
  | 'mechanical'
  | 'other'

interface KindFacts {
  group: ProjectGroup
  /** Median days from application to issue. */
  waitDays: number
  /** Median days from issue to final inspection. */
  buildDays: number
  /** Stated on the application, low to high: usually well below the true cost. */
  valuationUsd: readonly [low: number, high: number]
  /** `valuationUsd` is per square foot. */
  perSqft?: true
  sqft?: readonly [low: number, high: number]
  architectShare: number
  /** Dwelling units added, low to high. */
  units?: readonly [low: number, high: number]
}

export const permitKinds: Record<PermitKind, KindFacts> = {
  newHouse: {
    group: 'new',
    waitDays: 92,
    buildDays: 436,
    valuationUsd: [280, 420],
    perSqft: true,
    architectShare: 0.9,
    units: [1, 1],
  },
  apartments: {
    group: 'apartments',
    waitDays: 150,
    buildDays: 620,
    valuationUsd: [2_400_000, 14_000_000],
    sqft: [6_000, 42_000],
    architectShare: 1,
    units: [5, 40],
  },
  demolition: { group: 'demolition', waitDays: 0, buildDays: 17, valuationUsd: [8_000, 45_000], architectShare: 0.1 },
  partialDemolition: {
    group: 'demolition',
    waitDays: 5,
    buildDays: 40,
    valuationUsd: [5_000, 30_000],
    architectShare: 0.3,
  },
  interiorDemolition: {
    group: 'demolition',
    waitDays: 0,
    buildDays: 30,
    valuationUsd: [3_000, 15_000],
    architectShare: 0.1,
  },
  poolDemolition: { group: 'demolition', waitDays: 0, buildDays: 25, valuationUsd: [5_000, 18_000], architectShare: 0 },
  shedDemolition: { group: 'demolition', waitDays: 0, buildDays: 20, valuationUsd: [1_500, 8_000], architectShare: 0 },
  addition: {
    group: 'addition',
    waitDays: 75,
    buildDays: 240,
    valuationUsd: [80_000, 450_000],
    sqft: [120, 950],
    architectShare: 0.7,
  },
  wholeRemodel: {
    group: 'remodel',
    waitDays: 45,
    buildDays: 200,
    valuationUsd: [100_000, 700_000],
    sqft: [600, 2600],
    architectShare: 0.55,
  },
  kitchen: {
    group: 'remodel',
    waitDays: 10,
    buildDays: 110,
    valuationUsd: [35_000, 140_000],
    sqft: [120, 380],
    architectShare: 0.2,
  },
  bath: {
    group: 'remodel',
    waitDays: 4,
    buildDays: 80,
    valuationUsd: [15_000, 60_000],
    sqft: [40, 160],
    architectShare: 0.08,
  },
  adu: {
    group: 'adu',
    waitDays: 103,
    buildDays: 273,
    valuationUsd: [120_000, 320_000],
    sqft: [380, 1200],
    architectShare: 0.6,
    units: [1, 1],
  },
  aduConversion: {
    group: 'adu',
    waitDays: 95,
    buildDays: 220,
    valuationUsd: [55_000, 180_000],
    sqft: [300, 620],
    architectShare: 0.5,
    units: [1, 1],
  },
  jadu: {
    group: 'adu',
    waitDays: 80,
    buildDays: 180,
    valuationUsd: [20_000, 80_000],
    sqft: [240, 500],
    architectShare: 0.35,
    units: [1, 1],
  },
  solar: { group: 'solar', waitDays: 0, buildDays: 42, valuationUsd: [14_000, 45_000], architectShare: 0 },
  battery: { group: 'solar', waitDays: 0, buildDays: 45, valuationUsd: [12_000, 30_000], architectShare: 0 },
  roof: { group: 'roof', waitDays: 0, buildDays: 35, valuationUsd: [14_000, 38_000], architectShare: 0 },
  pool: {
    group: 'pool',
    waitDays: 25,
    buildDays: 160,
    valuationUsd: [60_000, 200_000],
    sqft: [380, 800],
    architectShare: 0.25,
  },
  heatPump: { group: 'mechanical', waitDays: 0, buildDays: 40, valuationUsd: [11_000, 28_000], architectShare: 0 },
  waterHeater: { group: 'plumbing', waitDays: 0, buildDays: 25, valuationUsd: [1_800, 7_500], architectShare: 0 },
  sewer: { group: 'plumbing', waitDays: 0, buildDays: 20, valuationUsd: [6_000, 20_000], architectShare: 0 },
  evCharger: { group: 'electrical', waitDays: 0, buildDays: 30, valuationUsd: [1_000, 4_000], architectShare: 0 },
  panel: { group: 'electrical', waitDays: 0, buildDays: 40, valuationUsd: [3_000, 9_000], architectShare: 0 },
  temporaryPower: { group: 'electrical', waitDays: 0, buildDays: 15, valuationUsd: [800, 3_000], architectShare: 0 },
  sprinklers: { group: 'other', waitDays: 14, buildDays: 200, valuationUsd: [9_000, 28_000], architectShare: 0 },
  windows: { group: 'other', waitDays: 0, buildDays: 60, valuationUsd: [8_000, 45_000], architectShare: 0 },
  foundation: { group: 'other', waitDays: 12, buildDays: 90, valuationUsd: [15_000, 150_000], architectShare: 0.1 },
  braceBolt: { group: 'other', waitDays: 0, buildDays: 30, valuationUsd: [4_000, 9_000], architectShare: 0 },
  retainingWall: { group: 'other', waitDays: 20, buildDays: 80, valuationUsd: [9_000, 48_000], architectShare: 0.15 },
  repair: { group: 'other', waitDays: 2, buildDays: 45, valuationUsd: [2_500, 30_000], architectShare: 0.05 },
  revision: { group: 'other', waitDays: 8, buildDays: 60, valuationUsd: [1_000, 15_000], architectShare: 0.4 },
  shingles: { group: 'roof', waitDays: 12, buildDays: 60, valuationUsd: [18_000, 90_000], architectShare: 0 },
  islandCottage: {
    group: 'adu',
    waitDays: 90,
    buildDays: 300,
    valuationUsd: [180_000, 650_000],
    sqft: [320, 1100],
    architectShare: 0.6,
    units: [1, 1],
  },
  houseMove: { group: 'other', waitDays: 60, buildDays: 150, valuationUsd: [60_000, 260_000], architectShare: 0.3 },
}

export type PermitKind =
  | 'newHouse'
  | 'demolition'
  | 'partialDemolition'
  | 'interiorDemolition'
  | 'poolDemolition'
  | 'shedDemolition'
  | 'addition'
  | 'wholeRemodel'
  | 'kitchen'
  | 'bath'
  | 'adu'
  | 'aduConversion'
  | 'jadu'
  | 'solar'
  | 'battery'
  | 'roof'
  | 'pool'
  | 'heatPump'
  | 'waterHeater'
  | 'sewer'
  | 'evCharger'
  | 'panel'
  | 'temporaryPower'
  | 'sprinklers'
  | 'windows'
  | 'foundation'
  | 'braceBolt'
  | 'retainingWall'
  | 'repair'
  | 'revision'
  | 'shingles'
  | 'islandCottage'
  | 'houseMove'
  | 'apartments'
