// The watches that announce, in parts that are read again when one of their rows changed.
import { type Db, rowsOf, sql } from '../engine/database.ts'
import type { AssumptionSetTable, WatchTable } from '../engine/schema.ts'
import { live } from './changes.ts'

export type LiveWatch = Pick<WatchTable, 'id' | 'kind' | 'criteria' | 'triggers' | 'markets' | 'cities'> &
  Pick<WatchTable, 'assumptionSetId'> & {
    setMarket: AssumptionSetTable['market']
    values: AssumptionSetTable['values'] | null
    byCity: AssumptionSetTable['byCity']
  }

const part = sql`hashtext(w.id) & 255`

const from = (now: Date) => sql`
  from watch w join api_key k on k.id = w.key_id left join assumption_set s on s.id = w.assumption_set_id where ${live(now)}`

/** Every update of a row gives it another xmin, so the version changes with every watch and assumption set of the part. */
export const watchParts = (db: Db, now: Date) =>
  rowsOf<{ part: number; version: string }>(db)`
    select ${part} as part, count(*) || ' ' ||
      bit_xor(hashtextextended(w.id || ' ' || w.xmin::text || ' ' || coalesce(s.xmin::text, ''), 0)) as version
    ${from(now)} group by 1`

export const watchesOfParts = (db: Db, parts: readonly number[], now: Date) =>
  rowsOf<LiveWatch & { part: number }>(db)`
    select ${part} as part, w.id, w.kind, w.criteria, w.triggers, w.markets, w.cities, w.assumption_set_id, s.market as set_market, s."values",
      s.by_city
    ${from(now)} and ${part} = any(${parts}::int[])`
