import type { AduFinding, AduLead } from '../contract/adu.ts'
import type { MarketId } from '../contract/facts.ts'
import { findCity } from '../contract/markets.ts'
import {
  defaultMinScore,
  listAduLeads,
  listRedevelopmentLeads,
  listSb9Inventory,
} from '../contract/operations/leads.ts'
import type { RedevelopmentFinding, RedevelopmentLead } from '../contract/redevelopment.ts'
import { type Sb9Finding, type Sb9Item, sb9Statuses } from '../contract/sb9.ts'
import type { MarketRanks } from '../contract/score-rank.ts'
import { type Law, lawApplies, notApplicable } from '../laws/list.ts'
import { aduPage, type LeadRow, redevelopmentPage, type ScoredFilter, sb9Page } from '../store/assessments/leads.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { implement } from './context.ts'
import { listAnswer, pageOf, pagination } from './listing-page.ts'
import { marketAsked, slugAsked } from './market-asked.ts'
import { ranksOf } from './ranks-and-verdict.ts'

export const listSb9InventoryRun = implement(listSb9Inventory, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const { status } = input
  const market = marketAsked(input.market)
  const [{ rows, ...counts }, current] = await Promise.all([
    sb9Page(
      db,
      {
        market,
        statuses: status === undefined ? ['eligible', 'likely'] : status === 'any' ? sb9Statuses : [status],
        minUnits: input.minUnits,
        excludeBlockers: input.excludeBlockers,
        citySlug: slugAsked(input.city, market),
      },
      page,
    ),
    asOf(db, ['parcels', 'listings'], market),
  ])
  return { ...leadAnswer(page, rows.map(sb9Item), counts, { asOf: current }), ...reasonFor('sb9', market, input.city) }
})

export const listAduLeadsRun = implement(listAduLeads, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const market = marketAsked(input.market)
  const [{ rows, ...counts }, current, ranks] = await Promise.all([
    aduPage(db, scoredFilter(market, input), page),
    asOf(db, ['parcels'], market),
    marketRanks(db, market),
  ])
  const data = rows.map((row) => aduLead(row, ranks))
  return { ...leadAnswer(page, data, counts, { asOf: current }), ...reasonFor('adu', market, input.city) }
})

export const listRedevelopmentLeadsRun = implement(listRedevelopmentLeads, async ({ db, caller }, input) => {
  const page = pageOf(caller, input)
  const market = marketAsked(input.market)
  const [{ rows, ...counts }, current, ranks] = await Promise.all([
    redevelopmentPage(db, { ...scoredFilter(market, input), class: input.class }, page),
    asOf(db, ['parcels'], market),
    marketRanks(db, market),
  ])
  return leadAnswer(
    page,
    rows.map((row) => redevelopmentLead(row, ranks)),
    counts,
    { asOf: current },
  )
})

const scoredFilter = (
  market: MarketId,
  input: { minScore?: number; excludeBlockers?: boolean; city?: string },
): ScoredFilter => ({
  market,
  minScore: input.minScore ?? defaultMinScore,
  excludeBlockers: input.excludeBlockers,
  citySlug: slugAsked(input.city, market),
})

/** Names the law where it does not apply, in the market or in the city the caller asked for. */
const reasonFor = (leads: Law['leads'], market: MarketId, city: string | undefined): { notApplicable?: string } => {
  const place = (city !== undefined && findCity(city)?.market) || market
  return lawApplies(leads, place) ? {} : { notApplicable: notApplicable(leads, place) }
}

const sb9Item = ({ finding, ...row }: LeadRow<Sb9Finding>): Sb9Item => ({
  id: row.id,
  address: row.address,
  city: row.city,
  price: row.price,
  lotSize: row.lotSqft,
  zoning: row.zoning,
  sb9Status: finding.sb9Status,
  maxUnits: finding.maxUnits,
  lotSplit: finding.lotSplit,
  blockReasons: finding.blockReasons,
  untestedRules: finding.untestedRules,
  warnings: finding.warnings,
  confidence: finding.confidence,
})

/** The lists contain only rows that have a score. */
const aduLead = ({ finding, ...row }: LeadRow<AduFinding>, ranks: MarketRanks | undefined): AduLead => ({
  id: row.id,
  address: row.address,
  city: row.city,
  aduScore: finding.aduScore ?? 0,
  ranks: ranksOf(ranks, { aduScore: finding.aduScore }),
  maxUnits: finding.maxUnits ?? 0,
  buildableSqft: finding.buildableSqft,
  lot: finding.lot,
  units: finding.units,
  blockers: finding.blockers,
  warnings: finding.warnings,
  confidence: finding.confidence,
})

const redevelopmentLead = (
  { finding, ...row }: LeadRow<RedevelopmentFinding>,
  ranks: MarketRanks | undefined,
): RedevelopmentLead => ({
  id: row.id,
  address: row.address,
  city: row.city,
  redevelopmentScore: finding.redevelopmentScore ?? 0,
  ranks: ranksOf(ranks, { redevelopmentScore: finding.redevelopmentScore }),
  class: finding.class,
  yearBuilt: finding.yearBuilt,
  lotSize: finding.lotSize,
  existingSqft: finding.existingSqft,
  allowableSqft: finding.allowableSqft,
  buildableSqft: finding.buildableSqft,
  buildSqft: finding.buildSqft,
  allowableBasis: finding.allowableBasis,
  allowableConfidence: finding.allowableConfidence,
  far: finding.far ?? {},
  blockers: finding.blockers,
  warnings: finding.warnings,
  confidence: finding.confidence,
})

/** The list envelope with `totalCapped`, which only lead lists have. */
const leadAnswer = <T>(
  page: { limit: number; offset: number },
  data: T[],
  { total, totalCapped }: { total: number; totalCapped: boolean },
  { asOf }: { asOf: string },
) => ({
  ...listAnswer(page, data, total, { asOf }),
  pagination: { ...pagination(page, data.length, total), totalCapped },
})
