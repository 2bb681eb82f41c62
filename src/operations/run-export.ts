// Reads all rows of an export from one snapshot and writes them, for a job of the queue and for `lotline export`.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { ApiError, badRequest, notProPlan } from '../common/errors.ts'
import { marketsSearched } from '../criteria/read.ts'
import type { Criteria } from '../criteria/vocabulary.ts'
import { type FieldSchema, fits, valueProblem } from '../domain/field-check.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { groupOfAll } from '../store/engine/shard-groups.ts'
import {
  failExport,
  finishExport,
  pieceBytes,
  propertiesOfLayers,
  type StartedExport,
  savePiece,
  sourcesWithout,
  startExport,
} from '../store/exports/exports.ts'
import { claimToday } from '../store/keys/daily-counts.ts'
import { outlinesOf } from '../store/map/places.ts'
import { assignPositions } from '../store/webhooks/event-feed.ts'
import {
  type ExportList,
  type ExportRequest,
  exportCriteriaOf,
  exportHours,
  exportLists,
  exportRowsPerDay,
  isExportList,
} from '../wire/operations/exports.ts'
import { limitsOf, windowStart } from '../wire/plans.ts'
import { checkFields, type Row } from '../wire/row-fields.ts'
import { listBuildersRun } from './builders.ts'
import { type Context, callerOf, type Services } from './context.ts'
import { exportFields, exportWriter } from './export-writers.ts'
import { listAduLeadsRun, listLotSplitsRun, listRedevelopmentLeadsRun } from './leads.ts'
import { listEventsRun } from './list-events.ts'
import { lookUpList } from './lookup-csv.ts'
import { mailboxOf } from './mailbox.ts'
import { getMarketSeriesRun, placeOf } from './market-series.ts'
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

/** A 400 for a field, a criterion, a sort or a format that rows of this kind do not have. */
export const checkExport = ({ kind, fields, criteria = {}, sort, format }: Search): void => {
  const columns = exportFields(kind).map(({ name }) => name)
  checkFields(fields, columns)
  if (format === 'geoparquet' && !columns.some((name) => /^(metadata\.)?lat$/.test(name)))
    throw badRequest(`Rows of ${kind} have no location, so they are not exported as geoparquet. Use ndjson or csv.`)
  const schemas = exportCriteriaOf(kind)
  if (!isExportList(kind)) requireCriteriaOf(kind, criteria)
  for (const [name, value] of Object.entries(criteria)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name]! : undefined
    if (!schema)
      throw badRequest(`criteria.${name} does not apply to ${kind}. Accepted are ${Object.keys(schemas).join(', ')}.`)
    if (!fits(schema, value)) throw badRequest(valueProblem(`criteria.${name}`, schema, value, 'body'))
  }
  if (isExportList(kind)) sortOf(kind, sort)
}

/** The `sort` of a list, which takes several names, one name or none. */
const sortOf = (kind: ExportList, sort: readonly string[] | undefined): { sort?: unknown } => {
  if (sort === undefined) return {}
  const { sort: schema } = exportLists[kind].input.properties as unknown as { sort?: FieldSchema }
  if (!schema) throw badRequest(`Rows of ${kind} have one order. Leave sort out.`)
  if (schema.type === 'array') return { sort }
  const [name, ...others] = sort
  if (others.length > 0 || !fits(schema, name)) throw badRequest(valueProblem('sort', schema, sort.join(','), 'body'))
  return { sort: name }
}

const listRuns = {
  sb9: listLotSplitsRun,
  aduLeads: listAduLeadsRun,
  redevelopmentLeads: listRedevelopmentLeadsRun,
  builders: listBuildersRun,
  marketSeries: getMarketSeriesRun,
  events: listEventsRun,
} as const satisfies Record<ExportList, unknown>

type ListPage = Page & { nextCursor?: string | null; hasMore?: boolean }

/** One page of what is exported. */
export const exportPage = async (
  context: Context,
  { kind, criteria = {}, sort, assumptions }: Search,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page> => {
  if (isExportList(kind)) {
    const run = listRuns[kind].run as unknown as (context: Context, input: object) => Promise<ListPage>
    const { limit, cursor } = page
    const next = cursor === undefined ? {} : { [kind === 'events' ? 'after' : 'cursor']: cursor }
    const { data, pagination, nextCursor, hasMore } = await run(context, {
      ...criteria,
      ...sortOf(kind, sort),
      ...next,
      limit,
    })
    // The feed has its own cursor, and one also behind the last event.
    return hasMore === undefined
      ? { data, pagination }
      : { data, pagination: { ...pagination, nextCursor: hasMore ? nextCursor! : null } }
  }
  const checked = criteria as Criteria
  return kind === 'sales'
    ? findSales(context, { ...checked, sort, ...page })
    : searchAllRun.run(context, { kind, criteria: checked, sort, assumptions, ...page })
}

/** The markets that are read, which decide the groups of the cluster. */
const marketsRead = ({ kind, criteria }: ExportRequest): readonly string[] => {
  if (kind === 'builders' || kind === 'marketSeries') return [placeOf(criteria ?? {}).market]
  return marketsSearched(kind === 'events' ? { market: 'all' } : { ...criteria })
}

/** Reads everything in one transaction, as of one moment. `write` gets bytes and the rows they complete, while the next page is read. */
export const writeExport = async (
  context: Omit<Context, 'bulk' | 'surface'>,
  request: ExportRequest,
  write: (bytes: Buffer, rows: number) => Promise<void>,
  list?: string | null,
) => {
  // The snapshot only reads.
  if (request.kind === 'events') await assignPositions(context.db)
  return groupOfAll(context.db, marketsRead(request))
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
      const hasOutlines = request.format === 'geoparquet' && ofParcels.includes(request.kind)
      const writer = exportWriter(request.format, request.kind, request.fields)
      for await (const page of readAhead(batches(inside, request))) {
        const ids = page.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
        const withheldIds = await propertiesOfLayers(db, ids, hiddenSources)
        const permitted = page.filter((row) => permitsExport(row, request.kind) && !withheldIds.has(row.id as string))
        rows += permitted.length
        withheld += page.length - permitted.length
        const shownIds = permitted.map(({ id }) => id as string)
        const outlines = hasOutlines ? await outlinesOf(db, shownIds, hiddenSources) : undefined
        await write(writer.write(permitted, outlines), rows)
      }
      await write(writer.end(), rows)
      return { rows, withheld, snapshotAt }
    })
}

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

/** Kinds whose rows may have an outline. */
const ofParcels: readonly string[] = ['parcels', 'aduLeads', 'redevelopmentLeads']

/** A source that permits everything is served without its uses. SB 9 lists homes for sale: without its listing, one is not shown. */
const permitsExport = ({ source, listingStatus }: Row, kind: string): boolean =>
  ((source as { uses?: readonly string[] } | undefined)?.uses?.includes('export') ?? true) &&
  (kind !== 'sb9' || listingStatus !== undefined)

/** After this many attempts that ended with their process, an export fails. */
const mostAttempts = 4

/** Runs the job of an export. Throws what the queue should retry. */
export const runExport = async (
  services: Services,
  id: string,
  clock: () => Date,
  onPage?: () => void,
): Promise<void> => {
  const { db } = services
  const started = await startExport(db, id)
  if (!started) return
  try {
    if (started.attempt > mostAttempts) throw new ApiError(500, 'The export was interrupted too often.')
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

const write = async (services: Services, started: StartedExport, now: Date, onPage: (() => void) | undefined) => {
  const { db } = services
  const { plan, promotionUntil } = started
  const caller = callerOf(plan, limitsOf({ plan, createdAt: started.keyCreatedAt, promotionUntil }, now), '')
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
    if ((await claimRows(tx, started, made.rows - started.claimedRows)) === undefined) throw new ApiError(429, overRows)
  })
}

export const overRows = `A mailbox may export ${exportRowsPerDay.toLocaleString('en-US')} rows a day. Narrow the search, or try again tomorrow (UTC).`

/** Counted on the day of the request. */
const claimRows = (tx: Db, { email, createdAt }: StartedExport, rows: number) =>
  claimToday(tx, 'export-rows', mailboxOf(email), exportRowsPerDay, createdAt, rows)

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
