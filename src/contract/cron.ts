// Checks cron expressions with five fields before they reach the scheduler, which would fail only at the start of the service.

interface CronField {
  name: string
  least: number
  most: number
  names?: readonly string[]
}

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', least: 0, most: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

const example = 'for example "15 6 * * *" for 06:15 UTC every day'

/** What is wrong with the expression, or undefined. */
export const cronProblem = (schedule: string): string | undefined => {
  const parts = schedule.trim().split(/\s+/)
  if (parts.length !== fields.length)
    return `schedule "${schedule}" has ${parts.length} fields; it must have five (minute, hour, day, month, weekday), ${example}`
  const values: (readonly number[])[] = []
  for (const [at, field] of fields.entries()) {
    const read = valuesOf(parts[at]!.toLowerCase(), field)
    if (!read)
      return `schedule "${schedule}" has the ${field.name} "${parts[at]}"; it must be from ${field.least} to ${field.most}, ${example}`
    values.push(read)
  }
  const [, , days, months] = values as [number[], number[], number[], number[], number[]]
  if (parts[4] === '*' && !months.some((month) => days.some((day) => day <= daysIn(month))))
    return `schedule "${schedule}" names a day that none of its months has; ${example}`
  return undefined
}

const daysIn = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)

const valuesOf = (text: string, { least, most, names }: CronField): number[] | undefined => {
  const found: number[] = []
  const one = (word: string): number | undefined => {
    const named = names?.indexOf(word) ?? -1
    const value = named >= 0 ? named + least : /^\d+$/.test(word) ? Number(word) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  for (const item of text.split(',')) {
    const [range = '', step, more] = item.split('/')
    const every = step === undefined ? 1 : Number(step)
    if (more !== undefined || !Number.isInteger(every) || every < 1 || every > most) return undefined
    const [from, to, third] = range === '*' ? [String(least), String(most)] : range.split('-')
    const first = one(from!)
    const last = to === undefined ? (step === undefined ? first : most) : one(to)
    if (third !== undefined || first === undefined || last === undefined || last < first) return undefined
    for (let value = first; value <= last; value += every) found.push(value)
  }
  return found
}
