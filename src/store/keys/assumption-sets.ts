// The assumption sets of a key. Every query is limited to the key, so the sets of other keys are not found.
import { type Db, execute, firstRow, inTransaction, rowsOf, sql } from '../engine/database.ts'
import type { AssumptionSetTable } from '../engine/schema.ts'
import { newId } from './keys.ts'
import { countOfMailbox, type MailboxOwner } from './mailbox-counts.ts'
import { rowsOfKey } from './rows-of-key.ts'

export type AssumptionSetRow = Pick<
  AssumptionSetTable,
  'id' | 'name' | 'market' | 'values' | 'byCity' | 'createdAt' | 'updatedAt'
>

type Content = Pick<AssumptionSetRow, 'name' | 'market' | 'values' | 'byCity'>

const columns = sql`id, name, market, "values", by_city, created_at, updated_at`

export const assumptionSetRows = rowsOfKey<AssumptionSetRow>('assumption_set', columns)

export type OwnedSet = AssumptionSetRow & Pick<AssumptionSetTable, 'keyId' | 'inUse'>

/** The sets of these keys, oldest first. */
export const setsOfKeys = (db: Db, keyIds: readonly string[]) =>
  rowsOf<OwnedSet>(db)`
    select ${columns}, key_id, in_use from assumption_set where key_id = any(${keyIds}) order by created_at, id limit 100`

/** Of the sets of these keys, the one that pages use; null: none. Returns false if they have no such set. */
export const useSet = (db: Db, keyIds: readonly string[], id: string | null): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    // Locked, so that two choices at a time follow one another.
    const rows = await rowsOf<{ id: string }>(tx)`
      select id from assumption_set where key_id = any(${keyIds}) order by id for update`
    if (id !== null && !rows.some((row) => row.id === id)) return false
    // Two statements: the index allows one set of a key at any moment.
    await execute(tx)`update assumption_set set in_use = false where key_id = any(${keyIds}) and in_use`
    await execute(tx)`update assumption_set set in_use = true where key_id = any(${keyIds}) and id = ${id}`
    return true
  })

/** Undefined if the mailbox has the maximum number of sets. */
export const insertAssumptionSet = (
  db: Db,
  owner: MailboxOwner,
  { name, market, values, byCity }: Content,
  most: number,
  now: Date,
): Promise<AssumptionSetRow | undefined> =>
  inTransaction(db, async (tx) => {
    if ((await countOfMailbox(tx, 'assumption_set', owner)) >= most) return undefined
    return firstRow<AssumptionSetRow>(tx)`
      insert into assumption_set (id, key_id, mailbox, name, market, "values", by_city, created_at, updated_at)
      values (${newId('as')}, ${owner.keyId}, ${owner.mailbox}, ${name}, ${market}, ${JSON.stringify(values)}::jsonb,
        ${byCity && JSON.stringify(byCity)}::jsonb, ${now}, ${now})
      returning ${columns}`
  })

export const updateAssumptionSetRow = (
  db: Db,
  { keyId, mailbox }: MailboxOwner,
  id: string,
  { name, market, values, byCity }: Content,
  now: Date,
) =>
  firstRow<AssumptionSetRow>(db)`
    update assumption_set set mailbox = ${mailbox}, name = ${name}, market = ${market}, "values" = ${JSON.stringify(values)}::jsonb,
      by_city = ${byCity && JSON.stringify(byCity)}::jsonb, updated_at = ${now}
    where key_id = ${keyId} and id = ${id} returning ${columns}`
