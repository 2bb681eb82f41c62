// Plays the sample's housing market day by day: homes come to market, sell or not, and change after they sell.
// Each listing's whole life is drawn when it begins; the feeds show of it what has happened by their date.

import type { Day } from './calendar.ts'
import { isoDate, monthOf, onWeekday, weekdayOf, worldStart, yearOf } from './calendar.ts'
import { listingLife } from './listing-life.ts'
import type { SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import type { ListingRecord, MarketHistory, Play } from './play.ts'
import { valueUsd } from './price.ts'
import { afterSale } from './projects.ts'
import { randomFor } from './random.ts'
import type { TeardownOdds } from './teardown.ts'
import type { CityPace } from './zones.ts'
import { cityPaces } from './zones.ts'

// Starts per sale wanted: some homes do not sell, but resold flips and new houses come on top.
const startsPerSale = { 'sf-peninsula': 1, nantucket: 1 } as const
const offMarketShare = 0.03

// Share of a year's new listings by month; the Peninsula's are its closings about six weeks earlier.
const listingSeason = {
  'sf-peninsula': [7.2, 8.8, 9.7, 10.1, 9.5, 9, 8.7, 8.9, 8.9, 7.6, 6.3, 5.5],
  nantucket: [4.3, 4.8, 8.4, 13.8, 11.7, 14.9, 9.7, 12.1, 7.1, 5.2, 5.4, 2.6],
} as const
const weekdays = [0.2, 0.9, 1.2, 1.3, 1.7, 1.4, 0.3]

export function playMarket(
  parcels: readonly SampleParcel[],
  odds: TeardownOdds,
  seed: number,
  today: Day,
): MarketHistory {
  const history: MarketHistory = { listings: [], sales: [], projectPermits: [], sites: new Map() }
  const booked = new Map<Day, ((day: Day) => void)[]>()
  const heldUntil = new Int32Array(parcels.length)
  const numbers = new Map<string, number>()
  const play: Play = {
    seed,
    history,
    odds,
    book: (day, event) => {
      const list = booked.get(day)
      if (list) list.push(event)
      else booked.set(day, [event])
    },
    list: (parcel, day, askFactor, relisted) =>
      startListing(play, paceOf(parcel), parcel, day, askFactor, relisted, numbers),
    hold: (parcel, until) => {
      heldUntil[parcel.index] = until
    },
  }
  // Owners have held their homes for different times when the world begins.
  for (const parcel of parcels)
    heldUntil[parcel.index] = worldStart + randomFor(seed, 'held', parcel.index).int(-900, 500)
  const towns = cityPaces.map((pace, i) => ({
    pace,
    homes: parcels.filter((p) => p.zone.city === pace.city),
    due: randomFor(seed, 'due', i).unit(),
  }))
  for (let day = worldStart; day <= today; day++) {
    for (const event of booked.get(day) ?? []) event(day)
    booked.delete(day)
    for (const town of towns) {
      town.due += startsOn(town.pace, day)
      for (let k = 0; town.due >= 1; town.due--, k++) {
        const random = randomFor(seed, 'start', day, k, town.pace.city)
        const parcel = freeHome(town.homes, heldUntil, day, random)
        if (!parcel) continue
        if (random.chance(offMarketShare)) sellQuietly(play, parcel, day, numbers)
        else play.list(parcel, day, 1, false)
      }
    }
  }
  return history
}

const pacesByCity = new Map(cityPaces.map((pace) => [pace.city, pace]))
const paceOf = (parcel: SampleParcel): CityPace => pacesByCity.get(parcel.zone.city) as CityPace

function startsOn(pace: CityPace, day: Day): number {
  const perDay = (pace.salesPerYear * startsPerSale[pace.market]) / 365.25
  return perDay * ((listingSeason[pace.market][monthOf(day)] as number) / 8.35) * (weekdays[weekdayOf(day)] as number)
}

function freeHome(
  homes: readonly SampleParcel[],
  heldUntil: Int32Array,
  day: Day,
  random: ReturnType<typeof randomFor>,
): SampleParcel | undefined {
  for (let attempt = 0; attempt < 80; attempt++) {
    const parcel = random.pick(homes)
    if ((heldUntil[parcel.index] as number) <= day) return parcel
  }
  return undefined
}

function startListing(
  play: Play,
  pace: CityPace,
  parcel: SampleParcel,
  day: Day,
  askFactor: number,
  relisted: boolean,
  numbers: Map<string, number>,
): void {
  const random = randomFor(play.seed, 'listing', parcel.index, day)
  const home = homeAt(parcel, day)
  const listing: ListingRecord = {
    listingId: `${pace.market === 'nantucket' ? 'NT' : 'SP'}${nextNumber(numbers, pace.market, day)}`,
    parcel,
    home,
    teardownOdds: play.odds.at(parcel, day),
    relisted,
    ...listingLife(pace, home, valueUsd(parcel, home, day), day, askFactor, relisted, random),
  }
  play.history.listings.push(listing)
  play.hold(parcel, day + 100_000)
  const { soldOn, soldPriceUsd, withdrawnOn } = listing
  if (soldOn !== undefined && soldPriceUsd !== undefined) {
    play.book(soldOn, () => {
      play.history.sales.push({
        saleId: `D-${listing.listingId}`,
        parcel,
        home,
        soldOn,
        priceUsd: soldPriceUsd,
        listing,
      })
      afterSale(play, parcel, soldOn, soldPriceUsd)
    })
  } else if (withdrawnOn !== undefined) {
    play.book(withdrawnOn, () => {
      const again = random.chance(relisted ? 0.3 : 0.6)
      if (again) play.book(onWeekday(withdrawnOn + random.int(12, 110)), (then) => play.list(parcel, then, 0.955, true))
      else play.hold(parcel, withdrawnOn + random.int(200, 800))
    })
  }
}

/** A sale that never was on the open market: neighbours, family, a builder's letter. */
function sellQuietly(play: Play, parcel: SampleParcel, day: Day, numbers: Map<string, number>): void {
  const random = randomFor(play.seed, 'quiet', parcel.index, day)
  const soldOn = onWeekday(day + random.int(20, 45))
  const home = homeAt(parcel, day)
  const priceUsd = Math.round((valueUsd(parcel, home, day) * Math.exp(random.normal() * 0.09 - 0.03)) / 500) * 500
  const saleId = `D-Q${nextNumber(numbers, 'quiet', day)}`
  play.hold(parcel, day + 100_000)
  play.book(soldOn, () => {
    play.history.sales.push({ saleId, parcel, home, soldOn, priceUsd })
    afterSale(play, parcel, soldOn, priceUsd)
  })
}

/** Numbers run on through the year: 2600001, 2600002, … */
function nextNumber(numbers: Map<string, number>, series: string, day: Day): string {
  const key = `${series}${yearOf(day)}`
  const next = (numbers.get(key) ?? 0) + 1
  numbers.set(key, next)
  return `${isoDate(day).slice(2, 4)}${String(next).padStart(5, '0')}`
}
