// API keys. Only their hashes are stored; every change is told to all processes by NOTIFY.
import { hash, randomBytes } from 'node:crypto'
import { base62, makeKey } from '../contract/api-key.ts'
import type { PlanName } from '../contract/plans.ts'
import { type Db, inTransaction, sql } from './database.ts'

export interface ApiKey {
  id: string
  plan: Exclude<PlanName, 'demo'>
  email: string
  createdAt: Date
  promotionUntil: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

export interface NewKey {
  plan: Exclude<PlanName, 'demo'>
  email: string
  promotionUntil?: Date
}

/** Channel on which key changes are told; the payload is the hash in hexadecimal. */
export const keyChannel = 'lotline_keys'

export const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

export const newId = (prefix: string): string => `${prefix}_${base62(22, randomBytes)}`

export const keyByHash = async (db: Db, hash: Buffer): Promise<ApiKey | undefined> => {
  const { rows } = await sql<ApiKey>`
    select id, plan, email, created_at, promotion_until, expires_at, revoked_at from api_key where hash = ${hash}`.execute(
    db,
  )
  return rows[0]
}

export const insertKey = async (
  db: Db,
  { plan, email, promotionUntil }: NewKey,
): Promise<{ id: string; key: string }> => {
  const key = makeKey(plan, randomBytes)
  const id = newId('key')
  await sql`
    insert into api_key (id, hash, hint, plan, email, promotion_until)
    values (${id}, ${hashOf(key)}, ${key.slice(0, `ll_${plan}_`.length + 4)}, ${plan}, ${email}, ${promotionUntil ?? null})`.execute(
    db,
  )
  return { id, key }
}

/** A new key with the old one's terms; the old one works until `oldExpiresAt`. */
export const rotateKey = (
  db: Db,
  keyId: string,
  oldExpiresAt: Date,
): Promise<{ id: string; key: string; plan: ApiKey['plan'] }> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<ApiKey & { hash: Buffer }>`
      select id, hash, plan, email, created_at, promotion_until from api_key
      where id = ${keyId} and revoked_at is null for update`.execute(tx)
    const old = rows[0]
    if (!old) throw new Error(`key ${keyId} is gone`)
    const made = await insertKey(tx, {
      plan: old.plan,
      email: old.email,
      promotionUntil: old.promotionUntil ?? undefined,
    })
    // A rotation does not make a key newer: what it was promised when first issued stays.
    await sql`update api_key set created_at = ${old.createdAt} where id = ${made.id}`.execute(tx)
    await sql`update webhook_endpoint set key_id = ${made.id} where key_id = ${old.id}`.execute(tx)
    await sql`
      update api_key set expires_at = least(coalesce(expires_at, ${oldExpiresAt}), ${oldExpiresAt}), replaced_by = ${made.id}
      where id = ${old.id}`.execute(tx)
    await notifyKey(tx, old.hash)
    return { ...made, plan: old.plan }
  })

export const revokeKey = async (db: Db, keyId: string, now: Date): Promise<boolean> => {
  const { rows } = await sql<{ hash: Buffer }>`
    update api_key set revoked_at = ${now} where id = ${keyId} and revoked_at is null returning hash`.execute(db)
  if (rows[0]) await notifyKey(db, rows[0].hash)
  return rows.length > 0
}

export interface ListedKey extends ApiKey {
  hint: string
}

export const listKeys = async (db: Db, filter: { email?: string; plan?: string }): Promise<ListedKey[]> => {
  const { rows } = await sql<ListedKey>`
    select id, hint, plan, email, created_at, promotion_until, expires_at, revoked_at from api_key
    where (${filter.email ?? null}::text is null or lower(email) = lower(${filter.email ?? null}))
      and (${filter.plan ?? null}::text is null or plan = ${filter.plan ?? null})
    order by created_at desc, id`.execute(db)
  return rows
}

const notifyKey = (db: Db, hash: Buffer) => sql`select pg_notify(${keyChannel}, ${hash.toString('hex')})`.execute(db)
