// Simulates the housing market day by day: homes are listed, sell or fail to sell, and change after a sale: buyers tear down and
// rebuild, renovate and resell, or improve and stay. All events of a listing are drawn when it starts; the feeds show those up to
// their date.

import { valueAt } from '../../src/common/typed.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, isoDate, monthOf, onWeekday, simulationStart, weekdayOf, yearOf } from './calendar.ts'
import { drawListing } from './listings.ts'
import { type Home, homeAt, roomsFor, type SampleParcel } from './parcels.ts'
import type { PermitKind } from './permit-kinds.ts'
import { makePermit, type PermitRecord } from './permits.ts'
import { valueUsd } from './price.ts'
import { type Random, randomFor } from './random.ts'
import { fitTeardownModel } from './teardown.ts'
import { type CityActivity, cityActivity, sampleMarket } from './zones.ts'

export type ListingRecord = ReturnType<typeof drawListing> & {
  listingId: string
  /** Not in the feeds, except as hints in the remarks. */
  teardownProbability: number
}

export type SaleRecord = Pick<ListingRecord, 'parcel' | 'home'> & {
  saleId: string
  soldOn: Day
  priceUsd: number
  listing?: ListingRecord
}

export type Simulation = ReturnType<typeof newSimulation>

const newSimulation = (parcels: readonly SampleParcel[], seed: number) => ({
  seed,
  teardown: fitTeardownModel(parcels),
  listings: [] as ListingRecord[],
  sales: [] as SaleRecord[],
  /** For work after a sale: demolitions, new houses, remodels. */
  permits: [] as PermitRecord[],
  /** Events of one day run in the order scheduled. */
  events: new Map<Day, (() => void)[]>(),
  /** The last number of each series and year. */
  numbers: new Map<string, number>(),
})

const offMarketShare = 0.03
const weekdayFactor = [0.2, 0.9, 1.2, 1.3, 1.7, 1.4, 0.3]

export function simulateMarket(parcels: readonly SampleParcel[], seed: number, today: Day): Simulation {
  const simulation = newSimulation(parcels, seed)
  for (const parcel of parcels)
    parcel.offMarketUntil = simulationStart + randomFor(seed, 'held', parcel.index).int(-900, 500)
  const cities = cityActivity.map((activity, i) => ({
    activity,
    homes: parcels.filter(({ zone }) => zone.city === activity.city),
    due: randomFor(seed, 'due', i).unit(),
  }))
  for (let day = simulationStart; day <= today; day++) {
    for (const event of simulation.events.get(day) ?? []) event()
    for (const city of cities) {
      city.due += listingStartsOn(city.activity, day)
      for (let k = 0; city.due >= 1; city.due--, k++) {
        const random = randomFor(seed, 'start', day, k, city.activity.city)
        let parcel = random.pick(city.homes)
        while (parcel.offMarketUntil > day) parcel = random.pick(city.homes)
        if (random.chance(offMarketShare)) sellOffMarket(simulation, parcel, day)
        else list(simulation, parcel, day)
      }
    }
  }
  return simulation
}

const schedule = ({ events }: Simulation, day: Day, event: () => void): void =>
  void valueAt(events, day, () => []).push(event)

/** Consecutive within the series and year: 2600001, 2600002, … */
const nextNumber = ({ numbers }: Simulation, series: string, day: Day): string => {
  const year = isoDate(day).slice(2, 4)
  const number = (numbers.get(series + year) ?? 0) + 1
  numbers.set(series + year, number)
  return `${year}${String(number).padStart(5, '0')}`
}

const listingStartsOn = ({ salesPerYear, market }: CityActivity, day: Day): number =>
  (salesPerYear / 365.25) * (sampleMarket(market).listingSeason[monthOf(day)]! / 8.35) * weekdayFactor[weekdayOf(day)]!

/** A relisted home asks a little less. */
function list(simulation: Simulation, parcel: SampleParcel, day: Day, relisted = false): void {
  const { market } = parcel.zone
  const random = randomFor(simulation.seed, 'listing', parcel.index, day)
  const listing = {
    listingId: `${sampleMarket(market).listingPrefix}${nextNumber(simulation, market, day)}`,
    teardownProbability: simulation.teardown(parcel, day),
    ...drawListing(parcel, day, relisted, random),
  }
  simulation.listings.push(listing)
  parcel.offMarketUntil = Number.POSITIVE_INFINITY
  const { listingId, home, soldOn, soldPriceUsd, withdrawnOn } = listing
  if (withdrawnOn === undefined)
    sell(simulation, { saleId: `D-${listingId}`, parcel, home, soldOn, priceUsd: soldPriceUsd, listing })
  else
    schedule(simulation, withdrawnOn, () => {
      if (random.chance(relisted ? 0.3 : 0.6)) listOn(simulation, parcel, withdrawnOn + random.int(12, 110), true)
      else parcel.offMarketUntil = withdrawnOn + random.int(200, 800)
    })
}

function listOn(simulation: Simulation, parcel: SampleParcel, day: Day, relisted = false): void {
  const listedOn = onWeekday(day)
  schedule(simulation, listedOn, () => list(simulation, parcel, listedOn, relisted))
}

/** A sale that was never listed: between neighbors, within a family, or to a builder who approached the owner. */
function sellOffMarket(simulation: Simulation, parcel: SampleParcel, day: Day): void {
  const random = randomFor(simulation.seed, 'quiet', parcel.index, day)
  const soldOn = onWeekday(day + random.int(20, 45))
  const home = homeAt(parcel, day)
  const priceUsd = Math.round((valueUsd(parcel, home, day) * Math.exp(random.normal() * 0.09 - 0.03)) / 1_000) * 1_000
  parcel.offMarketUntil = Number.POSITIVE_INFINITY
  const saleId = `D-Q${nextNumber(simulation, 'quiet', day)}`
  sell(simulation, { saleId, parcel, home, soldOn, priceUsd })
}

function sell(simulation: Simulation, sale: SaleRecord): void {
  schedule(simulation, sale.soldOn, () => {
    simulation.sales.push(sale)
    scheduleAfterSale(simulation, sale)
  })
}

/** A sale, and the random generator of what follows it. */
interface Project {
  simulation: Simulation
  parcel: SampleParcel
  soldOn: Day
  random: Random
  permit(kind: PermitKind, appliedOn: Day, issuedOn: Day, finaledOn: Day, sqft?: number): void
}

function scheduleAfterSale(simulation: Simulation, { parcel, soldOn, priceUsd }: SaleRecord): void {
  const { seed } = simulation
  const random = randomFor(seed, 'after', parcel.index, soldOn)
  const home = homeAt(parcel, soldOn)
  parcel.offMarketUntil = soldOn + random.int(500, 1500)
  // The assessor records the sale price some weeks later.
  const recordedOn = soldOn + random.int(40, 100)
  schedule(simulation, recordedOn, () => {
    const land = home.propertyType === 'land' ? 1 : clamp(0.62 + random.normal() * 0.08, 0.4, 0.85)
    const assessedLandUsd = Math.round(priceUsd * land)
    changeHome(parcel, recordedOn, { assessedLandUsd, assessedImprovementUsd: Math.round(priceUsd - assessedLandUsd) })
  })
  if (home.propertyType !== 'single_family') return
  const permit: Project['permit'] = (kind, appliedOn, issuedOn, finaledOn, sqft) => {
    const plan = { seed, parcel, kind, appliedOn, issuedOn, finaledOn, sqft, sortKey: `${soldOn}` }
    simulation.permits.push(makePermit(plan))
  }
  const project = { simulation, parcel, soldOn, random, permit }
  if (random.chance(simulation.teardown(parcel, soldOn))) rebuild(project)
  else if (home.condition < 0.5 && random.chance(0.09)) flip(project)
  else if (random.chance(home.condition < 0.45 ? 0.16 : 0.04)) improve(project)
}

/** Demolition three months to two years after the sale, then the new house with its related permits. */
function rebuild({ simulation, parcel, soldOn, random, permit }: Project): void {
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
  schedule(simulation, houseFinaled, () => {
    changeHome(parcel, houseFinaled, {
      livingSqft,
      ...roomsFor(livingSqft, random),
      yearBuilt: yearOf(houseFinaled),
      yearRenovated: undefined,
      stories: random.chance(0.85) ? 2 : 1,
      garageSqft: 20 * random.int(20, 32),
      fireplaces: random.int(1, 3),
      condition: 0.98,
    })
    // Two in three new houses are built for sale.
    if (random.chance(0.66)) listOn(simulation, parcel, houseFinaled + random.int(3, 60))
  })
}

function flip({ simulation, parcel, soldOn, random, permit }: Project): void {
  const appliedOn = onWeekday(soldOn + random.int(7, 45))
  const issuedOn = onWeekday(appliedOn + random.int(2, 30))
  const finaledOn = onWeekday(issuedOn + random.int(70, 190))
  parcel.offMarketUntil = finaledOn + 900
  parcel.sites.push({ from: appliedOn, to: finaledOn })
  permit('wholeRemodel', appliedOn, issuedOn, finaledOn)
  schedule(simulation, finaledOn, () => {
    changeHome(parcel, finaledOn, { condition: random.between(0.8, 0.93), yearRenovated: yearOf(finaledOn) })
    listOn(simulation, parcel, finaledOn + random.int(5, 30))
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
  schedule(simulation, finaledOn, () =>
    changeHome(parcel, finaledOn, {
      livingSqft: homeAt(parcel, finaledOn).livingSqft + addedSqft,
      beds: addedSqft > 400 ? before.beds + 1 : before.beds,
      baths: addedSqft > 250 ? before.baths + 1 : before.baths,
      condition: random.between(0.7, 0.9),
      yearRenovated: yearOf(finaledOn),
    }),
  )
}

function changeHome(parcel: SampleParcel, day: Day, change: Partial<Home>): void {
  parcel.homes.push({ ...homeAt(parcel, day), ...change, from: day })
}
