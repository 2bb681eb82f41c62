// Requests of a key by day, for the account page.
import { dayOf } from '../../domain/day.ts'
import { usageSince } from '../../store/keys/usage.ts'
import type { Context } from '../context.ts'

export const usageDays = 30

/** Every day of the last 30, newest first. A key's requests include those of the keys it replaced. */
export const usageByDay = async (
  { db, now }: Pick<Context, 'db' | 'now'>,
  family: string,
): Promise<{ day: string; requests: number; refused: number }[]> => {
  const days = Array.from({ length: usageDays }, (_, back) => dayOf(new Date(now.getTime() - back * 86_400_000)))
  const counted = new Map((await usageSince(db, family, days.at(-1)!)).map((row) => [row.day, row]))
  return days.map((day) => counted.get(day) ?? { day, requests: 0, refused: 0 })
}
