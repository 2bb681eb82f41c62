// Checks cron expressions with five fields before they reach the scheduler, which would fail only at the start of the service.
import { CronExpressionParser } from 'cron-parser'

const fields = [
  { name: 'minute', range: '0 to 59' },
  { name: 'hour', range: '0 to 23' },
  { name: 'day of the month', range: '1 to 31' },
  { name: 'month', range: '1 to 12' },
  { name: 'day of the week', range: '0 to 7' },
]

const example = 'for example "15 6 * * *" for 06:15 UTC every day'

/** What is wrong with the expression, or undefined. */
export const cronProblem = (schedule: string): string | undefined => {
  const parts = schedule.trim().split(/\s+/)
  if (parts.length !== fields.length)
    return `schedule "${schedule}" has ${parts.length} fields; it must have five (minute, hour, day, month, weekday), ${example}`
  if (parses(parts)) return undefined
  for (const [at, { name, range }] of fields.entries())
    if (!parses(fields.map((_, each) => (each === at ? parts[at]! : '*'))))
      return `schedule "${schedule}" has the ${name} "${parts[at]}"; it must be from ${range}, ${example}`
  return `schedule "${schedule}" names a day that none of its months has; ${example}`
}

/** Lowercase, so that the parser's own letters are rejected: H is another random value whenever the scheduler reads it. */
const parses = (parts: readonly string[]): boolean => {
  try {
    CronExpressionParser.parse(parts.join(' ').toLowerCase()).next()
    return true
  } catch {
    return false
  }
}
