// API keys. Only their hashes are stored; every change is told to all processes by NOTIFY.
import { hash, randomBytes } from 'node:crypto'
import { base62, makeKey } from '../../contract/api-key.ts'
import type { PlanName } from '../../contract/plans.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { ApiKeyTable } from '../engine/schema.ts'

/** `family`: the first key of those that followed from it by rotation, which share one allowance. */
export type ApiKey = Pick<
  ApiKeyTable,
  'id' | 'family' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'expiresAt' | 'revokedAt'
> & {
  /** The family's newest key, which its webhooks belong to. */
  heir: string
}

export interface NewKey {
  plan: Exclude<PlanName, 'demo'>
  email: string
  promotionUntil?: Date
  /** Of the key it replaces. */
  family?: string
}

/** Channel on which key changes are told; the payload is the hash in hexadecimal. */
export const keyChannel = 'lotline_keys'

export const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

export const newId = (prefix: string): string => `${prefix}_${base62(22, randomBytes)}`

export const keyByHash = async (db: Db, hash: Buffer): Promise<ApiKey | undefined> => {
  const { rows } = await sql<ApiKey>`
    select k.id, k.family, k.plan, k.email, k.created_at, k.promotion_until, k.expires_at, k.revoked_at,
      coalesce((select n.id from api_key n where n.family = k.family and n.replaced_by is null limit 1), k.id) as heir
    from api_key k where k.hash = ${hash}`.execute(db)
  return rows[0]
}

export const insertKey = async (
  db: Db,
  { plan, email, promotionUntil, family }: NewKey,
): Promise<{ id: string; key: string }> => {
  const key = makeKey(plan, randomBytes)
  const id = newId('key')
  await sql`
    insert into api_key (id, family, hash, hint, plan, email, promotion_until)
    values (${id}, ${family ?? id}, ${hashOf(key)}, ${key.slice(0, `ll_${plan}_`.length + 4)}, ${plan}, ${email}, ${promotionUntil ?? null})`.execute(
    db,
  )
  return { id, key }
}

export class NotRotatable extends Error {}

/** A new key with the old one's terms; the old one works until `oldExpiresAt`. A key is replaced once: a leaked one ends. */
export const rotateKey = (
  db: Db,
  keyId: string,
  oldExpiresAt: Date,
): Promise<{ id: string; key: string; plan: ApiKey['plan'] }> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<ApiKey>`
      select id, family, plan, email, created_at, promotion_until from api_key
      where id = ${keyId} and revoked_at is null and replaced_by is null for update`.execute(tx)
    const old = rows[0]
    if (!old)
      throw new NotRotatable(`Key ${keyId} has been replaced or revoked already; rotate the key that replaced it.`)
    const made = await insertKey(tx, {
      plan: old.plan,
      email: old.email,
      promotionUntil: old.promotionUntil ?? undefined,
      family: old.family,
    })
    // A rotation does not make a key newer: what it was promised when first issued stays.
    await sql`update api_key set created_at = ${old.createdAt} where id = ${made.id}`.execute(tx)
    await sql`update webhook_endpoint set key_id = ${made.id} where key_id = ${old.id}`.execute(tx)
    await sql`
      update api_key set expires_at = least(coalesce(expires_at, ${oldExpiresAt}), ${oldExpiresAt}), replaced_by = ${made.id}
      where id = ${old.id}`.execute(tx)
    await notifyFamily(tx, old.family)
    return { ...made, plan: old.plan }
  })

/** Ends a key and those still working that it replaced; `family` ends whatever followed from it too. */
export const revokeKey = (db: Db, keyId: string, now: Date, scope: 'key' | 'family' = 'key'): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<Pick<ApiKeyTable, 'family'>>`
      with given as (select id, family, replaced_by from api_key where id = ${keyId})
      update api_key k set revoked_at = ${now} from given g
      where k.revoked_at is null and k.family = g.family and (k.id = g.id or g.replaced_by is null or ${scope === 'family'})
      returning k.family`.execute(tx)
    if (rows[0]) await notifyFamily(tx, rows[0].family)
    return rows.length > 0
  })

export type ListedKey = Pick<
  ApiKeyTable,
  'id' | 'hint' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'expiresAt' | 'revokedAt'
>

export const listKeys = async (db: Db, filter: { email?: string; plan?: string }): Promise<ListedKey[]> => {
  const { rows } = await sql<ListedKey>`
    select id, hint, plan, email, created_at, promotion_until, expires_at, revoked_at from api_key
    where (${filter.email ?? null}::text is null or lower(email) = lower(${filter.email ?? null}))
      and (${filter.plan ?? null}::text is null or plan = ${filter.plan ?? null})
    order by created_at desc, id`.execute(db)
  return rows
}

/** Every key of the family may stand differently now. Sent when the transaction commits. */
const notifyFamily = (tx: Db, family: string) =>
  sql`select pg_notify(${keyChannel}, encode(hash, 'hex')) from api_key where family = ${family}`.execute(tx)
