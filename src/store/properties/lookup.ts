// Finds properties by address, parcel number and point. A home known only through a sale before the history window is left out,
// so that a windowed key gets the answer of a database without that sale.

import { marketIds, marketsOfCity } from '../../domain/packs/markets.ts'
import { bestLead } from '../assessments/leads.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, type Known, knownRows, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertySearchTable, PropertyTable } from '../engine/schema.ts'
import { askEachGroup, askGroups, type Positioned } from '../engine/shard-groups.ts'
import { batchQuestions } from './batch-questions.ts'
import { isHiddenSale, isShownStatus } from './listing-status.ts'
import { likeEscaped } from './signals.ts'
import { type MaybeSourced, sourceColumns } from './source-columns.ts'

export interface LookupScope {
  db: Db
  /** Start of the history window. */
  since: string | undefined
  /** Listings of these sources are withheld. */
  hiddenSources?: readonly string[] | undefined
}

const foundProperty = columnsOf<PropertyTable>()(
  'id market city citySlug zip address addressKey county apn lat lng collectedAt',
)
const columns = sql`${foundProperty('p')}, ${sourceColumns('p')}`

export type FoundRow = Known<RowOf<typeof foundProperty> & MaybeSourced>

const visible = (since: string | undefined) =>
  since === undefined
    ? sql`p.removed_at is null`
    : sql`p.removed_at is null and (p.known_from = 'parcel' or not exists (
        select 1 from listing l where l.market = p.market and l.property_id = p.id and l.current
          and ${isHiddenSale('l', since)}))`

interface Question {
  condition: ReturnType<typeof sql>
  limit: number
  /** Rows are in the order of these numbers, then of these texts. */
  numbers?: readonly ReturnType<typeof sql>[]
  texts?: readonly ReturnType<typeof sql>[]
  /** Only in these cities. */
  slugs?: readonly string[] | undefined
}

type OrderedRow = FoundRow & { asked: number; numbers: number[]; texts: string[] }

/** Markets of the cities, or all. */
const marketsOf = (slugs: readonly string[] | undefined): readonly string[] =>
  slugs === undefined ? marketIds() : [...new Set(slugs.flatMap((slug) => marketsOfCity(slug)))]

/** Answers the questions of all items that reach this step together: one statement for each group that has a part. */
const findRows = batchQuestions<LookupScope, Question, FoundRow>(async ({ db, since }, questions) => {
  const markets = [...new Set(questions.flatMap(({ slugs }) => marketsOf(slugs)))]
  const parts = await askEachGroup(db, markets, async (group, groupMarkets, alone) => {
    const branches = questions.flatMap(({ condition, limit, numbers = [], texts = [], slugs }, questionIndex) => {
      if (!alone && !marketsOf(slugs).some((market) => groupMarkets.includes(market))) return []
      const order = [...numbers, ...texts]
      return [
        sql`(select ${questionIndex}::int as asked, ${columns}, array[${sql.join(numbers)}]::float8[] as numbers,
            array[${sql.join(texts)}]::text[] as texts
          from property p left join source s on s.id = p.source_id
          where ${visible(since)} and ${condition}
            ${alone ? sql`` : sql`and p.market = any(${groupMarkets}::text[])`}
            ${slugs === undefined ? sql`` : sql`and p.city_slug = any(${slugs}::text[])`}
          ${order.length === 0 ? sql`` : sql`order by ${sql.join(order)}`} limit ${limit})`,
      ]
    })
    return rowsOf<OrderedRow>(group)`${sql.join(branches, sql` union all `)}`
  })
  const byQuestion = Map.groupBy(parts.flat(), ({ asked }) => asked)
  return questions.map(({ limit }, at) => {
    const rows = byQuestion.get(at) ?? []
    if (parts.length > 1) rows.sort(inOrder)
    return rows.slice(0, limit).map(({ asked: _, numbers: __, texts: ___, ...row }) => withoutNulls(row))
  })
})

const inOrder = (a: OrderedRow, b: OrderedRow): number => {
  const before = [...a.numbers, ...a.texts]
  const after = [...b.numbers, ...b.texts]
  const at = before.findIndex((value, place) => value !== after[place])
  return at < 0 ? 0 : before[at]! < after[at]! ? -1 : 1
}

export interface AddressAt {
  market: string
  citySlug: string
  addressKey: string
}

/** The properties with exactly these addresses. */
export const propertiesAt = ({ db, since }: LookupScope, at: readonly AddressAt[]): Promise<FoundRow[]> =>
  askGroups(
    db,
    at,
    ['market', 'citySlug', 'addressKey'],
    (group, k) => knownRows<FoundRow & Positioned>(group)`
    select distinct on (p.market, p.id) k.key_order, ${columns}
    from ${k} join property p on p.market = k.market and p.city_slug = k.city_slug and p.address_key = k.address_key
    left join source s on s.id = p.source_id
    where ${visible(since)}`,
  )

/** A number is on one home per street, so this is about as many rows as the cities have streets with that number. */
const maxRows = 3_000

/** Every property with this house number, on any street. */
export const propertiesAtNumber = (scope: LookupScope, houseNumber: string, slugs?: readonly string[]) =>
  findRows(scope, { condition: sql`p.address_key like ${`${likeEscaped(houseNumber)} %`}`, limit: maxRows, slugs })

/** The properties on streets with this name whose number is closest. */
export const propertiesOnStreet = (
  scope: LookupScope,
  name: string,
  houseNumber: number,
  slugs: readonly string[] | undefined,
  limit: number,
) =>
  findRows(scope, {
    condition: sql`p.address_key like ${`% ${likeEscaped(name)}%`}`,
    numbers: [distanceTo(houseNumber)],
    texts: [sql`p.address_key`],
    slugs,
    limit,
  })

/** Addresses that begin with the key, or, without a house number, streets that do. */
export const addressesLike = (scope: LookupScope, key: string, limit: number) =>
  findRows(scope, {
    condition: sql`p.address_key like ${`${/^\d/.test(key) ? '' : '% '}${likeEscaped(key)}%`}`,
    texts: [sql`p.address_key`, sql`p.city_slug`],
    limit,
  })

/** The properties on streets whose name is similar by trigrams, the most similar first. */
export const propertiesOnSimilarStreets = (
  scope: LookupScope,
  street: string,
  houseNumber: number,
  slugs: readonly string[],
  limit: number,
) => findRows(scope, { ...similarTo(street, houseNumber), slugs, limit })

/** Also streets that share only half of the name: a typing error in the other half can change most of its trigrams. */
export const propertiesOnStreetsLike = (scope: LookupScope, name: string, houseNumber: number, limit: number) => {
  const { condition, ...order } = similarTo(name, houseNumber)
  const [start, end] = [name.slice(0, name.length >> 1), name.slice(name.length >> 1)].map(likeEscaped)
  const either = sql`(${condition} or p.address_key like ${`% ${start}%`} or p.address_key like ${`%${end}%`})`
  return findRows(scope, { ...order, condition: either, limit })
}

const similarTo = (street: string, houseNumber: number) => ({
  condition: sql`${street}::text <% p.address_key`,
  numbers: [sql`-word_similarity(${street}, p.address_key)`, distanceTo(houseNumber)],
  texts: [sql`p.address_key`],
})

const distanceTo = (houseNumber: number) =>
  sql`abs(coalesce(substring(p.address_key from '^[0-9]{1,9}'), '0')::bigint - ${houseNumber}::bigint)`

interface Street {
  citySlug: string
  key: string
}

/** The streets with a name: city and the key without its first word. */
const named = batchQuestions<LookupScope, { name: string; slugs: readonly string[] | undefined }, Street>(
  async ({ db, since }, questions) => {
    const markets = [...new Set(questions.flatMap(({ slugs }) => marketsOf(slugs)))]
    const parts = await askEachGroup(db, markets, async (group, groupMarkets) => {
      const branches = questions.map(
        ({ name, slugs }, streetIndex) => sql`(
          select distinct ${streetIndex}::int as asked, p.city_slug, regexp_replace(p.address_key, '^[0-9]\\S* ', '1 ') as key
          from property p
          where ${visible(since)} and p.market = any(${groupMarkets}::text[])
            ${slugs === undefined ? sql`` : sql`and p.city_slug = any(${slugs}::text[])`}
            and p.address_key like ${`% ${likeEscaped(name)}%`} limit ${maxRows})`,
      )
      return rowsOf<Street & { asked: number }>(group)`${sql.join(branches, sql` union all `)}`
    })
    const byQuestion = Map.groupBy(parts.flat(), ({ asked }) => asked)
    return questions.map((_, at) => byQuestion.get(at) ?? [])
  },
)
export const streetsNamed = (scope: LookupScope, name: string, slugs: readonly string[] | undefined) =>
  named(scope, { name, slugs })

export const propertiesWithApn = (scope: LookupScope, apnKeys: readonly string[]) =>
  findRows(scope, { condition: sql`p.apn_key = any(${apnKeys})`, texts: [sql`p.apn_key`], limit: 50 })

export const propertyWithId = (scope: LookupScope, market: string, id: string) =>
  findRows(scope, { condition: sql`p.market = ${market} and p.id = ${id}`, limit: 1 })

/** The properties whose point is closest by degrees; the caller measures the distance. */
export const propertiesNear = (
  scope: LookupScope,
  { lat, lng }: { lat: number; lng: number },
  degrees: number,
  limit: number,
) =>
  findRows(scope, {
    condition: sql`p.lat is not null and p.lng is not null
      and point(p.lng, p.lat) <@ box(point(${lng - degrees}, ${lat - degrees}), point(${lng + degrees}, ${lat + degrees}))`,
    numbers: [sql`point(p.lng, p.lat) <-> point(${lng}, ${lat})`],
    limit,
  })

/** Whether one of these cities has parcels. */
export const hasProperties = async (scope: LookupScope, slugs: readonly string[]): Promise<boolean> =>
  (await findRows(scope, { condition: sql`true`, slugs, limit: 1 })).length > 0

type LookupExtra = Known<
  Pick<ListingTable, 'listedOn' | 'soldOn'> &
    Pick<AssessmentTable, 'teardownScore' | 'flippabilityScore' | 'redevelopmentScore'> &
    Pick<PropertySearchTable, 'aduScore' | 'sb9Status'> & {
      status: ListingTable['status'] | null
      price: ListingTable['priceUsd']
      soldPrice: ListingTable['soldPriceUsd']
      returnPct: number | null
    }
> & { id: string; hidden: boolean }

/** The current listing and the scores of these properties. `hidden`: the window or the source of the listing withholds it. */
export const lookupExtras = async (
  { db, since, hiddenSources = [] }: LookupScope,
  ids: readonly { market: string; id: string }[],
): Promise<Map<string, LookupExtra>> => {
  const rows = await askGroups(
    db,
    ids,
    ['market', 'id'],
    (group, k) => knownRows<LookupExtra & Positioned>(group)`
    select k.key_order, k.id, l.status, l.price_usd as price, l.sold_price_usd as sold_price, l.sold_on, l.listed_on, a.teardown_score, a.flippability_score,
      u.score as adu_score, a.redevelopment_score, t.status as sb9_status, (a.proforma ->> 'returnPct')::double precision as return_pct,
      ${since === undefined ? sql`false` : sql`coalesce(${isHiddenSale('o', since)}, false)`}
        or coalesce(o.source_id = any(${hiddenSources}::text[]), false) as hidden
    from ${k} left join listing o on o.market = k.market and o.property_id = k.id and o.current
    left join listing l on l.market = k.market and l.property_id = k.id and l.current and ${isShownStatus('l.status')}
    left join assessment a on a.market = k.market and a.property_id = k.id
    ${bestLead('t', 'lot_split')} ${bestLead('u', 'accessory_unit')}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
