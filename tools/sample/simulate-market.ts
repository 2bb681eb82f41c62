// Simulates the housing market day by day: homes are listed, sell or fail to sell, and change after a sale.
// All events of a listing are drawn when it starts; the feeds show those up to their date.

import { valueAt } from '../../src/common/typed.ts'
import { type Day, isoDate, monthOf, onWeekday, simulationStart, weekdayOf } from './calendar.ts'
import { drawListingTimeline } from './listing-timeline.ts'
import type { SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { valueUsd } from './price.ts'
import { scheduleAfterSale } from './projects.ts'
import { type Random, randomFor } from './random.ts'
import type { ListingRecord, MarketHistory, Simulation } from './simulation.ts'
import type { TeardownModel } from './teardown.ts'
import { type CityActivity, cityActivity, sampleMarket } from './zones.ts'

// Listings started per sale wanted. Failed listings are offset by resold flips and new houses.
const listingsPerSale = 1
const offMarketShare = 0.03

const weekdayFactor = [0.2, 0.9, 1.2, 1.3, 1.7, 1.4, 0.3]

export function simulateMarket(
  parcels: readonly SampleParcel[],
  teardown: TeardownModel,
  seed: number,
  today: Day,
): MarketHistory {
  const history: MarketHistory = { listings: [], sales: [], projectPermits: [], sites: new Map() }
  const scheduled = new Map<Day, ((day: Day) => void)[]>()
  const offMarketUntil = new Int32Array(parcels.length)
  const numbers = new Map<string, number>()
  const simulation: Simulation = {
    seed,
    history,
    teardown,
    schedule: (day, event) => void valueAt(scheduled, day, () => []).push(event),
    list: (...listing) => startListing(simulation, ...listing),
    nextNumber: (series, day) => {
      const year = isoDate(day).slice(2, 4)
      const next = (numbers.get(`${series}${year}`) ?? 0) + 1
      numbers.set(`${series}${year}`, next)
      return `${year}${String(next).padStart(5, '0')}`
    },
    keepOffMarket: (parcel, until) => {
      offMarketUntil[parcel.index] = until
    },
  }
  const drawToList = (homes: readonly SampleParcel[], day: Day, random: Random): SampleParcel | undefined => {
    for (let attempt = 0; attempt < 80; attempt++) {
      const parcel = random.pick(homes)
      if (offMarketUntil[parcel.index]! <= day) return parcel
    }
    return undefined
  }
  // At the start owners have held their homes for different lengths of time.
  for (const parcel of parcels)
    offMarketUntil[parcel.index] = simulationStart + randomFor(seed, 'held', parcel.index).int(-900, 500)
  const cities = cityActivity().map((activity, i) => ({
    activity,
    homes: parcels.filter((p) => p.zone.city === activity.city),
    due: randomFor(seed, 'due', i).unit(),
  }))
  for (let day = simulationStart; day <= today; day++) {
    for (const event of scheduled.get(day) ?? []) event(day)
    scheduled.delete(day)
    for (const city of cities) {
      city.due += listingStartsOn(city.activity, day)
      for (let k = 0; city.due >= 1; city.due--, k++) {
        const random = randomFor(seed, 'start', day, k, city.activity.city)
        const parcel = drawToList(city.homes, day, random)
        if (!parcel) continue
        if (random.chance(offMarketShare)) sellOffMarket(simulation, parcel, day)
        else simulation.list(parcel, day, 1, false)
      }
    }
  }
  return history
}

const activityOf = ({ zone }: SampleParcel): CityActivity =>
  cityActivity().find(({ market, city }) => market === zone.market && city === zone.city) as CityActivity

function listingStartsOn(activity: CityActivity, day: Day): number {
  const perDay = (activity.salesPerYear * listingsPerSale) / 365.25
  return (
    perDay *
    ((sampleMarket(activity.market).listingSeason[monthOf(day)] as number) / 8.35) *
    (weekdayFactor[weekdayOf(day)] as number)
  )
}

function startListing(simulation: Simulation, ...[parcel, day, askFactor, relisted]: Parameters<Simulation['list']>) {
  const activity = activityOf(parcel)
  const random = randomFor(simulation.seed, 'listing', parcel.index, day)
  const home = homeAt(parcel, day)
  const listing: ListingRecord = {
    listingId: `${sampleMarket(activity.market).listingPrefix}${simulation.nextNumber(activity.market, day)}`,
    parcel,
    home,
    teardownProbability: simulation.teardown.probability(parcel, day),
    relisted,
    ...drawListingTimeline(activity, home, valueUsd(parcel, home, day), day, askFactor, relisted, random),
  }
  simulation.history.listings.push(listing)
  simulation.keepOffMarket(parcel, day + 100_000)
  const { soldOn, soldPriceUsd, withdrawnOn } = listing
  if (soldOn !== undefined && soldPriceUsd !== undefined) {
    simulation.schedule(soldOn, () => {
      simulation.history.sales.push({
        saleId: `D-${listing.listingId}`,
        parcel,
        home,
        soldOn,
        priceUsd: soldPriceUsd,
        listing,
      })
      scheduleAfterSale(simulation, parcel, soldOn, soldPriceUsd)
    })
  } else if (withdrawnOn !== undefined)
    simulation.schedule(withdrawnOn, () => {
      const again = random.chance(relisted ? 0.3 : 0.6)
      if (again)
        simulation.schedule(onWeekday(withdrawnOn + random.int(12, 110)), (then) =>
          simulation.list(parcel, then, 0.955, true),
        )
      else simulation.keepOffMarket(parcel, withdrawnOn + random.int(200, 800))
    })
}

/** A sale that was never listed: between neighbors, within a family, or to a builder who approached the owner. */
function sellOffMarket(simulation: Simulation, parcel: SampleParcel, day: Day): void {
  const random = randomFor(simulation.seed, 'quiet', parcel.index, day)
  const soldOn = onWeekday(day + random.int(20, 45))
  const home = homeAt(parcel, day)
  const priceUsd = Math.round((valueUsd(parcel, home, day) * Math.exp(random.normal() * 0.09 - 0.03)) / 1_000) * 1_000
  const saleId = `D-Q${simulation.nextNumber('quiet', day)}`
  simulation.keepOffMarket(parcel, day + 100_000)
  simulation.schedule(soldOn, () => {
    simulation.history.sales.push({ saleId, parcel, home, soldOn, priceUsd })
    scheduleAfterSale(simulation, parcel, soldOn, priceUsd)
  })
}
