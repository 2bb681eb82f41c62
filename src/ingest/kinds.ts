// What a row of each data set must contain, and how it becomes the row that is staged for loading.
import { hash } from 'node:crypto'
import { tableOf } from '../common/typed.ts'
import { addressKey, apnKey } from '../domain/address/address.ts'
import { type FactName, factTable, homeFactNames, lotFactNames } from '../domain/fact-table.ts'
import {
  type Dataset,
  listingStatuses,
  type MarketId,
  type OverlayName,
  type Overlays,
  overlayNames,
  permitClasses,
  type Tristate,
} from '../domain/facts.ts'
import { rentStatistics } from '../domain/findings/rent.ts'
import {
  cityOfZip,
  citySlug,
  findCity,
  jurisdictions,
  type LatLng,
  marketOf,
  stateOf,
} from '../domain/packs/markets.ts'
import type { SourceConfig } from '../domain/packs/source-config.ts'
import { webLink } from '../domain/packs/source-uses.ts'
import { idAlphabet, propertyIdPrefix } from '../domain/property-id.ts'
import { zipsWithZero } from '../domain/states.ts'
import type { Outline } from '../sources/outline.ts'
import type { StagedRow } from '../store/ingest/stage.ts'
import { builderKey, licenseKey } from '../wire/builders.ts'
import { date, type Facts, number, parcelName, reject, requireField, saleName, text } from './facts.ts'
import { isWithin, locate } from './geography.ts'
import { classifyPermit } from './permit-class.ts'
import type { ClassifiedPermit } from './permit-rules.ts'
import { classRules } from './permit-rules.ts'
import { permitStatus } from './permit-status.ts'
import { statedUnits } from './permit-units.ts'
import { cleanValuation } from './valuation.ts'
import { hasStreet, readDate } from './values.ts'
import { listingStatus, propertyType } from './vocabulary.ts'

type Build = (facts: Facts, config: SourceConfig) => StagedRow

const parcels: Build = (facts, config) => {
  const at = place(facts, config)
  const identity = at.apnKey ?? (at.addressKey && `${at.market}|${at.citySlug}|${at.addressKey}`)
  if (!identity && at.apn)
    reject(facts, 'no_county', 'The parcel number needs a county; set "county" in the source’s configuration')
  if (!identity) reject(facts, 'no_identity', 'The row has no parcel number and no address; one of them is needed')
  const [home, lot] = [factsOf(facts, homeFactNames), factsOf(facts, lotFactNames)]
  return {
    ...at,
    id: at.market && propertyId(at.market, identity ?? ''),
    address: at.address ?? parcelName(at.apn),
    addressKey: at.addressKey ?? `PARCEL ${at.apn}`,
    datedOn: dayOf(at.modifiedAt, facts.latest),
    sourceRecordId: text(facts, 'recordId') ?? at.apn ?? at.addressKey,
    zip: zipOf(facts, at.market),
    ...home,
    ...lot,
    // Counties that count the units of apartment houses only write 0 for a house.
    units: lot.units === 0 && (home.livingSqft || home.yearBuilt) ? undefined : lot.units,
    overlays: overlays(facts),
    ...outline(facts),
  }
}

/** Of two rows of one record the later is used, so the time is written in an order that sorts: "10/2/2026 3:15 PM" does not. */
const modifiedAt = (facts: Facts): string | undefined => {
  const given = text(facts, 'modifiedAt')
  const day = given === undefined || /^\d{4}-|^[\d.]+$/.test(given) ? undefined : readDate(given)
  if (typeof day !== 'string') return given
  const [, hour = '0', minute = '00', second = '00', half] =
    /\b(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([ap])?/i.exec(given!) ?? []
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  return `${day}T${String(hours).padStart(2, '0')}:${minute}:${second}`
}

/** The day a feed gives as the last change of a row. Not a day in the future, nor one before all records, which the database may refuse. */
const dayOf = (modifiedAt: string | undefined, latest: string): string | undefined => {
  const day = modifiedAt === undefined ? undefined : readDate(modifiedAt)
  return typeof day === 'string' && day > '1850-01-01' && day <= latest ? day : undefined
}

/**
 * Five digits; the four-digit extension does not help a search. A ZIP code that was a number may end in ".0" and lacks its
 * first 0 ("2554"), which is added where the state has such ZIP codes: elsewhere another digit is missing.
 */
const zipOf = (facts: Facts, market: MarketId | undefined): string | undefined => {
  const digits = /^(\d{4,5})(?:\.0|-?\d{4})?$/.exec(text(facts, 'zip') ?? '')?.[1]
  if (digits?.length !== 4) return digits
  return market && zipsWithZero[stateOf(market)]?.test(`0${digits}`) ? `0${digits}` : undefined
}

/** The bounds are for the spatial index. */
const outline = ({ values }: Facts): { outline?: string; bounds?: string } => {
  const polygons = values.outline as Outline | undefined
  if (!polygons) return {}
  const bounds = boundsOf(polygons)
  return {
    outline: JSON.stringify(polygons),
    bounds: `((${bounds.east},${bounds.north}),(${bounds.west},${bounds.south}))`,
  }
}

const boundsOf = (polygons: Outline) => {
  const bounds = { west: 180, south: 90, east: -180, north: -90 }
  for (const [lng, lat] of polygons.flat(2)) {
    bounds.west = Math.min(bounds.west, lng)
    bounds.east = Math.max(bounds.east, lng)
    bounds.south = Math.min(bounds.south, lat)
    bounds.north = Math.max(bounds.north, lat)
  }
  return bounds
}

const listings: Build = (facts, config) => {
  const at = place(facts, config)
  const raw = text(facts, 'status')
  const status = raw === undefined ? undefined : listingStatus(raw)
  if (raw === undefined) reject(facts, 'no_status', 'status is missing')
  else if (!status)
    reject(
      facts,
      'unknown_status',
      `status "${raw}" is not recognized; accepted are ${listingStatuses.join(', ')} and the usual MLS words`,
    )
  if (!at.addressKey && !at.apnKey)
    reject(facts, 'no_address', 'The row has no address and no parcel number; one of them is needed')
  return {
    ...at,
    listingId: requireField(facts, 'listingId', text(facts, 'listingId')),
    id: at.market && propertyId(at.market, at.apnKey ?? `${at.market}|${at.citySlug}|${at.addressKey}`),
    zip: zipOf(facts, at.market),
    status,
    rawStatus: raw,
    priceUsd: money(facts, 'priceUsd'),
    originalPriceUsd: money(facts, 'originalPriceUsd'),
    listedOn: date(facts, 'listedOn'),
    pendingOn: date(facts, 'pendingOn'),
    soldOn: date(facts, 'soldOn', facts.today),
    soldPriceUsd: money(facts, 'soldPriceUsd'),
    ...factsOf(facts, homeFactNames),
    remarks: text(facts, 'remarks'),
    photoUrls: (facts.values.photoUrls as string[] | undefined)?.filter((url) => /^https?:\/\/[^\s<>"]+$/i.test(url)),
    listingUrl: webLink(text(facts, 'listingUrl')),
    visionAnalysis: text(facts, 'visionAnalysis'),
  }
}

const sales: Build = (facts, config) => {
  const at = place(facts, config)
  const soldOn = requireField(facts, 'soldOn', date(facts, 'soldOn', facts.today))
  const saleId = text(facts, 'saleId') ?? saleName({ ...at, soldOn })
  return {
    ...at,
    saleId: requireField(facts, 'saleId', saleId),
    soldOn,
    priceUsd: requireField(facts, 'priceUsd', money(facts, 'priceUsd')),
    listPriceUsd: money(facts, 'listPriceUsd'),
    listedOn: date(facts, 'listedOn'),
    daysOnMarket: zeroOr(facts, 'daysOnMarket', 1, 10_000),
    ...factsOf(facts, homeFactNames),
    remarks: text(facts, 'remarks'),
  }
}

const permits: Build = (facts, config) => {
  const rawStatus = text(facts, 'status')
  const rawValuation = text(facts, 'valuation')
  const sqft = number(facts, 'sqft', 1, 20_000_000)
  const projectType = text(facts, 'projectType')
  const description = text(facts, 'description')
  const status = permitStatus(rawStatus)
  if (status === 'unknown' && rawStatus) facts.left.push(`status: "${rawStatus}" is not recognized`)
  const valuationUsd = cleanValuation(rawValuation, sqft)
  if (rawValuation !== undefined && valuationUsd === undefined && !/^[\s$]*0*(\.0*)?$/.test(rawValuation))
    facts.left.push('valuation: the amount is a placeholder')
  const givenUnits = zeroOr(facts, 'units', 1, 10_000)
  const classified = givenClass(facts) ?? classifyPermit(projectType, description, classRules(config), givenUnits)
  return {
    ...place(facts, config),
    permitId: requireField(facts, 'permitId', text(facts, 'permitId')),
    projectType,
    description,
    valuationUsd,
    rawValuation,
    sqft,
    contractor: text(facts, 'contractor'),
    contractorKey: builderKey(text(facts, 'contractor')),
    contractorLicense: licenseKey(text(facts, 'contractorLicense')),
    architect: text(facts, 'architect'),
    // A future date is a typing error and would keep the permit first among the newest for years. The permit is real, so
    // the row is kept without that date.
    appliedOn: date(facts, 'appliedOn', facts.today),
    issuedOn: date(facts, 'issuedOn', facts.today),
    finaledOn: date(facts, 'finaledOn', facts.today),
    status,
    rawStatus,
    units: givenUnits ?? statedUnits(classified.permitClass, projectType, description),
    ...classified,
  }
}

/** The class that the source maps itself, for cities that publish one. */
const givenClass = (facts: Facts): ClassifiedPermit | undefined => {
  const given = text(facts, 'permitClass')
  if (given === undefined) return undefined
  const known = permitClasses.find((each) => each === given)
  if (!known) facts.left.push(`permitClass: "${given}" is not a class; accepted are ${permitClasses.join(', ')}`)
  return known && { permitClass: known, classWords: [] }
}

/** A rent belongs to a ZIP code or to a county, not to a property. */
const rents: Build = (facts, config) => {
  const market = marketNamed(config.market ?? text(facts, 'market'))
  const zip = zipOf(facts, market)
  const county = (config.county ?? text(facts, 'county'))?.replace(/ county$/i, '')
  if (!market) reject(facts, 'unknown_market', 'The market is not known; set "market" in the source’s configuration')
  if (zip === undefined && county === undefined)
    reject(facts, 'no_place', 'The row has no ZIP code and no county; one of them is needed')
  const city = jurisdictions().find(
    (each) =>
      each.market === market &&
      (zip === undefined ? each.county.toLowerCase() === county?.toLowerCase() : each.zipCodes.includes(zip)),
  )
  if (!city)
    reject(facts, 'outside_market', `No city of the market has the ${zip ? `ZIP code ${zip}` : `county ${county}`}`)
  const place = zip === undefined && city ? `${city.county} County` : city?.name
  const bedrooms = requireField(facts, 'bedrooms', zeroOr(facts, 'bedrooms', 0, 20))
  const asOf = requireField(facts, 'asOf', date(facts, 'asOf', facts.today))
  const statistic = text(facts, 'statistic')?.toLowerCase() ?? 'rent'
  if (!(rentStatistics as readonly string[]).includes(statistic))
    reject(
      facts,
      'unknown_statistic',
      `statistic "${statistic}" is not known; accepted are ${rentStatistics.join(', ')}`,
    )
  return {
    market,
    city: place,
    citySlug: citySlug(place ?? ''),
    zip,
    county: zip === undefined ? city?.county : undefined,
    rentId: text(facts, 'rentId') ?? `${zip ?? county} ${bedrooms} ${asOf} ${statistic}`,
    bedrooms,
    amountUsd: requireField(facts, 'amountUsd', number(facts, 'amountUsd', 100, 100_000)),
    asOf,
    statistic,
    sourceUrl: webLink(text(facts, 'sourceUrl')),
    modifiedAt: modifiedAt(facts),
  }
}

export const kinds: Readonly<Record<Dataset, Build>> = { parcels, listings, sales, permits, rents }

/** Market prefix plus 80 bits of a hash, so every machine derives the same id. Set on first load and never changed. */
const propertyId = (market: MarketId, identity: string): string => {
  const bytes = hash('sha256', identity, 'buffer')
  let id = propertyIdPrefix(market)
  for (let at = 0; at < 80; at += 5) {
    const two = (bytes[at >> 3]! << 8) | bytes[(at >> 3) + 1]!
    id += idAlphabet[(two >> (11 - (at & 7))) & 31]
  }
  return id
}

const place = (facts: Facts, config: SourceConfig) => {
  const namedMarket = marketNamed(config.market ?? text(facts, 'market'))
  const named =
    config.city ?? text(facts, 'city') ?? cityByZip(facts, namedMarket) ?? requireField(facts, 'city', undefined) ?? ''
  const known = cityOf(named, namedMarket)
  const market = namedMarket ?? known.market
  if (!market && !facts.rejection)
    reject(facts, 'unknown_market', `${named} is in no known market; set "market" in the source's configuration`)
  if (market && known.market && known.market !== market)
    reject(
      facts,
      'other_market',
      `${known.name} is in the market ${known.market}, not in ${market}; check "market" and "city"`,
    )
  const state = market && stateOf(market)
  const apn = text(facts, 'apn')
  const given = text(facts, 'address')
  const address = given !== undefined && hasStreet(given) ? given : undefined
  if (given !== address) facts.left.push('address: has no street name')
  const lat = facts.values.lat as number | undefined
  const lng = facts.values.lng as number | undefined
  const onEarth =
    lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0)
  if (!onEarth && (lat !== undefined || lng !== undefined)) facts.left.push('lat, lng: not a valid location')
  const isPlausible = onEarth && market !== undefined && isInPlace(facts, market, known, lat, lng)
  const county =
    config.county ??
    text(facts, 'county') ??
    known.county ??
    (market && onlyCounty(market, zipOf(facts, market), onEarth ? { lat, lng } : undefined))
  if (apn && market && !county)
    facts.left.push('county: not known from the city, the ZIP code or the point; set "county" in the source')
  const sourceUrl = text(facts, 'sourceUrl')
  return {
    market,
    state,
    city: known.name,
    citySlug: known.slug,
    county,
    apn,
    apnKey: apn && county && state ? apnKey(state, county, apn) : undefined,
    address,
    addressKey: (address && addressKey(address)) || undefined,
    lat: isPlausible ? lat : undefined,
    lng: isPlausible ? lng : undefined,
    sourceUrl: sourceUrl && /^https?:\/\//i.test(sourceUrl) ? sourceUrl : undefined,
    modifiedAt: modifiedAt(facts),
  }
}

/**
 * A point outside the market rejects the row, unless its city is known to be in the market: then the point is wrong, and only
 * the point is left out.
 */
const isInPlace = (facts: Facts, market: MarketId, city: CityOf, lat: number, lng: number): boolean => {
  const location = locate(market, city.name, lat, lng)
  if (location.at === 'inside') return true
  if (location.at === 'outside_city') facts.left.push(`lat, lng: ${location.reason}`)
  else if (city.market === market) facts.left.push('lat, lng: outside the market of the city')
  else reject(facts, 'outside_market', location.reason)
  return false
}

/** Some feeds name no city. The ZIP code says which, where one city of the market has it. */
const cityByZip = (facts: Facts, market: MarketId | undefined): string | undefined => {
  const zip = zipOf(facts, market) ?? text(facts, 'zip')
  return zip !== undefined && market !== undefined ? cityOfZip(zip, market)?.name : undefined
}

/** Cached because a feed repeats few city names. A city outside the markets keeps the name the feed gives. */
const cityOf = (name: string, market: MarketId | undefined): CityOf => {
  const key = `${market ?? ''} ${name}`
  const seen = cityCache.get(key)
  if (seen) return seen
  // A name of another market is still recognized, so that the row is rejected with that reason.
  const city = (market && findCity(name, market)) ?? findCity(name)
  const match = city
    ? { name: city.name, slug: city.slug, market: city.market, county: city.county }
    : { name, slug: citySlug(name) }
  if (cityCache.size > 10_000) cityCache.clear()
  cityCache.set(key, match)
  return match
}
interface CityOf {
  name: string
  slug: string
  market?: MarketId
  county?: string | undefined
}
/**
 * The county of a town that the pack does not list, where the market lies in one county. Without a county, parcel numbers
 * identify nothing. A feed may reach into the next county, so the row's own ZIP code and point decide: if it has one and none is
 * in the market, it has no county. A row with neither shows no other county, and gets the market's.
 */
const onlyCounty = (market: MarketId, zip: string | undefined, point: LatLng | undefined): string | undefined => {
  const places = jurisdictions().filter((each) => each.market === market)
  const isInMarket = places.some(
    ({ zipCodes, box }) =>
      (zip !== undefined && zipCodes.includes(zip)) || (point && isWithin(box, 0, point.lat, point.lng)),
  )
  const isElsewhere = !isInMarket && (zip !== undefined || point !== undefined)
  return !isElsewhere && new Set(places.map((each) => each.county)).size === 1 ? places[0]!.county : undefined
}
const cityCache = new Map<string, CityOf>()

const marketNamed = (name: string | undefined) => (name === undefined ? undefined : marketOf(name))

const factsOf = (facts: Facts, names: readonly FactName[]) => tableOf(names, (name) => factOf(facts, name))

const factOf = (facts: Facts, name: FactName): unknown => {
  const { type, range, zero, alias } = factTable[name]
  if (type === 'propertyType') return knownType(facts, name)
  if (type === 'year') return number(facts, name, 1600, Number(facts.latest.slice(0, 4)) + 3)
  if (!range) return facts.values[name]
  const read = zero ? zeroOr : number
  return read(facts, name, ...range) ?? (alias && read(facts, alias, ...range))
}

const knownType = (facts: Facts, field: string) => {
  const kind = text(facts, field)
  const known = kind === undefined ? undefined : propertyType(kind)
  if (kind !== undefined && !known) facts.left.push(`${field}: not recognized`)
  return known
}

/** 0 is a value here: no garage, no view. */
const zeroOr = (facts: Facts, field: string, min: number, max: number): number | undefined =>
  facts.values[field] === 0 ? 0 : number(facts, field, min, max)

const money = (facts: Facts, field: string): number | undefined => number(facts, field, 1, 10_000_000_000)

const overlays = (facts: Facts): Overlays => {
  const overlays: Partial<Record<OverlayName, Tristate>> = {}
  for (const name of overlayNames) {
    const value = facts.values[`overlay.${name}`] as Tristate | undefined
    if (value !== undefined) overlays[name] = value
  }
  return overlays
}
