// Where a record came from: the columns of its source, and their types.
import { sql } from '../engine/database.ts'
import type { SourceTable } from '../engine/schema.ts'

export interface Sourced extends Pick<SourceTable, 'license' | 'sample'> {
  sourceId: SourceTable['id']
  sourceTitle: SourceTable['title']
  sourceUrl: SourceTable['url']
  sourceKind: SourceTable['kind']
  sourceUses: NonNullable<SourceTable['config']['uses']> | null
}

/** Of a property that was in no parcel feed, all are null. */
export type MaybeSourced = { [Name in keyof Sourced]: Sourced[Name] | null }

/** `record` and `source` are names of tables in the statement. */
export const sourceColumns = (record: 'p' | 'l' | 's', source: 's' | 'o' = 's') =>
  sql.raw(`${source}.id as source_id, ${source}.title as source_title, ${source}.license, ${source}.sample,
    ${source}.kind as source_kind, ${source}.config->'uses' as source_uses, coalesce(${record}.source_url, ${source}.url) as source_url`)
