// What the page Today and the daily mail show, and who gets the mail.
import type { MarketId } from '../../domain/facts.ts'
import type { DealMove, DealSnapshot } from '../../wire/deals.ts'
import { assessedOn } from '../assessments/assessments.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { anyRow, type Db, execute, type Known, knownRows, rowsOf, sql } from '../engine/database.ts'
import type {
  ApiKeyTable,
  DealTable,
  ForecastTable,
  ListingChangeTable,
  ListingTable,
  PermitTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import type { DealHome } from './deals.ts'
import type { MailboxOwner } from './mailbox-counts.ts'

/** A listing that is new, cheaper, back or sold, as it is now, with the value that was given when it was first seen. */
export type ListingMove = DealHome &
  Known<
    Pick<ListingChangeTable, 'changedAt' | 'previousStatus'> & {
      previousPrice: ListingChangeTable['previousPriceUsd']
      soldPrice: ListingTable['soldPriceUsd']
      saidUsd: ForecastTable['valueUsd']
      saidLowUsd: ForecastTable['lowUsd']
      saidHighUsd: ForecastTable['highUsd']
      saidOn: ForecastTable['madeOn'] | null
    }
  >

export interface Span {
  since: Date
  /** Up to the present if absent. */
  until?: Date | undefined
}

/** Newest first, without those of the hidden sources. */
export const listingMoves = (
  db: Db,
  market: MarketId,
  { since, until }: Span,
  hiddenSources: readonly string[],
  most: number,
) =>
  knownRows<ListingMove>(groupOf(db, market))`
    select c.property_id as id, c.market, p.address, p.city, p.known_from, p.lat, p.lng, c.changed_at, c.previous_status,
      c.previous_price_usd as previous_price, l.status, l.price_usd as price, l.sold_on, l.sold_price_usd as sold_price,
      a.proforma, a.offers, a.uses, a.value_usd, a.value_high_usd, ${assessedOn('a')},
      f.value_usd as said_usd, f.low_usd as said_low_usd, f.high_usd as said_high_usd, f.made_on as said_on
    from listing_change c
    join property p on p.market = c.market and p.id = c.property_id
    join listing l on l.market = c.market and l.source_id = c.source_id and l.listing_id = c.listing_id and l.current
    left join assessment a on a.market = c.market and a.property_id = c.property_id
    left join lateral (
      select f.value_usd, f.low_usd, f.high_usd, f.made_on from forecast f
      where f.market = c.market and f.property_id = c.property_id and f.model = 'value' and f.listing_id = c.listing_id
      order by f.made_on limit 1) f on true
    where c.market = ${market} and c.changed_at >= ${since} and c.source_id <> all(${hiddenSources}::text[])
      and (${until ?? null}::timestamptz is null or c.changed_at < ${until ?? null}::timestamptz)
      and (c.previous_status is null or c.status <> c.previous_status or c.price_usd < c.previous_price_usd)
    order by c.changed_at desc, c.property_id limit ${most}`

/** A permit that is new, or newly issued. */
export type PermitMove = Known<RowOf<typeof ofPermit> & { lat: number; lng: number }>
const ofPermit = columnsOf<PermitTable>()('permitId citySlug city address permitClass status valuationUsd')

/** Those with a location, of permits that were issued or applied for on the day `from` or later. */
export const permitMoves = (
  db: Db,
  market: MarketId,
  { since, until }: Span,
  { from, hiddenSources }: { from: string; hiddenSources: readonly string[] },
) =>
  knownRows<PermitMove>(groupOf(db, market))`
    select ${ofPermit('p')}, coalesce(p.lat, h.lat) as lat, coalesce(p.lng, h.lng) as lng
    from (select distinct market, city_slug, permit_id from permit_change
      where market = ${market} and changed_at >= ${since} and (previous_status is null or status = 'issued')
        and (${until ?? null}::timestamptz is null or changed_at < ${until ?? null}::timestamptz)) c
    join permit p using (market, city_slug, permit_id)
    left join property h on h.market = p.market and h.id = p.property_id
    where coalesce(p.lat, h.lat) is not null and coalesce(p.lng, h.lng) is not null and p.removed_at is null
      and coalesce(p.issued_on, p.applied_on) >= ${from}::date and p.source_id <> all(${hiddenSources}::text[])`

/** Some deals after this id, in the order of their ids. */
export const dealsToCompare = (db: Db, after: string, most: number) =>
  rowsOf<Pick<DealTable, 'id' | 'propertyId' | 'saved' | 'told'>>(db)`
    select id, property_id, saved, told from deal where id > ${after} order by id limit ${most}`

export const dealMoves = (db: Db, keyId: string) =>
  rowsOf<Pick<DealTable, 'id' | 'told' | 'moved'>>(db)`
    select id, told, moved from deal where key_id = ${keyId}`

/** What the decision of a deal is compared with from now on. `moved`: it differs noticeably from what it was compared with before. */
export const recordTold = (db: Db, id: string, told: DealSnapshot, moved: DealMove | undefined) =>
  execute(db)`
    update deal set saved = coalesce(saved, ${JSON.stringify(told)}::jsonb), told = ${JSON.stringify(told)}::jsonb,
    moved = coalesce(${moved ? JSON.stringify(moved) : null}::jsonb, moved) where id = ${id}`

export const startTodayMail = (db: Db, { keyId, mailbox }: MailboxOwner, now: Date) =>
  execute(db)`
    insert into today_mail (key_id, mailbox, created_at) values (${keyId}, ${mailbox}, ${now}) on conflict do nothing`

/** Also that of the key which replaced this one: the link of an earlier mail names the old key. */
export const stopTodayMail = (db: Db, keyId: string) =>
  execute(db)`
    delete from today_mail where key_id in (
      select k.id from api_key k join api_key o on o.family = k.family where o.id = ${keyId})`

export const hasTodayMail = (db: Db, keyId: string) => anyRow(db)`select 1 from today_mail where key_id = ${keyId}`

export type TodayReader = Pick<
  ApiKeyTable,
  'id' | 'family' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'confirmedAt'
> & {
  mailbox: string
  /** The last day that was mailed, or had nothing to say. */
  sentOn: string | null
}

/** Confirmed keys that were not mailed on this day. */
export const todayReaders = (db: Db, day: string, now: Date) =>
  readers(db, sql`t.sent_on is distinct from ${day}::date`, now)

/** What the worker writes a mail from when it sends it, for the key of this family at that time. */
export interface TodayMailJob {
  family: string
  since: string
  until: string
}

/** Undefined if the mail must no longer be sent. */
export const readerOfMail = async (db: Db, { family }: TodayMailJob, now: Date): Promise<TodayReader | undefined> =>
  (await readers(db, sql`k.family = ${family}`, now))[0]

const readers = (db: Db, which: ReturnType<typeof sql>, now: Date) =>
  rowsOf<TodayReader>(db)`
    select k.id, k.family, k.plan, k.email, k.created_at, k.promotion_until, k.confirmed_at, t.mailbox, t.sent_on
    from today_mail t join api_key k on k.id = t.key_id
    where ${which} and k.confirmed_at is not null and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${now}) order by k.id`

/** False if it was recorded before. */
export const recordTodayMail = (tx: Db, keyId: string, day: string) =>
  anyRow(tx)`
    update today_mail set sent_on = ${day}::date where key_id = ${keyId} and sent_on is distinct from ${day}::date returning 1`
