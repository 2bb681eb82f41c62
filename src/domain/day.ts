// A day of the calendar, written YYYY-MM-DD.

/** The day of a moment, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

const localDays = new Map<string, Intl.DateTimeFormat>()

/** The day of a moment in a time zone. */
export const localDayOf = (moment: Date, timeZone: string): string => {
  const format = localDays.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  localDays.set(timeZone, format)
  return format.format(moment)
}

/** True for a day that exists. There is no year 0; PostgreSQL rejects it. */
export const isDay = (text: string): boolean => {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Nov 15, 2026. */
export const dayInWords = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
