// The permit counters of the sample cities: what is applied for, when it is issued and done, and what the record says.

import type { Day } from './calendar.ts'
import { firstOfMonth, monthIndexOf, onWeekday, weekdayOf, worldStart, yearFraction } from './calendar.ts'
import { architects, contractors } from './firms.ts'
import type { SampleParcel } from './parcel.ts'
import { clamp, homeAt } from './parcels.ts'
import type { PermitKind } from './permit-kinds.ts'
import { permitKinds } from './permit-kinds.ts'
import type { Random } from './random.ts'
import { randomFor } from './random.ts'
import type { CityPace } from './zones.ts'
import { cityPaces } from './zones.ts'

export interface PermitRecord {
  city: string
  parcel: SampleParcel
  kind: PermitKind
  /** What the work measures, whether or not the form says so. */
  trueSqft?: number
  /** As the counter wrote it down; empty when nobody did. */
  valuationText: string
  sqft?: number
  contractor?: string
  architect?: string
  appliedOn: Day
  issuedOn?: Day
  finaledOn?: Day
  /** Ended otherwise. */
  closed?: { on: Day; as: 'expired' | 'cancelled' }
  /** Orders permits of one day, the same in every run. */
  tie: string
}

interface PermitPlan {
  seed: number
  parcel: SampleParcel
  kind: PermitKind
  appliedOn: Day
  issuedOn?: Day
  finaledOn?: Day
  closed?: PermitRecord['closed']
  sqft?: number
  valued?: boolean
  /** Every field filled in. */
  complete?: boolean
  tie: string
}

/** Longest wait from application to issue; the plan must reach that far past today. */
const longestWait = 280
const unissuedShare = 0.05
const monthPace = [0.94, 0.95, 1.05, 1.03, 1.06, 1.04, 1.02, 1.05, 1.0, 1.03, 0.95, 0.88]

/** All counters' permits by the month of issue, through every month that may hold one applied for by `today`. */
export function counterPermits(
  parcels: readonly SampleParcel[],
  sites: ReadonlyMap<number, readonly { from: Day; to: Day }[]>,
  seed: number,
  today: Day,
): PermitRecord[] {
  const permits: PermitRecord[] = []
  cityPaces.forEach((pace, cityIndex) => {
    const homes = parcels.filter((p) => p.zone.city === pace.city && p.homes[0]?.propertyType !== 'land')
    for (let month = monthIndexOf(worldStart); month <= monthIndexOf(today + longestWait); month++) {
      const random = randomFor(seed, 'counter', cityIndex, month)
      const count = Math.max(
        4,
        Math.round(pace.permitsPerMonth * (monthPace[month % 12] as number) + random.normal() * 0.6),
      )
      const unvalued = Math.max(1, Math.ceil(count * random.between(0.11, 0.17)))
      for (let i = 0; i < count; i++) {
        // The first of a month is a full record, the next ones have no valuation, the rest come as they come.
        const kind = i === 0 ? random.pick(fullRecordKinds) : random.pick(kindsFor(pace, random))
        const issuedOn = weekdayIn(month, random)
        const appliedOn = onWeekday(issuedOn - waitFor(kind, random))
        const parcel = homeOf(homes, sites, kind, appliedOn, random)
        const plan = { seed, parcel, kind, appliedOn, issuedOn: Math.max(issuedOn, appliedOn), tie: `${month}-${i}` }
        const valued = i === 0 || i > unvalued
        permits.push(makePermit({ ...plan, ...ending(kind, plan.issuedOn, random), valued, complete: i === 0 }))
      }
      const unissued = Math.floor(pace.permitsPerMonth * unissuedShare + random.unit())
      for (let i = 0; i < unissued; i++) {
        const appliedOn = weekdayIn(month, random)
        const kind = random.pick(fullRecordKinds)
        const closed = { on: onWeekday(appliedOn + random.int(40, 260)), as: 'cancelled' } as const
        const parcel = homeOf(homes, sites, kind, appliedOn, random)
        permits.push(makePermit({ seed, parcel, kind, appliedOn, closed, tie: `${month}-u${i}` }))
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

const tradesWeights = tradesMix.map(([, weight]) => weight)

/** One kind from each line of the city's mix, in a list of one, so that the caller's pick is the draw. */
function kindsFor(pace: CityPace, random: Random): readonly PermitKind[] {
  const { adu, addition, remodel, roof, solar, trades } = pace.permitMix
  const island = pace.market === 'nantucket'
  switch (random.weighted([adu, addition, remodel, roof, solar, trades])) {
    case 0:
      return island ? ['islandCottage'] : ['adu', 'adu', 'aduConversion', 'aduConversion', 'jadu']
    case 1:
      return ['addition']
    case 2:
      return ['kitchen', 'bath', 'bath', 'kitchen', 'wholeRemodel']
    case 3:
      return island ? ['shingles', 'roof'] : ['roof']
    case 4:
      return ['solar', 'solar', 'battery']
    default:
      if (island && random.chance(0.04)) return ['houseMove']
      return [(tradesMix[random.weighted(tradesWeights)] as readonly [PermitKind, number])[0]]
  }
}

function weekdayIn(month: number, random: Random): Day {
  const first = firstOfMonth(month)
  const length = firstOfMonth(month + 1) - first
  const day = first + random.int(0, length - 1)
  const weekday = weekdayOf(day)
  // Back into the month rather than over its end.
  if (weekday === 6) return day > first ? day - 1 : day + 2
  if (weekday === 0) return day + 1 < first + length ? day + 1 : day - 2
  return day
}

function waitFor(kind: PermitKind, random: Random): number {
  const { waitDays } = permitKinds[kind]
  if (waitDays === 0) return random.chance(0.75) ? 0 : random.int(1, 6)
  return Math.round(clamp(waitDays * Math.exp(random.normal() * 0.4), 1, longestWait - 20))
}

function ending(kind: PermitKind, issuedOn: Day, random: Random): Pick<PermitPlan, 'finaledOn' | 'closed'> {
  const draw = random.unit()
  if (draw < 0.02) return { closed: { on: onWeekday(issuedOn + random.int(20, 200)), as: 'cancelled' } }
  if (draw < 0.09) return { closed: { on: onWeekday(issuedOn + random.int(400, 1100)), as: 'expired' } }
  const days = permitKinds[kind].buildDays * Math.exp(random.normal() * 0.45)
  return { finaledOn: onWeekday(issuedOn + Math.max(1, Math.round(days))) }
}

/** Whoever has remodelled lives in a house that shows it: such permits are not filed for one left as it was. */
const improvedHome: Partial<Record<PermitKind, number>> = {
  wholeRemodel: 0.62,
  addition: 0.55,
  kitchen: 0.55,
  bath: 0.45,
}

function homeOf(
  homes: readonly SampleParcel[],
  sites: ReadonlyMap<number, readonly { from: Day; to: Day }[]>,
  kind: PermitKind,
  appliedOn: Day,
  random: Random,
): SampleParcel {
  const fit = improvedHome[kind] ?? 0
  for (let attempt = 0; attempt < 20; attempt++) {
    const parcel = random.pick(homes)
    // Only what was under way by then may matter, or the past would depend on the future.
    const busy = sites.get(parcel.index)?.some(({ from, to }) => from <= appliedOn && appliedOn <= to + 200)
    if (!busy && homeAt(parcel, appliedOn).condition >= fit) return parcel
  }
  return random.pick(homes)
}

export function makePermit(plan: PermitPlan): PermitRecord {
  const { seed, parcel, kind, appliedOn, issuedOn, finaledOn, closed, tie } = plan
  const facts = permitKinds[kind]
  const random = randomFor(seed, 'permit', parcel.index, appliedOn, kind, tie)
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
    city: parcel.zone.city,
    parcel,
    kind,
    trueSqft: sqft,
    valuationText: valued ? moneyText(usd, random) : noMoneyText(random),
    ...(withSqft && { sqft }),
    ...((named || random.chance(0.82)) && { contractor: random.pick(contractors) }),
    ...((named || random.chance(facts.architectShare)) && { architect: random.pick(architects) }),
    appliedOn,
    issuedOn,
    finaledOn,
    closed,
    tie: `${parcel.apn}${kind}${tie}`,
  }
}

/** Three ways counters write money. */
function moneyText(usd: number, random: Random): string {
  const draw = random.unit()
  if (draw < 0.55) return String(usd)
  if (draw < 0.8) return `$${usd.toLocaleString('en-US')}`
  return usd.toFixed(2)
}

/** Nothing, or a figure that is none. */
function noMoneyText(random: Random): string {
  return random.pick(['', '', '', '$1', '1', '0.00'])
}
