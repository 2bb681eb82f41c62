// Requests, state and files of exports. An export belongs to the newest key of its family.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { ApiError, badRequest, notFound, notProPlan, rateLimited, replacedKey } from '../common/errors.ts'
import { marketsSearched } from '../criteria/read.ts'
import { withheldRows } from '../domain/provenance.ts'
import { inTransaction } from '../store/engine/database.ts'
import {
  deleteExport as deleteStored,
  exportOf,
  exportsOf,
  exportWithIdempotencyKey,
  insertExport,
  lockKey,
  pieceBytes,
  readPiece,
  type StoredExport,
} from '../store/exports/exports.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { claimToday, giveBack, secondsToMidnight, usedToday } from '../store/keys/daily-counts.ts'
import { newId } from '../store/keys/keys.ts'
import type { Export, ExportRequest } from '../wire/operations/exports.ts'
import * as wire from '../wire/operations/exports.ts'
import { windowStart } from '../wire/plans.ts'
import { type Context, type Implementation, implement } from './context.ts'
import { cursorPageOf, listAnswer, oneMarket } from './listing-page.ts'
import { readList } from './lookup-csv.ts'
import { mailboxOf } from './mailbox.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { checkExport, exportPage, overRows } from './run-export.ts'

export const createExportRun = implement(wire.createExport, async (context, { assumptionSet, ...given }) => {
  checkExport(given)
  const ownSet = await ownAssumptionsOf(
    context,
    { assumptionSet, assumptions: given.assumptions },
    oneMarket(marketsSearched(given.criteria ?? {})),
  )
  if (ownSet && given.kind !== 'listings' && given.kind !== 'parcels')
    throw badRequest(`Own assumptions apply to the returns of listings and parcels, not to ${given.kind}.`)
  // The values of the set as they are now: the job does not read the set again.
  const request = ownSet ? { ...given, assumptions: ownSet.values as Record<string, number> } : given
  const known = await earlier(context, request)
  if (known) return { success: true as const, data: known }
  const left =
    wire.exportRowsPerDay - (await usedToday(context.db, 'export-rows', mailboxOf(keyOf(context).email), context.now))
  // Also checks the criteria and the sort.
  const bulk = { countTo: left + 1, hiddenSources: [] }
  const { pagination } = await exportPage({ ...context, bulk }, request, { limit: 1 })
  const data = await enqueue(context, request, pagination.total)
  return { success: true as const, data }
})

/** POST /v1/lookup/batch with text/csv and Prefer: respond-async. */
export const lookUpLater = async (context: Context, list: string): Promise<{ success: true; data: Export }> => {
  const { count } = await readList(context, list)
  const { id, currentKeyId } = keyOf(context)
  if (id !== currentKeyId) throw replacedKey()
  const request = { kind: 'lookup', format: 'csv' } as const
  const data = (await earlier(context, request, list)) ?? (await enqueue(context, request, count, list))
  return { success: true, data }
}

const earlier = async (context: Context, request: ExportRequest, list?: string): Promise<Export | undefined> => {
  const { db, now, idempotencyKey } = context
  const since = new Date(now.getTime() - 24 * 3_600_000)
  const known = await exportWithIdempotencyKey(db, { keyId: ownerOf(context), idempotencyKey, request, list }, since)
  if (known && !known.same)
    throw badRequest(
      'This Idempotency-Key was sent with another body in the last 24 hours. Send the same body, or another Idempotency-Key.',
    )
  return known && served(known, now)
}

const enqueue = (context: Context, request: ExportRequest, claimedRows: number, list?: string): Promise<Export> =>
  inTransaction(context.db, async (tx) => {
    const { now, queue, idempotencyKey } = context
    const { email, family } = keyOf(context)
    const keyId = ownerOf(context)
    await lockKey(tx, keyId)
    const known = await earlier({ ...context, db: tx }, request, list)
    if (known) return known
    const wait = secondsToMidnight(now)
    if ((await claimToday(tx, 'exports', family, wire.exportsPerDay, now)) === undefined)
      throw rateLimited(
        `This key has used its ${wire.exportsPerDay} exports for today (UTC). Try again tomorrow.`,
        wait,
      )
    if ((await claimToday(tx, 'export-rows', mailboxOf(email), wire.exportRowsPerDay, now, claimedRows)) === undefined)
      throw rateLimited(overRows, wait)
    const id = newId('exp')
    await insertExport(tx, { id, keyId, request, list, idempotencyKey, createdAt: now, claimedRows })
    await queue.send(tx, 'export', { id }, { singletonKey: family })
    return served((await exportOf(tx, keyId, id))!, now)
  })

export const listExportsRun = implement(wire.listExports, async (context, input) => {
  const page = cursorPageOf(context.caller, input)
  const [{ rows, total }, current] = await Promise.all([
    exportsOf(context.db, ownerOf(context), page),
    asOf(context.db, ['parcels', 'listings', 'sales', 'permits']),
  ])
  const data = rows.map((row) => served(row, context.now))
  return listAnswer(page, data, total, { asOf: current })
})

export const getExportRun = implement(wire.getExport, async (context, { id }) => ({
  success: true as const,
  data: served(await ownExport(context, id), context.now),
}))

export const deleteExportRun = implement(wire.deleteExport, async (context, { id }) => {
  await inTransaction(context.db, async (tx) => {
    const deleted = await deleteStored(tx, ownerOf(context), id)
    if (!deleted) throw noExport(id)
    const { state, createdAt, claimedRows } = deleted
    if (state === 'queued') await giveBack(tx, 'export-rows', mailboxOf(keyOf(context).email), createdAt, claimedRows)
  })
  return { success: true as const }
})

const decompressed = promisify(zstdDecompress)

export const getExportFileRun: Implementation = {
  ...implement(wire.getExportFile, () => Promise.reject(new Error('A file has no JSON answer.'))),
  file: async (context, input) => {
    const { db, caller, now } = context
    const stored = await ownExport(context, (input as { id: string }).id)
    const { state, kind, format } = served(stored, now)
    if (state !== 'ready') throw notFound(`The file of export ${stored.id} is not there: the export is ${state}.`)
    const since = windowStart(caller.limits, now)
    if (since !== undefined && (stored.since === null || stored.since < since))
      throw new ApiError(403, 'The file has records from before the history window of this key.')
    const day = stored.createdAt.toISOString().slice(0, 10)
    return {
      name: `lotline-${kind}-${day}.${format === 'geoparquet' ? 'parquet' : format}`,
      type: wire.exportTypes[format],
      bytes: stored.bytes!,
      etag: `"${stored.sha256}"`,
      read: async function* (start, end) {
        for (let at = Math.floor(start / pieceBytes); at * pieceBytes <= end; at++) {
          const content = await readPiece(db, stored, at)
          // Deleted while it was being read.
          if (!content) throw notFound(`The file of export ${stored.id} was deleted.`)
          const from = at * pieceBytes
          yield (await decompressed(content)).subarray(Math.max(0, start - from), end + 1 - from)
        }
      },
    }
  },
}

const ownExport = async (context: Context, id: string): Promise<StoredExport> => {
  const stored = await exportOf(context.db, ownerOf(context), id)
  if (!stored) throw noExport(id)
  return stored
}

const noExport = (id: string) => notFound(`This key has no export ${id}.`)

const keyOf = ({ caller }: Context) => {
  if (!caller.key) throw notProPlan()
  return caller.key
}

const ownerOf = (context: Context): string => keyOf(context).currentKeyId

const served = (row: StoredExport, now: Date): Export => ({
  id: row.id,
  state: row.expiresAt !== null && row.expiresAt <= now ? 'expired' : row.state,
  kind: row.request.kind,
  format: row.request.format,
  expectedRows: row.claimedRows,
  rows: row.rows,
  ...withheldRows(row.withheld),
  ...(row.bytes === null ? {} : { bytes: row.bytes }),
  ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
  createdAt: row.createdAt.toISOString(),
  ...(row.snapshotAt === null ? {} : { snapshotAt: row.snapshotAt.toISOString() }),
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt.toISOString() }),
  ...(row.error === null ? {} : { error: row.error }),
})
