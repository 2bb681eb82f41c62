// Validates the mapped values of one row: an implausible value is left out and counted, a missing required value rejects
// the row.

export interface Rejection {
  code: string
  reason: string
}

export interface Facts {
  values: Readonly<Record<string, unknown>>
  unread: readonly { field: string; given: string }[]
  /** Reasons for single values left out. */
  left: string[]
  /** The latest accepted date, and today. */
  latest: string
  today: string
  /** The first reason that rejects the row. */
  rejection: Rejection | undefined
}

export const reject = (facts: Facts, code: string, reason: string): void => {
  facts.rejection ??= { code, reason }
}

export const text = (facts: Facts, field: string): string | undefined => facts.values[field] as string | undefined

/** A number within its bounds; outside of them it is unknown. */
export const number = (facts: Facts, field: string, min: number, max: number): number | undefined => {
  const value = facts.values[field] as number | undefined
  if (value === undefined) return undefined
  if (value >= min && value <= max) return value
  // Many feeds write 0 for an unknown value, so a 0 out of bounds is not counted as an error.
  if (value !== 0) facts.left.push(`${field}: not between ${min} and ${max}`)
  return undefined
}

export const date = (facts: Facts, field: string, latest = facts.latest): string | undefined => {
  const value = facts.values[field] as string | undefined
  if (value === undefined) return undefined
  if (value > '1850-01-01' && value <= latest) return value
  facts.left.push(`${field}: not between 1850 and ${latest}`)
  return undefined
}

/** The value; when it is missing, the row is rejected with a reason that quotes what was given. */
export const requireField = <T>(facts: Facts, field: string, value: T | undefined): T => {
  if (value === undefined) {
    const read = facts.values[field]
    const given = facts.unread.find((each) => each.field === field)?.given ?? read
    const isFuture = typeof read === 'string' && /^\d{4}-\d\d-\d\d/.test(read) && read > facts.today
    if (given === undefined) reject(facts, `no_${snake(field)}`, `${field} is missing`)
    else if (isFuture) reject(facts, `future_${snake(field)}`, `${field} is in the future: "${given}"`)
    else reject(facts, `invalid_${snake(field)}`, `${field} is not valid: "${given}"`)
  }
  return value as T
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** What a parcel without an address is called. */
export const parcelName = (apn: unknown): string => `Parcel ${apn}`

/** A home is sold once a day, so place and day identify a sale without a number. */
export const saleName = (sale: Readonly<Record<string, unknown>>): string | undefined => {
  const where = sale.addressKey ?? sale.apnKey
  return where && sale.soldOn ? `${sale.citySlug} ${where} ${sale.soldOn}` : undefined
}
