// Building permits of the sample cities: kind of work, dates, and the fields the city recorded.

import { keysOf } from '../../src/common/typed.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, monthIndexOf, onWeekday, simulationStart, weekdayIn, yearFraction } from './calendar.ts'
import { placeCells, unusedAddress } from './feeds.ts'
import { architectsFor, contractorsFor, licenseOf } from './firms.ts'
import { homeAt, type SampleParcel } from './parcels.ts'
import { describePermit, type PermitKind, permitKinds, projectTypeOf, styleOf } from './permit-kinds.ts'
import { type Random, randomFor } from './random.ts'
import { type CityActivity, cityActivity } from './zones.ts'

interface PermitPlan {
  seed: number
  parcel: SampleParcel
  kind: PermitKind
  appliedOn: Day
  issuedOn?: Day
  finaledOn?: Day
  /** Set if the permit ended without a final inspection. */
  closed?: { on: Day; as: 'expired' | 'cancelled' }
  sqft?: number
  sortKey: string
  valued?: boolean
  /** Every optional field is filled in. */
  complete?: boolean
}

/** Maximum days from application to issue; permits are planned this far past today. */
const longestWait = 280
const unissuedShare = 0.05
const monthFactor = [0.94, 0.95, 1.05, 1.03, 1.06, 1.04, 1.02, 1.05, 1.0, 1.03, 0.95, 0.88]

/** Permits unrelated to a sale, drawn for every month of issue that can contain one applied for by `today`. */
export function routinePermits(parcels: readonly SampleParcel[], seed: number, today: Day): PermitRecord[] {
  const permits: PermitRecord[] = []
  for (const [cityIndex, { city }] of cityActivity.entries()) {
    const homes = parcels.filter(({ zone, homes }) => zone.city === city && homes[0]!.propertyType !== 'land')
    for (let month = monthIndexOf(simulationStart); month <= monthIndexOf(today + longestWait); month++)
      permits.push(...permitsOfMonth(homes, cityIndex, month, seed))
  }
  return permits
}

function permitsOfMonth(homes: readonly SampleParcel[], cityIndex: number, month: number, seed: number) {
  const activity = cityActivity[cityIndex]!
  const { permitsPerMonth, island } = activity
  const issued = (kind: PermitKind, of: Random, rest: Pick<PermitPlan, 'sortKey' | 'complete' | 'valued'>) => {
    const dates = drawDates(kind, month, of)
    const parcel = kind === 'apartments' ? of.pick(homes) : drawParcel(homes, kind, dates.appliedOn, of)
    return makePermit({ seed, parcel, kind, ...dates, ...rest, ...drawOutcome(kind, dates.issuedOn, of) })
  }
  const random = randomFor(seed, 'counter', cityIndex, month)
  const count = Math.max(2, Math.round(permitsPerMonth * monthFactor[month % 12]! + random.normal() * 0.6))
  const unvalued = Math.ceil(count * random.between(0.11, 0.17))
  // Each month has one complete record (the first) and some without a valuation (the next `unvalued`).
  const permits = Array.from({ length: count }, (_, i) => {
    const complete = i === 0
    const kind = random.pick(complete ? fullRecordKinds : drawKinds(activity, random))
    return issued(kind, random, { sortKey: `${month}-${i}`, complete, valued: complete || i > unvalued })
  })
  const unissued = Math.floor(permitsPerMonth * unissuedShare + random.unit())
  for (let i = 0; i < unissued; i++) {
    const appliedOn = weekdayIn(month, random)
    const kind = random.pick(fullRecordKinds)
    const closed = { on: onWeekday(appliedOn + random.int(40, 260)), as: 'cancelled' } as const
    const parcel = drawParcel(homes, kind, appliedOn, random)
    permits.push(makePermit({ seed, parcel, kind, appliedOn, closed, sortKey: `${month}-u${i}` }))
  }
  // Draws of its own, so that the other permits are the same as without apartment buildings.
  const building = randomFor(seed, 'apartments', cityIndex, month)
  if (!island && building.chance(permitsPerMonth / 180))
    permits.push(issued('apartments', building, { sortKey: `${month}-a`, complete: true }))
  return permits
}

const fullRecordKinds: readonly PermitKind[] = ['adu', 'addition', 'wholeRemodel', 'aduConversion', 'kitchen']

/** The kinds in one category, drawn from the city's mix; repeats make a kind more likely. */
function drawKinds({ permitMix, island }: CityActivity, random: Random): readonly PermitKind[] {
  const { adu, addition, remodel, roof, solar, trades } = permitMix
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
  const names = keysOf(permitKinds)
  return [names[random.weighted(names.map((name) => permitKinds[name].trades ?? 0))]!]
}

function drawDates(kind: PermitKind, month: number, random: Random): { appliedOn: Day; issuedOn: Day } {
  const issuedOn = weekdayIn(month, random)
  const { waitDays } = permitKinds[kind]
  const drawn = () => Math.round(clamp(waitDays * Math.exp(random.normal() * 0.4), 1, longestWait - 20))
  const atOnce = () => (random.chance(0.75) ? 0 : random.int(1, 6))
  const appliedOn = onWeekday(issuedOn - (waitDays === 0 ? atOnce() : drawn()))
  return { appliedOn, issuedOn: Math.max(issuedOn, appliedOn) }
}

function drawOutcome(kind: PermitKind, issuedOn: Day, random: Random): Pick<PermitPlan, 'finaledOn' | 'closed'> {
  const draw = random.unit()
  if (draw < 0.02) return { closed: { on: onWeekday(issuedOn + random.int(20, 200)), as: 'cancelled' } }
  if (draw < 0.09) return { closed: { on: onWeekday(issuedOn + random.int(400, 1100)), as: 'expired' } }
  const days = permitKinds[kind].buildDays * Math.exp(random.normal() * 0.45)
  return { finaledOn: onWeekday(issuedOn + Math.max(1, Math.round(days))) }
}

function drawParcel(homes: readonly SampleParcel[], kind: PermitKind, appliedOn: Day, random: Random): SampleParcel {
  for (let attempt = 0; attempt < 20; attempt++) {
    const parcel = random.pick(homes)
    // Looks only at work already started on that day; otherwise a later `today` would change past permits.
    const isBusy = parcel.sites.some(({ from, to }) => from <= appliedOn && appliedOn <= to + 200)
    if (!isBusy && homeAt(parcel, appliedOn).condition >= (permitKinds[kind].minCondition ?? 0)) return parcel
  }
  return random.pick(homes)
}

export type PermitRecord = ReturnType<typeof makePermit>

export function makePermit(plan: PermitPlan) {
  const { seed, parcel, kind, appliedOn, issuedOn, finaledOn, closed, complete = false } = plan
  const facts = permitKinds[kind]
  const { zone } = parcel
  const random = randomFor(seed, 'permit', parcel.index, appliedOn, kind, plan.sortKey)
  const trueSqft = plan.sqft ?? (facts.sqft ? 10 * random.int(facts.sqft[0] / 10, facts.sqft[1] / 10) : undefined)
  const estate = zone.spread === 'estate' ? 1.8 : zone.medianPriceUsd > 2_400_000 ? 1.2 : 1
  const growth = 1.04 ** (yearFraction(appliedOn) - 2025)
  const [low, high] = facts.valuationUsd
  const each = low * (high / low) ** random.unit()
  const usd = Math.round((each * growth * estate * (facts.perSqft && trueSqft ? trueSqft / estate : 1)) / 100) * 100
  const valued = plan.valued ?? !random.chance(0.09)
  /** An optional field that is filled in. */
  const isStated = (share: number): boolean => complete || random.chance(share)
  const sqft = trueSqft !== undefined && isStated(0.8) ? trueSqft : undefined
  const valuation = valued ? moneyText(usd, random) : placeholderText(random)
  const contractor = isStated(0.82)
    ? random.pickUnequally(contractorsFor(facts.group, zone.island, zone.city))
    : undefined
  const architect = isStated(facts.architectShare) ? random.pickUnequally(architectsFor(zone.island)) : undefined
  const units = facts.units && randomFor(seed, 'units', parcel.index, appliedOn, plan.sortKey).int(...facts.units)
  /** Orders permits applied for on the same day, so that every run numbers them alike. */
  const sortKey = `${parcel.apn}${kind}${plan.sortKey}`
  const text = randomFor(seed, 'permit-row', sortKey, appliedOn)
  // A lot of apartments is none of the parcels, which are houses.
  const unmatched = text.chance(0.01) || kind === 'apartments'
  const withApn = !unmatched && text.chance(0.9)
  const address = unmatched ? unusedAddress(parcel) : parcel.address
  const cells = {
    apn: withApn ? parcel.apn : undefined,
    ...placeCells(parcel, styleOf(zone.city) % 3 === 1 ? address.toUpperCase() : address),
    ...(unmatched && { lat: undefined, lng: undefined }),
    projectType: projectTypeOf(zone, kind, facts.group),
    description: describePermit(kind, zone, trueSqft, units ?? 0, text),
    valuation,
    sqft,
    units,
    contractor,
    contractorLicense: contractor && licenseOf(contractor),
    architect,
  }
  return { city: zone.city, parcel, kind, appliedOn, issuedOn, finaledOn, closed, sortKey, cells }
}

/** Cities write amounts in three formats. */
const moneyText = (usd: number, random: Random): string => {
  const draw = random.unit()
  return draw < 0.55 ? String(usd) : draw < 0.8 ? `$${usd.toLocaleString('en-US')}` : usd.toFixed(2)
}

/** Empty, or a placeholder amount that ingestion must not take for a valuation. */
const placeholderText = (random: Random): string => random.pick(['', '', '', '$1', '1', '0.00'])
