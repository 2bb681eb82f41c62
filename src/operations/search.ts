// POST /v1/search: one search for listings, parcels and permits.

import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { readOwnNumbers } from '../criteria/read-own-numbers.ts'
import type { SearchKind } from '../criteria/table.ts'
import { criteriaOf } from '../criteria/vocabulary.ts'
import { dayOf } from '../domain/day.ts'
import { isOnMarket, type MarketId } from '../domain/facts.ts'
import { useSchemes } from '../domain/findings/laws.ts'
import { storedParts } from '../store/assessments/assessments.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type ParcelRow, parcelsByKey } from '../store/search/parcels.ts'
import { propertyNearMisses } from '../store/search/properties.ts'
import { type NearMiss, type ParcelItem, type SearchItem, searchAll } from '../wire/operations/search.ts'
import { countLimit } from '../wire/pagination.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { bestUseOf } from './decisions.ts'
import { rowsOf, signalsOf } from './list-market-signals.ts'
import type { Surface } from './listing-media.ts'
import { historyWindow, oneMarket, searchAnswer } from './listing-page.ts'
import { markNotAssessed } from './not-assessed.ts'
import { findPermits } from './permits.ts'
import { provenanceOf } from './provenance.ts'
import { type PropertyResult, searchProperties } from './search-properties.ts'
import { twoDecimals, unknownOverlays } from './served-values.ts'

const mostNearMisses = 3

export const searchAllRun = implement(searchAll, async (context, { kind, criteria = {}, ...rest }) => {
  const { db, caller, now } = context
  const explain = rest.explain ?? []
  const { applicable, ignored } = criteriaFor(kind, criteria)
  const input = { ...applicable, ...rest }
  const notes = ignored.length > 0 ? { ignored: ignored.map((name) => `criteria.${name}`) } : {}
  // Permits have no returns, but a misspelled assumption is an error here too.
  if (rest.assumptions) readOwnNumbers(rest.assumptions, 'assumptions')
  if (kind === 'permits') return { ...(await findPermits(context, input)), ...notes }

  const result = await searchProperties(context, input, {
    kind,
    base: kind,
    defaultSort: [{ field: kind === 'listings' ? 'rankScore' : 'redevelopmentScore', descending: true }],
    ...(kind === 'parcels' ? { countCap: countLimit } : {}),
  })
  const misses = explain.includes('nearMisses') ? await propertyNearMisses(db, result.query, mostNearMisses) : []
  const [rows, missed, current] = await Promise.all([
    itemsOf(context, kind, result, explain),
    itemsOf(context, kind, { ...result, keys: misses }, []),
    asOf(db, ['parcels', 'listings', 'sales'], oneMarket(result.search.markets)),
  ])
  const nearMisses = misses.flatMap(({ id, name, condition, value, by }): NearMiss[] => {
    const item = missed.find((each) => each.id === id)
    if (!item) return []
    const wanted = percentileOf(name, result.search.applied)
    const has = wanted && item.ranks?.[wanted.score]?.percentile
    return [
      has === undefined ? { item, condition, value, by } : { item, condition, value: has, by: wanted!.least - has },
    ]
  })
  const answer = searchAnswer(result, rows, { asOf: current, window: historyWindow(caller.limits, now) })
  return {
    ...answer,
    pagination: { ...answer.pagination, ...(kind === 'parcels' ? { totalCapped: result.totalCapped } : {}) },
    ...(explain.includes('nearMisses') ? { nearMisses } : {}),
    ...notes,
  }
})

/** Criteria of another kind are ignored. */
export const criteriaFor = (kind: SearchKind, criteria: object) => {
  const applies = criteriaOf(kind).map(([name]) => name)
  const entries = Object.entries(criteria)
  return {
    applicable: Object.fromEntries(entries.filter(([name]) => applies.includes(name))),
    ignored: entries.map(([name]) => name).filter((name) => !applies.includes(name)),
  }
}

/** For what is stored: a criterion that is ignored would let more rows through than its owner asked for. */
export const requireCriteriaOf = (kind: SearchKind, criteria: object): void => {
  const [wrong] = criteriaFor(kind, criteria).ignored
  if (wrong) throw badRequest(`criteria.${wrong} does not apply to ${kind}. Leave it out or choose another kind.`)
}

/** A near miss of a percentile is stated in percentiles, not in points of the score. */
const percentileOf = (
  name: string,
  { minTeardownPercentile, minFlippabilityPercentile }: PropertyResult['search']['applied'],
): { score: 'teardownScore' | 'flippabilityScore'; least: number } | undefined => {
  if (name === 'minTeardownPercentile') return { score: 'teardownScore', least: minTeardownPercentile ?? 0 }
  if (name === 'minFlippabilityPercentile') return { score: 'flippabilityScore', least: minFlippabilityPercentile ?? 0 }
  return undefined
}

const itemsOf = async (
  context: Context,
  kind: 'listings' | 'parcels',
  result: PropertyResult,
  explain: readonly string[],
): Promise<SearchItem[]> => {
  const { db, now, caller, publicUrl, surface, bulk } = context
  const links = (id: string) => ({ page: `${publicUrl}/properties/${id}`, api: `${publicUrl}/api/v1/properties/${id}` })
  if (kind === 'parcels') {
    const rows = await parcelsByKey(db, result.keys, windowStart(caller.limits, now), bulk?.hiddenSources)
    const distances = new Map(result.keys.map(({ id, distanceMi }) => [id, distanceMi]))
    return rows.map((row) => ({
      ...parcelItem(row, surface),
      distanceMi: twoDecimals(distances.get(row.id)),
      unknown: unknownOverlays(result.search.conditions, row.overlays),
      ...(explain.includes('overlays') ? { overlays: row.overlays } : {}),
      links: links(row.id),
    }))
  }
  const rows = await rowsOf(context, result)
  // Parts of a score may quote permits and sales before the history window.
  const explained = explain.includes('why') && windowStart(caller.limits, now) === undefined
  const parts = explained ? await partsOf(db, result.keys) : undefined
  const signals = await markNotAssessed(db, rows, signalsOf(rows, result, { today: dayOf(now), surface }))
  return signals.map((signal, at) => {
    const why = parts?.get(signal.id)?.teardown
    return {
      ...signal,
      ...(explain.includes('overlays') ? { overlays: rows[at]!.overlays } : {}),
      ...(why
        ? { why: [...why].sort((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, mostNearMisses) }
        : {}),
      links: links(signal.id),
    }
  })
}

const partsOf = async (db: Context['db'], keys: readonly { market: MarketId; id: string }[]) => {
  const partsByMarket = await Promise.all(
    [...Map.groupBy(keys, ({ market }) => market)].map(([market, some]) => {
      const ids = some.map(({ id }) => id)
      return storedParts(db, market, ids)
    }),
  )
  return new Map(partsByMarket.flatMap((each) => [...each]))
}

const parcelItem = (row: ParcelRow, surface: Surface): ParcelItem => ({
  ...pick(row, 'id', 'address', 'city', 'zip', 'apn', 'zoning'),
  lotSize: row.lotSqft,
  yearBuilt: row.yearBuilt,
  existingSqft: row.livingSqft,
  ...pick(row, 'allowableSqft', 'aduScore', 'homes'),
  allows: usesIn(row.allowedUses),
  redevelopmentScore: row.redevelopmentScore,
  class: row.redevelopmentClass,
  sb9Status: row.sb9Status,
  onMarket: isOnMarket(row.status),
  price: row.price,
  ...(row.value === undefined
    ? {}
    : { valueEstimate: { value: row.value, low: row.valueLow!, high: row.valueHigh!, asOf: row.assessedOn } }),
  lat: row.lat,
  lng: row.lng,
  bestUse: bestUseOf(row),
  asOf: row.assessedOn,
  source: provenanceOf(row, surface),
})

const usesIn = (stored: string | null | undefined) => {
  if (stored === null || stored === undefined) return undefined
  const uses = stored.split(' ')
  return useSchemes.filter((use) => uses.includes(use))
}
