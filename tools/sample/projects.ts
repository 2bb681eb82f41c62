// What buyers do after a sale: tear down and rebuild, renovate and resell, or improve and stay.

import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, onWeekday, yearOf } from './calendar.ts'
import { type Home, homeAt, roomsFor, type SampleParcel } from './parcels.ts'
import type { PermitKind } from './permit-kinds.ts'
import { makePermit } from './permits.ts'
import { type Random, randomFor } from './random.ts'
import type { SaleRecord, Simulation } from './simulation.ts'

/** A sale, and the random generator of what follows it. */
interface Project {
  simulation: Simulation
  parcel: SampleParcel
  soldOn: Day
  random: Random
  permit(kind: PermitKind, appliedOn: Day, issuedOn: Day, finaledOn: Day, sqft?: number): void
  listOn(day: Day): void
}

export function scheduleAfterSale(simulation: Simulation, { parcel, soldOn, priceUsd }: SaleRecord): void {
  const { seed } = simulation
  const random = randomFor(seed, 'after', parcel.index, soldOn)
  const home = homeAt(parcel, soldOn)
  parcel.offMarketUntil = soldOn + random.int(500, 1500)
  // The assessor records the sale price some weeks later.
  simulation.schedule(soldOn + random.int(40, 100), (day) => {
    const land = home.propertyType === 'land' ? 1 : clamp(0.62 + random.normal() * 0.08, 0.4, 0.85)
    const assessedLandUsd = Math.round(priceUsd * land)
    changeHome(parcel, day, { assessedLandUsd, assessedImprovementUsd: Math.round(priceUsd - assessedLandUsd) })
  })
  if (home.propertyType !== 'single_family') return
  const permit: Project['permit'] = (kind, appliedOn, issuedOn, finaledOn, sqft) => {
    const plan = { seed, parcel, kind, appliedOn, issuedOn, finaledOn, sqft, sortKey: `${soldOn}` }
    simulation.permits.push(makePermit(plan))
  }
  const listOn = (day: Day) => simulation.schedule(day, (then) => simulation.list(parcel, then))
  const project = { simulation, parcel, soldOn, random, permit, listOn }
  if (random.chance(simulation.teardown(parcel, soldOn))) rebuild(project)
  else if (home.condition < 0.5 && random.chance(0.09)) flip(project)
  else if (random.chance(home.condition < 0.45 ? 0.16 : 0.04)) improve(project)
}

/** Demolition three months to two years after the sale, then the new house with its related permits. */
function rebuild({ simulation, parcel, soldOn, random, permit, listOn }: Project): void {
  const demolitionApplied = onWeekday(soldOn + random.int(80, 520))
  const demolitionIssued = onWeekday(demolitionApplied + (random.chance(0.6) ? 0 : random.int(3, 30)))
  const demolished = onWeekday(demolitionIssued + random.int(9, 45))
  const houseApplied = onWeekday(Math.max(soldOn + 20, demolitionIssued - random.int(60, 130)))
  const houseIssued = onWeekday(demolitionIssued + random.int(0, 60))
  const houseFinaled = onWeekday(houseIssued + random.int(425, 730))
  const livingSqft = Math.round((parcel.envelopeSqft * random.between(0.86, 1.06)) / 5) * 5
  parcel.offMarketUntil = houseFinaled + random.int(900, 2400)
  parcel.sites.push({ from: houseApplied, to: houseFinaled })
  permit('newHouse', houseApplied, houseIssued, houseFinaled, livingSqft)
  permit('demolition', demolitionApplied, demolitionIssued, demolished, homeAt(parcel, soldOn).livingSqft)
  permit('temporaryPower', demolished, onWeekday(demolished + 3), onWeekday(demolished + 20))
  const later = (from: number, to: number): Day => onWeekday(houseIssued + random.int(from, to))
  const sprinklers = later(60, 140)
  permit('sprinklers', sprinklers, onWeekday(sprinklers + 14), onWeekday(houseFinaled - 20))
  const panels = later(200, 320)
  permit('solar', panels, onWeekday(panels + 5), onWeekday(houseFinaled - 10))
  if (random.chance(0.25)) {
    const pool = later(180, 300)
    permit('pool', pool, onWeekday(pool + 25), onWeekday(houseFinaled + 30))
  }
  if (random.chance(0.22))
    permit('adu', houseApplied, onWeekday(houseIssued + 10), houseFinaled, 10 * random.int(48, 100))
  simulation.schedule(houseFinaled, (day) => {
    changeHome(parcel, day, {
      livingSqft,
      ...roomsFor(livingSqft, random),
      yearBuilt: yearOf(day),
      yearRenovated: undefined,
      stories: random.chance(0.85) ? 2 : 1,
      garageSqft: 20 * random.int(20, 32),
      fireplaces: random.int(1, 3),
      condition: 0.98,
    })
    // Two in three new houses are built for sale.
    if (random.chance(0.66)) listOn(onWeekday(day + random.int(3, 60)))
  })
}

function flip({ simulation, parcel, soldOn, random, permit, listOn }: Project): void {
  const appliedOn = onWeekday(soldOn + random.int(7, 45))
  const issuedOn = onWeekday(appliedOn + random.int(2, 30))
  const finaledOn = onWeekday(issuedOn + random.int(70, 190))
  parcel.offMarketUntil = finaledOn + 900
  parcel.sites.push({ from: appliedOn, to: finaledOn })
  permit('wholeRemodel', appliedOn, issuedOn, finaledOn)
  simulation.schedule(finaledOn, (day) => {
    changeHome(parcel, day, { condition: random.between(0.8, 0.93), yearRenovated: yearOf(day) })
    listOn(onWeekday(day + random.int(5, 30)))
  })
}

function improve({ simulation, parcel, soldOn, random, permit }: Project): void {
  const addition = random.chance(0.35)
  const appliedOn = onWeekday(soldOn + random.int(20, 240))
  const issuedOn = onWeekday(appliedOn + random.int(20, 110))
  const finaledOn = onWeekday(issuedOn + random.int(120, 380))
  const before = homeAt(parcel, soldOn)
  const room = parcel.envelopeSqft - before.livingSqft
  const addedSqft = addition && room > 250 ? 10 * random.int(20, Math.min(95, Math.floor(room / 10))) : 0
  parcel.sites.push({ from: appliedOn, to: finaledOn })
  permit(addedSqft ? 'addition' : 'wholeRemodel', appliedOn, issuedOn, finaledOn, addedSqft || undefined)
  simulation.schedule(finaledOn, (day) =>
    changeHome(parcel, day, {
      livingSqft: homeAt(parcel, day).livingSqft + addedSqft,
      beds: addedSqft > 400 ? before.beds + 1 : before.beds,
      baths: addedSqft > 250 ? before.baths + 1 : before.baths,
      condition: random.between(0.7, 0.9),
      yearRenovated: yearOf(day),
    }),
  )
}

function changeHome(parcel: SampleParcel, day: Day, change: Partial<Home>): void {
  parcel.homes.push({ ...homeAt(parcel, day), ...change, from: day })
}
