// The kinds of permitted work in the sample: typical durations, costs (2025 dollars) and descriptions, written for the sample, and how
// each city spells project types and statuses and numbers its permits. Real cities differ in the same way.

import type { Random } from './random.ts'
import texts from './texts.json' with { type: 'json' }
import { cityActivity, type Zone } from './zones.ts'

interface MoreFacts {
  /** The valuation is per square foot. */
  perSqft?: true
  sqft?: readonly [low: number, high: number]
  /** Dwelling units added, low to high. */
  units?: readonly [low: number, high: number]
  /** The share of the small work of trades. */
  trades?: number
  /** Of the home: remodeling would have improved a home in worse condition. */
  minCondition?: number
  /** The city's phrase is in most descriptions. */
  isLarge?: true
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
  newHouse: kind('new', 92, 436, [280, 420], 0.9, { perSqft: true, units: [1, 1], isLarge: true }),
  apartments: kind('apartments', 150, 620, [2_400_000, 14_000_000], 1, { sqft: [6_000, 42_000], units: [5, 40] }),
  demolition: kind('demolition', 0, 17, [8_000, 45_000], 0.1),
  addition: kind('addition', 75, 240, [80_000, 450_000], 0.7, { sqft: [120, 950], minCondition: 0.55, isLarge: true }),
  wholeRemodel: kind('remodel', 45, 200, [100_000, 700_000], 0.55, {
    sqft: [600, 2600],
    minCondition: 0.62,
    isLarge: true,
  }),
  kitchen: kind('remodel', 10, 110, [35_000, 140_000], 0.2, { sqft: [120, 380], minCondition: 0.55 }),
  bath: kind('remodel', 4, 80, [15_000, 60_000], 0.08, { sqft: [40, 160], minCondition: 0.45 }),
  adu: kind('adu', 103, 273, [120_000, 320_000], 0.6, { sqft: [380, 1200], units: [1, 1], isLarge: true }),
  aduConversion: kind('adu', 95, 220, [55_000, 180_000], 0.5, { sqft: [300, 620], units: [1, 1] }),
  jadu: kind('adu', 80, 180, [20_000, 80_000], 0.35, { sqft: [240, 500], units: [1, 1] }),
  solar: kind('solar', 0, 42, [14_000, 45_000], 0),
  battery: kind('solar', 0, 45, [12_000, 30_000], 0),
  roof: kind('roof', 0, 35, [14_000, 38_000], 0),
  temporaryPower: kind('electrical', 0, 15, [800, 3_000], 0),
  sprinklers: kind('other', 14, 200, [9_000, 28_000], 0),
  shingles: kind('roof', 12, 60, [18_000, 90_000], 0, { isLarge: true }),
  islandCottage: kind('adu', 90, 300, [180_000, 650_000], 0.6, { sqft: [320, 1100], units: [1, 1], isLarge: true }),
  houseMove: kind('other', 60, 150, [60_000, 260_000], 0.3, { isLarge: true }),
  waterHeater: kind('plumbing', 0, 25, [1_800, 7_500], 0, { trades: 14 }),
  panel: kind('electrical', 0, 40, [3_000, 9_000], 0, { trades: 13 }),
  heatPump: kind('mechanical', 0, 40, [11_000, 28_000], 0, { trades: 12 }),
  evCharger: kind('electrical', 0, 30, [1_000, 4_000], 0, { trades: 10 }),
  windows: kind('other', 0, 60, [8_000, 45_000], 0, { trades: 10 }),
  sewer: kind('plumbing', 0, 20, [6_000, 20_000], 0, { trades: 9 }),
  repair: kind('other', 2, 45, [2_500, 30_000], 0.05, { trades: 6 }),
  foundation: kind('other', 12, 90, [15_000, 150_000], 0.1, { trades: 4 }),
  braceBolt: kind('other', 0, 30, [4_000, 9_000], 0, { trades: 4 }),
  revision: kind('other', 8, 60, [1_000, 15_000], 0.4, { trades: 5 }),
  pool: kind('pool', 25, 160, [60_000, 200_000], 0.25, { sqft: [380, 800], trades: 2.5 }),
  poolDemolition: kind('demolition', 0, 25, [5_000, 18_000], 0, { trades: 1.2 }),
  partialDemolition: kind('demolition', 5, 40, [5_000, 30_000], 0.3, { trades: 1.8 }),
  interiorDemolition: kind('demolition', 0, 30, [3_000, 15_000], 0.1, { trades: 1 }),
  shedDemolition: kind('demolition', 0, 20, [1_500, 8_000], 0, { trades: 0.8 }),
  retainingWall: kind('other', 20, 80, [9_000, 48_000], 0.15, { trades: 3 }),
}

export type PermitKind = keyof typeof permitKinds

/** In texts.json {sqft}, {units} and {kw} are replaced, {3-5} by a number from 3 to 5. */
export function describePermit(kind: PermitKind, zone: Zone, sqft: number | undefined, units: number, random: Random) {
  const filled = (text: string, area = () => sqft ?? 0): string =>
    text
      .replace('{kw}', () => random.between(4.8, 13.6).toFixed(2))
      .replace(/{(\d+)-(\d+)}/g, (_, low, high) => String(random.int(Number(low), Number(high))))
      .replace('{units}', String(units))
      .replace('{sqft}', () => area().toLocaleString('en-US'))
  const text = filled(random.pick(texts.permits[kind]))
  const hasPhrase = permitKinds[kind].isLarge && random.chance(0.6)
  const whole = hasPhrase ? text + filled(zone.permitPhrase ?? '', () => sqft ?? 10 * random.int(90, 240)) : text
  // Real feeds contain upper-case descriptions and trailing spaces.
  if (random.chance(0.12)) return whole.toUpperCase()
  return random.chance(0.03) ? `${whole}  ` : whole
}

/** By style of the city: in words, as codes, with the department, and short; where an island has another name, that one. */
const projectTypes: Record<ProjectGroup, readonly string[]> = texts.projectTypes

/** The category of a kind of work, from which each city's project type is derived. */
export type ProjectGroup = keyof typeof texts.projectTypes

export function projectTypeOf({ island, city, permitTypes }: Zone, kind: PermitKind, group: ProjectGroup): string {
  if (permitTypes === 'generic') return 'Residential Building Permit'
  if (island) return kind === 'houseMove' ? 'House Move' : (projectTypes[group][4] ?? projectTypes[group][0]!)
  return projectTypes[group][permitTypes === 'short' ? 3 : styleOf(city) % 4]!
}

export type PermitStage = keyof typeof texts.permitStatuses

export const statusNameOf = (city: string, stage: PermitStage): string =>
  texts.permitStatuses[stage][styleOf(city) % 4]!

export function permitNumber(city: string, year: number, serial: number): string {
  const style = styleOf(city) % 5
  const start = ['BLD', 'B', '', 'BP-', ''][style]!
  const shownYear = style === 0 || style === 4 ? year % 100 : year
  return `${start}${shownYear}-${String(serial).padStart(style === 2 ? 4 : 5, '0')}`
}

export const styleOf = (name: string): number => cityActivity.findIndex(({ city }) => city === name)
