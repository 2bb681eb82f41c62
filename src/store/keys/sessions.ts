// Browsers that are signed in. Every page looks its session up, so a session ends in every process at once when it is revoked or
// the key it was opened with is rotated, revoked or expires.
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { anyRow, type Db, execute, firstRow, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { AccountSessionTable, ApiKeyTable } from '../engine/schema.ts'
import { newToken } from './account-tokens.ts'
import { hashOf, newId } from './keys.ts'

export type Session = Pick<
  AccountSessionTable,
  'id' | 'email' | 'keyId' | 'chosenKeyId' | 'browser' | 'createdAt' | 'usedAt' | 'expiresAt'
>

/** Whose account a session opens: a proven address, or one key. */
export type Owner = { email: string } | { keyId: string }

export const ownerOf = ({ email, keyId }: Pick<Session, 'email' | 'keyId'>): Owner =>
  email === null ? { keyId: keyId! } : { email }

export const insertSession = async (
  db: Db,
  { owner, browser, expiresAt }: { owner: Owner; browser: string; expiresAt: Date },
  now: Date,
): Promise<string> => {
  const token = newToken()
  const [email, keyId] = 'email' in owner ? [owner.email, null] : [null, owner.keyId]
  await execute(db)`
    insert into account_session (id, hash, email, key_id, browser, created_at, used_at, expires_at)
    values (${newId('ses')}, ${hashOf(token)}, ${email}, ${keyId}, ${browser}, ${now}, ${now}, ${expiresAt})`
  return token
}

const columns = sql`s.id, s.email, s.key_id, s.chosen_key_id, s.browser, s.created_at, s.used_at, s.expires_at`

/** The conditions that end a session. */
const valid = (now: Date) => sql`s.expires_at > ${now} and (s.key_id is null or exists (
  select 1 from api_key k where k.id = s.key_id and ${usableKey(now)}))`

/** The key `k` works and was not replaced. */
const usableKey = (now: Date) =>
  sql`k.revoked_at is null and k.replaced_by is null and (k.expires_at is null or k.expires_at > ${now})`

export const sessionByToken = (db: Db, token: string, now: Date) =>
  firstRow<Session>(db)`
    select ${columns} from account_session s where s.hash = ${hashOf(token)} and ${valid(now)}`

/** One write per session and hour. */
export const touchSession = (db: Db, id: string, now: Date) =>
  execute(db)`update account_session set used_at = ${now} where id = ${id}`

const ownedBy = (owner: Owner) =>
  'email' in owner
    ? sql`(s.email = ${owner.email} or s.key_id in (select id from api_key where lower(email) = ${owner.email}))`
    : sql`s.key_id = ${owner.keyId}`

/** A mailed link shows every session of the address; a key shows the sessions that were opened with it. */
export const sessionsOf = (db: Db, owner: Owner, now: Date) =>
  rowsOf<Session>(db)`
    select ${columns} from account_session s where ${ownedBy(owner)} and ${valid(now)}
    order by s.used_at desc, s.id limit 100`

export const deleteSession = async (db: Db, owner: Owner, id: string): Promise<boolean> =>
  (await execute(db)`delete from account_session s where s.id = ${id} and ${ownedBy(owner)}`) > 0

/** Sign out everywhere. */
export const deleteSessions = (db: Db, owner: Owner) =>
  execute(db)`delete from account_session s where ${ownedBy(owner)}`

export const deleteSessionByToken = (db: Db, token: string) =>
  execute(db)`delete from account_session where hash = ${hashOf(token)}`

export const chooseKey = (db: Db, sessionId: string, keyId: string) =>
  execute(db)`update account_session set chosen_key_id = ${keyId} where id = ${sessionId}`

const accountKey = columnsOf<ApiKeyTable>()(
  'id family hint lastFour plan email createdAt promotionUntil expiresAt revokedAt confirmedAt',
)

export type AccountKey = RowOf<typeof accountKey>

/** The keys of an account that were not replaced, confirmed ones first (anyone can make others), then newest; `ended`: also those. */
export const accountKeys = (db: Db, owner: Owner, now: Date, { ended = false, confirmed = false } = {}) =>
  rowsOf<AccountKey>(db)`
    select ${accountKey('k')} from api_key k where ${'email' in owner ? sql`lower(k.email) = ${owner.email}` : sql`k.id = ${owner.keyId}`}
      and ${ended ? sql`k.replaced_by is null` : usableKey(now)}
      ${confirmed ? sql`and k.confirmed_at is not null` : sql``}
    order by (k.confirmed_at is null), k.created_at desc, k.id limit 200`

export const hasKeys = (db: Db, email: string) =>
  anyRow(db)`select 1 from api_key where lower(email) = ${email} limit 1`

/** The families of all keys of an account, replaced and revoked ones included. */
export const familiesOf = (db: Db, owner: Owner) =>
  valuesOf<string>(db)`
    select distinct family from api_key
    where ${'email' in owner ? sql`lower(email) = ${owner.email}` : sql`id = ${owner.keyId}`}`

/** Deletes the sessions and the mail log of an address and ends its links. Their count stays for a day: deletion lifts no limit. */
export const eraseAddress = async (tx: Db, email: string): Promise<void> => {
  await execute(tx)`
    update account_token set email = '', expires_at = least(expires_at, created_at + interval '1 microsecond')
    where lower(email) = ${email}`
  await execute(tx)`delete from account_session where email = ${email}`
  await execute(tx)`delete from mail where lower(recipient) = ${email}`
}
