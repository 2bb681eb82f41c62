// Updates sale_search in the transaction that changes a sale or its property.
import { keysOf } from '../../common/typed.ts'
import { comparedColumns } from '../engine/columns.ts'
import { type Db, execute, sql } from '../engine/database.ts'
import type { Sql } from './compile.ts'
import { saleFacts } from './sale-facts.ts'

const key = ['market', 'source_id', 'sale_id']
const facts = keysOf(saleFacts)
const list = (names: readonly string[], from = '') => sql.raw(names.map((name) => `${from}${name}`).join(', '))
const compared = (row: string) => comparedColumns(facts, row)

/** The rows of sale_search as they should be. `and` is a condition on the sale `s`. */
export const saleSearchRows = (and: Sql = sql`true`): Sql => sql`
  select ${list(key, 's.')}, ${sql.join(facts.map((name) => sql`${saleFacts[name]} as ${sql.ref(name)}`))}
  from sale s left join property p on p.market = s.market and p.id = s.property_id
  where s.removed_at is null and ${and}`

/**
 * Writes the sales that `keys` selects (market, source_id, sale_id), or all. Unchanged rows are neither written nor locked. Sorted, as
 * property_search is: all rows are compared before the first is inserted.
 */
export const indexSales = async (tx: Db, keys?: Sql): Promise<void> => {
  const chosen = keys ? sql`(${list(key, 's.')}) in (${keys})` : sql`true`
  await execute(tx)`
    insert into sale_search (${list(key)}, ${list(facts)})
    with present as materialized (${saleSearchRows(chosen)})
    select ${list(key, 'r.')}, ${list(facts, 'r.')} from present r
    left join sale_search t on t.market = r.market and t.source_id = r.source_id and t.sale_id = r.sale_id
    where t.sale_id is null or (${compared('t')}) is distinct from (${compared('r')})
    order by ${list(key, 'r.')}
    on conflict (market, source_id, sale_id) do update set (${list(facts)}) = row(${list(facts, 'excluded.')})`
  await execute(tx)`
    delete from sale_search t using sale s
    where s.market = t.market and s.source_id = t.source_id and s.sale_id = t.sale_id and s.removed_at is not null
      and ${chosen}`
}

/** The sales of properties that an ingest run has changed. */
export const salesOfTouched = (markets: readonly string[], touchedAt: Date): Sql => sql`
  select s.market, s.source_id, s.sale_id from touched_property t
  join sale s on s.market = t.market and s.property_id = t.property_id
  where t.market = any(${markets}) and t.touched_at = ${touchedAt}`
