import { tableOf } from '../../common/typed.ts'
import type { HomeFacts, PropertyType } from '../../domain/facts.ts'

/** The facts of a home used for its value. The list price and anything about residents are excluded on purpose. */
export interface ValuationHome extends HomeFacts {
  lat?: number
  lng?: number
  city?: string
  /** Identifies sales of the same home; `apn` is used if it is missing. */
  propertyId?: string
  apn?: string
}

export interface ValuationSale extends ValuationHome {
  saleId: string
  soldOn: string
  priceUsd: number
}

/** The inputs of the value model, one column each. A test checks that none is demographic or a proxy for it. */
export const attributeNames = [
  'eastKm',
  'northKm',
  'northEastKm',
  'southEastKm',
  'logLivingSqft',
  'logLotSqft',
  'beds',
  'baths',
  'yearBuilt',
  'effectiveYear',
  'ageYears',
  'logLotPerLiving',
  'logSizePerRoom',
  'stories',
  'quality',
  'condition',
  'view',
  'waterfront',
  'garageSqft',
  'basementSqft',
  'condo',
  'townhouse',
  'multiFamily',
] as const
export const attributeCount = attributeNames.length

export const attributeAt = tableOf(attributeNames, (_, at) => at)

/** Converts degrees to kilometers around one point. Within a county the error is far below the distance between homes. */
export interface Projection {
  lat: number
  lng: number
  kmPerLat: number
  kmPerLng: number
}

export const projectionAround = (lat: number, lng: number): Projection => ({
  lat,
  lng,
  kmPerLat: 110.574,
  kmPerLng: 111.32 * Math.cos((lat * Math.PI) / 180),
})

export const eastKmOf = (at: { lng: number }, { lng, kmPerLng }: Projection): number => (at.lng - lng) * kmPerLng
export const northKmOf = (at: { lat: number }, { lat, kmPerLat }: Projection): number => (at.lat - lat) * kmPerLat

export interface LocatedHome extends ValuationHome {
  lat: number
  lng: number
}

/** Writes a home's attributes at `offset`; NaN means unknown. `day` is the valuation or sale date, from which age is counted. */
export function writeAttributes(
  out: Float32Array,
  offset: number,
  home: LocatedHome,
  projection: Projection,
  day: number,
): void {
  const east = eastKmOf(home, projection)
  const north = northKmOf(home, projection)
  const logLiving = logOf(home.livingSqft)
  const logLot = logOf(home.lotSqft)
  const yearBuilt = plausibleYear(home.yearBuilt)
  const renovated = plausibleYear(home.yearRenovated)
  const effective = Number.isNaN(renovated)
    ? yearBuilt
    : Number.isNaN(yearBuilt)
      ? renovated
      : Math.max(yearBuilt, renovated)
  const type = home.propertyType
  const flag = (wanted: PropertyType) => (type === undefined ? Number.NaN : type === wanted ? 1 : 0)
  out[offset + attributeAt.eastKm] = east
  out[offset + attributeAt.northKm] = north
  out[offset + attributeAt.northEastKm] = east + north
  out[offset + attributeAt.southEastKm] = east - north
  out[offset + attributeAt.logLivingSqft] = logLiving
  out[offset + attributeAt.logLotSqft] = logLot
  out[offset + attributeAt.beds] = known(home.beds)
  out[offset + attributeAt.baths] = known(home.baths)
  out[offset + attributeAt.yearBuilt] = yearBuilt
  out[offset + attributeAt.effectiveYear] = effective
  out[offset + attributeAt.ageYears] = yearOfDay(day) - yearBuilt
  out[offset + attributeAt.logLotPerLiving] = logLot - logLiving
  out[offset + attributeAt.logSizePerRoom] = logLiving - logOf(known(home.beds) + known(home.baths))
  out[offset + attributeAt.stories] = known(home.stories)
  out[offset + attributeAt.quality] = known(home.quality)
  out[offset + attributeAt.condition] = known(home.condition)
  out[offset + attributeAt.view] = known(home.view)
  out[offset + attributeAt.waterfront] = home.waterfront === undefined ? Number.NaN : Number(home.waterfront)
  out[offset + attributeAt.garageSqft] = known(home.garageSqft)
  out[offset + attributeAt.basementSqft] = known(home.basementSqft)
  out[offset + attributeAt.condo] = flag('condo')
  out[offset + attributeAt.townhouse] = flag('townhouse')
  out[offset + attributeAt.multiFamily] = flag('multi_family')
}

const msPerDay = 86_400_000

/** Days since 1970-01-01 of a YYYY-MM-DD date; NaN if it is not a date. */
export function dayOf(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}/.test(date)) return Number.NaN
  const ms = Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)))
  return Math.floor(ms / msPerDay)
}

/** Cached because comparables share few sale dates and each is formatted often. */
const dateTexts = new Map<number, string>()

export function dateOf(day: number): string {
  let date = dateTexts.get(day)
  if (date === undefined) {
    date = new Date(day * msPerDay).toISOString().slice(0, 10)
    if (dateTexts.size > 20_000) dateTexts.clear()
    dateTexts.set(day, date)
  }
  return date
}

export const yearOfDay = (day: number): number => 1970 + day / 365.2425

const logOf = (value: number | undefined): number => (value !== undefined && value > 0 ? Math.log(value) : Number.NaN)

const known = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) ? Number.NaN : value

/** Assessors enter 0 for "unknown" or "never". */
const plausibleYear = (year: number | undefined): number =>
  year !== undefined && year >= 1600 && year <= 2200 ? year : Number.NaN
