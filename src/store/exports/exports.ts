// Exports and their files. A file is stored in pieces, so that every API process can read it and a range needs few of them.
import { type SourceUse, usesOf } from '../../domain/packs/source-uses.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { anyRow, type Db, execute, firstRow, firstValue, onlyValue, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { ApiKeyTable, ExportTable, SourceTable } from '../engine/schema.ts'

export type StoredExport = Omit<ExportTable, 'list' | 'idempotencyKey'>

/** Size of a piece before it is compressed. */
export const pieceBytes = 2 ** 20

const columns = sql`e.id, e.key_id, e.state, e.request, e.created_at, e.attempt, e.claimed_rows, e.rows, e.withheld, e.bytes, e.sha256,
  e.since, e.snapshot_at, e.expires_at, e.error`

export const exportsOf = async (db: Db, keyId: string, { limit, offset }: { limit: number; offset: number }) => {
  const rows = await rowsOf<StoredExport>(db)`
    select ${columns} from export e where e.key_id = ${keyId}
    order by e.created_at desc, e.id limit ${limit} offset ${offset}`
  return { rows, total: await onlyValue<number>(db)`select count(*) from export where key_id = ${keyId}` }
}

export const exportOf = (db: Db, keyId: string, id: string) =>
  firstRow<StoredExport>(db)`
    select ${columns} from export e where e.key_id = ${keyId} and e.id = ${id}`

/** Returns what was deleted; undefined if there is no such export. */
export const deleteExport = (db: Db, keyId: string, id: string) =>
  firstRow<Pick<StoredExport, 'state' | 'claimedRows' | 'createdAt'>>(db)`
    delete from export where key_id = ${keyId} and id = ${id} returning state, claimed_rows, created_at`

interface NewExport extends Pick<ExportTable, 'id' | 'keyId' | 'request' | 'claimedRows' | 'createdAt'> {
  list?: string | undefined
  idempotencyKey?: string | undefined
}

/** Locking the key makes requests of one key wait for each other, so that an Idempotency-Key is used once. */
export const lockKey = (tx: Db, keyId: string) => execute(tx)`select 1 from api_key where id = ${keyId} for update`

export const insertExport = async (tx: Db, newExport: NewExport): Promise<void> => {
  await execute(tx)`
    insert into export (id, key_id, state, request, list, idempotency_key, created_at, claimed_rows)
    values (${newExport.id}, ${newExport.keyId}, 'queued', ${JSON.stringify(newExport.request)}, ${newExport.list ?? null},
      ${newExport.idempotencyKey ?? null}, ${newExport.createdAt}, ${newExport.claimedRows})`
}

/** The export that was requested with this Idempotency-Key since then, and whether it was the same request. */
export const exportWithIdempotencyKey = async (
  db: Db,
  { keyId, idempotencyKey, request, list }: Omit<NewExport, 'id' | 'claimedRows' | 'createdAt'>,
  since: Date,
): Promise<(StoredExport & { same: boolean }) | undefined> => {
  if (idempotencyKey === undefined) return undefined
  return firstRow<StoredExport & { same: boolean }>(db)`
    select ${columns}, e.request = ${JSON.stringify(request)}::jsonb and e.list is not distinct from ${list ?? null}::text as same
    from export e where e.key_id = ${keyId} and e.idempotency_key = ${idempotencyKey} and e.created_at > ${since}
    order by e.created_at desc limit 1`
}

export type StartedExport = StoredExport &
  Pick<ExportTable, 'list'> &
  Pick<ApiKeyTable, 'family' | 'plan' | 'email' | 'revokedAt' | 'promotionUntil'> & { keyCreatedAt: Date }

/** Begins an attempt: what an interrupted one wrote is deleted. Undefined if there is nothing to do. */
export const startExport = async (db: Db, id: string): Promise<StartedExport | undefined> => {
  const started = await firstRow<StartedExport>(db)`
    update export e set state = 'running', attempt = e.attempt + 1, rows = 0, withheld = 0
    from api_key k where e.id = ${id} and k.id = e.key_id and e.state in ('queued', 'running')
    returning ${columns}, e.list, k.family, k.plan, k.email, k.revoked_at, k.promotion_until, k.created_at as key_created_at`
  if (started) await execute(db)`delete from export_piece where export_id = ${id} and attempt < ${started.attempt}`
  return started
}

type Attempt = Pick<StoredExport, 'id' | 'attempt'>

/** False if the export was deleted, or another process has started it again. */
export const savePiece = async (
  db: Db,
  { id, attempt }: Attempt,
  { piece, content, rows }: { piece: number; content: Buffer; rows: number },
): Promise<boolean> => {
  const saved = await execute(db)`
    update export set rows = ${rows} where id = ${id} and attempt = ${attempt} and state = 'running'`
  if (saved === 0) return false
  await execute(db)`
    insert into export_piece (export_id, attempt, piece, content) values (${id}, ${attempt}, ${piece}, ${content})`
  return true
}

/** False, like `failExport`, if this attempt is not the one that runs: nothing was changed. */
export const finishExport = (
  db: Db,
  { id, attempt }: Attempt,
  file: Pick<StoredExport, 'rows' | 'withheld' | 'bytes' | 'sha256' | 'since' | 'snapshotAt' | 'expiresAt'>,
) =>
  anyRow(db)`
    update export set state = 'ready', rows = ${file.rows}, withheld = ${file.withheld}, bytes = ${file.bytes}, sha256 = ${file.sha256},
      since = ${file.since}, snapshot_at = ${file.snapshotAt}, expires_at = ${file.expiresAt}, list = null
    where id = ${id} and attempt = ${attempt} and state = 'running' returning id`

export const failExport = async (db: Db, { id, attempt }: Attempt, error: string): Promise<boolean> => {
  const failed = await execute(db)`
    update export set state = 'failed', error = ${error}, list = null
    where id = ${id} and attempt = ${attempt} and state = 'running'`
  if (failed === 0) return false
  await execute(db)`delete from export_piece where export_id = ${id} and attempt = ${attempt}`
  return true
}

export const readPiece = (db: Db, { id, attempt }: Attempt, piece: number) =>
  firstValue<Buffer>(db)`
    select content from export_piece where export_id = ${id} and attempt = ${attempt} and piece = ${piece}`

/** The sources that do not permit a use. */
export const sourcesWithout = async (db: Db, use: SourceUse): Promise<string[]> => {
  const rows = await rowsOf<Pick<SourceTable, 'id' | 'kind' | 'config'>>(db)`select id, kind, config from source`
  return rows.flatMap(({ id, kind, config }) => (usesOf(kind, config.uses, config.licence).includes(use) ? [] : [id]))
}

/** Of these properties, those with a fact that a map layer among `sources` has set. */
export const propertiesOfLayers = async (
  tx: Db,
  ids: readonly string[],
  sources: readonly string[],
): Promise<ReadonlySet<string>> => {
  // Permits have no such ids; they are read by COPY, whose connection answers nothing else meanwhile.
  if (sources.length === 0 || ids.length === 0) return new Set()
  const markets = [...new Set(ids.map(marketOfProperty))]
  const forbidden = await valuesOf<string>(tx)`
    select p.id from property p where p.market = any(${markets}::text[]) and p.id = any(${ids}::text[])
      and exists (select 1 from jsonb_each_text(p.overlay_sources) o where o.value = any(${sources}::text[]))`
  return new Set(forbidden)
}
