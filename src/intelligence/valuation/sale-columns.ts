// Sales as typed-array columns in order of date, so that 200,000 of them fit in tens of megabytes.

import { valueAt } from '../../common/typed.ts'
import { propertyTypes } from '../../domain/facts.ts'
import { indexPoints } from './nearest-sales.ts'
import {
  attributeAt,
  attributeCount,
  dayOf,
  type LocatedHome,
  projectionAround,
  type ValuationHome,
  type ValuationSale,
  writeAttributes,
} from './valuation-facts.ts'

export type SaleColumns = ReturnType<typeof readSales>

export const unknownType = 255

/** Sales before `asOf` that can be used for training: with a price, a living area and coordinates. */
export function readSales(sales: readonly ValuationSale[], asOf: string) {
  const asOfDay = dayOf(asOf)
  if (Number.isNaN(asOfDay)) throw new RangeError(`asOf is not a date: ${asOf}`)
  const usable: { sale: ValuationSale & LocatedHome; day: number }[] = []
  for (const sale of sales) {
    const day = dayOf(sale.soldOn)
    const isUsable = day < asOfDay && sale.priceUsd > 0 && (sale.livingSqft ?? 0) > 0
    if (isUsable && isPoint(sale)) usable.push({ sale, day })
  }
  usable.sort((a, b) => a.day - b.day || (a.sale.saleId < b.sale.saleId ? -1 : a.sale.saleId > b.sale.saleId ? 1 : 0))
  const n = usable.length
  const projection = projectionAround(middle(usable.map((k) => k.sale.lat)), middle(usable.map((k) => k.sale.lng)))
  const attributes = new Float32Array(n * attributeCount)
  const cityCodes = new Map<string, number>()
  const homes = new Map<string, number>()
  const columns = {
    day: new Float64Array(n),
    priceUsd: new Float64Array(n),
    logPpsf: new Float64Array(n),
    east: new Float32Array(n),
    north: new Float32Array(n),
    /** Index into the contract's property types; 255 if unknown. */
    type: new Uint8Array(n),
    /** Index into `cities`; -1 if unknown. */
    city: new Int32Array(n),
    /** The same number for every sale of one home. */
    home: new Int32Array(n),
    /** Index of the previous sale of the same home, or -1. */
    previous: new Int32Array(n).fill(-1),
  }
  const lastOfHome: number[] = []
  for (let i = 0; i < n; i++) {
    const { sale, day } = usable[i]!
    writeAttributes(attributes, i * attributeCount, sale, projection, day)
    columns.day[i] = day
    columns.priceUsd[i] = sale.priceUsd
    columns.logPpsf[i] = Math.log(sale.priceUsd / sale.livingSqft!)
    columns.east[i] = attributes[i * attributeCount + attributeAt.eastKm]!
    columns.north[i] = attributes[i * attributeCount + attributeAt.northKm]!
    columns.type[i] = typeCode(sale)
    columns.city[i] = sale.city ? codeOf(cityCodes, cityKey(sale.city)) : -1
    const home = codeOf(homes, homeKey(sale))
    columns.home[i] = home
    const last = lastOfHome[home]
    // Two records within 30 days are the same closing, not a resale.
    if (last !== undefined) columns.previous[i] = day - columns.day[last]! >= 30 ? last : columns.previous[last]!
    lastOfHome[home] = i
  }
  return {
    count: n,
    asOfDay,
    projection,
    saleId: usable.map((k) => k.sale.saleId),
    ...columns,
    attributes,
    cities: [...cityCodes.keys()],
    homes,
    /** By home: index of its last sale. */
    lastOfHome: Int32Array.from(lastOfHome),
  }
}

export type SalesByType = ReturnType<typeof indexByType>

/** The sales from a day on, together and of each property type that has enough. */
export function indexByType({ count, day, type, east, north }: SaleColumns, fromDay: number, fewestOfType: number) {
  const all = Int32Array.from({ length: count }, (_, i) => i).filter((i) => day[i]! >= fromDay)
  const byType = Map.groupBy(all, (i) => type[i]!)
  const indexed = [...byType].flatMap(([each, ids]) =>
    ids.length < fewestOfType ? [] : [[each, indexPoints(east, north, Int32Array.from(ids))] as const],
  )
  return { all: indexPoints(east, north, all), byType: new Map(indexed) }
}

export const typeCode = (home: ValuationHome): number =>
  home.propertyType === undefined ? unknownType : propertyTypes.indexOf(home.propertyType)

export const cityKey = (city: string): string => city.trim().toLowerCase()

/** Identifies a home by its id; without one by location, size and year, which also groups identical units of one building. */
export function homeKey(home: LocatedHome): string {
  const id = home.propertyId ?? home.apn
  if (id) return `id ${id}`
  return `${home.lat.toFixed(5)} ${home.lng.toFixed(5)} ${home.livingSqft ?? ''} ${home.yearBuilt ?? ''}`
}

export function isPoint<Home extends ValuationHome>(home: Home): home is Home & LocatedHome {
  return (
    home.lat !== undefined &&
    home.lng !== undefined &&
    Math.abs(home.lat) <= 90 &&
    Math.abs(home.lng) <= 180 &&
    !(home.lat === 0 && home.lng === 0)
  )
}

function middle(values: readonly number[]): number {
  if (values.length === 0) return 0
  return Float64Array.from(values).sort()[values.length >> 1]!
}

const codeOf = (codes: Map<string, number>, key: string): number => valueAt(codes, key, () => codes.size)
