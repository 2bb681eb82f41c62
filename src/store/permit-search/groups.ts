// What bits can tell of a search: its words, city and value as groups of terms, of each of which a permit must have one.
import { type Db, sql } from '../engine/database.ts'
import type { Group } from './bits.ts'
import { type Asked, planned } from './conditions.ts'
import { cityTerm, type FoundWords, hasAnyOf, permitsOf, type Term, valueTerm } from './terms.ts'

export interface Counted {
  /** As far as terms have bits. */
  groups: Group[]
  /** For each group the terms too rare to have bits, where they are few. */
  rest: string[][]
  /** Those of the groups that are whole without them. */
  sure: Group[]
  /** True where groups and rest together are the whole search. */
  exact: boolean
  /** How many permits a walk by date goes through, at most. */
  among: number
  /** The newest first; none where a year has no bits yet. */
  years: string[]
}

export const filterTerms = ({ citySlugs, minValuation }: Asked): string[] => {
  const value = minValuation === undefined ? undefined : valueTerm(minValuation)
  return [...(citySlugs ?? []).map(cityTerm), ...(value ? [value] : [])]
}

/** Undefined where bits can tell nothing. */
export const countable = (asked: Asked, found: FoundWords): Counted | undefined => {
  if (asked.issuedFrom || asked.issuedTo || !found.all) return undefined
  if (found.words.some(({ exact }) => !exact)) return undefined
  const value = asked.minValuation === undefined ? undefined : valueTerm(asked.minValuation)
  if (asked.minValuation !== undefined && !value) return undefined
  const cities = found.others.filter(({ term }) => term !== value)
  const parts = [
    // What numbers hold a word no bit tells: the terms alone say how many permits hold it at least.
    ...found.words.map(({ many, terms, shapes }) => ({ many: many || shapes.length > 0, terms })),
    ...(asked.citySlugs ? [{ many: false, terms: cities }] : []),
    ...(value ? [{ many: false, terms: found.others.filter(({ term }) => term === value) }] : []),
  ].map(grouped)
  if (parts.some(({ terms }) => terms.length === 0)) return undefined
  return {
    groups: parts.map(({ terms }) => ({ terms })),
    rest: parts.map(({ rest }) => (rest ?? []).map(({ term }) => term)),
    sure: parts.filter(({ rest }) => rest?.length === 0).map(({ terms }) => ({ terms })),
    exact: parts.every(({ rest }) => rest !== undefined),
    years: found.years.every(({ counted }) => counted) ? found.years.map(({ term }) => term) : [],
    among: asked.citySlugs ? permitsOf(cities) : found.permits,
  }
}

/** The rest is undefined where it is unknown or too much to fetch. */
const grouped = ({ many, terms }: { many: boolean; terms: readonly Term[] }) => {
  const rest = terms.filter(({ counted }) => !counted)
  return {
    terms: terms.filter(({ counted }) => counted).map(({ term }) => term),
    rest: many || permitsOf(rest) > restAtMost ? undefined : rest,
  }
}

/** So many permits are fetched in some 15 ms. */
const restAtMost = 1000

/** The groups made whole: what has terms without bits is fetched. The same groups where there is nothing to add. */
export const withRest = async (db: Db, { groups, rest }: Counted): Promise<Group[]> => {
  if (rest.every(({ length }) => length === 0)) return groups
  return planned(db, 'by index', async (tx) => {
    const whole: Group[] = []
    for (const [at, group] of groups.entries())
      whole.push(rest[at]!.length === 0 ? group : { ...group, docs: await docsOf(tx, rest[at]!) })
    return whole
  })
}

const docsOf = async (db: Db, terms: readonly string[]): Promise<number[]> => {
  const { rows } = await sql<{ doc: number }>`
    select doc from permit where issued_on is not null and ${hasAnyOf(terms)}`.execute(db)
  return rows.map(({ doc }) => doc)
}
