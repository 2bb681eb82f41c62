import { addressKey } from '../contract/address.ts'
import { listMarketSignals } from '../contract/operations/signals.ts'
import { windowStart } from '../contract/plans.ts'
import type { PropertySignal } from '../contract/property.ts'
import type { MarketRanks } from '../contract/score-rank.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { countSignals, type SignalRow, signalPage } from '../store/properties/signals.ts'
import { implement } from './context.ts'
import { historyWindow, listAnswer, pageOf } from './listing-page.ts'
import { marketAsked, slugAsked } from './market-asked.ts'
import { provenanceOf } from './provenance.ts'
import { propertyVerdict, ranksOf } from './ranks-and-verdict.ts'
import { daysOnMarket, oneDecimal, scoreOf } from './serving.ts'

export const listMarketSignalsRun = implement(listMarketSignals, async ({ db, caller, now }, input) => {
  const market = marketAsked(input.market)
  const filter = {
    market,
    citySlug: slugAsked(input.city, market),
    addressKey: input.address === undefined ? undefined : addressKey(input.address),
    soldSince: windowStart(caller.limits, now),
  }
  const page = pageOf(caller, input)
  const [rows, total, current, ranks] = await Promise.all([
    signalPage(db, filter, page),
    countSignals(db, filter),
    asOf(db, ['parcels', 'listings', 'sales'], market),
    marketRanks(db, market),
  ])
  const today = now.toISOString().slice(0, 10)
  return listAnswer(
    page,
    rows.map((row) => signalOf(row, today, ranks)),
    total,
    {
      asOf: current,
      window: historyWindow(caller.limits, now),
    },
  )
})

export const signalOf = (row: SignalRow, today: string, market: MarketRanks | undefined): PropertySignal => {
  const ranks = ranksOf(market, {
    teardownScore: row.teardownScore,
    flippabilityScore: row.flippabilityScore,
    conditionScore: row.conditionScore,
    historicCharm: row.historicCharm,
  })
  return {
    ...signalFields(row, today),
    ranks,
    verdict: propertyVerdict(market, ranks, { ...row, returnPct: row.proforma?.returnPct }),
  }
}

const signalFields = (row: SignalRow, today: string): PropertySignal => ({
  id: row.id,
  address: row.address,
  city: row.city,
  price: row.price,
  status: row.status,
  soldDate: row.status === 'sold' ? row.soldOn : undefined,
  teardownScore: scoreOf(row.teardownScore),
  flippabilityScore: scoreOf(row.flippabilityScore),
  historicCharm: scoreOf(row.historicCharm),
  rankScore: row.rankScore,
  returnPct: row.proforma?.returnPct,
  developerROI: oneDecimal(row.developerRoi),
  conditionScore: scoreOf(row.conditionScore),
  visionAnalysis: row.visionAnalysis,
  proformaROI: row.proforma?.roiPct,
  proforma: row.proforma,
  metadata: {
    sqft: row.livingSqft,
    lotSize: row.lotSqft,
    daysOnMarket: daysOnMarket(row, today),
    listedDate: row.listedOn,
    yearBuilt: row.yearBuilt,
    beds: row.beds,
    baths: row.baths,
    lat: row.lat,
    lng: row.lng,
  },
  source: provenanceOf(row),
})
