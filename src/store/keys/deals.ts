// The deals of a key. Every query is limited to the key, so the deals of other keys are not found.
import { marketOfProperty } from '../../domain/property-id.ts'
import type { OwnFacts } from '../../wire/deals.ts'
import { assessedOn } from '../assessments/assessments.ts'
import {
  type Db,
  execute,
  firstRow,
  firstValue,
  inTransaction,
  type Known,
  knownRows,
  onlyValue,
  sql,
} from '../engine/database.ts'
import type { AssessmentTable, DealTable, ListingTable, PropertyTable, WatchTable } from '../engine/schema.ts'
import { askGroups, type Positioned } from '../engine/shard-groups.ts'
import { addDeal, saveWatch, type WatchContent } from '../watches/watches.ts'
import { notifyKey } from './keys.ts'
import { countOfMailbox, type MailboxOwner } from './mailbox-counts.ts'
import { rowsOfKey } from './rows-of-key.ts'

export type DealContent = Pick<DealTable, 'stage' | 'scheme' | 'priceUsd' | 'assumptions' | 'facts'> &
  Pick<WatchTable, 'note'>
export type DealRow = DealContent &
  Pick<DealTable, 'id' | 'watchId' | 'propertyId' | 'saved' | 'moved' | 'createdAt' | 'updatedAt'>

const columns = sql`id, watch_id, property_id, stage, scheme, price_usd, assumptions, facts, saved, moved, created_at, updated_at,
  (select w.note from watch w where w.id = watch_id) as note`

export const dealRows = rowsOfKey<DealRow>('deal', columns)

interface Limits {
  /** Beyond the stage looking. */
  deals: number
  savedHomes: number
}

/** The id of the deal; of the one that the key has for the home already; or which of the limits is reached. */
type Outcome = { id: string } | { exists: string } | { full: keyof Limits }

export const insertDeal = (
  db: Db,
  owner: MailboxOwner,
  { propertyId, saved: snapshot }: Pick<DealTable, 'propertyId' | 'saved'>,
  content: DealContent,
  /** For a home that is not saved yet. */
  watch: WatchContent,
  most: Limits,
  now: Date,
): Promise<Outcome> =>
  inTransaction(db, async (tx) => {
    if (await isFull(tx, owner, content, '', most)) return { full: 'deals' }
    const saved = await firstRow<{ dealId: string | null; watchId: string } & Pick<WatchTable, 'note'>>(tx)`
      select d.id as deal_id, w.id as watch_id, w.note from watch w left join deal d on d.watch_id = w.id
      where w.key_id = ${owner.keyId} and w.criteria->'id' = ${JSON.stringify([propertyId])}::jsonb and (w.saved_home or d.id is not null)
      order by d.id nulls last, w.created_at limit 1`
    if (saved?.dealId) return { exists: saved.dealId }
    const watchId =
      saved?.watchId ?? (await saveWatch(tx, owner, watch, { most: most.savedHomes, now, saved: snapshot }))
    if (watchId === undefined) return { full: 'savedHomes' }
    // A new saved home has got its deal.
    await addDeal(tx, owner, { watchId, propertyId, saved: snapshot }, now)
    const id = await onlyValue<string>(tx)`select id from deal where watch_id = ${watchId}`
    // A home that was saved before keeps its note, as it does where it has a blank deal.
    await writeContent(tx, owner, id, { ...content, note: content.note ?? saved?.note ?? null }, now)
    return { id }
  })

/** False if the mailbox has the maximum number of deals beyond looking. The caller has checked that the deal exists. */
export const changeDeal = (db: Db, owner: MailboxOwner, id: string, content: DealContent, most: Limits, now: Date) =>
  inTransaction(db, async (tx) => {
    if (await isFull(tx, owner, content, id, most)) return false
    await writeContent(tx, owner, id, content, now)
    return true
  })

const isFull = async (tx: Db, owner: MailboxOwner, { stage }: DealContent, except: string, most: Limits) => {
  const counted = await countOfMailbox(tx, 'deal', owner, { except, where: sql`t.stage <> 'looking'` })
  return stage !== 'looking' && counted >= most.deals
}

const writeContent = async (tx: Db, { keyId, mailbox }: MailboxOwner, id: string, content: DealContent, now: Date) => {
  const { stage, scheme, priceUsd, assumptions, facts, note } = content
  await execute(tx)`
    update deal set mailbox = ${mailbox}, stage = ${stage}, scheme = ${scheme}, price_usd = ${priceUsd},
      assumptions = ${jsonOf(assumptions)}::jsonb, facts = ${jsonOf(facts)}::jsonb, updated_at = ${now}
    where key_id = ${keyId} and id = ${id}`
  await execute(tx)`
    update watch set note = ${note}, updated_at = ${now}
    where id = (select watch_id from deal where id = ${id}) and note is distinct from ${note}`
  await notifyKey(tx, keyId)
}

const jsonOf = (value: object | null): string | null => value && JSON.stringify(value)

/** The owner's corrections of the facts of a home; undefined if there are none. */
export const ownFactsOf = (db: Db, keyId: string, propertyId: string) =>
  firstValue<OwnFacts>(db)`
    select facts from deal where key_id = ${keyId} and property_id = ${propertyId} and facts is not null`

export const dealOfWatch = (db: Db, watchId: string) =>
  firstRow<DealRow>(db)`select ${columns} from deal where watch_id = ${watchId}`

export type DealHome = Known<
  Pick<PropertyTable, 'id' | 'market' | 'address' | 'city' | 'knownFrom' | 'lat' | 'lng' | 'propertyType'> &
    Pick<ListingTable, 'soldOn'> &
    Pick<AssessmentTable, 'proforma' | 'offers' | 'uses' | 'valueUsd' | 'valueHighUsd' | 'assessedOn'> & {
      status: ListingTable['status'] | null
      price: ListingTable['priceUsd']
      noValue: string | null
    }
>

/** The homes that exist. A listing is the most recent one, whatever its status. */
export const dealHomes = (db: Db, ids: readonly string[]): Promise<DealHome[]> =>
  askGroups(
    db,
    ids.flatMap((id) => {
      const market = marketOfProperty(id)
      return market ? [{ market, id }] : []
    }),
    ['market', 'id'],
    (group, k) => knownRows<DealHome & Positioned>(group)`
      select k.key_order, p.id, p.market, p.address, p.city, p.known_from, p.lat, p.lng, p.property_type,
        l.price_usd as price, l.status, l.sold_on, a.proforma, a.offers, a.uses, a.value_usd, a.value_high_usd, ${assessedOn('a')},
        a.explanation #>> '{value,unavailable,text}' as no_value
      from ${k} join property p on p.market = k.market and p.id = k.id
      left join listing l on l.market = k.market and l.property_id = k.id and l.current
      left join assessment a on a.market = k.market and a.property_id = k.id`,
  )
