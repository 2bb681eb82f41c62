// Reading a page's address. A page never refuses an odd value: it leaves it out, says so, and shows what it did use.

export type Query = Record<string, unknown>

export const textIn = (query: Query, name: string, longest = 200): string | undefined => {
  const value = query[name]
  const text = typeof value === 'string' ? value.trim() : ''
  // The null character is text to a browser and an error to PostgreSQL.
  return text === '' || text.length > longest || text.includes('\0') ? undefined : text
}

export const numberIn = (query: Query, name: string, least: number, most: number): number | undefined => {
  const text = textIn(query, name)?.replace(/[$,\s]/g, '')
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) && value >= least && value <= most ? value : undefined
}

export const wholeIn = (query: Query, name: string, least: number, most: number): number | undefined => {
  const value = numberIn(query, name, least, most)
  return value !== undefined && Number.isInteger(value) ? value : undefined
}

export const oneOf = <T extends string>(query: Query, name: string, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => each === textIn(query, name))

export const someOf = <T extends string>(query: Query, name: string, allowed: readonly T[]): T[] => {
  const value = query[name]
  const given = Array.isArray(value) ? value : [value]
  return allowed.filter((each) => given.includes(each))
}

export const dateIn = (query: Query, name: string): string | undefined => {
  const text = textIn(query, name)
  const valid = text && /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text)
  return valid ? text : undefined
}

/** One field of a form as it was read; where something was given that could not be, that is added to what the page says. */
export const noted = <T>(
  problems: string[],
  query: Query,
  { name, label, accepted }: { name: string; label: string; accepted: string },
  read: T | undefined,
): T | undefined => {
  // A null would show as nothing; its picture does.
  const given = [query[name] ?? ''].flat().map(String).join(', ').trim().replaceAll('\0', '␀')
  if (read === undefined && given !== '') problems.push(`${label} “${shortened(given)}” was left out: ${accepted}.`)
  return read
}

export const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** An address with these parameters; those undefined are left out. */
export const addressOf = (path: string, params: Record<string, string | number | readonly string[] | undefined>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [String(value)]) query.append(name, each)
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}
