// Lookup by address, parcel number, point or id, one or many at a time.

import type { Static } from 'typebox'
import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { addressKey, possibleApnKeys } from '../domain/address/address.ts'
import { compareStreets, splitKey, streetName } from '../domain/address/address-match.ts'
import { distanceMi } from '../domain/distance.ts'
import { type FieldSchema, fieldProblem } from '../domain/field-check.ts'
import { citySlug, jurisdictions } from '../domain/packs/markets.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import { asOf } from '../store/ingest/freshness.ts'
import {
  addressesLike,
  type FoundRow,
  type LookupScope,
  lookupExtras,
  propertiesAt,
  propertiesNear,
  propertiesOnStreetsLike,
  propertiesWithApn,
  propertyWithId,
} from '../store/properties/lookup.ts'
import type { BatchResult, LookupCandidate } from '../wire/lookup.ts'
import { LookupItem, type LookupPart, lookUpAddress, lookUpBatch, maxCandidates } from '../wire/operations/lookup.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import type { Surface } from './listing-media.ts'
import { type AddressMatch, lookUpTypedAddress, parseTypedAddress, type TypedAddress } from './look-up-address.ts'
import { provenanceOf } from './provenance.ts'
import { scoreOf } from './served-values.ts'

export type Item = Static<typeof LookupItem>
type Asking = Pick<Context, 'db' | 'caller' | 'now' | 'surface' | 'bulk'>

export const lookUpAddressRun = implement(lookUpAddress, async (context, { include = [], ...item }) => {
  const problem = problemOf(item)
  if (problem) throw badRequest(problem)
  const [result] = await lookUpItems(context, [item], include)
  const { ref: _, error: __, ...data } = result!
  // Only of the market that the answer is about: on a cluster, the node of another one may be down.
  const [market, ...others] = new Set(data.candidates.map((each) => each.market))
  const current = await asOf(context.db, ['parcels', 'listings', 'sales'], others.length === 0 ? market : undefined)
  return { success: true, data, asOf: current }
})

export const lookUpBatchRun = implement(lookUpBatch, async (context, { items, include = [] }) => {
  const { maxResults } = context.caller.limits
  if (items.length > maxResults)
    throw badRequest(
      `items has ${items.length} entries; your plan looks up at most ${maxResults} in one request. Send them in parts.`,
    )
  const [data, current] = await Promise.all([
    lookUpItems(context, items, include),
    asOf(context.db, ['parcels', 'listings', 'sales']),
  ])
  return { success: true, count: data.length, data, asOf: current }
})

/** The rows of all queries that end together are compared before anybody else is served. */
const itemsAtOnce = 20

/** Results in the order of the items. Each step of the search is one query for all items that need it. */
export const lookUpItems = async (
  { db, caller, now, surface, bulk }: Asking,
  items: readonly Item[],
  include: readonly LookupPart[],
): Promise<BatchResult[]> => {
  const scope: LookupScope = { db, since: windowStart(caller.limits, now), hiddenSources: bulk?.hiddenSources }
  const problems = items.map(itemProblem)
  const typed = items.map((item, at) =>
    problems[at] || item.address === undefined ? undefined : parseTypedAddress(item.address),
  )
  const places = typed.flatMap((each) => each?.at ?? [])
  const knownRows = await propertiesAt(scope, places)
  const findings: (AddressMatch | { error: string })[] = []
  for (let from = 0; from < items.length; from += itemsAtOnce)
    findings.push(
      ...(await Promise.all(
        items.slice(from, from + itemsAtOnce).map(async (item, index): Promise<AddressMatch | { error: string }> => {
          const error = problems[from + index]
          return error ? { error } : find(scope, item, typed[from + index], knownRows)
        }),
      )),
    )
  const most = Math.min(maxCandidates, caller.limits.maxResults)
  const shownCandidates = findings.map((finding) => ('error' in finding ? [] : finding.candidates.slice(0, most)))
  const keys = shownCandidates.flat().map(({ row: { market, id } }) => ({ market, id }))
  const extras = include.length === 0 ? undefined : await lookupExtras(scope, keys)
  return findings.map((finding, at) => {
    const ref = typeof items[at]?.ref === 'string' ? { ref: items[at].ref } : {}
    if ('error' in finding)
      return { ...ref, match: 'none', candidates: [], read: {}, covered: null, error: finding.error }
    const more = finding.candidates.length - shownCandidates[at]!.length
    const note = finding.note ?? (more > 0 ? `${more} more candidates are not shown.` : undefined)
    return {
      ...ref,
      ...finding,
      ...(note ? { note } : {}),
      candidates: shownCandidates[at]!.map(({ row, matched }) =>
        candidateOf(row, { matched, include, extras, surface }),
      ),
    }
  })
}

const itemSchemas = LookupItem.properties as unknown as Record<string, FieldSchema>

/** Items of a batch are checked here, so that a bad one is its own result. */
const itemProblem = (item: Item): string | undefined => fieldProblem(itemSchemas, item) ?? problemOf(item)

/** Why an item cannot be looked up. */
const problemOf = ({ address, apn, county, lat, lng, id }: Item): string | undefined => {
  if ((lat === undefined) !== (lng === undefined)) return 'lat and lng go together; give both or neither.'
  const ways = [address, apn, lat, id].filter((each) => each !== undefined).length
  if (ways === 0) return 'Give one of address, apn (with county), lat and lng, or id. Example: address=123 Main St'
  if (ways > 1) return 'Give only one of address, apn, lat and lng, or id.'
  if (county !== undefined && apn === undefined) return 'county goes with apn; for an address write the city or ZIP.'
  if (lat !== undefined && Math.abs(lat) > 60 && Math.abs(lng!) < 60)
    return `lat is ${lat} and lng is ${lng}; they look swapped.`
  return undefined
}

const find = (
  scope: LookupScope,
  { apn, county, lat, lng, id }: Item,
  typed: TypedAddress | undefined,
  knownRows: readonly FoundRow[],
): Promise<AddressMatch> => {
  if (typed) return lookUpTypedAddress(scope, typed, knownRows)
  if (apn !== undefined) return byApn(scope, apn, county)
  return id !== undefined ? byId(scope, id) : byPoint(scope, lat!, lng!)
}

const byApn = async (scope: LookupScope, apn: string, county: string | undefined): Promise<AddressMatch> => {
  const bare = (name: string) => citySlug(name.replace(/\bcounty\b/i, ''))
  const counties = new Map(jurisdictions().map((city) => [`${city.state} ${city.county}`, city]))
  const searched = [...counties.values()].filter((each) => county === undefined || bare(each.county) === bare(county))
  const keys = searched.flatMap((each) => possibleApnKeys(each.state, each.county, apn))
  const rows = keys.length > 0 ? await propertiesWithApn(scope, keys) : []
  const candidates = rows.map((row) => ({
    row,
    matched: { apn: 'same' as const, county: county === undefined ? ('not_given' as const) : ('same' as const) },
  }))
  return {
    match: rows.length === 0 ? 'none' : rows.length === 1 ? 'exact' : 'ambiguous',
    candidates,
    read: { apn: (keys[0] ?? apn).split(':').at(-1)!, ...(county === undefined ? {} : { county }) },
    covered: county === undefined ? (rows.length > 0 ? true : null) : searched.length > 0,
    ...(searched.length === 0 ? { note: `${county} is not a county of a loaded market.` } : {}),
  }
}

const byId = async (scope: LookupScope, id: string): Promise<AddressMatch> => {
  const market = marketOfProperty(id)
  const rows = market ? await propertyWithId(scope, market, id) : []
  return {
    match: rows.length > 0 ? 'exact' : 'none',
    candidates: rows.map((row) => ({ row, matched: { id: 'same' } })),
    read: { id },
    covered: rows.length > 0 ? true : null,
  }
}

/** A parcel has a point, not an outline, so the parcel under a point is never certain: the nearest are listed. */
const byPoint = async (scope: LookupScope, lat: number, lng: number): Promise<AddressMatch> => {
  const rows = await propertiesNear(scope, { lat, lng }, degreesAround, 50)
  const candidates = rows
    .map((row) => ({ row, matched: { distanceMi: distanceMi({ lat, lng }, { lat: row.lat!, lng: row.lng! }) } }))
    .filter(({ matched }) => matched.distanceMi <= nearMiles)
    .toSorted((a, b) => a.matched.distanceMi - b.matched.distanceMi)
    .map(({ row, matched }) => ({ row, matched: { distanceMi: Math.round(matched.distanceMi * 1000) / 1000 } }))
  return {
    match: candidates.length > 0 ? 'near' : 'none',
    candidates,
    read: { lat, lng },
    covered: candidates.length > 0,
    ...(candidates.length > 0 ? {} : { note: `No parcel is on record within ${nearMiles} miles of the point.` }),
  }
}

const nearMiles = 0.25
/** Contains a circle of `nearMiles` up to 60° north. */
const degreesAround = 0.0075

interface Telling {
  matched: LookupCandidate['matched']
  include: readonly LookupPart[]
  extras: Awaited<ReturnType<typeof lookupExtras>> | undefined
  surface: Surface
}

const candidateOf = (row: FoundRow, { matched, include, extras, surface }: Telling): LookupCandidate => {
  const extra = extras?.get(row.id)
  const visible = extra && !extra.hidden ? extra : undefined
  return {
    ...pick(row, 'id', 'address', 'city', 'zip'),
    market: row.market as LookupCandidate['market'],
    ...pick(row, 'apn', 'county', 'lat', 'lng'),
    matched,
    listing:
      include.includes('listing') && visible?.status
        ? {
            status: visible.status,
            ...pick(visible, 'price', 'listedOn'),
            ...(visible.status === 'sold' ? { soldPrice: visible.soldPrice, soldDate: visible.soldOn } : {}),
          }
        : undefined,
    scores:
      include.includes('scores') && extra
        ? {
            teardownScore: scoreOf(extra.teardownScore),
            flippabilityScore: scoreOf(visible?.flippabilityScore),
            returnPct: visible?.returnPct,
            aduScore: scoreOf(extra.aduScore),
            redevelopmentScore: scoreOf(extra.redevelopmentScore),
            sb9Status: extra.sb9Status,
          }
        : undefined,
    source: provenanceOf(row, surface),
  }
}

// Addresses that begin with what a visitor has typed so far, or else those on streets spelled like it.
const mostSuggestions = 8
/** Rows of similar streets that are compared letter by letter. */
const mostCompared = 60

export const addressSuggestions = async (
  { db, caller, now }: Pick<Context, 'db' | 'caller' | 'now'>,
  typed: string,
): Promise<Pick<FoundRow, 'id' | 'address' | 'city'>[]> => {
  const key = addressKey(typed.split(',')[0]!)
  // Fewer letters match too many streets.
  if (!/[A-Z]{2}/.test(key) || key.length < 4) return []
  const scope = { db, since: windowStart(caller.limits, now) }
  const rows = await addressesLike(scope, key, mostSuggestions)
  const [, number = '0', street = ''] = /^(\d{0,9})\S*? ?(\D.*)$/.exec(key) ?? []
  const words = street.split(' ')
  const name = streetName(words)
  // Too many streets are similar to a short name.
  if (rows.length > 0 || name.length < 5) return rows
  const similar = await propertiesOnStreetsLike(scope, name, Number(number), mostCompared)
  return similar
    .filter((row) => compareStreets(words, splitKey(row.addressKey).street).fit !== 'different')
    .slice(0, mostSuggestions)
}
