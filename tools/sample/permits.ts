// Building permits of the sample cities: kind of work, dates, and the fields the city recorded.

import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import {
  type Day,
  firstOfMonth,
  monthIndexOf,
  onWeekday,
  simulationStart,
  weekdayOf,
  yearFraction,
} from './calendar.ts'
import { architectsFor, contractorsFor } from './firms.ts'
import type { SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { type PermitKind, permitKinds } from './permit-kinds.ts'
import { type Random, randomFor } from './random.ts'
import { type CityActivity, cityActivity, isHistoricIsland } from './zones.ts'

export interface PermitRecord {
  city: string
  parcel: SampleParcel
  kind: PermitKind
  /** The true size of the work; `sqft` is what the application states, if anything. */
  trueSqft?: number
  /** The valuation as recorded; empty if none was. */
  valuationText: string
  sqft?: number
  units?: number
  contractor?: string
  architect?: string
  appliedOn: Day
  issuedOn?: Day
  finaledOn?: Day
  /** Set if the permit ended without a final inspection. */
  closed?: { on: Day; as: 'expired' | 'cancelled' }
  /** Orders permits applied for on the same day, so that every run numbers them alike. */
  sortKey: string
}

interface PermitPlan
  extends Pick<
    PermitRecord,
    'parcel' | 'kind' | 'appliedOn' | 'issuedOn' | 'finaledOn' | 'closed' | 'sqft' | 'sortKey'
  > {
  seed: number
  valued?: boolean
  /** Every optional field is filled in. */
  complete?: boolean
}

/** Maximum days from application to issue; permits are planned this far past today. */
const longestWait = 280
const unissuedShare = 0.05
const monthFactor = [0.94, 0.95, 1.05, 1.03, 1.06, 1.04, 1.02, 1.05, 1.0, 1.03, 0.95, 0.88]

/** Permits unrelated to a sale, drawn for every month of issue that can contain one applied for by `today`. */
export function routinePermits(
  parcels: readonly SampleParcel[],
  sites: ReadonlyMap<number, readonly { from: Day; to: Day }[]>,
  seed: number,
  today: Day,
): PermitRecord[] {
  const permits: PermitRecord[] = []
  cityActivity().forEach((activity, cityIndex) => {
    const homes = parcels.filter((p) => p.zone.city === activity.city && p.homes[0]?.propertyType !== 'land')
    for (let month = monthIndexOf(simulationStart); month <= monthIndexOf(today + longestWait); month++) {
      const random = randomFor(seed, 'counter', cityIndex, month)
      const count = Math.max(
        2,
        Math.round(activity.permitsPerMonth * (monthFactor[month % 12] as number) + random.normal() * 0.6),
      )
      const unvalued = Math.max(1, Math.ceil(count * random.between(0.11, 0.17)))
      for (let i = 0; i < count; i++) {
        // Each month has one complete record (the first) and some without a valuation (the next `unvalued`).
        const kind = i === 0 ? random.pick(fullRecordKinds) : random.pick(drawKinds(activity, random))
        const issuedOn = weekdayIn(month, random)
        const appliedOn = onWeekday(issuedOn - drawWaitDays(kind, random))
        const parcel = drawParcel(homes, sites, kind, appliedOn, random)
        const plan = {
          seed,
          parcel,
          kind,
          appliedOn,
          issuedOn: Math.max(issuedOn, appliedOn),
          sortKey: `${month}-${i}`,
        }
        const valued = i === 0 || i > unvalued
        permits.push(makePermit({ ...plan, ...drawOutcome(kind, plan.issuedOn, random), valued, complete: i === 0 }))
      }
      const unissued = Math.floor(activity.permitsPerMonth * unissuedShare + random.unit())
      for (let i = 0; i < unissued; i++) {
        const appliedOn = weekdayIn(month, random)
        const kind = random.pick(fullRecordKinds)
        const closed = { on: onWeekday(appliedOn + random.int(40, 260)), as: 'cancelled' } as const
        const parcel = drawParcel(homes, sites, kind, appliedOn, random)
        permits.push(makePermit({ seed, parcel, kind, appliedOn, closed, sortKey: `${month}-u${i}` }))
      }
      // Draws of its own, so that the other permits are the same as without apartment buildings.
      const building = randomFor(seed, 'apartments', cityIndex, month)
      if (!isHistoricIsland(activity.market) && building.chance(activity.permitsPerMonth / 180)) {
        const kind = 'apartments' as const
        const issuedOn = weekdayIn(month, building)
        const appliedOn = onWeekday(issuedOn - drawWaitDays(kind, building))
        const plan = { seed, parcel: building.pick(homes), kind, appliedOn, issuedOn, sortKey: `${month}-a` }
        permits.push(makePermit({ ...plan, ...drawOutcome(kind, issuedOn, building), complete: true }))
      }
    }
  })
  return permits
}

const fullRecordKinds: readonly PermitKind[] = ['adu', 'addition', 'wholeRemodel', 'aduConversion', 'kitchen']

const tradesMix: readonly (readonly [PermitKind, number])[] = [
  ['waterHeater', 14],
  ['panel', 13],
  ['heatPump', 12],
  ['evCharger', 10],
  ['windows', 10],
  ['sewer', 9],
  ['repair', 6],
  ['foundation', 4],
  ['braceBolt', 4],
  ['revision', 5],
  ['pool', 2.5],
  ['poolDemolition', 1.2],
  ['partialDemolition', 1.8],
  ['interiorDemolition', 1],
  ['shedDemolition', 0.8],
  ['retainingWall', 3],
]

/** The kinds in one category, drawn from the city's mix; repeats make a kind more likely. */
function drawKinds(activity: CityActivity, random: Random): readonly PermitKind[] {
  const { adu, addition, remodel, roof, solar, trades } = activity.permitMix
  const island = isHistoricIsland(activity.market)
  const kinds: readonly (readonly PermitKind[])[] = [
    island ? ['islandCottage'] : ['adu', 'adu', 'aduConversion', 'aduConversion', 'jadu'],
    ['addition'],
    ['kitchen', 'bath', 'bath', 'kitchen', 'wholeRemodel'],
    island ? ['shingles', 'roof'] : ['roof'],
    ['solar', 'solar', 'battery'],
  ]
  const drawn = kinds[random.weighted([adu, addition, remodel, roof, solar, trades])]
  if (drawn) return drawn
  if (island && random.chance(0.04)) return ['houseMove']
  return [tradesMix[random.weighted(tradesMix.map(([, weight]) => weight))]![0]]
}

function weekdayIn(month: number, random: Random): Day {
  const first = firstOfMonth(month)
  const length = firstOfMonth(month + 1) - first
  const day = first + random.int(0, length - 1)
  const weekday = weekdayOf(day)
  // A weekend day moves to the nearest weekday of the same month.
  if (weekday === 6) return day > first ? day - 1 : day + 2
  if (weekday === 0) return day + 1 < first + length ? day + 1 : day - 2
  return day
}

function drawWaitDays(kind: PermitKind, random: Random): number {
  const { waitDays } = permitKinds[kind]
  if (waitDays === 0) return random.chance(0.75) ? 0 : random.int(1, 6)
  return Math.round(clamp(waitDays * Math.exp(random.normal() * 0.4), 1, longestWait - 20))
}

function drawOutcome(kind: PermitKind, issuedOn: Day, random: Random): Pick<PermitPlan, 'finaledOn' | 'closed'> {
  const draw = random.unit()
  if (draw < 0.02) return { closed: { on: onWeekday(issuedOn + random.int(20, 200)), as: 'cancelled' } }
  if (draw < 0.09) return { closed: { on: onWeekday(issuedOn + random.int(400, 1100)), as: 'expired' } }
  const days = permitKinds[kind].buildDays * Math.exp(random.normal() * 0.45)
  return { finaledOn: onWeekday(issuedOn + Math.max(1, Math.round(days))) }
}

/** Remodeling permits are assigned to homes in at least this condition, since the work would have improved them. */
const minConditionByKind: Partial<Record<PermitKind, number>> = {
  wholeRemodel: 0.62,
  addition: 0.55,
  kitchen: 0.55,
  bath: 0.45,
}

function drawParcel(
  homes: readonly SampleParcel[],
  sites: ReadonlyMap<number, readonly { from: Day; to: Day }[]>,
  kind: PermitKind,
  appliedOn: Day,
  random: Random,
): SampleParcel {
  const minCondition = minConditionByKind[kind] ?? 0
  for (let attempt = 0; attempt < 20; attempt++) {
    const parcel = random.pick(homes)
    // Looks only at work already started on that day; otherwise a later `today` would change past permits.
    const busy = sites.get(parcel.index)?.some(({ from, to }) => from <= appliedOn && appliedOn <= to + 200)
    if (!busy && homeAt(parcel, appliedOn).condition >= minCondition) return parcel
  }
  return random.pick(homes)
}

export function makePermit(plan: PermitPlan): PermitRecord {
  const { seed, parcel, kind, appliedOn, issuedOn, finaledOn, closed, sortKey } = plan
  const facts = permitKinds[kind]
  const { city, market } = parcel.zone
  const island = isHistoricIsland(market)
  const contractors = contractorsFor(facts.group, island, city)
  const random = randomFor(seed, 'permit', parcel.index, appliedOn, kind, sortKey)
  const sqft = plan.sqft ?? (facts.sqft ? 10 * random.int(facts.sqft[0] / 10, facts.sqft[1] / 10) : undefined)
  const estate = parcel.zone.spread === 'estate' ? 1.8 : parcel.zone.medianPriceUsd > 2_400_000 ? 1.2 : 1
  const growth = 1.04 ** (yearFraction(appliedOn) - 2025)
  const [low, high] = facts.valuationUsd
  const each = low * (high / low) ** random.unit()
  const usd = Math.round((each * growth * estate * (facts.perSqft && sqft ? sqft / estate : 1)) / 100) * 100
  const valued = plan.valued ?? !random.chance(0.09)
  const named = plan.complete === true
  const withSqft = sqft !== undefined && (named || random.chance(0.8))
  return {
    city,
    parcel,
    kind,
    trueSqft: sqft,
    valuationText: valued ? moneyText(usd, random) : placeholderText(random),
    ...(withSqft && { sqft }),
    ...(facts.units && { units: randomFor(seed, 'units', parcel.index, appliedOn, sortKey).int(...facts.units) }),
    ...((named || random.chance(0.82)) && { contractor: random.pickUnequally(contractors) }),
    ...((named || random.chance(facts.architectShare)) && { architect: random.pickUnequally(architectsFor(island)) }),
    appliedOn,
    issuedOn,
    finaledOn,
    closed,
    sortKey: `${parcel.apn}${kind}${sortKey}`,
  }
}

/** Cities write amounts in three formats. */
function moneyText(usd: number, random: Random): string {
  const draw = random.unit()
  if (draw < 0.55) return String(usd)
  if (draw < 0.8) return `$${usd.toLocaleString('en-US')}`
  return usd.toFixed(2)
}

/** Empty, or a placeholder amount that ingestion must not take for a valuation. */
const placeholderText = (random: Random): string => random.pick(['', '', '', '$1', '1', '0.00'])
