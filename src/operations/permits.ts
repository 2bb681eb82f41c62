import { isDay } from '../contract/day.ts'
import { badRequest, notFound } from '../contract/errors.ts'
import { getPermit, searchPermits } from '../contract/operations/permits.ts'
import type { Permit } from '../contract/permit.ts'
import { windowStart } from '../contract/plans.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type PermitPosition, type PermitRow, permitById, permitPage } from '../store/permits/permits.ts'
import { implement } from './context.ts'
import { historyWindow, listAnswer, pageOf } from './listing-page.ts'
import { provenanceOf } from './provenance.ts'

export const searchPermitsRun = implement(searchPermits, async ({ db, caller, now, publicUrl }, input) => {
  const since = windowStart(caller.limits, now)
  const page = pageOf(caller, input.cursor ? { ...input, offset: 0 } : input)
  const [{ rows, total, truncated }, current] = await Promise.all([
    permitPage(
      db,
      {
        city: input.city?.trim(),
        words: input.q?.split(/\s+/).filter(Boolean),
        minValuation: input.minValuation,
        issuedFrom: latest(input.issuedFrom, since),
        issuedTo: input.issuedTo,
        after: input.cursor === undefined ? undefined : pointOf(input.cursor),
      },
      { ...page, limit: page.limit + 1 },
    ),
    asOf(db, ['permits']),
  ])
  // Reads one row more than requested to know whether there is a next page.
  const more = rows.length > page.limit
  const shown = rows.slice(0, page.limit)
  const answer = listAnswer(
    page,
    shown.map((row) => permitOf(row, publicUrl)),
    total,
    {
      asOf: current,
      window: historyWindow(caller.limits, now),
    },
  )
  const last = shown.at(-1)
  return {
    ...answer,
    pagination: {
      ...answer.pagination,
      nextOffset: input.cursor ? null : answer.pagination.nextOffset,
      truncated,
      nextCursor: more && last ? cursorOf(last) : null,
    },
  }
})

export const getPermitRun = implement(getPermit, async ({ db, caller, now, publicUrl }, { citySlug, permitId }) => {
  const row = await permitById(db, citySlug, permitId)
  const since = windowStart(caller.limits, now)
  if (!row || (since !== undefined && row.issuedOn! < since))
    throw notFound(
      `There is no issued permit "${permitId}" in "${citySlug}"${since && row ? ' within this key’s history window' : ''}.`,
    )
  return { success: true as const, data: permitOf(row, publicUrl), asOf: await asOf(db, ['permits']) }
})

export const permitOf = (row: PermitRow, publicUrl: string): Permit => ({
  permitId: row.permitId,
  city: row.city,
  address: row.address,
  otherAddresses: row.otherAddresses,
  projectType: row.projectType,
  description: row.description,
  valuation: row.valuation ?? null,
  sqft: row.sqft,
  psf: row.valuation !== undefined && row.sqft ? Math.round((row.valuation / row.sqft) * 100) / 100 : undefined,
  contractor: row.contractor,
  architect: row.architect ?? null,
  issuedDate: row.issuedOn!,
  status: row.status,
  permitUrl: `${publicUrl}/permits/${row.citySlug}/${encodeURIComponent(row.permitId)}`,
  permitClass: row.permitClass,
  classWords: row.classWords,
  propertyId: row.propertyId,
  goneAt: row.removedAt?.toISOString(),
  source: provenanceOf(row),
})

const latest = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || a > b ? a : b

const cursorOf = (row: PermitRow): string =>
  Buffer.from(JSON.stringify([row.issuedOn, row.permitId, row.citySlug])).toString('base64url')

const pointOf = (cursor: string): PermitPosition => {
  try {
    const [issuedOn, permitId, citySlug] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (
      typeof issuedOn === 'string' &&
      isDay(issuedOn) &&
      typeof permitId === 'string' &&
      typeof citySlug === 'string' &&
      !/\0/.test(permitId + citySlug)
    )
      return { issuedOn, permitId, citySlug }
  } catch {}
  throw badRequest('cursor is not one we gave: take it from pagination.nextCursor of the page before.')
}
