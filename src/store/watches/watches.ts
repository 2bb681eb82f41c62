// The watches of a key. Every query is limited to the key, so the watches of other keys are not found.

import { columnsOf, type RowOf } from '../engine/columns.ts'
import { anyRow, type Db, execute, firstRow, firstValue, inTransaction, rowsOf, sql } from '../engine/database.ts'
import type { AssumptionSetTable, DealTable, WatchTable } from '../engine/schema.ts'
import { type KeyTerms, keyTerms } from '../keys/key-terms.ts'
import { newId } from '../keys/keys.ts'
import { countOfMailbox, type MailboxOwner } from '../keys/mailbox-counts.ts'
import { rowsOfKey } from '../keys/rows-of-key.ts'
import type { Sql } from '../search/compile.ts'
import { live } from './changes.ts'
import { forgetWaiting } from './waiting.ts'

const content = columnsOf<WatchTable>()(
  'name kind criteria markets cities assumptionSetId triggers cadence email feedHash endpoints note savedHome',
)
const state = columnsOf<WatchTable>()('id pausedAt createdAt updatedAt')
const columns = sql`${state()}, ${content()}`

export type WatchContent = RowOf<typeof content>
export type WatchRow = WatchContent & RowOf<typeof state>

export const watchRows = rowsOfKey<WatchRow>('watch', columns)

/** In SQL: whether a watch with these channels is a saved home, which is one home without a channel. */
export const isSavedHome = ({
  email,
  endpoints,
}: {
  email: Sql
  endpoints: Sql
}): Sql => sql`(not ${email} and feed_hash is null
  and cardinality(${endpoints}) = 0 and coalesce(jsonb_array_length(criteria->'id') = 1, false))`

/**
 * Saves a watch, or replaces the one with this id. Returns its id; undefined if the mailbox has the maximum number. The caller has
 * checked that the watch exists. A saved home gets a deal, which remembers `saved`; the deal of another home than before ends.
 */
export const saveWatch = (
  db: Db,
  owner: MailboxOwner,
  content: WatchContent,
  options: { id?: string | undefined; most: number; now: Date; saved?: DealTable['saved'] },
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const { id = newId('wat'), most, now, saved = null } = options
    const where = sql`t.saved_home = ${content.savedHome}`
    if ((await countOfMailbox(tx, 'watch', owner, { except: id, where })) >= most) return undefined
    // A new name, cadence, channel or note does not change what matches.
    const matchesOthers = await anyRow(tx)`
      select 1 from watch where id = ${id} and (kind, criteria, triggers, assumption_set_id) is distinct from (${content.kind}::text,
        ${JSON.stringify(content.criteria)}::jsonb, ${content.triggers}::text[], ${content.assumptionSetId}::text)`
    if (matchesOthers) await forgetWaiting(tx, id)
    await execute(tx)`
      insert into watch (id, key_id, mailbox, name, kind, criteria, markets, cities, assumption_set_id, triggers, cadence, email,
        feed_hash, endpoints, note, saved_home, created_at, updated_at)
      values (${id}, ${owner.keyId}, ${owner.mailbox}, ${content.name}, ${content.kind}, ${JSON.stringify(content.criteria)}::jsonb,
        ${content.markets}, ${content.cities}, ${content.assumptionSetId}, ${content.triggers}, ${content.cadence}, ${content.email},
        ${content.feedHash}, ${content.endpoints}, ${content.note}, ${content.savedHome}, ${now}, ${now})
      on conflict (id) do update set name = excluded.name, kind = excluded.kind, criteria = excluded.criteria,
        markets = excluded.markets, cities = excluded.cities, assumption_set_id = excluded.assumption_set_id,
        triggers = excluded.triggers, cadence = excluded.cadence, email = excluded.email, feed_hash = excluded.feed_hash,
        endpoints = excluded.endpoints, note = excluded.note, saved_home = excluded.saved_home, updated_at = excluded.updated_at`
    const home = content.criteria.id?.length === 1 ? content.criteria.id[0]! : null
    const ended = await execute(tx)`delete from deal where watch_id = ${id} and property_id is distinct from ${home}`
    if (home !== null && content.savedHome && (options.id === undefined || ended > 0))
      await addDeal(tx, owner, { watchId: id, propertyId: home, saved }, now)
    return id
  })

/** In the stage looking. A key has one deal for a home. */
export const addDeal = async (
  tx: Db,
  { keyId, mailbox }: MailboxOwner,
  { watchId, propertyId, saved }: Pick<DealTable, 'watchId' | 'propertyId' | 'saved'>,
  now: Date,
): Promise<void> => {
  const json = saved && JSON.stringify(saved)
  await execute(tx)`
    insert into deal (id, key_id, mailbox, watch_id, property_id, stage, saved, told, created_at, updated_at)
    values (${newId('deal')}, ${keyId}, ${mailbox}, ${watchId}, ${propertyId}, 'looking', ${json}::jsonb, ${json}::jsonb, ${now}, ${now})
    on conflict do nothing`
}

export const setPaused = (db: Db, keyId: string, id: string, pausedAt: Date | null) =>
  anyRow(db)`
    update watch set paused_at = ${pausedAt} where key_id = ${keyId} and id = ${id} returning id`

/** A name of a watch that uses the assumption set. */
export const watchWithSet = (db: Db, keyId: string, setId: string) =>
  firstValue<string>(db)`
    select name from watch where key_id = ${keyId} and assumption_set_id = ${setId} limit 1`

export type FeedWatch = WatchRow & KeyTerms

/** The watch of a feed. Undefined after the watch, its feed or its key has ended. */
export const watchOfFeed = (db: Db, feedHash: Buffer, now: Date) =>
  firstRow<FeedWatch>(db)`
    select w.*, ${keyTerms} from watch w join api_key k on k.id = w.key_id
    where w.feed_hash = ${feedHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

// The watches that announce, in parts that are read again when one of their rows changed.
export type LiveWatch = Pick<WatchTable, 'id' | 'kind' | 'criteria' | 'triggers' | 'markets' | 'cities'> &
  Pick<WatchTable, 'assumptionSetId'> &
  SetOfWatch

/** `values` is null without an assumption set. */
export interface SetOfWatch {
  setMarket: AssumptionSetTable['market']
  values: AssumptionSetTable['values'] | null
  byCity: AssumptionSetTable['byCity']
}

const part = sql`hashtext(w.id) & 255`

const from = (now: Date) => sql`
  from watch w join api_key k on k.id = w.key_id left join assumption_set s on s.id = w.assumption_set_id where ${live(now)}`

/** Every update of a row gives it another xmin, so the version changes with every watch and assumption set of the part. */
export const watchParts = (db: Db, now: Date) =>
  rowsOf<{ part: number; version: string }>(db)`
    select ${part} as part, count(*) || ' ' ||
      bit_xor(hashtextextended(w.id || ' ' || w.xmin::text || ' ' || coalesce(s.xmin::text, ''), 0)) as version
    ${from(now)} group by 1`

export const watchesOfParts = (db: Db, parts: readonly number[], now: Date) =>
  rowsOf<LiveWatch & { part: number }>(db)`
    select ${part} as part, w.id, w.kind, w.criteria, w.triggers, w.markets, w.cities, w.assumption_set_id, s.market as set_market, s."values",
      s.by_city
    ${from(now)} and ${part} = any(${parts}::int[])`
