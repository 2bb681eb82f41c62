// Homes that are let: in every ZIP code and of every size, one about every 50 days. Rents rise with the prices of the ZIP code, but less.
import { mean } from '../../src/intelligence/statistics/average.ts'
import { type Day, isoDate } from './calendar.ts'
import type { FeedRow } from './feeds.ts'
import type { SampleParcel } from './parcels.ts'
import { randomFor } from './random.ts'
import { sampleMarket } from './zones.ts'

const daysBetween = 50
/** By bedrooms, from studios on; two bedrooms are 1. */
const bySize = [0.68, 0.82, 1, 1.35, 1.75]
/** A home that costs twice as much is let for about 27% more. */
const priceElasticity = 0.35
/** Above this, prices are those of large lots, which the rent of a small home does not follow. */
const mostUsd = 3_000_000

/** The rents of the days after `after`, up to and including `until`. */
export const rentRows = (parcels: readonly SampleParcel[], seed: number, after: Day, until: Day): FeedRow[] =>
  [...Map.groupBy(parcels, ({ zone, zip }) => `${zone.market} ${zip}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, homes]) => {
      const { zip, zone } = homes[0]!
      const price = Math.min(mean(homes.map((home) => home.zone.medianPriceUsd)), mostUsd)
      const level = sampleMarket(zone.market).twoBedroomRentUsd * (price / 2_000_000) ** priceElasticity
      return bySize.flatMap((factor, bedrooms) => {
        const first = randomFor(seed, 'rents', zip!, bedrooms).int(0, daysBetween - 1)
        const rows: FeedRow[] = []
        for (let n = Math.ceil((after + 1 - first) / daysBetween); first + n * daysBetween <= until; n++) {
          const amount = level * factor * Math.exp(0.12 * randomFor(seed, 'rent', zip!, bedrooms, n).normal())
          const [amountUsd, asOf] = [25 * Math.round(amount / 25), isoDate(first + n * daysBetween)]
          rows.push({ rentId: `${zip}-${bedrooms}-${n}`, market: zone.market, zip, bedrooms, amountUsd, asOf })
        }
        return rows
      })
    })
