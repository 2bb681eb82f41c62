// What vacant lots near a place sold for.
import { distanceMi } from '../domain/distance.ts'
import { medianIfAny } from '../intelligence/statistics/average.ts'

interface LandSale {
  propertyType?: string
  soldOn: string
  priceUsd: number
  lotSqft?: number
  lat?: number
  lng?: number
}

export interface LandSales {
  /** Medians of the sales within three miles and 24 months; undefined with fewer than five. */
  near(place: { lat?: number; lng?: number }): { usd: number; lotSqft: number; count: number } | undefined
}

const leastSales = 5
const radiusMiles = 3
const years = 2

/** Prices are at the level of `on`. */
export const landSalesNear = (sales: readonly LandSale[], on: string): LandSales => {
  const since = `${Number(on.slice(0, 4)) - years}${on.slice(4)}`
  const land = sales.filter(
    ({ propertyType, soldOn, lotSqft, lat, lng }) =>
      propertyType === 'land' && soldOn >= since && lotSqft && lat !== undefined && lng !== undefined,
  )
  return {
    near: ({ lat, lng }) => {
      if (lat === undefined || lng === undefined || land.length < leastSales) return undefined
      const found = land.filter((sale) => distanceMi({ lat, lng }, { lat: sale.lat!, lng: sale.lng! }) <= radiusMiles)
      if (found.length < leastSales) return undefined
      return {
        usd: Math.round(medianIfAny(found.map(({ priceUsd }) => priceUsd))!),
        lotSqft: Math.round(medianIfAny(found.map(({ lotSqft }) => lotSqft!))!),
        count: found.length,
      }
    },
  }
}
