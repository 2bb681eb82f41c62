// Counting permits without reading them: every frequent term has a bit for each permit (migration group/0005), so that
// "kitchen, in this city, from $1 million" is an intersection of sixty rows a million permits.
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import { hasAny, yearMark } from './terms.ts'

/** From so many permits on a term gets bits. Fewer are fetched in less than ten milliseconds, though each be on a page of its own. */
export const countedFrom = 500

/** Permits that have one of these terms, all of them counted and the most frequent first, or are named. */
export interface Group {
  terms: readonly string[]
  docs?: readonly number[]
}

/** How many permits are in every group; any number beyond the cap where they are more: the foremost terms alone often reach it. */
export const countByBits = async (db: Db, groups: readonly Group[], cap: number): Promise<number> => {
  const total = await countMatched(
    db,
    groups.map(({ terms, docs }) => ({ terms: terms.slice(0, foremost), docs })),
  )
  return total > cap || groups.every(({ terms }) => terms.length <= foremost) ? total : countMatched(db, groups)
}

const foremost = 16

const countMatched = async (db: Db, groups: readonly Group[]): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    with ${blocks(groups)} select coalesce(sum(bit_count(bits)), 0)::bigint as total from matched`.execute(db)
  return rows[0]!.total
}

/** The same permits, by `doc`. The bits come as they are sent, packed behind their number, and are read here. */
export const docsByBits = async (db: Db, groups: readonly Group[]): Promise<number[]> => {
  const { rows } = await sql<{ block: number; packed: Buffer }>`
    with ${blocks(groups)}
    select block, bit_send(bits) as packed from matched where bit_count(bits) > 0`.execute(db)
  return rows.flatMap(({ block, packed }) => placesIn(packed.subarray(4)).map((place) => (block << 14) + place))
}

const placesIn = (packed: Buffer): number[] => {
  const places: number[] = []
  for (let at = 0; at < packed.length; at++)
    for (let byte = packed[at]!; byte !== 0; ) {
      const first = Math.clz32(byte) - 24
      places.push(8 * at + first)
      byte &= ~(128 >> first)
    }
  return places
}

const blocks = (groups: readonly Group[]) => {
  const each = groups.map((group, at) => sql`${sql.raw(`g${at}`)} as (${bitsOf(group)})`)
  const both = groups.map((_, at) => sql.raw(`g${at}.bits`))
  const joined = groups.map((_, at) => sql.raw(at === 0 ? 'g0' : `join g${at} using (block)`))
  return sql`${sql.join(each, sql`, `)},
    matched as (select block, ${sql.join(both, sql` & `)} as bits from ${sql.join(joined, sql` `)})`
}

const bitsOf = ({ terms, docs = [] }: Group) => {
  if (terms.length === 1 && docs.length === 0) return sql`select block, bits from permit_bits where term = ${terms[0]}`
  const named = sql`
    union all select doc >> 14, bits_at(doc & 16383, 1) from unnest(${docs}::int[]) doc group by 1`
  return sql`
    select block, bit_or(bits) as bits from (
      select block, bits from permit_bits where term = any(${terms}::text[]) ${docs.length > 0 ? named : sql``}) b
    group by block`
}

/** Permits whose terms are counted within a load: a tenth of a second's worth. */
const inTheLoad = 5_000

/**
 * After a load: what waits in the indexes is sorted in now, not by the next searches, and frequent terms get bits. In a larger
 * table that takes longer than a load should: then it is the worker's, and until it is done such words are read from the index.
 */
export const settleTerms = async (tx: Db, queue: Queue): Promise<void> => {
  for (const index of ['permit_by_term', 'permit_by_part_of_number', 'permit_term_letters'])
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(tx)
  const fresh = await termsWithoutBits(tx)
  if (fresh.length === 0) return
  const { rows } = await sql<{ docs: number }>`select coalesce(max(doc) - min(doc), 0) as docs from permit`.execute(tx)
  const few = fresh.length <= byIndex && fresh.reduce((sum, { permits }) => sum + permits, 0) < 20_000
  if (few || rows[0]!.docs < inTheLoad) await countFrequentTerms(tx)
  else await queue.send(tx, 'permit-terms', {}, { singletonKey: 'all' })
}

/** Frequent ones, and every year: the newest permits are looked for in the newest years. */
const termsWithoutBits = async (db: Db): Promise<{ term: string; permits: number }[]> => {
  const { rows } = await sql<{ term: string; permits: number }>`
    select term, permits from permit_term
    where (permits >= ${countedFrom} or term like ${`${yearMark}%`}) and not counted`.execute(db)
  return rows
}

/** So few terms are found by the index; for more every permit is read once. */
const byIndex = 20

/** Permits gone through at a time, so that the bits of all terms fit into memory. */
const docsAtOnce = 65_536

/**
 * Gives bits to the terms that have become frequent. No permit is written meanwhile, or its bit would be missed. Told to stop, it
 * ends at once, leaving all as it was.
 */
export const countFrequentTerms = async (db: Db, signal?: AbortSignal): Promise<void> => {
  if ((await termsWithoutBits(db)).length === 0) return
  await inTransaction(db, (tx) => stoppable(db, tx, signal, () => countTerms(tx, signal)))
}

const countTerms = async (tx: Db, signal?: AbortSignal): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`set local work_mem = '96MB'`.execute(tx)
  await sql`lock table permit in share row exclusive mode`.execute(tx)
  // Only now: another process may have counted them while we waited.
  const fresh = (await termsWithoutBits(tx)).map(({ term }) => term)
  if (fresh.length === 0) return
  await sql`update permit_term set counted = true where term = any(${fresh}::text[])`.execute(tx)
  const { rows } = await sql<{ first: number; last: number }>`
    select coalesce(min(doc), 1) as first, coalesce(max(doc), 0) as last from permit`.execute(tx)
  const few = fresh.length <= byIndex ? hasAny(fresh) : undefined
  for (let doc = rows[0]!.first & ~(docsAtOnce - 1); doc <= rows[0]!.last; doc += few ? 2 ** 31 : docsAtOnce) {
    signal?.throwIfAborted()
    await sql`
      insert into permit_bits (term, block, bits)
      select u.term, doc >> 14, bits_at(doc & 16383, 1)
      from permit, unnest(permit_terms(search, permit_id, city_slug, issued_on, valuation_usd)) u (term)
      where issued_on is not null and u.term = any(${fresh}::text[])
        and ${few ?? sql`doc between ${doc} and ${doc + docsAtOnce - 1}`}
      group by 1, 2`.execute(tx)
  }
}

/** The statement under way is ended at the server, be it at work or waiting for a lock. */
const stoppable = async (db: Db, tx: Db, signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> => {
  if (!signal) return work()
  signal.throwIfAborted()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  const end = () => void sql`select pg_cancel_backend(${rows[0]!.pid})`.execute(db).catch(() => {})
  signal.addEventListener('abort', end, { once: true })
  try {
    await work()
  } finally {
    signal.removeEventListener('abort', end)
  }
}
