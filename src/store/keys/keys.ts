// API keys. Only their hashes are stored. NOTIFY reports every change to all processes.
import { hash } from 'node:crypto'
import { pick } from '../../common/typed.ts'
import type { PlanName } from '../../wire/plans.ts'
import { type Db, execute, firstRow, firstValue, inTransaction, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type { ApiKeyTable } from '../engine/schema.ts'
import { base62, makeKey } from './api-key.ts'

/** `family`: the id of the first key. Keys that replaced it by rotation have the same family and share one rate limit. */
export type ApiKey = Pick<
  ApiKeyTable,
  'id' | 'family' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'expiresAt' | 'revokedAt' | 'confirmedAt'
> & {
  /** The newest key of the family, which its webhooks belong to. */
  currentKeyId: string
  /** Homes whose facts the owner has corrected. Answers about them are his alone. */
  ownFacts: readonly string[]
}

interface NewKey {
  plan: Exclude<PlanName, 'demo'>
  email: string
  promotionUntil?: Date
  /** The family of the key that it replaces. */
  family?: string
  /** When the owner of the mailbox is known to hold the key; without it, the key still has to be confirmed. */
  confirmedAt?: Date
}

/** Tables whose rows belong to a key (`key_id`): they pass to the key that replaces it, and are deleted with it. */
export const ownedTables = [
  'webhook_endpoint',
  'assumption_set',
  'export',
  'watch',
  'deal',
  'today_mail',
  'account_token',
] as const

/** Channel for key changes. The payload is the hash of the key in hexadecimal. */
export const keyChannel = 'lotline_keys'

export const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

export const newId = (prefix: string): string => `${prefix}_${base62(22)}`

export const keyByHash = (db: Db, hash: Buffer) =>
  firstRow<ApiKey>(db)`
    select k.id, k.family, k.plan, k.email, k.created_at, k.promotion_until, k.expires_at, k.revoked_at, k.confirmed_at,
      c.current_key_id,
      array(select d.property_id from deal d where d.key_id = c.current_key_id and d.facts is not null) as own_facts
    from api_key k cross join lateral (
      select coalesce((select n.id from api_key n where n.family = k.family and n.replaced_by is null limit 1), k.id) as current_key_id) c
    where k.hash = ${hash}`

export const insertKey = async (db: Db, { plan, email, promotionUntil, family, confirmedAt }: NewKey) => {
  const key = makeKey(plan)
  const id = newId('key')
  await execute(db)`
    insert into api_key (id, family, hash, hint, last_four, plan, email, promotion_until, confirmed_at)
    values (${id}, ${family ?? id}, ${hashOf(key)}, ${key.slice(0, `ll_${plan}_`.length + 4)}, ${key.slice(-4)}, ${plan}, ${email},
      ${promotionUntil ?? null}, ${confirmedAt ?? null})`
  return { id, key }
}

export class NotRotatable extends Error {}

/** Issues a key with the plan of the old one, which works until `oldExpiresAt`. Only once, so that a leaked old key cannot issue more. */
export const rotateKey = (db: Db, keyId: string, oldExpiresAt: Date) =>
  inTransaction(db, async (tx) => {
    const old = await firstRow<
      Pick<ApiKey, 'id' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'family' | 'confirmedAt'>
    >(tx)`
      select id, family, plan, email, created_at, promotion_until, confirmed_at from api_key
      where id = ${keyId} and revoked_at is null and replaced_by is null for update`
    if (!old)
      throw new NotRotatable(`Key ${keyId} has been replaced or revoked already; rotate the key that replaced it.`)
    const { promotionUntil, confirmedAt } = withoutNulls(pick(old, 'promotionUntil', 'confirmedAt'))
    const newKey = await insertKey(tx, { ...pick(old, 'plan', 'email', 'family'), promotionUntil, confirmedAt })
    // Keys issued before a certain date may read the full history, so the new key keeps the date of the first.
    await execute(tx)`update api_key set created_at = ${old.createdAt} where id = ${newKey.id}`
    for (const table of ownedTables)
      await execute(tx)`update ${sql.id(table)} set key_id = ${newKey.id} where key_id = ${old.id}`
    await execute(tx)`
      update api_key set expires_at = least(coalesce(expires_at, ${oldExpiresAt}), ${oldExpiresAt}), replaced_by = ${newKey.id}
      where id = ${old.id}`
    await notifyFamily(tx, old.family)
    return { ...newKey, plan: old.plan }
  })

/** Revokes a key and the older keys of its family. With scope `family`, newer keys are revoked too. */
export const revokeKey = (db: Db, keyId: string, now: Date, scope: 'key' | 'family' = 'key'): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const family = await firstValue<string>(tx)`
      with given as (select id, family, replaced_by from api_key where id = ${keyId})
      update api_key k set revoked_at = ${now} from given g
      where k.revoked_at is null and k.family = g.family and (k.id = g.id or g.replaced_by is null or ${scope === 'family'})
      returning k.family`
    if (family !== undefined) await notifyFamily(tx, family)
    return family !== undefined
  })

export type ListedKey = Pick<
  ApiKeyTable,
  'id' | 'hint' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'expiresAt' | 'revokedAt'
>

export const listKeys = (db: Db, filter: { email?: string; plan?: string }) =>
  rowsOf<ListedKey>(db)`
    select id, hint, plan, email, created_at, promotion_until, expires_at, revoked_at from api_key
    where (${filter.email ?? null}::text is null or lower(email) = lower(${filter.email ?? null}))
      and (${filter.plan ?? null}::text is null or plan = ${filter.plan ?? null})
    order by created_at desc, id`

/** Deletes keys with everything they own. */
export const deleteKeys = async (tx: Db, families: readonly string[]): Promise<void> => {
  for (const family of families) await notifyFamily(tx, family)
  await execute(tx)`delete from api_key where family = any(${families})`
}

/** False if the key does not exist or is revoked. */
export const confirmKey = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const family = await firstValue<string>(db)`
    update api_key set confirmed_at = coalesce(confirmed_at, ${now}) where id = ${id} and revoked_at is null
    returning family`
  if (family !== undefined) await notifyFamily(db, family)
  return family !== undefined
}

/** Reports a key, and those it replaced, as changed. */
export const notifyKey = async (tx: Db, keyId: string): Promise<void> => {
  await execute(tx)`
    select pg_notify(${keyChannel}, encode(hash, 'hex')) from api_key
    where family = (select family from api_key where id = ${keyId})`
}

/** Reports all keys of a family as changed. PostgreSQL sends it when the transaction commits. */
const notifyFamily = (tx: Db, family: string) =>
  execute(tx)`select pg_notify(${keyChannel}, encode(hash, 'hex')) from api_key where family = ${family}`
