// Reads the parameters of a search into conditions, or answers with a 400 that names the parameter, what is accepted and an example.
import { badRequest } from '../errors.ts'
import { type ListingStatus, type MarketId, type OverlayName, onMarketStatuses } from '../facts.ts'
import { commaSeparated } from '../list-text.ts'
import { citySlug, defaultMarket, findCity, type LatLng, marketIds, marketOf } from '../markets.ts'
import { addressPatterns } from './address-condition.ts'
import { cityHints, zipHints } from './city-hint.ts'
import type { Condition, DateField, NumberField, TextField } from './conditions.ts'
import { boxArea, checkPoint, circleArea, polygonArea } from './geometry.ts'
import type { SearchKind } from './vocabulary.ts'

export interface Reading {
  kind: SearchKind
  /** The maximum number of positions in `within`. */
  maxPositions?: number
  /** The unrounded score at a percentile, by market. */
  thresholds?: (field: 'teardownRaw' | 'flippabilityRaw', percentile: number) => Record<string, number>
}

export interface Search {
  kind: SearchKind
  markets: readonly MarketId[]
  conditions: readonly Condition[]
  /** Given by lat and lng: rows have their distance from it. */
  point?: LatLng
  /** The criteria as understood, for the answer. */
  applied: Record<string, unknown>
  /** Corrections for cities that are not in the markets searched. */
  suggestions: readonly string[]
}

/** Parameters that set a bound on one value. */
const bounds: Readonly<
  Record<string, readonly ['atLeast' | 'atMost', NumberField] | readonly ['from' | 'to', DateField]>
> = {
  minPrice: ['atLeast', 'price'],
  maxPrice: ['atMost', 'price'],
  minTeardownScore: ['atLeast', 'teardownScore'],
  minFlippabilityScore: ['atLeast', 'flippabilityScore'],
  minAduScore: ['atLeast', 'aduScore'],
  minRedevelopmentScore: ['atLeast', 'redevelopmentScore'],
  minConditionScore: ['atLeast', 'conditionScore'],
  maxConditionScore: ['atMost', 'conditionScore'],
  minReturnPct: ['atLeast', 'returnPct'],
  minRoi: ['atLeast', 'developerRoi'],
  minProformaRoi: ['atLeast', 'proformaRoi'],
  minBeds: ['atLeast', 'beds'],
  maxBeds: ['atMost', 'beds'],
  minBaths: ['atLeast', 'baths'],
  minSqft: ['atLeast', 'sqft'],
  maxSqft: ['atMost', 'sqft'],
  minLotSize: ['atLeast', 'lotSize'],
  maxLotSize: ['atMost', 'lotSize'],
  minYearBuilt: ['atLeast', 'yearBuilt'],
  maxYearBuilt: ['atMost', 'yearBuilt'],
  maxDaysOnMarket: ['atMost', 'daysOnMarket'],
  minPriceCutPct: ['atLeast', 'priceCutPct'],
  minUnits: ['atLeast', 'maxUnits'],
  minValuation: ['atLeast', 'valuation'],
  maxValuation: ['atMost', 'valuation'],
  listedFrom: ['from', 'listedOn'],
  listedTo: ['to', 'listedOn'],
  soldFrom: ['from', 'soldOn'],
  soldTo: ['to', 'soldOn'],
  issuedFrom: ['from', 'issuedOn'],
  issuedTo: ['to', 'issuedOn'],
  appliedFrom: ['from', 'appliedOn'],
  appliedTo: ['to', 'appliedOn'],
  finaledFrom: ['from', 'finaledOn'],
  finaledTo: ['to', 'finaledOn'],
}

const choices: Readonly<Record<string, TextField>> = {
  propertyType: 'propertyType',
  zoning: 'zoning',
  sb9Status: 'sb9Status',
  permitClass: 'permitClass',
  listingStatus: 'status',
  status: 'status',
}

/** `input` has been checked against the schemas of the vocabulary. */
export const readSearch = (input: Readonly<Record<string, unknown>>, reading: Reading): Search => {
  const applied: Record<string, unknown> = {}
  const conditions: Condition[] = []
  const given = (name: string): boolean => input[name] !== undefined
  const searched = marketsOf(input.market as string | undefined)
  applied.market = searched.length === 1 ? searched[0] : 'all'

  const cities = given('city') ? cityNames(input.city as string) : []
  if (given('city')) readCity(cities, reading.kind, searched, conditions, applied)
  const zips = given('zip') ? readZip(input.zip as string, conditions, applied) : []
  if (given('address')) {
    const text = input.address as string
    conditions.push({ name: 'address', type: 'address', text, patterns: addressPatterns(text) })
    applied.address = input.address
  }
  for (const [name, field] of Object.entries(choices)) {
    if (!given(name)) continue
    const values = input[name] as readonly string[]
    conditions.push({ name, type: 'oneOf', field, values: field === 'status' ? statusesOf(values) : values })
    applied[name] = conditions.at(-1)!.type === 'oneOf' && field === 'status' ? statusesOf(values) : values
  }
  for (const [name, [type, field]] of Object.entries(bounds)) {
    if (!given(name)) continue
    conditions.push({ name, type, field, value: input[name] } as Condition)
    applied[name] = input[name]
  }
  for (const [name, field] of [
    ['minTeardownPercentile', 'teardownRaw'],
    ['minFlippabilityPercentile', 'flippabilityRaw'],
  ] as const) {
    if (!given(name)) continue
    const value = input[name] as number
    conditions.push({ name, type: 'rank', field, value, thresholds: reading.thresholds?.(field, value) ?? {} })
    applied[name] = value
  }
  if (given('q')) {
    const words = (input.q as string).split(/\s+/).filter(Boolean)
    if (words.length > 0) conditions.push({ name: 'q', type: 'words', words })
    applied.q = input.q
  }
  if (given('builder')) {
    conditions.push({ name: 'builder', type: 'contains', field: 'contractor', text: (input.builder as string).trim() })
    applied.builder = input.builder
  }
  if (input.excludeBlockers === true) {
    conditions.push({ name: 'excludeBlockers', type: 'notBlocked' })
    applied.excludeBlockers = true
  }
  readOverlays(input, conditions, applied)
  const point = readArea(input, reading, conditions, applied)
  return {
    kind: reading.kind,
    markets: searched,
    conditions,
    applied,
    suggestions: [...cityHints(cities, reading.kind, searched), ...zipHints(zips, searched)],
    ...(point ? { point } : {}),
  }
}

/** No market means the default market. */
const marketsOf = (name: string | undefined): readonly MarketId[] =>
  name === 'all' ? marketIds : [name === undefined ? defaultMarket : marketOf(name)!]

const readCity = (
  names: readonly string[],
  kind: SearchKind,
  searched: readonly MarketId[],
  conditions: Condition[],
  applied: Record<string, unknown>,
) => {
  applied.city = names.join(', ')
  if (kind === 'permits') {
    // The state is not a part of the name.
    const lower = names.map((name) => name.toLowerCase().replace(/, [a-z]{2}$/, ''))
    // A part of a name may be blank: every city contains it.
    if (lower.length > 0) conditions.push({ name: 'city', type: 'cityPart', parts: lower })
    return
  }
  const slugs = names.map(
    (name) => findCity(name, searched.length === 1 ? searched[0] : undefined)?.slug ?? citySlug(name),
  )
  conditions.push({ name: 'city', type: 'city', slugs })
}

const readZip = (text: string, conditions: Condition[], applied: Record<string, unknown>): readonly string[] => {
  const values = commaSeparated(text)
  const wrong = values.find((value) => !/^\d{5}$/.test(value))
  if (wrong !== undefined || values.length === 0)
    throw badRequest(
      `zip must be ZIP codes of five digits, separated by commas, for example 94025,94301; it is "${wrong ?? text}".`,
    )
  conditions.push({ name: 'zip', type: 'zip', values })
  applied.zip = values.join(',')
  return values
}

/** A state after a city belongs to it: "Springfield, IL, Menlo Park" are two cities. */
export const cityNames = (text: string): string[] => {
  const names: string[] = []
  for (const part of commaSeparated(text))
    if (/^[A-Z]{2}$/.test(part) && names.length > 0) names.push(`${names.pop()}, ${part}`)
    else names.push(part)
  return names
}

const statusesOf = (values: readonly string[]): string[] => [
  ...new Set(values.flatMap((value): readonly string[] => statusGroups[value] ?? [value])),
]

const statusGroups: Readonly<Record<string, readonly ListingStatus[]>> = {
  for_sale: ['active', 'coming_soon'],
  onMarket: onMarketStatuses,
}

const readOverlays = (
  input: Readonly<Record<string, unknown>>,
  conditions: Condition[],
  applied: Record<string, unknown>,
) => {
  const exclude = (input.exclude as OverlayName[] | undefined) ?? []
  const require = (input.require as OverlayName[] | undefined) ?? []
  const both = exclude.find((name) => require.includes(name))
  if (both) throw badRequest(`exclude and require must not both name ${both}; for example exclude=${both}.`)
  const unknown = input.unknown as 'keep' | 'drop' | undefined
  if (unknown !== undefined && exclude.length + require.length === 0)
    throw badRequest('unknown needs exclude or require, for example exclude=floodZone&unknown=drop.')
  for (const overlay of exclude)
    conditions.push({
      name: 'exclude',
      type: 'overlay',
      overlay,
      accepted: (unknown ?? 'keep') === 'keep' ? ['no', 'unknown'] : ['no'],
    })
  for (const overlay of require)
    conditions.push({
      name: 'require',
      type: 'overlay',
      overlay,
      accepted: (unknown ?? 'drop') === 'keep' ? ['yes', 'unknown'] : ['yes'],
    })
  if (exclude.length > 0) applied.exclude = exclude
  if (require.length > 0) applied.require = require
  if (exclude.length + require.length > 0)
    applied.unknown = unknown ?? (require.length > 0 && exclude.length === 0 ? 'drop' : 'keep')
}

const readArea = (
  { bbox, lat, lng, radiusMi, within }: Readonly<Record<string, unknown>>,
  { maxPositions = 2_000 }: Reading,
  conditions: Condition[],
  applied: Record<string, unknown>,
): LatLng | undefined => {
  const areas = Object.entries({ bbox, lat, within }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (areas.length > 1)
    throw badRequest(
      `${areas.join(' and ')} cannot be combined; give one area, for example bbox=-122.26,37.41,-122.12,37.50.`,
    )
  const circle = [lat, lng, radiusMi].filter((each) => each !== undefined).length
  if (circle !== 0 && circle !== 3)
    throw badRequest('lat, lng and radiusMi go together, for example lat=37.45&lng=-122.18&radiusMi=1.')
  const point = circle === 3 ? { lat: lat as number, lng: lng as number } : undefined
  if (bbox !== undefined) {
    conditions.push({ name: 'bbox', type: 'area', area: boxArea(bbox as number[]) })
    applied.bbox = bbox
  }
  if (point) {
    checkPoint(point)
    conditions.push({ name: 'radiusMi', type: 'area', area: circleArea(point, radiusMi as number) })
    Object.assign(applied, point, { radiusMi })
  }
  if (within !== undefined) {
    conditions.push({ name: 'within', type: 'area', area: polygonArea(within, maxPositions) })
    applied.within = within
  }
  return point
}
