// Dates as whole days since 1970-01-01 (UTC), so that date differences are plain subtraction.

import type { Random } from './random.ts'

export type Day = number

const msPerDay = 86_400_000
const dateOf = (day: Day): Date => new Date(day * msPerDay)

export const dayOf = (date: string): Day => Date.parse(date) / msPerDay
export const isoDate = (day: Day): string => dateOf(day).toISOString().slice(0, 10)

export const simulationStart = dayOf('2018-01-01')

export const yearOf = (day: Day): number => dateOf(day).getUTCFullYear()
/** 0 = January. */
export const monthOf = (day: Day): number => dateOf(day).getUTCMonth()
/** 0 = Sunday. */
export const weekdayOf = (day: Day): number => dateOf(day).getUTCDay()
/** Months since year 0: the same number for every day of a month. */
export const monthIndexOf = (day: Day): number => yearOf(day) * 12 + monthOf(day)
const firstOfMonth = (monthIndex: number): Day => Date.UTC(1970, monthIndex - 1970 * 12) / msPerDay
/** The year as a decimal: 2025.5 is July 1, 2025. */
export const yearFraction = (day: Day): number => 1970 + day / 365.2425

/** Permit offices and title companies work on weekdays: a weekend day moves to the following Monday. */
export const onWeekday = (day: Day): Day => day + [1, 0, 0, 0, 0, 0, 2][weekdayOf(day)]!

/** A weekend day moves to the nearest weekday of the same month. */
export function weekdayIn(month: number, random: Random): Day {
  const first = firstOfMonth(month)
  const last = firstOfMonth(month + 1) - 1
  const day = random.int(first, last)
  const weekday = weekdayOf(day)
  if (weekday === 6) return day > first ? day - 1 : day + 2
  if (weekday === 0) return day < last ? day + 1 : day - 2
  return day
}
