import type { Static } from 'typebox'
import { citySlug } from '../contract/markets.ts'
import {
  defaultMinScore,
  listAduLeads,
  listRedevelopmentLeads,
  listSb9Inventory,
} from '../contract/operations/leads.ts'
import type { AduLead, RedevelopmentLead, Sb9Item } from '../contract/resources.ts'
import { aduPage, type LeadRow, redevelopmentPage, sb9Page } from '../store/assessments/leads.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { implement } from './context.ts'
import { listAnswer, pageOf, pagination } from './listing-page.ts'

const statusesOf = {
  eligible: ['eligible'],
  likely: ['likely'],
  blocked: ['blocked'],
  any: ['eligible', 'likely', 'blocked'],
}

export const listSb9InventoryRun = implement(listSb9Inventory, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const [{ rows, ...counts }, current] = await Promise.all([
    sb9Page(
      db,
      {
        statuses: input.status ? statusesOf[input.status] : ['eligible', 'likely'],
        minUnits: input.minUnits,
        excludeBlockers: input.excludeBlockers,
        citySlug: input.city === undefined ? undefined : citySlug(input.city),
      },
      page,
    ),
    asOf(db, ['parcels', 'listings'], 'sf-peninsula'),
  ])
  return leadAnswer(page, rows.map(leadOf<Static<typeof Sb9Item>>), counts, { asOf: current })
})

export const listAduLeadsRun = implement(listAduLeads, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const [{ rows, ...counts }, current] = await Promise.all([
    aduPage(db, scoredFilter(input), page),
    asOf(db, ['parcels'], 'sf-peninsula'),
  ])
  return leadAnswer(page, rows.map(leadOf<Static<typeof AduLead>>), counts, { asOf: current })
})

export const listRedevelopmentLeadsRun = implement(listRedevelopmentLeads, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const [{ rows, ...counts }, current] = await Promise.all([
    redevelopmentPage(db, { ...scoredFilter(input), class: input.class }, page),
    asOf(db, ['parcels'], 'sf-peninsula'),
  ])
  return leadAnswer(page, rows.map(leadOf<Static<typeof RedevelopmentLead>>), counts, { asOf: current })
})

const scoredFilter = (input: { minScore?: number; excludeBlockers?: boolean; city?: string }) => ({
  minScore: input.minScore ?? defaultMinScore,
  excludeBlockers: input.excludeBlockers,
  citySlug: input.city === undefined ? undefined : citySlug(input.city),
})

/** A finding is stored in the wire's own shape; the property says what and where it is. */
const leadOf = <T>({ finding, ...property }: LeadRow): T => ({ ...property, ...finding }) as T

/** The list envelope with `totalCapped`, which only lead lists carry. */
const leadAnswer = <T>(
  page: { limit: number; offset: number },
  data: T[],
  { total, totalCapped }: { total: number; totalCapped: boolean },
  { asOf }: { asOf: string },
) => ({
  ...listAnswer(page, data, total, { asOf }),
  pagination: { ...pagination(page, data.length, total), totalCapped },
})
