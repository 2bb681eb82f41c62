// What a permit must meet to be found, said in the way it will be looked for.
import { type Db, inTransaction, sql } from '../engine/database.ts'
import { cityTerm, type FoundWord, hasAny, holds, holdsFound } from './terms.ts'

export interface PermitFilter {
  /** Part of a city's name. */
  city?: string
  /** All of them must be in it, in any case. */
  words?: readonly string[]
  minValuation?: number
  issuedFrom?: string
  issuedTo?: string
  /** Start after this permit, in list order. */
  after?: PermitPlace
}

/** A place in list order: newest first, then number, then city. */
export interface PermitPlace {
  issuedOn: string
  permitId: string
  citySlug: string
}

/** With the cities the name given is a part of; no word twice, and in lower case. */
export interface Asked extends PermitFilter {
  citySlugs?: readonly string[]
}

/** How a set of permits is gone through. The planner knows too little of words to choose, so it is told. */
type Way = 'as they lie' | 'by index' | 'by date'

const settings: Readonly<Record<Way, string>> = {
  'as they lie':
    'set local enable_bitmapscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
  'by index':
    'set local enable_bitmapscan = on; set local enable_seqscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
  'by date':
    'set local enable_indexscan = on; set local enable_indexonlyscan = on; set local enable_seqscan = off; set local enable_bitmapscan = off',
}

export const planned = <T>(db: Db, way: Way, work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    // Starting a second process takes longer than the search.
    await sql.raw(`set local max_parallel_workers_per_gather = 0; ${settings[way]}`).execute(tx)
    return work(tx)
  })

/** For rows read one after another: what each must hold. */
export const asRead = (asked: Asked) => {
  const parts = [sql`issued_on is not null`]
  const { citySlugs } = asked
  if (citySlugs?.length === 1) parts.push(sql`city_slug = ${citySlugs[0]}`)
  else if (citySlugs) parts.push(sql`city_slug = any(${citySlugs})`)
  if (asked.minValuation !== undefined) parts.push(sql`valuation_usd >= ${asked.minValuation}`)
  return all([...parts, ...issuedWithin(asked), ...(asked.words ?? []).map(holds)])
}

/** The rare words find the rows; the rest is looked for in them, and hidden from the planner, who would fetch it by index too. */
export const byRare = (asked: Asked, rare: readonly FoundWord[]) => {
  const parts = [sql`issued_on is not null`, ...rare.map(holdsFound), ...(asked.words ?? []).map(holds)]
  if (asked.citySlugs) parts.push(sql`city_slug || '' = any(${asked.citySlugs})`)
  if (asked.minValuation !== undefined) parts.push(sql`valuation_usd + 0 >= ${asked.minValuation}`)
  return all([...parts, ...issuedWithin(asked)])
}

/** The city and these words in terms of the index of words; the other words are looked for in what it finds. */
export const byTerms = (asked: Asked, words: readonly FoundWord[]) => {
  const others = (asked.words ?? []).filter((word) => !words.some((found) => found.word === word))
  const parts = [sql`issued_on is not null`, ...words.map(holdsFound), ...others.map(holds)]
  if (asked.citySlugs) parts.push(hasAny(asked.citySlugs.map(cityTerm)))
  if (asked.minValuation !== undefined) parts.push(sql`valuation_usd >= ${asked.minValuation}`)
  return all([...parts, ...issuedWithin(asked)])
}

const all = (parts: ReturnType<typeof sql>[]) => sql.join(parts, sql` and `)

const issuedWithin = ({ issuedFrom, issuedTo }: Asked) => [
  ...(issuedFrom ? [sql`issued_on >= ${issuedFrom}`] : []),
  ...(issuedTo ? [sql`issued_on <= ${issuedTo}`] : []),
]

export const startingAfter = (after: PermitPlace | undefined) =>
  after === undefined
    ? sql``
    : sql`and issued_on <= ${after.issuedOn}
        and (issued_on < ${after.issuedOn} or (permit_id, city_slug) > (${after.permitId}, ${after.citySlug}))`
