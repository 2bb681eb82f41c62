// Properties by criteria: keys of a page, totals, funnel and near misses. The history window is part of every query.

import { missedShare } from '../../criteria/amount.ts'
import { type Condition, conditionText } from '../../criteria/conditions.ts'
import type { SortField, SortKey } from '../../criteria/fields.ts'
import { hiddenWithListing, type NumberField, searchValues } from '../../criteria/search-columns.ts'
import { type Criterion, criteria } from '../../criteria/table.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { LeadKind, UseKind } from '../../domain/findings/laws.ts'
import { lotSplitStatuses } from '../../domain/findings/lot-split.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import type { FunnelStep } from '../../wire/pagination.ts'
import { bestLead } from '../assessments/leads.ts'
import { columnOf } from '../engine/columns.ts'
import { type Db, knownRows, rowsOf, sql } from '../engine/database.ts'
import { askGroups, groupOfAll, type Positioned } from '../engine/shard-groups.ts'
import { isNotHiddenSale, onMarket } from '../properties/listing-status.ts'
import { all, type Columns, compile, compileOne, distanceSql, readsAllOverlays, type Sql } from './compile.ts'
import {
  countOfGroups,
  evaluatedOnce,
  funnelOfGroups,
  type KeyPage,
  keysAfter,
  matchesOf,
  orderOf,
  type Position,
  pageOfGroups,
  positionOf,
  type SortValues,
  type Source,
  sortColumn,
  valueColumn,
} from './paging.ts'

/** `listings`: homes with a listing. `lot_split`: those on the market to which such a law applies. The others are parcels. */
export type PropertyBase = 'listings' | 'parcels' | 'redevelopment' | Exclude<LeadKind, UseKind>

/** The column behind `excludeBlockers`. */
const blockedColumn: Readonly<Record<PropertyBase, string>> = {
  listings: 'sb9_blocked',
  parcels: 'sb9_blocked',
  lot_split: 'sb9_blocked',
  accessory_unit: 'adu_blocked',
  redevelopment: 'redevelopment_blocked',
}

export interface PropertyQuery {
  base: PropertyBase
  markets: readonly MarketId[]
  conditions: readonly Condition[]
  sort: readonly SortKey[]
  point?: LatLng | undefined
  /** Start of the history window: older sales do not exist for the caller. */
  since?: string | undefined
  /** Days on the market are counted until today. */
  today: string
  /** Returns at the caller's own assumptions, in place of the stored ones. */
  ownColumns?: OwnColumns | undefined
  /** The homes of this use in place of the most homes of any. */
  use?: UseKind | undefined
}

/** One entry per home that can be modeled. */
export interface OwnColumns {
  ids: string[]
  returnPct: number[]
  returnAtExpectedPct: (number | null)[]
  developerRoi: number[]
  proformaRoi: number[]
}

const ownFields = [
  'returnPct',
  'returnAtExpectedPct',
  'developerRoi',
  'proformaRoi',
] as const satisfies readonly NumberField[]

/** The returns that conditions or order use. */
const usedReturns = ({ conditions, sort }: Pick<PropertyQuery, 'conditions' | 'sort'>) =>
  ownFields.filter((field) => [...conditions, ...sort].some((each) => 'field' in each && each.field === field))

/** Conditions on other fields than returns. */
export const withoutReturns = (conditions: readonly Condition[]): readonly Condition[] =>
  conditions.filter((each) => !usesReturns({ conditions: [each], sort: [] }))

export const usesReturns = (query: Pick<PropertyQuery, 'conditions' | 'sort'>): boolean => usedReturns(query).length > 0

export interface PropertyKey {
  market: MarketId
  id: string
  distanceMi?: number
  /** The values that the page is ordered by, for the cursor. */
  position: Position
}

/**
 * The first keys in order, after a position or an offset. `matches` is how many there are, if they were counted. At most `fewMatches` are
 * all read and sorted: the planner might read the whole market in the order of an index to find them. Of more, the first rows in order
 * are tested; if they do not fill the page, all matches are sorted.
 */
export const propertyKeys = (
  db: Db,
  query: PropertyQuery,
  page: KeyPage,
  matches?: number,
  rowsTested = 20_000,
): Promise<PropertyKey[]> =>
  pageOfGroups(db, query, page, async (group, markets, part) => {
    const groupQuery = { ...query, markets }
    if (matches === undefined || query.use) return keysOfGroup(group, groupQuery, part)
    if (matches > fewMatches && !isIndexedOrder(groupQuery)) return keysOfGroup(group, groupQuery, part)
    const first = matches > fewMatches ? await keysOfGroup(group, groupQuery, part, rowsTested) : []
    return first.length === part.limit ? first : keysOfGroup(group, groupQuery, part, 'sort')
  })
export const fewMatches = 1_000

/** Whether an index has all rows of the list in this order. In a history window the lot may be another than in the index. */
const isIndexedOrder = ({ base, markets, sort: [first, second], since }: PropertyQuery): boolean => {
  if (!first || second || markets.length > 1 || isListed({ base })) return false
  const { field, descending } = first
  return field === 'lotSize'
    ? !since
    : descending && field === (base === 'accessory_unit' ? 'aduScore' : 'redevelopmentScore')
}

const keysOfGroup = async (
  db: Db,
  query: PropertyQuery,
  page: KeyPage,
  /** All matches are sorted, or so many rows are tested in order. */
  by?: number | 'sort',
): Promise<PropertyKey[]> => {
  const { columns, base } = sourceOf(query)
  const keys = query.sort.map(({ field }) => sortKey(field, query, columns))
  const sortValues = keys.map((key, at) => sql`${key} as ${sql.ref(`sort_${at}`)}`)
  const distance = query.point ? [sql`${distanceSql(columns.location!, query.point)} as distance_mi`] : []
  const after = keysAfter(query.sort, keys, sql`s.property_id`, page.after)
  const first = sql`(select * from property_search s where ${all([...base, ...after])}
    order by ${orderOf(query.sort, keys, sql`s.property_id`)} limit ${Number(by) + page.offset + page.limit})`
  const { from, where } = sourceOf(query, false, typeof by === 'number' ? first : undefined)
  const order = orderOf(
    query.sort,
    keys.map((_, at) => sql.ref(`sort_${at}`)),
    sql`property_id`,
  )
  const rows = await rowsOf<SortValues & { market: MarketId; propertyId: string; distanceMi?: number }>(db)`
    select * from (
      select ${sql.join([sql`s.market`, sql`s.property_id`, ...sortValues, ...distance])}
      from ${from} where ${all([...where, ...after])} ${by === 'sort' ? evaluatedOnce : sql``}) m
    order by ${order} limit ${page.limit} offset ${page.offset}`
  return rows.map((row) => ({
    market: row.market,
    id: row.propertyId,
    ...(typeof row.distanceMi === 'number' ? { distanceMi: row.distanceMi } : {}),
    position: positionOf(row, query.sort, row.propertyId),
  }))
}

export interface PropertyPoint {
  id: string
  address: string
  price?: number
  rankScore?: number
  lat: number
  lng: number
}

/** The locations of the matches, for a map. */
export const propertyPoints = async (db: Db, query: PropertyQuery, limit: number): Promise<PropertyPoint[]> => {
  const { from, where, columns } = sourceOf(query)
  const order = query.sort.map(({ field }) => sortKey(field, query, columns))
  const points = await knownRows<Omit<PropertyPoint, 'address'> & { market: MarketId }>(handleOf(db, query))`
    select s.market, s.property_id as id, s.location[1] as lat, s.location[0] as lng, s.price, s.rank_score from ${from}
    where ${all([...where, sql`s.location is not null`])}
    order by ${orderOf(query.sort, order, sql`s.property_id`)} limit ${limit}`
  const addresses = await addressesOf(db, points)
  return points.flatMap(({ market: _, ...point }) => {
    const address = addresses.get(point.id)
    return address === undefined ? [] : [{ ...point, address }]
  })
}

const addressesOf = async (db: Db, points: readonly { market: MarketId; id: string }[]) => {
  const rows = await askGroups(
    db,
    points,
    ['market', 'id'],
    (group, k) => rowsOf<{ id: string; address: string } & Positioned>(group)`
      select k.key_order, p.id, p.address from ${k} join property p on p.market = k.market and p.id = k.id`,
  )
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** All matches, or up to the cap and one more. */
export const countProperties = (db: Db, query: PropertyQuery, cap?: number): Promise<number> =>
  countOfGroups(db, query.markets, (markets) => sourceOf({ ...query, markets, sort: [] }), cap)

/** How many rows remain after each condition, and how many would without it. */
export const propertyFunnel = (db: Db, query: PropertyQuery): Promise<FunnelStep[]> =>
  funnelOfGroups(db, query, (markets, met, lacking) => {
    const groupQuery = { ...query, markets, sort: [], conditions: lacking ? [...met, lacking] : met }
    return matchesOf(sourceOf(groupQuery, lacking?.type === 'overlay'), met, lacking)
  })

/** For a percentile, `value`, `bound` and `by` are scores. */
export interface NearMiss extends PropertyKey {
  condition: string
  name: string
  value: number | string
  bound: number | string
  by: number
}

/**
 * Rows that meet all conditions but one, those that miss it by the smallest share (`missedShare`) first. Only bounds have a
 * distance, so a row must meet all other conditions. Listings on the market are scanned once for all bounds. Parcels, and listings
 * with those sold long ago, can be twenty times as many, so each bound is read from its index, the nearest first.
 */
export const propertyNearMisses = async (db: Db, query: PropertyQuery, most: number): Promise<NearMiss[]> => {
  const { from, base, columns } = sourceOf(query)
  const bounds = query.conditions.flatMap((condition, at) => {
    if (!('value' in condition) || !('field' in condition)) return []
    const column = valueColumn(condition.field, columns)
    if (!column) return []
    // A percentile is reached at a score of its market.
    const bound = condition.type === 'rank' ? Math.max(0, ...Object.values(condition.thresholds)) : condition.value
    return [{ condition, bound, column, met: sql.ref(`met_${at}`), value: sql.ref(`value_${at}`) }]
  })
  if (bounds.length === 0) return []
  const others = query.conditions.filter((condition) => !bounds.some((each) => each.condition === condition))
  const boundValues = bounds.flatMap(({ condition, column, met, value }) => [
    sql`${compileOne(condition, columns)} as ${met}`,
    sql`${column} as ${value}`,
  ])
  const read = sql`select ${sql.join([sql`s.market`, sql`s.property_id`, ...boundValues])}
    from ${from} where ${all([...base, ...compile(others, columns)])}`
  const missed = bounds.map(({ met }) => sql`(${met} is not true)::int`)
  const once = sql`select * from (${read} ${evaluatedOnce}) r where ${sql.join(missed, sql` + `)} = 1`
  const hasStatus = others.some(
    (each) => each.type === 'oneOf' && each.field === 'status' && !each.values.includes('sold'),
  )
  const ofStatus = query.base === 'lot_split' || (query.base === 'listings' && hasStatus)
  // A missed value is known; where nulls come is written as in the indexes on these values.
  const nearest = bounds.map(({ condition: { type }, bound, met, value }, at) => {
    const typed = typeof bound === 'string' ? sql`::date` : sql`::double precision`
    return sql`(
      select ${sql.lit(at)} as at, market, property_id, to_jsonb(${value}) as value,
        abs(${value} - ${bound}${typed})::double precision as by
      from m where ${all([sql`not ${met}`, ...bounds.flatMap((each) => (each.met === met ? [] : [each.met]))])}
      order by ${value} ${type === 'atMost' || type === 'to' ? sql`nulls first` : sql`desc nulls last`}, property_id limit ${most})`
  })
  const rows = await rowsOf<{ at: number; market: MarketId; propertyId: string; value: number | string; by: number }>(
    handleOf(db, query),
  )`
    with m as ${ofStatus ? sql`materialized (${once})` : sql`not materialized (${read})`}
    ${sql.join(nearest, sql` union all `)}`
  const misses = rows.map(({ at, propertyId: id, ...row }): NearMiss => {
    const { condition, bound } = bounds[at]!
    return { ...row, id, position: [], condition: conditionText(condition), name: condition.name, bound }
  })
  const units: Readonly<Record<string, Criterion>> = criteria
  const share = ({ name, by, bound }: NearMiss) => missedShare(units[name]?.unit ?? 'none', by, bound)
  return misses.sort((a, b) => share(a) - share(b) || (a.id < b.id ? -1 : 1)).slice(0, most)
}

/** A search of one market reads its group; one of several reads all groups. */
const handleOf = (db: Db, { markets }: PropertyQuery): Db => groupOfAll(db, markets)

const isListed = ({ base }: Pick<PropertyQuery, 'base'>): boolean => base === 'listings' || base === 'lot_split'

/** `explained`: every overlay is read, to count those that are not known. `rows`: the rows of property_search. */
export const sourceOf = (query: PropertyQuery, explained = false, rows: Sql = sql`property_search`): Source => {
  const { base: kind, markets, since } = query
  const listed = isListed(query)
  const inWindow = since === undefined ? undefined : isNotHiddenSale('s', since)
  const base: Sql[] = [markets.length === 1 ? sql`s.market = ${markets[0]}` : sql`s.market = any(${markets})`]
  if (kind === 'listings') base.push(sql`s.status is not null`)
  if (kind === 'lot_split') base.push(onMarket('s.status'), sql`s.sb9_status is not null`)
  if (kind === 'accessory_unit') base.push(sql`s.adu_score is not null`)
  if (kind === 'redevelopment') base.push(sql`s.redevelopment_score is not null`)
  if (!listed) base.push(sql`not s.removed`)
  if (inWindow) base.push(listed ? inWindow : sql`(${inWindow} or not s.known_from_listing)`)
  const stored = columnsOf(query, listed ? undefined : inWindow)
  const used = query.ownColumns ? usedReturns(query) : []
  const numbers = { ...stored.numbers, ...ownNumbers(used, listed ? undefined : inWindow) }
  const columns = { ...stored, numbers: query.use ? { ...numbers, homes: sql`use_lead.max_units` } : numbers }
  const useLead = query.use ? bestLead('use_lead', query.use, sql`s.market, s.property_id`, sql`join`) : sql``
  const needsParcel =
    (!listed && inWindow !== undefined) ||
    explained ||
    query.conditions.some((each) => each.type === 'overlay' && readsAllOverlays(each))
  const parcel = needsParcel ? sql`join property p on p.market = s.market and p.id = s.property_id` : sql``
  const returns =
    query.ownColumns && used.length > 0
      ? sql`left join unnest(${arrayText(query.ownColumns.ids)}::text[], ${sql.join(used.map((field) => sql`${arrayText(query.ownColumns![field])}::float8[]`))})
          o (id, ${sql.join(used.map((field) => sql.ref(field)))}) on o.id = s.property_id`
      : sql``
  const from = sql`${rows} s ${parcel} ${useLead} ${returns}`
  return { from, base, where: [...base, ...compile(query.conditions, columns)], columns }
}

/** Written here: the driver takes several times as long, because it escapes each element. Ids need no escaping. */
const arrayText = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join()}}`

const ownNumbers = (used: readonly (typeof ownFields)[number][], inWindow: Sql | undefined) =>
  Object.fromEntries(
    used.map((field) => {
      const column = sql`o.${sql.ref(field)}`
      return [field, inWindow ? sql`case when ${inWindow} then ${column} end` : column]
    }),
  )

/** `inWindow`: of parcels under a history window, a hidden listing leaves their own facts and nothing that follows from its price. */
const columnsOf = ({ base, today }: PropertyQuery, inWindow: Sql | undefined): Columns => {
  const ofHome = (column: string, parcel?: Sql): Sql =>
    inWindow
      ? sql`case when ${inWindow} then ${sql.ref(`s.${column}`)} ${parcel ? sql`else ${parcel}` : sql``} end`
      : sql.ref(`s.${column}`)
  const { numbers, texts } = searchValues('homes', ({ name, column, fact }) => {
    const stored = columnOf(column)
    // The type of the bounds it is compared with, which the index on years has too.
    if (name === 'yearBuilt') return sql`(${ofHome(stored, sql.ref('p.year_built'))})::double precision`
    if (fact) return ofHome(stored, sql.ref(`p.${columnOf(fact)}`))
    return hiddenWithListing.has(name) ? ofHome(stored) : sql.ref(`s.${stored}`)
  })
  const ended = sql`case s.status when 'active' then ${today}::date when 'coming_soon' then null
    when 'pending' then coalesce(s.pending_on, s.sold_on, ${today}::date) else coalesce(s.pending_on, s.sold_on) end`
  const days = sql`case when ${ended} >= s.listed_on then ${ended} - s.listed_on end`
  return {
    market: sql`s.market`,
    id: sql`s.property_id`,
    citySlug: sql`s.city_slug`,
    zip: sql`s.zip`,
    location: ofHome('location', sql`point(p.lng, p.lat)`),
    indexedLocation: sql`s.location`,
    overlaysYes: sql`s.overlays_yes`,
    overlays: sql`p.overlays`,
    blocked: sql.ref(`s.${blockedColumn[base]}`),
    numbers: {
      ...numbers,
      // A parcel that is not for sale has no price.
      price: isListed({ base }) ? ofHome('price') : sql`case when ${onMarket('s.status')} then ${ofHome('price')} end`,
      daysOnMarket: inWindow ? sql`case when ${inWindow} then ${days} end` : days,
    },
    texts: { ...texts, soldOn: sql`case when ${ofHome('status')} = 'sold' then s.sold_on end` },
    address: (condition) =>
      sql`exists (select 1 from property a where a.market = s.market and a.id = s.property_id
        and ${condition(sql`a.address_key`)})`,
  }
}

const sortKey = (field: SortField, { point }: PropertyQuery, columns: Columns): Sql =>
  field === 'lotSplitRank'
    ? sql`array_position(${lotSplitStatuses}::text[], s.sb9_status)`
    : sortColumn(field, columns, sql`s.property_id`, point)
