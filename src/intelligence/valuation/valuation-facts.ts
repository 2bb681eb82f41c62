import { keysOf, tableOf, valueAt } from '../../common/typed.ts'
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

/** Converts degrees to kilometers around one point. Within a county the error is far below the distance between homes. */
export type Projection = ReturnType<typeof projectionAround>

export const projectionAround = (lat: number, lng: number) => ({
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

/**
 * The inputs of the value model, one column each; NaN means unknown. A test checks that none is demographic or a proxy for it. `day`
 * is the valuation or sale date, from which age is counted.
 */
function attributesOf(home: LocatedHome, projection: Projection, day: number) {
  const east = eastKmOf(home, projection)
  const north = northKmOf(home, projection)
  const logLivingSqft = logOf(home.livingSqft)
  const logLotSqft = logOf(home.lotSqft)
  const yearBuilt = plausibleYear(home.yearBuilt)
  const renovated = plausibleYear(home.yearRenovated)
  const effective = Number.isNaN(yearBuilt) ? renovated : Math.max(yearBuilt, renovated)
  const type = home.propertyType
  const flag = (wanted: PropertyType) => (type === undefined ? Number.NaN : type === wanted ? 1 : 0)
  return {
    eastKm: east,
    northKm: north,
    northEastKm: east + north,
    southEastKm: east - north,
    logLivingSqft,
    logLotSqft,
    beds: known(home.beds),
    baths: known(home.baths),
    yearBuilt,
    effectiveYear: Number.isNaN(renovated) ? yearBuilt : effective,
    ageYears: yearOfDay(day) - yearBuilt,
    logLotPerLiving: logLotSqft - logLivingSqft,
    logSizePerRoom: logLivingSqft - logOf(known(home.beds) + known(home.baths)),
    stories: known(home.stories),
    quality: known(home.quality),
    condition: known(home.condition),
    view: known(home.view),
    waterfront: home.waterfront === undefined ? Number.NaN : Number(home.waterfront),
    garageSqft: known(home.garageSqft),
    basementSqft: known(home.basementSqft),
    condo: flag('condo'),
    townhouse: flag('townhouse'),
    multiFamily: flag('multi_family'),
  }
}

export const writeAttributes = (
  out: Float32Array,
  offset: number,
  ...described: Parameters<typeof attributesOf>
): void => out.set(Object.values(attributesOf(...described)), offset)

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
  if (dateTexts.size > 20_000) dateTexts.clear()
  return valueAt(dateTexts, day, () => new Date(day * msPerDay).toISOString().slice(0, 10))
}

export const yearOfDay = (day: number): number => 1970 + day / 365.2425

const logOf = (value: number | undefined): number => (value !== undefined && value > 0 ? Math.log(value) : Number.NaN)

const known = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) ? Number.NaN : value

/** Assessors enter 0 for "unknown" or "never". */
const plausibleYear = (year: number | undefined): number =>
  year !== undefined && year >= 1600 && year <= 2200 ? year : Number.NaN

export const attributeNames = keysOf(attributesOf({ lat: 0, lng: 0 }, projectionAround(0, 0), 0))
export const attributeCount = attributeNames.length
export const attributeAt = tableOf(attributeNames, (_, at) => at)
