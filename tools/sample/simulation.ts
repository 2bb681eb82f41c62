// Simulates the housing market day by day: homes are listed, sell or fail to sell, and change after a sale.
// All events of a listing are drawn when it starts; the feeds show those up to their date.

import { valueAt } from '../../src/common/typed.ts'
import { type Day, isoDate, monthOf, onWeekday, simulationStart, weekdayOf } from './calendar.ts'
import { drawListing } from './listings.ts'
import { type Home, homeAt, type SampleParcel } from './parcels.ts'
import type { PermitRecord } from './permits.ts'
import { valueUsd } from './price.ts'
import { scheduleAfterSale } from './projects.ts'
import { randomFor } from './random.ts'
import { fitTeardownModel, type TeardownModel } from './teardown.ts'
import { type CityActivity, cityActivity, sampleMarket } from './zones.ts'

export type ListingRecord = ReturnType<typeof drawListing> & {
  listingId: string
  /** Not in the feeds, except as hints in the remarks. */
  teardownProbability: number
}

export interface SaleRecord {
  saleId: string
  parcel: SampleParcel
  home: Home
  soldOn: Day
  priceUsd: number
  listing?: ListingRecord
}

export interface Simulation {
  seed: number
  teardown: TeardownModel
  listings: ListingRecord[]
  sales: SaleRecord[]
  /** For work after a sale: demolitions, new houses, remodels. */
  permits: PermitRecord[]
  /** Events of one day run in the order scheduled. */
  schedule(day: Day, event: (day: Day) => void): void
  /** A relisted home asks a little less. */
  list(parcel: SampleParcel, day: Day, relisted?: boolean): void
}

const offMarketShare = 0.03
const weekdayFactor = [0.2, 0.9, 1.2, 1.3, 1.7, 1.4, 0.3]

export function simulateMarket(parcels: readonly SampleParcel[], seed: number, today: Day): Simulation {
  const scheduled = new Map<Day, ((day: Day) => void)[]>()
  const numbers = new Map<string, number>()
  /** Consecutive within the series and year: 2600001, 2600002, … */
  const nextNumber = (series: string, day: Day): string => {
    const year = isoDate(day).slice(2, 4)
    numbers.set(series + year, (numbers.get(series + year) ?? 0) + 1)
    return `${year}${String(numbers.get(series + year)).padStart(5, '0')}`
  }
  const simulation: Simulation = {
    ...{ seed, teardown: fitTeardownModel(parcels), listings: [], sales: [], permits: [] },
    schedule: (day, event) => void valueAt(scheduled, day, () => []).push(event),
    list: (parcel, day, relisted = false) =>
      startListing(simulation, parcel, day, relisted, nextNumber(parcel.zone.market, day)),
  }
  for (const parcel of parcels)
    parcel.offMarketUntil = simulationStart + randomFor(seed, 'held', parcel.index).int(-900, 500)
  const cities = cityActivity.map((activity, i) => ({
    activity,
    homes: parcels.filter(({ zone }) => zone.city === activity.city),
    due: randomFor(seed, 'due', i).unit(),
  }))
  for (let day = simulationStart; day <= today; day++) {
    for (const event of scheduled.get(day) ?? []) event(day)
    for (const city of cities) {
      city.due += listingStartsOn(city.activity, day)
      for (let k = 0; city.due >= 1; city.due--, k++) {
        const random = randomFor(seed, 'start', day, k, city.activity.city)
        let parcel = random.pick(city.homes)
        while (parcel.offMarketUntil > day) parcel = random.pick(city.homes)
        if (random.chance(offMarketShare)) sellOffMarket(simulation, parcel, day, nextNumber('quiet', day))
        else simulation.list(parcel, day)
      }
    }
  }
  return simulation
}

const listingStartsOn = ({ salesPerYear, market }: CityActivity, day: Day): number =>
  (salesPerYear / 365.25) * (sampleMarket(market).listingSeason[monthOf(day)]! / 8.35) * weekdayFactor[weekdayOf(day)]!

function startListing(simulation: Simulation, parcel: SampleParcel, day: Day, relisted: boolean, number: string) {
  const random = randomFor(simulation.seed, 'listing', parcel.index, day)
  const listing = {
    listingId: `${sampleMarket(parcel.zone.market).listingPrefix}${number}`,
    teardownProbability: simulation.teardown(parcel, day),
    ...drawListing(parcel, day, relisted, random),
  }
  simulation.listings.push(listing)
  parcel.offMarketUntil = Number.POSITIVE_INFINITY
  const { listingId, home, soldOn, soldPriceUsd, withdrawnOn } = listing
  if (withdrawnOn === undefined)
    sell(simulation, { saleId: `D-${listingId}`, parcel, home, soldOn, priceUsd: soldPriceUsd, listing })
  else
    simulation.schedule(withdrawnOn, (day) => {
      if (!random.chance(relisted ? 0.3 : 0.6)) parcel.offMarketUntil = day + random.int(200, 800)
      else simulation.schedule(onWeekday(day + random.int(12, 110)), (then) => simulation.list(parcel, then, true))
    })
}

/** A sale that was never listed: between neighbors, within a family, or to a builder who approached the owner. */
function sellOffMarket(simulation: Simulation, parcel: SampleParcel, day: Day, number: string): void {
  const random = randomFor(simulation.seed, 'quiet', parcel.index, day)
  const soldOn = onWeekday(day + random.int(20, 45))
  const home = homeAt(parcel, day)
  const priceUsd = Math.round((valueUsd(parcel, home, day) * Math.exp(random.normal() * 0.09 - 0.03)) / 1_000) * 1_000
  parcel.offMarketUntil = Number.POSITIVE_INFINITY
  sell(simulation, { saleId: `D-Q${number}`, parcel, home, soldOn, priceUsd })
}

function sell(simulation: Simulation, sale: SaleRecord): void {
  simulation.schedule(sale.soldOn, () => {
    simulation.sales.push(sale)
    scheduleAfterSale(simulation, sale)
  })
}
