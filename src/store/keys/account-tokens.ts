// Links in mails that sign in or confirm a key. Only hashes of their tokens are stored. A token works once.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { type Db, execute, firstRow, onlyRow, sql } from '../engine/database.ts'
import { base62 } from './api-key.ts'
import { hashOf } from './keys.ts'

type Purpose = 'sign-in' | 'confirm'

export interface NewToken {
  purpose: Purpose
  email: string
  /** The key that the link confirms. */
  keyId?: string
  mailbox: string
  /** Absent if the operator made the link. */
  client?: string
  expiresAt: Date
}

/** 256 bits. Letters and digits only, so that the log removes it from URLs like any long run of them. */
export const newToken = (): string => base62(43)

export const insertToken = async (db: Db, token: NewToken, now: Date): Promise<string> => {
  const text = newToken()
  await execute(db)`
    insert into account_token (hash, purpose, email, key_id, mailbox, client, created_at, expires_at)
    values (${hashOf(text)}, ${token.purpose}, ${token.email}, ${token.keyId ?? null}, ${token.mailbox}, ${token.client ?? null},
      ${now}, ${token.expiresAt})`
  return text
}

interface Token {
  email: string
  keyId: string | null
}

const usable = (purpose: Purpose, text: string, now: Date) =>
  sql`hash = ${hashOf(text)} and purpose = ${purpose} and used_at is null and expires_at > ${now}`

/** Undefined if the link was used, has expired or never existed. Changes nothing. */
export const usableToken = (db: Db, purpose: Purpose, text: string, now: Date) =>
  firstRow<Token>(db)`
    select email, key_id from account_token where ${usable(purpose, text, now)}`

/** Of two requests with the same token, one gets it. */
export const takeToken = (db: Db, purpose: Purpose, text: string, now: Date) =>
  firstRow<Token>(db)`
    update account_token set used_at = ${now} where ${usable(purpose, text, now)} returning email, key_id`

/** A link that was used ends the others of its address. */
export const endLinks = (db: Db, email: string, now: Date) =>
  execute(db)`update account_token set used_at = ${now}
    where purpose = 'sign-in' and lower(email) = ${email} and used_at is null`

/** Sign-in links of the last hour and day, of the mailbox and of the client. Locks both, so that parallel requests are counted in turn. */
export const countLinks = async (tx: Db, { mailbox, client }: { mailbox: string; client: string }, now: Date) => {
  for (const subject of [mailbox, client])
    await execute(tx)`select pg_advisory_xact_lock(${advisoryLocks.signInLinks}, hashtext(${subject}))`
  const since = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  // A link over the limit is recorded as expired, and not counted for the mailbox.
  const countedLinks = sql`purpose = 'sign-in' and mailbox = ${mailbox} and client is not null and expires_at > created_at`
  return onlyRow<{
    mailboxHour: number
    /** When the first of them was made. */
    mailboxFirst: Date | null
    mailboxDay: number
    clientHour: number
  }>(tx)`
    select
      (select count(*) from account_token where ${countedLinks} and created_at > ${since(1)}) as mailbox_hour,
      (select min(created_at) from account_token where ${countedLinks} and created_at > ${since(1)}) as mailbox_first,
      (select count(*) from account_token where ${countedLinks} and created_at > ${since(24)}) as mailbox_day,
      (select count(*) from account_token where purpose = 'sign-in' and client = ${client} and created_at > ${since(1)}) as client_hour`
}
