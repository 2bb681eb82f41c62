// Daily allowances counted in the database. The row lock makes them exact under concurrency.
import { dayOf } from '../../domain/day.ts'
import { type Db, execute, firstValue } from '../engine/database.ts'

export type MailPurpose = 'key-mails' | 'key-notices' | 'newsletter-mails'
type Purpose =
  | 'keys'
  | 'subscriptions'
  | 'exports'
  | 'export-rows'
  | 'watch-tests'
  | 'stranger-mails'
  | 'sign-up-mails'
  | MailPurpose

export const usedToday = async (db: Db, purpose: Purpose, subject: string, now: Date): Promise<number> =>
  (await firstValue<number>(db)`
    select used from daily_count where day = ${dayOf(now)} and purpose = ${purpose} and subject = ${subject}`) ?? 0

/** Uses one of the day's allowance, or as many as `amount`, and returns the number used; undefined if none is left. Rolled back with the transaction of `db`. */
export const claimToday = (db: Db, purpose: Purpose, subject: string, allowance: number, now: Date, amount = 1) =>
  firstValue<number>(db)`
    insert into daily_count as c (day, purpose, subject, used)
    select ${dayOf(now)}::date, ${purpose}, ${subject}, ${amount}::int where ${amount}::int <= ${allowance}::int
    on conflict (day, purpose, subject) do update set used = c.used + excluded.used where c.used + excluded.used <= ${allowance}::int
    returning used`

/** Returns what was claimed at that time and not used. */
export const giveBack = async (db: Db, purpose: Purpose, subject: string, claimedAt: Date, amount: number) => {
  await execute(db)`
    update daily_count set used = greatest(0, used - ${amount}::int)
    where day = ${dayOf(claimedAt)} and purpose = ${purpose} and subject = ${subject}`
}

/** Like `claimToday` for a client. An IPv6 customer may have a /56 of 256 networks, so it has an allowance too, twice that of a client. */
export const claimForClient = async (
  tx: Db,
  purpose: 'keys' | 'subscriptions',
  client: string,
  allowance: number,
  now: Date,
): Promise<number | undefined> => {
  const network = networkOf(client)
  if (network && (await claimToday(tx, purpose, network, 2 * allowance, now)) === undefined) return undefined
  return claimToday(tx, purpose, client, allowance, now)
}

/** The /56 of a client that is an IPv6 /64. */
export const networkOf = (client: string): string | undefined => {
  const [, prefix, last] = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64$/.exec(client) ?? []
  return last && `${prefix}${(Number.parseInt(last, 16) & 0xff00).toString(16)}::/56`
}

/** Whole seconds until midnight UTC. */
export const secondsToMidnight = (now: Date): number =>
  Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000)
