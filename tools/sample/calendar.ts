// Dates as whole days since 1970-01-01 (UTC), so that date differences are plain subtraction.

export type Day = number

const msPerDay = 86_400_000

/** First simulated day. Before `earliestToday` there are fewer than five full years of permits. */
export const simulationStart: Day = dayOf('2018-01-01')
export const earliestToday: Day = dayOf('2023-07-01')

export function dayOf(date: string): Day {
  const ms = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(ms)) throw new Error(`"${date}" is not a date like 2026-11-15`)
  return Math.floor(ms / msPerDay)
}

export const isoDate = (day: Day): string => new Date(day * msPerDay).toISOString().slice(0, 10)

export const yearOf = (day: Day): number => Number(isoDate(day).slice(0, 4))
/** 0 = January. */
export const monthOf = (day: Day): number => Number(isoDate(day).slice(5, 7)) - 1
/** 0 = Sunday. */
export const weekdayOf = (day: Day): number => (((day + 4) % 7) + 7) % 7
/** Months since year 0: the same number for every day of a month. */
export const monthIndexOf = (day: Day): number => yearOf(day) * 12 + monthOf(day)
export const firstOfMonth = (monthIndex: number): Day =>
  Math.floor(Date.UTC(Math.floor(monthIndex / 12), monthIndex % 12, 1) / msPerDay)
/** The year as a decimal: 2025.5 is July 1, 2025. */
export const yearFraction = (day: Day): number => 1970 + day / 365.2425

/** Permit offices and title companies work on weekdays: a weekend day moves to the following Monday. */
export function onWeekday(day: Day): Day {
  const weekday = weekdayOf(day)
  return weekday === 6 ? day + 2 : weekday === 0 ? day + 1 : day
}
