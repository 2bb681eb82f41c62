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

/** The same day so many years before; the last of February of a leap year becomes Feb 28. */
export const yearsBefore = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`

/** The month after a month, both YYYY-MM. */
export const monthAfter = (month: string): string => {
  const [year, at] = month.split('-').map(Number) as [number, number]
  return at === 12 ? `${year + 1}-01` : `${year}-${String(at + 1).padStart(2, '0')}`
}

/** Nov 15, 2026. */
export const dayInWords = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
