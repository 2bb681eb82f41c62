// Writes assessments in batches. Only those whose content changed are written, in one transaction with their history and
// the search rows of their properties.
import { hash } from 'node:crypto'
import type { MarketId } from '../../domain/facts.ts'
import type { ScorePart, ValueFinding } from '../../domain/findings/findings.ts'
import { columnOf, recordset } from '../engine/columns.ts'
import { type Db, execute, type Known, knownRows, rowsOf, sql } from '../engine/database.ts'
import type { AssessmentHistoryTable, AssessmentTable, LeadTable, PropertySearchTable } from '../engine/schema.ts'
import { dataChannel } from '../ingest/freshness.ts'
import { indexPropertiesOf } from '../search/upkeep.ts'

/** Columns that say which property was assessed and by what. */
type AssessmentHeader = 'propertyId' | 'market' | 'citySlug' | 'modelVersion' | 'contentHash' | 'assessedOn'

/** What one law allows on a property. */
export type StoredLead = Known<Omit<LeadTable, 'market' | 'propertyId'>>

export type AssessmentContent = Known<Omit<AssessmentTable, AssessmentHeader | 'assessedAt' | 'marketHeatIndex'>> & {
  leads?: readonly StoredLead[]
}

export type Assessment = AssessmentContent & AssessmentRow

/** What is written. */
export type AssessmentRow = Pick<AssessmentTable, AssessmentHeader> & {
  /** The content as JSON. It is hashed and stored in this form, so it is serialized only once. */
  json: ContentJson
}

/** Columns of type json. They are nine tenths of the content. */
const findings = ['comps', 'explanation', 'redevelopment'] as const

/** The other columns, by type. */
const columnTypes = {
  text: ['propertyId', 'market', 'citySlug', 'modelVersion', 'contentHash', 'redevelopmentClass', 'allowedUses'],
  date: ['assessedOn'],
  jsonb: ['proforma', 'offers', 'uses'],
  integer: ['recentSalesCount', 'homes'],
  boolean: ['redevelopmentBlocked'],
  'double precision': [
    ...(['teardownScore', 'flippabilityScore', 'conditionScore', 'historicCharm', 'rankScore', 'biddingWar'] as const),
    ...(['developerRoi', 'valueUsd', 'valueLowUsd', 'valueHighUsd', 'avgPricePerSqft', 'redevelopmentScore'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly (keyof AssessmentTable)[]>>
const typed = Object.entries(columnTypes).flatMap(([type, names]) => names.map((name) => ({ name, type })))
const columns = typed.map(({ name }) => columnOf(name))
const written = [...columns, ...findings]
const replaced = written.filter((name) => name !== 'market' && name !== 'property_id')
const listed = (names: readonly string[]) => sql.raw(names.join(', '))

export type ContentJson = ReturnType<typeof contentJson>

export const contentJson = ({ comps, explanation, redevelopment, leads = [], ...scores }: AssessmentContent) => ({
  /** One object with the other columns. */
  scores: JSON.stringify(scores),
  /** One text per column of `findings`, empty for a missing one. */
  findings: [comps, explanation, redevelopment].map((each) => (each === undefined ? '' : JSON.stringify(each))),
  /** One object per lead, without its finding, and one text per finding. */
  leads: leads.map(({ finding, ...row }) => ({ row: JSON.stringify(row), finding: JSON.stringify(finding) })),
})

/** Changes with everything that is served. */
export const contentText = ({ scores, findings, leads }: ContentJson): string =>
  scores + [...findings, ...leads.flatMap(({ row, finding }) => [row, finding])].join('\x1e')

export type StoredScores = Pick<
  AssessmentTable,
  'propertyId' | 'contentHash' | 'teardownScore' | 'flippabilityScore' | 'modelVersion' | 'valueUsd' | 'proforma'
> &
  Pick<PropertySearchTable, 'aduScore' | 'redevelopmentScore' | 'sb9Status'>

export const storedScores = async (db: Db, market: MarketId, ids: readonly string[]) => {
  const rows = await rowsOf<StoredScores>(db)`
    select a.property_id, a.content_hash, a.teardown_score, a.flippability_score, a.model_version, a.value_usd, a.proforma,
      s.adu_score, a.redevelopment_score, s.sb9_status
    from assessment a left join property_search s on s.market = a.market and s.property_id = a.property_id
    where a.market = ${market} and a.property_id = any(${ids})`
  return new Map(rows.map((row) => [row.propertyId, row]))
}

export interface StoredPartsOf {
  teardown: readonly ScorePart[]
  flippability: readonly ScorePart[]
  value?: ValueFinding
}

/** The parts of the stored scores and the value. They are large, so they are read only for what changed. */
export const storedParts = async (
  db: Db,
  market: MarketId,
  ids: readonly string[],
): Promise<Map<string, StoredPartsOf>> => {
  if (ids.length === 0) return new Map()
  type Row = Pick<StoredPartsOf, 'teardown' | 'flippability'> & { propertyId: string; value: ValueFinding | null }
  const rows = await knownRows<Row>(db)`
    select property_id, coalesce(explanation->'teardown'->'parts', '[]') as teardown,
      coalesce(explanation->'flippability'->'parts', '[]') as flippability, explanation->'value' as value
    from assessment where market = ${market} and property_id = any(${ids})`
  return new Map(rows.map((row) => [row.propertyId, row]))
}

/** The day of the assessment `alias`: null if an earlier version wrote it, which did not compute what decisions need. */
export const assessedOn = (alias: string) => sql.ref(`${alias}.assessed_on`)

export const writeAssessments = async (tx: Db, assessments: readonly AssessmentRow[], now: Date): Promise<void> => {
  if (assessments.length === 0) return
  const rows = `[${assessments.map(rowOf).join(',')}]`
  // JSON text contains no control characters, so one separates the texts of a column. As parts of `rows`, the server would parse
  // each text three times, which doubles its time for this statement.
  const separated = findings.map((_, at) => assessments.map(({ json }) => json.findings[at]).join('\x1e'))
  const texts = separated.map((column) => sql`string_to_table(${column}, chr(30), '')`)
  await execute(tx)`
    insert into assessment as a (assessed_at, ${listed(written)})
    select ${now}, ${listed(columns)}, ${listed(findings.map((name) => `${name}::json`))}
    from rows from (
      json_to_recordset(${rows}::json) as (${listed(typed.map(({ name, type }) => `"${name}" ${type}`))}), ${sql.join(texts)}
    ) as r (${listed(written)})
    on conflict (market, property_id) do update
      set (assessed_at, ${listed(replaced)}) = row(excluded.assessed_at, ${listed(replaced.map((name) => `excluded.${name}`))})
    where a.content_hash <> excluded.content_hash`
  await writeLeads(tx, assessments)
  for (const [market, ids] of idsByMarket(assessments)) await indexPropertiesOf(tx, market, ids)
}

/** Only leads that differ are written. Changed ones are deleted first: the best lead of a property may be of another law now. */
const writeLeads = async (tx: Db, assessments: readonly AssessmentRow[]): Promise<void> => {
  const leads = assessments.flatMap(({ propertyId, market, json }) =>
    json.leads.map(({ row, finding }) => ({
      row: `${JSON.stringify({ propertyId, market, hash: hash('md5', finding) }).slice(0, -1)},${row.slice(1)}`,
      finding,
    })),
  )
  const rows = sql`json_to_recordset(${`[${leads.map(({ row }) => row).join(',')}]`}::json)`
  const columns = sql`"propertyId" text, market text, law text, kind text, best boolean, status text, "maxUnits" integer,
    score double precision, blocked boolean`
  for (const [market, ids] of idsByMarket(assessments))
    await execute(tx)`
      delete from lead l where l.market = ${market} and l.property_id = any(${ids}::text[]) and not exists (
        select 1 from ${rows} as r (${columns}, hash text)
        where r."propertyId" = l.property_id and r.law = l.law and r.hash = md5(l.finding::text)
          and (r.kind, r.best, r.status, r."maxUnits", r.score, r.blocked)
            is not distinct from (l.kind, l.best, l.status, l.max_units, l.score, l.blocked))`
  if (leads.length === 0) return
  await execute(tx)`
    insert into lead (property_id, market, law, kind, best, status, max_units, score, blocked, finding)
    select property_id, market, law, kind, best, status, max_units, score, blocked, finding::json
    from rows from (
      ${rows} as (${columns}), string_to_table(${leads.map(({ finding }) => finding).join('\x1e')}, chr(30), '')
    ) as r (property_id, market, law, kind, best, status, max_units, score, blocked, finding)
    on conflict (market, property_id, law) do nothing`
}

const idsByMarket = (assessments: readonly AssessmentRow[]) =>
  [...Map.groupBy(assessments, ({ market }) => market)].map(
    ([market, some]) => [market, some.map(({ propertyId }) => propertyId)] as const,
  )

/** One JSON object of the header and the scores, whose JSON is inserted as text, so that it is not parsed and serialized again. */
const rowOf = ({ propertyId, market, citySlug, modelVersion, contentHash, assessedOn, json }: AssessmentRow): string =>
  `${JSON.stringify({ propertyId, market, citySlug, modelVersion, contentHash, assessedOn }).slice(0, -1)},${json.scores.slice(1)}`

export type ScoreChange = Known<Omit<AssessmentHistoryTable, 'changedAt' | 'previous'>> & {
  previous: NonNullable<AssessmentHistoryTable['previous']>
}

export const writeHistory = async (tx: Db, changes: readonly ScoreChange[], now: Date): Promise<void> => {
  if (changes.length === 0) return
  await execute(tx)`
    insert into assessment_history (market, property_id, changed_at, teardown_score, flippability_score, previous, reason, model_version)
    select market, property_id, ${now}, teardown_score, flippability_score, previous, reason, model_version
    from ${recordset('assessment_history', changes)}
    on conflict (market, property_id, changed_at) do nothing`
}

/**
 * Frees the space of the rows that a run has replaced, so that the rest of the run uses it: a valuation replaces every row, and the
 * tables would double. Tables of gigabytes are left to autovacuum, since a run over them takes longer than its interval of a minute.
 */
export const reclaimSpace = async (db: Db): Promise<void> => {
  const rows = await rowsOf<{ name: string }>(db)`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and relname in ('assessment', 'lead', 'property_search')
      and n_dead_tup > 500 + n_live_tup / 20 and pg_total_relation_size(relid) < 1e9`
  for (const { name } of rows) await execute(db)`vacuum (skip_locked, truncate false) ${sql.table(name)}`
}

/** Notifies every process that served data changed. PostgreSQL sends it when the transaction commits. */
export const notifyData = (tx: Db, market: string) => execute(tx)`select pg_notify(${dataChannel}, ${market})`
