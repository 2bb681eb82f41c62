import { pick } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import { daysOnMarket } from '../domain/days-on-market.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type SignalRow, signalsByKey } from '../store/properties/signals.ts'
import { listMarketSignals } from '../wire/operations/signals.ts'
import type { PropertySignal } from '../wire/property.ts'
import { type Context, implement } from './context.ts'
import { bestUseOf, decisionAbout, offerFields, rankedFlip } from './decisions.ts'
import { listingMedia, type Surface } from './listing-media.ts'
import { historyWindow, oneMarket, searchAnswer } from './listing-page.ts'
import { markNotAssessed, notAssessed } from './not-assessed.ts'
import { type OwnSet, withOwnReturns } from './own-assumptions.ts'
import { provenanceOf } from './provenance.ts'
import { ranksOf } from './ranks.ts'
import { type OwnUses, withOwnUses } from './schemes.ts'
import { type PropertyResult, searchProperties } from './search-properties.ts'
import { assessedFields, twoDecimals, unknownOverlays } from './served-values.ts'

export const listMarketSignalsRun = implement(listMarketSignals, async (context, input) => {
  const { db, caller, now, surface } = context
  const result = await searchProperties(context, input, {
    kind: 'listings',
    base: 'listings',
    defaultSort: [{ field: 'rankScore', descending: true }],
  })
  const [rows, current] = await Promise.all([
    rowsOf(context, result),
    asOf(db, ['parcels', 'listings', 'sales'], oneMarket(result.search.markets)),
  ])
  const signals = await markNotAssessed(db, rows, signalsOf(rows, result, { today: dayOf(now), surface }))
  const answer = searchAnswer(result, signals, { asOf: current, window: historyWindow(caller.limits, now) })
  return allRanked(rows) ? answer : { ...answer, notAssessed: await notAssessed(db, oneMarket(result.search.markets)) }
})

/** `stored`: the offers at the market's assumptions, which ranks follow. */
type Row = SignalRow & { ownUses?: OwnUses; stored?: SignalRow['offers'] }

/** The rows of a page, at the caller's own assumptions if it has any. An export never compares every use. */
export const rowsOf = async (
  context: Pick<Context, 'db' | 'now' | 'bulk'>,
  { keys, query, ownSet }: PropertyResult,
  { onlyReturns = context.bulk !== undefined } = {},
): Promise<Row[]> => {
  const found = await signalsByKey(context.db, keys)
  const stored = ownSet ? found.map((row): Row => ({ ...row, stored: row.offers })) : found
  const rows = await withOwnReturns<Row>(context.db, query, stored, ownSet)
  return onlyReturns ? rows : withOwnUses(context, rows, ownSet?.values)
}

/** If all rows have a rank, the market is assessed and this need not be queried. */
export const allRanked = (rows: readonly SignalRow[]): boolean =>
  rows.length > 0 && rows.every(({ rankScore }) => rankScore !== undefined)

/** The rows of a search, each with its distance and the overlays that were asked about and are not known. */
export const signalsOf = (
  rows: readonly Row[],
  result: PropertyResult,
  serving: { today: string; surface: Surface },
): PropertySignal[] => {
  const distances = new Map(result.keys.map(({ id, distanceMi }) => [id, distanceMi]))
  return rows.map((row) => ({
    ...signalOf(row, result.ranks.get(row.market), serving, result.ownSet),
    distanceMi: twoDecimals(distances.get(row.id)),
    unknown: unknownOverlays(result.search.conditions, row.overlays),
  }))
}

export const signalOf = (
  row: Row,
  market: MarketRanks | undefined,
  { today, surface }: { today: string; surface: Surface },
  ownSet: OwnSet | undefined,
): PropertySignal => {
  const ranks = ranksOf(market, {
    teardownScore: row.teardownScore,
    ...rankedFlip(row.flippabilityScore, row.stored ?? row.offers),
    conditionScore: row.conditionScore,
    historicCharm: row.historicCharm,
  })
  const decision = decisionAbout({ ...row, ...row.ownUses }, ownSet?.values)
  return {
    ...signalFields(row, market?.asOf ?? today, surface),
    ranks,
    verdict: decision.text,
    decision,
    ...offerFields(row),
    // At the assumptions of the market, as its order and filters are.
    bestUse: row.uses && bestUseOf({ ...row, ...row.uses, expected: row.proforma?.expectedPrice }),
  }
}

const signalFields = (row: SignalRow, today: string, surface: Surface): PropertySignal => {
  const media = listingMedia(row, surface)
  return {
    ...pick(row, 'id', 'address', 'city', 'zip', 'price', 'status'),
    soldDate: row.status === 'sold' ? row.soldOn : undefined,
    ...assessedFields(row),
    rankScore: row.rankScore,
    listingUrl: media.listingUrl,
    photo: media.photos?.[0],
    visionAnalysis: row.visionAnalysis,
    proforma: row.proforma,
    metadata: {
      sqft: row.livingSqft,
      lotSize: row.lotSqft,
      daysOnMarket: daysOnMarket(row, today),
      listedDate: row.listedOn,
      ...pick(row, 'yearBuilt', 'beds', 'baths', 'lat', 'lng'),
    },
    source: provenanceOf({ ...row, uses: media.uses }, surface),
  }
}
