// Draws the events of one listing: asking prices, price cuts, contracts that close or fall through, sale or withdrawal.

import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, onWeekday } from './calendar.ts'
import { type Home, homeAt, type SampleParcel } from './parcels.ts'
import { valueUsd } from './price.ts'
import type { Random } from './random.ts'
import type { CityActivity } from './zones.ts'

export function drawListing(parcel: SampleParcel, day: Day, relisted: boolean, random: Random) {
  const { activity } = parcel.zone
  const { island } = activity
  const home = homeAt(parcel, day)
  const comingSoon = !relisted && random.chance(island ? 0.08 : 0.2)
  const listedOn = comingSoon ? onWeekday(day + random.int(4, 12)) : day
  const ratio = saleToList(activity, home, random)
  const marketValueUsd = valueUsd(parcel, home, day) * Math.exp(random.normal() * 0.055)
  const failsToSell = random.chance(island ? 0.13 : 0.07)
  // Homes that fail to sell were overpriced.
  const lastAsk = (marketValueUsd / ratio) * (relisted ? 0.955 : 1) * (failsToSell ? random.between(1.05, 1.18) : 1)
  // Homes that sell above asking sell faster.
  const speedFactor = Math.exp(clamp(-2.6 * (ratio - activity.saleToList), -0.7, 0.9))
  const days = Math.round(
    clamp(activity.medianDom * speedFactor * Math.exp(random.normal() * 0.55), 2, island ? 480 : 260),
  )
  const untilOffer = failsToSell ? Math.round(clamp(days * 2.2 + 30, 35, 420)) : days
  const asks = withCuts(lastAsk, listedOn, untilOffer, island, random)
  const listing = {
    parcel,
    home,
    /** First published; for a coming-soon listing some days before `listedOn`. */
    firstSeenOn: day,
    listedOn,
    /** Asking prices in order of date; the first is the original price. */
    asks,
    /** Periods under contract. If the home sells, the last one ends with the sale. */
    pendings: [] as { from: Day; until: Day }[],
  }
  if (failsToSell) return { ...listing, withdrawnOn: listedOn + untilOffer, soldOn: undefined, soldPriceUsd: undefined }
  let offerOn = listedOn + untilOffer
  if (random.chance(0.05)) {
    const until = offerOn + random.int(6, 18)
    listing.pendings.push({ from: offerOn, until })
    offerOn = until + random.int(4, 25)
  }
  const soldOn = onWeekday(offerOn + (island ? random.int(28, 75) : random.int(13, 34)))
  listing.pendings.push({ from: offerOn, until: soldOn })
  // A sale at list price matches it to the dollar.
  const lastUsd = asks.at(-1)!.usd
  const soldPriceUsd = ratio === 1 ? lastUsd : Math.round((lastUsd * ratio) / 1_000) * 1_000
  return { ...listing, withdrawnOn: undefined, soldOn, soldPriceUsd }
}

// Sale price divided by the last asking price. The distribution follows measured sales (right-skewed, 7% exactly at list price) and
// reproduces both the city's median ratio and its share of sales above list.
function saleToList(activity: CityActivity, home: Home, random: Random): number {
  const above = activity.shareAboveList + (home.condition < 0.3 ? 0.04 : 0)
  const atList = activity.island ? 0.22 : 0.07
  const draw = random.unit()
  if (draw < above) {
    const shape = 1.5
    const quantile = above > 0.5 ? 1 - 0.5 / above : 0.3
    const scale = Math.max(0.035, (activity.saleToList - 1) / (-Math.log(1 - quantile)) ** (1 / shape))
    return 1 + Math.min(0.45, Math.min(scale, 0.14) * (-Math.log(1 - random.unit())) ** (1 / shape) + 0.002)
  }
  if (draw < above + atList) return 1
  const below = 1 - above - atList
  const quantile = above + atList < 0.5 ? (0.5 - above - atList) / below : 0.5
  const mean = activity.saleToList < 1 ? (1 - activity.saleToList) / Math.max(0.12, -Math.log(1 - quantile)) : 0.028
  return 1 - Math.min(0.22, 0.003 + Math.min(mean, 0.09) * -Math.log(1 - random.unit()))
}

function withCuts(lastAsk: number, listedOn: Day, days: number, island: boolean, random: Random) {
  // On Nantucket this gives 0.6 cuts per listing, as counted in 2025 (275 price changes, 463 new listings).
  const daysPerCut = island ? 100 : 28
  const cuts = Math.min(3, random.chance(0.75) ? Math.floor(days / daysPerCut) : 0)
  const asks: { from: Day; usd: number }[] = []
  let usd = lastAsk
  for (let i = cuts; i >= 1; i--) {
    asks.unshift({ from: onWeekday(listedOn + Math.round((days * i) / (cuts + 1))), usd: roundedAsk(usd, random) })
    usd *= 1 + random.between(0.025, 0.07)
  }
  asks.unshift({ from: listedOn, usd: roundedAsk(usd, random) })
  return asks
}

/** Asking prices have typical endings: 998,000, 1,495,000, 2,388,888. */
function roundedAsk(usd: number, random: Random): number {
  const step = usd > 4_000_000 ? 100_000 : 50_000
  const draw = random.unit()
  if (draw < 0.04) return Math.round(usd / 10_000) * 10_000 - 1_112
  if (draw < 0.1) return Math.round(usd / 10_000) * 10_000 - 1
  if (draw >= 0.75) return Math.round(usd / 5_000) * 5_000
  const below = draw >= 0.55 ? 0 : draw < 0.34 ? 1_000 : random.chance(0.5) ? 5_000 : 2_000
  return Math.round(usd / step) * step - below
}
