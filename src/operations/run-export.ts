// Reads all rows of an export from one snapshot and writes them, for a job of the queue and for `lotline export`.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { ApiError, notProPlan } from '../common/errors.ts'
import { fieldCatalog } from '../criteria/fields.ts'
import { marketsSearched } from '../criteria/read.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { groupOfAll } from '../store/engine/shard-groups.ts'
import {
  failExport,
  finishExport,
  pieceBytes,
  type StartedExport,
  savePiece,
  sourcesWithout,
  startExport,
} from '../store/exports/exports.ts'
import { claimToday } from '../store/keys/daily-counts.ts'
import { outlinesOf } from '../store/map/outlines.ts'
import { type ExportRequest, exportHours, exportRowsPerDay } from '../wire/operations/exports.ts'
import { limitsOf, windowStart } from '../wire/plans.ts'
import { checkFields, type Row } from '../wire/row-fields.ts'
import type { Caller, Context, Services } from './context.ts'
import { exportWriter } from './export-writers.ts'
import { lookUpList } from './lookup-csv.ts'
import { mailboxOf } from './mailbox.ts'
import { allPermits } from './permits.ts'
import { findSales } from './sales.ts'
import { criteriaFor, requireCriteriaOf, searchAllRun } from './search.ts'

/** Rows read at once: few queries for many rows, and a page is a few megabytes. */
const pageRows = 5_000

type Search = Exclude<ExportRequest, { kind: 'lookup' }>

interface Page {
  data: readonly Row[]
  pagination: { nextCursor?: string | null; total: number }
}

/** A 400 for a field that rows of this kind do not have, and for a criterion that does not apply to them. */
export const checkExport = ({ kind, fields, criteria = {} }: Search): void => {
  checkFields(
    fields,
    fieldCatalog[kind].map(({ name }) => name),
  )
  requireCriteriaOf(kind, criteria)
}

/** One page of what is exported. */
export const exportPage = (
  context: Context,
  { kind, criteria = {}, sort, assumptions }: Search,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page> =>
  kind === 'sales'
    ? findSales(context, { ...criteria, sort, ...page })
    : searchAllRun.run(context, { kind, criteria, sort, assumptions, ...page })

export interface Written {
  rows: number
  withheld: number
  snapshotAt: Date
}

/**
 * Reads everything in one transaction, so that all rows are of one moment. `write` gets the bytes and how many rows they complete;
 * while it runs, the database reads the next page.
 */
export const writeExport = (
  context: Omit<Context, 'bulk' | 'surface'>,
  request: ExportRequest,
  write: (bytes: Buffer, rows: number) => Promise<void>,
  list?: string | null,
): Promise<Written> =>
  groupOfAll(context.db, marketsSearched(request.criteria?.market))
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const snapshotAt = context.now
      const hiddenSources = await sourcesWithout(db, 'export')
      const caller = { ...context.caller, limits: { ...context.caller.limits, maxResults: pageRows } }
      const inside: Context = { ...context, db, caller, surface: 'export', bulk: { countTo: 0, hiddenSources } }
      let rows = 0
      let withheld = 0
      if (request.kind === 'lookup') {
        for await (const piece of await lookUpList(inside, list ?? '')) {
          rows += piece.rows
          withheld += piece.withheld
          await write(Buffer.from(piece.text), rows)
        }
        return { rows, withheld, snapshotAt }
      }
      const hasOutlines = request.kind === 'parcels' && request.format === 'geoparquet'
      const writer = exportWriter(request.format, request.kind, request.fields)
      for await (const page of readAhead(batches(inside, request))) {
        const shown = page.filter((row) => permitsExport(row))
        rows += shown.length
        withheld += page.length - shown.length
        const outlines = hasOutlines
          ? await outlinesOf(
              db,
              shown.map(({ id }) => id as string),
              hiddenSources,
            )
          : undefined
        await write(writer.write(shown, outlines), rows)
      }
      await write(writer.end(), rows)
      return { rows, withheld, snapshotAt }
    })

async function* batches(context: Context, request: Search): AsyncGenerator<readonly Row[]> {
  const { kind, criteria = {}, sort } = request
  if (kind === 'permits') return yield* allPermits(context, { ...criteriaFor(kind, criteria).applicable, sort })
  let cursor: string | null | undefined
  do {
    const { data, pagination } = await exportPage(context, request, { limit: pageRows, cursor: cursor ?? undefined })
    for (const row of data) delete row.links
    yield data
    cursor = pagination.nextCursor
  } while (cursor)
}

/** Begins to read the next value before it is asked for. */
async function* readAhead<T>(values: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = values.next()
  try {
    for (let read = await next; !read.done; read = await next) {
      next = values.next()
      // A failure is reported when it is awaited.
      next.catch(() => {})
      yield read.value
    }
  } finally {
    await values.return(undefined)
  }
}

/** A source that permits everything is served without its uses. */
const permitsExport = ({ source }: Row): boolean =>
  (source as { uses?: readonly string[] } | undefined)?.uses?.includes('export') ?? true

/** After this many attempts that ended with their process, an export fails. */
const mostAttempts = 4

/** Runs the job of an export. Throws what the queue should retry. */
export const runExport = async (
  services: Services,
  id: string,
  clock: () => Date,
  /** Called for each page. */
  onPage?: () => void,
): Promise<void> => {
  const { db } = services
  const started = await startExport(db, id)
  if (!started) return
  try {
    if (started.attempt > mostAttempts)
      throw new ApiError(500, 'internal_error', 'The export was interrupted too often.')
    if (started.revokedAt) throw notProPlan()
    await write(services, started, clock(), onPage)
  } catch (error) {
    if (error instanceof Superseded) return
    if (!(error instanceof ApiError) && started.attempt < mostAttempts) throw error
    const message = error instanceof ApiError ? error.message : 'The export could not be written. Try again later.'
    await inTransaction(db, async (tx) => {
      if (await failExport(tx, started, message)) await claimRows(tx, started, -started.claimedRows)
    })
    if (!(error instanceof ApiError)) throw error
  }
}

class Superseded extends Error {}

const write = async (
  services: Services,
  started: StartedExport,
  now: Date,
  onPage: (() => void) | undefined,
): Promise<void> => {
  const { db } = services
  const caller = callerOf(started, now)
  if (caller.plan !== 'pro') throw notProPlan()
  const file = pieceWriter(db, started)
  const made = await writeExport(
    { ...services, caller, now },
    started.request,
    (bytes, rows) => {
      onPage?.()
      return file.write(bytes, rows)
    },
    started.list,
  )
  const { bytes, sha256 } = await file.end()
  await inTransaction(db, async (tx) => {
    const since = windowStart(caller.limits, now) ?? null
    const expiresAt = new Date(now.getTime() + exportHours * 3_600_000)
    if (!(await finishExport(tx, started, { ...made, bytes, sha256, since, expiresAt }))) throw new Superseded()
    if ((await claimRows(tx, started, made.rows - started.claimedRows)) === undefined)
      throw new ApiError(429, 'rate_limited', overRows)
  })
}

export const overRows = `A mailbox may export ${exportRowsPerDay.toLocaleString('en-US')} rows a day. Narrow the search, or try again tomorrow (UTC).`

/** Counted on the day of the request. */
const claimRows = (tx: Db, { email, createdAt }: StartedExport, rows: number) =>
  claimToday(tx, 'export-rows', mailboxOf(email), exportRowsPerDay, createdAt, rows)

const callerOf = (key: StartedExport, now: Date): Caller => ({
  plan: key.plan,
  limits: limitsOf({ plan: key.plan, createdAt: key.keyCreatedAt, promotionUntil: key.promotionUntil }, now),
  client: '',
  remaining: 0,
  windowResetsInSeconds: 0,
})

const compressed = promisify(zstdCompress)

/** Stores the file in pieces of equal size. One piece is saved while the next is filled. */
const pieceWriter = (db: Db, started: StartedExport) => {
  const hash = createHash('sha256')
  let bytes = 0
  let piece = 0
  let waiting: Buffer[] = []
  let size = 0
  let rowsWritten = 0
  let saving = Promise.resolve()
  const save = async () => {
    const rows = rowsWritten
    const content = Buffer.concat(waiting)
    const rest = content.subarray(pieceBytes)
    waiting = rest.length > 0 ? [rest] : []
    size = rest.length
    const number = piece++
    await saving
    saving = compressed(content.subarray(0, pieceBytes), { chunkSize: pieceBytes / 4 }).then(async (content) => {
      if (!(await savePiece(db, started, { piece: number, content, rows }))) throw new Superseded()
    })
    // Awaited before the next piece.
    saving.catch(() => {})
  }
  return {
    write: async (added: Buffer, rows: number) => {
      hash.update(added)
      bytes += added.length
      waiting.push(added)
      size += added.length
      rowsWritten = rows
      while (size >= pieceBytes) await save()
    },
    end: async () => {
      if (size > 0) await save()
      await saving
      return { bytes, sha256: hash.digest('hex') }
    },
  }
}
